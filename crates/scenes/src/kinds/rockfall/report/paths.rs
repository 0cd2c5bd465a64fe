//! How far rocks run, and the paths of the first of them: tables, GeoJSON, VTK, and the profile with its envelopes.

use anyhow::Result;
use glam::{DVec2, DVec3};
use klast_plot::{Axis, Colour, LineChart, Series, line_colour, stack};
use klast_rockfall::{Results, Simulation};

use super::super::scene::Scene;
use super::charts::distribution;
use crate::formats::geojson;
use crate::formats::vtk::{PolyData, Values};
use crate::page::Page;
use crate::session::Session;

/// Envelopes are drawn over so many rocks, if there are as many.
const ENVELOPE: u64 = 200;
/// Places along the profile at which the envelopes are taken.
const STATIONS: usize = 80;

/// A rock at a moment, in map coordinates.
struct Moment {
    time: f64,
    position: DVec3,
    velocity: DVec3,
    rotational: f64,
    /// Height of the mass centre over the ground (m).
    height: f64,
}

/// One rock from release to its end.
struct Path {
    rock: u64,
    outcome: String,
    mass: f64,
    moments: Vec<Moment>,
}

impl Path {
    fn energy(&self, m: &Moment) -> f64 {
        0.5 * self.mass * m.velocity.length_squared() + m.rotational
    }
}

/// Runout as a table and a picture.
pub fn runout(results: &Results, session: &mut Session, page: &mut Page) -> Result<()> {
    let rows = results
        .runout
        .bins()
        .map(|(a, b, n)| [a.to_string(), b.to_string(), n.to_string()]);
    session
        .output
        .csv("runout.csv", &["from_m", "to_m", "rocks"], rows)?;
    if results.runout.count() > 0 {
        let svg = distribution("Runout", "distance in plan [m]", &results.runout, 1.0, None)?;
        session.output.text("runout.svg", &svg)?;
        page.heading("Runout");
        page.picture(
            &svg,
            "Distance in plan from release to rest of the rocks that stopped or were caught.",
        );
    }
    Ok(())
}

/// Writes the paths of the first rocks and draws their profile.
pub fn trajectories(
    scene: &Scene,
    simulation: &Simulation,
    session: &mut Session,
    page: &mut Page,
) -> Result<()> {
    let written = scene.write_trajectories.min(simulation.count());
    if written == 0 {
        return Ok(());
    }
    let followed = written.max(ENVELOPE.min(simulation.count()));
    let paths: Vec<Path> = (0..followed)
        .map(|rock| follow(simulation, rock))
        .filter(|p| p.moments.len() > 1)
        .collect();
    let first: Vec<&Path> = paths.iter().filter(|p| p.rock < written).collect();
    if first.is_empty() {
        return Ok(());
    }
    table(&first, session)?;
    session
        .output
        .text("trajectories.geojson", &geojson::write_lines(lines(&first)))?;
    session.output.text("trajectories.vtp", &vtp(&first))?;
    let svg = profile(&paths, written)?;
    session.output.text("trajectories.svg", &svg)?;
    page.heading("Trajectories");
    let caption = format!(
        "Paths of the first {} rocks over the way they go, and the envelopes of the first {}.",
        first.len(),
        paths.len()
    );
    page.picture(&svg, &caption);
    Ok(())
}

fn follow(simulation: &Simulation, rock: u64) -> Path {
    let terrain = &simulation.scene().terrain;
    let origin = terrain.origin();
    let mut moments = Vec::new();
    let result = simulation.rock(rock, &mut |arc| {
        // A point each 0.05 s shows the bend of an arc, and no class of the envelopes is flown over.
        let pieces = (arc.duration / 0.05).ceil().clamp(1.0, 200.0) as u32;
        for k in 0..=pieces {
            let t = arc.duration * f64::from(k) / f64::from(pieces);
            let local = arc.position_at(t);
            moments.push(Moment {
                time: arc.time + t,
                position: local + origin,
                velocity: arc.velocity_at(t),
                rotational: arc.rotational_energy,
                height: terrain
                    .surface(local.x, local.y)
                    .map_or(f64::NAN, |s| local.z - s.height),
            });
        }
    });
    Path {
        rock,
        outcome: format!("{:?}", result.outcome),
        mass: result.mass,
        moments,
    }
}

fn table(paths: &[&Path], session: &mut Session) -> Result<()> {
    let header = [
        "rock",
        "time_s",
        "x_m",
        "y_m",
        "z_m",
        "vx_m_per_s",
        "vy_m_per_s",
        "vz_m_per_s",
        "rotational_energy_j",
        "height_m",
    ];
    let rows = paths.iter().flat_map(|path| {
        path.moments.iter().map(|m| {
            let mut row = vec![path.rock.to_string(), m.time.to_string()];
            let numbers = m
                .position
                .to_array()
                .into_iter()
                .chain(m.velocity.to_array());
            row.extend(numbers.map(|x| x.to_string()));
            row.push(m.rotational.to_string());
            row.push(if m.height.is_finite() {
                m.height.to_string()
            } else {
                String::new()
            });
            row
        })
    });
    session.output.csv("trajectories.csv", &header, rows)
}

fn lines(paths: &[&Path]) -> Vec<geojson::Line> {
    let line = |path: &&Path| {
        let mut properties = serde_json::Map::new();
        properties.insert("rock".into(), path.rock.into());
        properties.insert("outcome".into(), path.outcome.clone().into());
        properties.insert("mass_kg".into(), path.mass.into());
        let points = path.moments.iter().map(|m| m.position.to_array().to_vec());
        (points.collect(), properties)
    };
    paths.iter().map(line).collect()
}

/// The paths as lines with time, speed and energy at each point.
fn vtp(paths: &[&Path]) -> String {
    let mut data = PolyData::default();
    let (mut times, mut speeds, mut energies) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        let from = data.points.len();
        for m in &path.moments {
            data.points.push(m.position.to_array());
            times.push(m.time);
            speeds.push(m.velocity.length());
            energies.push(1e-3 * path.energy(m));
        }
        data.lines.push((from..data.points.len()).collect());
    }
    data.point_values = vec![
        Values::new("time_s", 1, times),
        Values::new("speed_m_per_s", 1, speeds),
        Values::new("energy_kj", 1, energies),
    ];
    data.vtp()
}

/// The direction in plan in which the rocks go on the whole, and where the first of them starts along it.
fn direction(paths: &[Path]) -> (DVec2, f64) {
    let mut sum = DVec2::ZERO;
    for path in paths {
        if let (Some(first), Some(last)) = (path.moments.first(), path.moments.last()) {
            sum += (last.position - first.position).truncate();
        }
    }
    let along = sum.try_normalize().unwrap_or(DVec2::X);
    let start = paths
        .iter()
        .filter_map(|p| Some(along.dot(p.moments.first()?.position.truncate())))
        .fold(f64::INFINITY, f64::min);
    (along, start)
}

/// Three charts over the distance along the mean direction: heights above sea, over the ground, and energies.
fn profile(paths: &[Path], drawn: u64) -> Result<String> {
    const GREY: Colour = Colour(150, 150, 150);
    const GROUND: Colour = Colour(120, 85, 40);
    let (along, start) = direction(paths);
    let place = |m: &Moment| along.dot(m.position.truncate()) - start;
    let x = || Axis::new("distance [m]");
    let mut side = LineChart::new("Seen from the side", x(), Axis::new("z [m]"));
    let mut over = LineChart::new("Height over the ground", x(), Axis::new("h [m]"));
    let mut energy = LineChart::new("Kinetic energy", x(), Axis::new("E [kJ]"));
    for (k, path) in paths.iter().filter(|p| p.rock < drawn).enumerate() {
        let label = if k == 0 { "one rock" } else { "" };
        let of = |f: &dyn Fn(&Moment) -> f64| {
            let points = path.moments.iter().map(|m| (place(m), f(m))).collect();
            Series::line(label, points).thin().coloured(GREY)
        };
        side = side.with(of(&|m| m.position.z));
        over = over.with(of(&|m| m.height));
        energy = energy.with(of(&|m| 1e-3 * path.energy(m)));
    }
    let stations = Stations::new(paths, &place);
    let ground = stations.of(paths, &place, |_, m| m.position.z - m.height);
    let (middles, low, high) = stations.band(&ground);
    let band = Series::band("ground below the paths", &middles, &low, &high);
    side = side.with(band.coloured(GROUND));
    let greatest = |sorted: &[Vec<f64>]| {
        Series::line("greatest", stations.quantile(sorted, 1.0)).coloured(line_colour(1))
    };
    let high = stations.of(paths, &place, |_, m| m.position.z);
    side = side.with(greatest(&high));
    let heights = stations.of(paths, &place, |_, m| m.height);
    let energies = stations.of(paths, &place, |p, m| 1e-3 * p.energy(m));
    for (chart, values) in [(&mut over, heights), (&mut energy, energies)] {
        let most = Series::dashed("95 %", stations.quantile(&values, 0.95));
        chart.series.push(greatest(&values));
        chart.series.push(most.coloured(line_colour(2)));
    }
    side.size.1 = 340;
    over.size.1 = 260;
    energy.size.1 = 260;
    Ok(stack(&[side.svg()?, over.svg()?, energy.svg()?], 1))
}

/// Classes of distance along the profile.
struct Stations {
    width: f64,
}

impl Stations {
    fn new(paths: &[Path], place: &dyn Fn(&Moment) -> f64) -> Self {
        let end = paths.iter().flat_map(|p| &p.moments).map(place);
        let end = end.fold(0.0, f64::max);
        Self {
            width: (end / STATIONS as f64).max(1e-9),
        }
    }

    /// What each rock reaches at most in each class.
    fn of(
        &self,
        paths: &[Path],
        place: &dyn Fn(&Moment) -> f64,
        value: impl Fn(&Path, &Moment) -> f64,
    ) -> Vec<Vec<f64>> {
        let mut all = vec![Vec::new(); STATIONS];
        for path in paths {
            let mut own = [f64::NAN; STATIONS];
            for m in &path.moments {
                let class = (place(m) / self.width).max(0.0) as usize;
                if let Some(most) = own.get_mut(class.min(STATIONS - 1)) {
                    *most = most.max(value(path, m));
                }
            }
            for (class, most) in all.iter_mut().zip(own) {
                if most.is_finite() {
                    class.push(most);
                }
            }
        }
        all.iter_mut()
            .for_each(|class| class.sort_by(f64::total_cmp));
        all
    }

    fn middle(&self, class: usize) -> f64 {
        (class as f64 + 0.5) * self.width
    }

    /// The value that a share of the rocks stays below, class by class; the line breaks where no rock passes.
    fn quantile(&self, sorted: &[Vec<f64>], share: f64) -> Vec<(f64, f64)> {
        let value = |values: &Vec<f64>| {
            let last = values.len().saturating_sub(1) as f64;
            values
                .get((share * last).ceil() as usize)
                .copied()
                .unwrap_or(f64::NAN)
        };
        let classes = sorted.iter().enumerate();
        classes.map(|(k, v)| (self.middle(k), value(v))).collect()
    }

    /// Middles of the classes that rocks pass, and the least and the greatest value there.
    fn band(&self, sorted: &[Vec<f64>]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let (mut middles, mut low, mut high) = (Vec::new(), Vec::new(), Vec::new());
        for (k, values) in sorted.iter().enumerate() {
            if let (Some(a), Some(b)) = (values.first(), values.last()) {
                middles.push(self.middle(k));
                low.push(*a);
                high.push(*b);
            }
        }
        (middles, low, high)
    }
}
