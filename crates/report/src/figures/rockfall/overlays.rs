//! What is drawn over a map: trajectories, releases, barriers and collectors.

use glam::DVec2;
use klast_plot::{Colour, Overlay};
use klast_rockfall::Release;
use klast_rockfall_jobs::rockfall::result::Results;

use super::swept;

/// A map shows at most so many cells of a release, in equal steps among all.
const CELLS: usize = 4000;
/// A map shows at most so many trajectories.
pub const PATHS: usize = 60;

pub const BARRIER: Colour = Colour(20, 60, 160);
pub const COLLECTOR: Colour = Colour(90, 20, 110);
pub const RELEASE: Colour = Colour(150, 20, 20);
const PATH: Colour = Colour(60, 60, 60);

/// The trajectories that are written, in plan.
pub fn paths(results: &Results) -> Vec<Vec<(f64, f64)>> {
    let written = results
        .paths
        .iter()
        .filter(|p| p.rock < results.written)
        .take(PATHS);
    written
        .map(|p| p.moments.iter().map(|m| (m.x_m, m.y_m)).collect())
        .collect()
}

/// The trajectories, releases, barriers and collectors, with their names.
pub fn overlays(results: &Results, paths: Vec<Vec<(f64, f64)>>) -> Vec<Overlay> {
    let scene = results.simulation.scene();
    let mut overlays: Vec<Overlay> = paths
        .into_iter()
        .map(|points| Overlay::Line {
            name: String::new(),
            points,
            colour: PATH,
            width: 0.8,
        })
        .collect();
    for seeder in &scene.seeders {
        release(&seeder.name, &seeder.release, &mut overlays);
    }
    overlays.extend(scene.collectors.iter().map(|screen| Overlay::Line {
        name: swept::label(&results.sweep, &screen.name),
        points: screen.line.iter().map(|p| (p.x, p.y)).collect(),
        colour: if screen.barrier.is_some() {
            BARRIER
        } else {
            COLLECTOR
        },
        width: if screen.barrier.is_some() { 3.5 } else { 2.0 },
    }));
    overlays
}

fn release(name: &str, of: &Release, overlays: &mut Vec<Overlay>) {
    let pair = |p: &DVec2| (p.x, p.y);
    let name = format!("release: {name}");
    match of {
        Release::Point(at) => overlays.push(Overlay::Point {
            name,
            at: pair(at),
            colour: RELEASE,
        }),
        Release::Line(points) => overlays.push(Overlay::Line {
            name,
            points: points.iter().map(pair).collect(),
            colour: RELEASE,
            width: 2.5,
        }),
        Release::Area(polygon) => {
            for (k, ring) in polygon.rings().iter().enumerate() {
                overlays.push(Overlay::Area {
                    name: if k == 0 { name.clone() } else { String::new() },
                    points: ring.iter().map(pair).collect(),
                    colour: RELEASE,
                });
            }
        }
        Release::Cells { centres, cell } => {
            let half = 0.5 * cell;
            let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
            let every = centres.len().div_ceil(CELLS).max(1);
            for (k, centre) in centres.iter().step_by(every).enumerate() {
                overlays.push(Overlay::Area {
                    name: if k == 0 { name.clone() } else { String::new() },
                    points: corners
                        .iter()
                        .map(|(a, b)| (centre.x + a, centre.y + b))
                        .collect(),
                    colour: RELEASE,
                });
            }
        }
        Release::Parts(parts) => {
            for (k, part) in parts.iter().enumerate() {
                let from = overlays.len();
                release(name.trim_start_matches("release: "), part, overlays);
                // The name once, at the first part.
                for overlay in overlays.iter_mut().skip(from).filter(|_| k > 0) {
                    match overlay {
                        Overlay::Line { name, .. }
                        | Overlay::Area { name, .. }
                        | Overlay::Point { name, .. } => name.clear(),
                    }
                }
            }
        }
    }
}
