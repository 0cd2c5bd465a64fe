//! The slope in space: ground, release, barriers, collectors, and rocks on their trajectories.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use glam::{DVec2, DVec3};
use klast_geometry::terrain::Terrain;
use klast_plot::{Colour, step_colour};
use klast_rockfall::Release;
use klast_rockfall_jobs::rockfall::paths::{Moment, Path};
use klast_rockfall_jobs::rockfall::result::Results;
use klast_runs::error::Result;

use super::overlays::{BARRIER, COLLECTOR, RELEASE};
use super::swept;
use crate::sheet::Sheet;
use crate::view::{Body, Line, Mesh, Photo, UNMOVED, View, solid::single};

/// Points of the ground along its longer side.
const POINTS: f64 = 150.0;
/// Rocks that are shown at most.
const ROCKS: usize = 120;
const GROUND: Colour = Colour(176, 168, 150);
/// Bounds of the classes of energy (kJ).
const CLASSES: [f64; 4] = [30.0, 100.0, 300.0, 1000.0];

/// The view, if there are trajectories to show.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let shown: Vec<&Path> = results
        .paths
        .iter()
        .filter(|p| p.rock < results.written)
        .take(ROCKS)
        .collect();
    if shown.is_empty() {
        return Ok(());
    }
    let caption = format!(
        "The ground with the trajectories of {} rocks, coloured by their kinetic energy, the release, barriers and collectors. Time runs from \
         the release of each rock; rocks are drawn larger than they are.",
        shown.len()
    );
    sheet.view(&view(results, &shown), &caption)
}

fn view(results: &Results, shown: &[&Path]) -> View {
    let scene = results.simulation.scene();
    let terrain = &*scene.terrain;
    let origin = terrain.origin();
    let local = |m: &Moment| DVec3::new(m.x_m, m.y_m, m.z_m) - origin;
    // The ground reaches to what rocks pass and to what stands in their way.
    let lines = scene.collectors.iter().flat_map(|screen| &screen.line);
    let foot = |p: &DVec2| {
        let p = *p - origin.truncate();
        Some(p.extend(terrain.surface(p.x, p.y)?.height))
    };
    let points = shown.iter().flat_map(|p| &p.moments).map(local);
    let points = points.chain(lines.filter_map(foot));
    let (mut low, mut high) = points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), p| {
        (a.min(p), b.max(p))
    });
    let margin = 0.12 * (high - low).truncate().max_element().max(1.0);
    let extent = terrain.extent();
    low = (low - margin).max(extent.lower.extend(low.z - margin));
    high = (high + margin).min(extent.upper.extend(high.z + margin));
    let area = (low.truncate(), high.truncate());
    let mut view = View {
        words: "A slope with rocks on their trajectories".to_owned(),
        eye: Some(eye(shown)),
        north: true,
        ..View::default()
    };
    let ground = view.mesh(ground(terrain, area));
    view.bodies.push(Body {
        name: "ground".to_owned(),
        mesh: ground,
        colour: GROUND,
        alpha: 1.0,
        one_sided: false,
        places: vec![UNMOVED],
    });
    view.photo = results.orthophoto.as_ref().map(|photo| {
        let picture = BASE64_STANDARD.encode(&photo.bytes);
        let local = |p: DVec2| [p.x - origin.x, p.y - origin.y].map(|x| x as f32);
        Photo {
            mesh: ground,
            address: format!("data:{};base64,{picture}", photo.media),
            corners: [local(photo.lower), local(photo.upper)],
        }
    });
    for screen in &scene.collectors {
        let line: Vec<DVec2> = screen.line.iter().map(|p| *p - origin.truncate()).collect();
        let (height, colour) = match &screen.barrier {
            Some(barrier) => (barrier.height, BARRIER),
            None => (2.0, COLLECTOR),
        };
        let net = screen.barrier.is_some();
        let mesh = view.mesh(fence(terrain, &line, height, net));
        view.bodies.push(Body {
            name: screen.name.clone(),
            mesh,
            colour,
            alpha: if net { 0.25 } else { 0.6 },
            one_sided: false,
            places: vec![UNMOVED],
        });
        if !swept::is_place(&results.sweep, &screen.name) {
            view.legend.push((colour, screen.name.clone()));
        }
    }
    if !results.sweep.is_empty() {
        let moved = "lines that are moved over the slope";
        view.legend.push((COLLECTOR, moved.to_owned()));
    }
    for seeder in &scene.seeders {
        outline(&seeder.release, terrain, origin, &mut view.lines);
        view.legend
            .push((RELEASE, format!("release: {}", seeder.name)));
    }
    view.lines
        .extend(shown.iter().map(|p| trajectory(p, &local)));
    let ends = shown.iter().filter_map(|p| p.moments.last());
    let last = ends.fold(0.0f64, |m, e| m.max(e.time_s));
    view.times = vec![0.0, last as f32];
    for k in 0..=CLASSES.len() {
        let words = match (k.checked_sub(1).map(|k| CLASSES[k]), CLASSES.get(k)) {
            (None, Some(b)) => format!("below {b} kJ"),
            (Some(a), Some(b)) => format!("{a} to {b} kJ"),
            (Some(a), None) => format!("{a} kJ and more"),
            (None, None) => String::new(),
        };
        view.legend.push((energy_colour(k), words));
    }
    view
}

/// Colours of energies on the ground: the lightest class would not be seen on it.
fn energy_colour(class: usize) -> Colour {
    match class {
        0 => Colour(255, 255, 255),
        k => step_colour(k, CLASSES.len() + 1),
    }
}

/// From the side to which the rocks run down, across their path.
fn eye(shown: &[&Path]) -> (f64, f64) {
    let ends = shown
        .iter()
        .filter_map(|p| Some((p.moments.first()?, p.moments.last()?)));
    let along = ends.fold(DVec2::ZERO, |sum, (a, b)| {
        sum + DVec2::new(b.x_m - a.x_m, b.y_m - a.y_m)
    });
    (along.y.atan2(along.x) - 0.9, 0.55)
}

fn trajectory(path: &Path, local: &dyn Fn(&Moment) -> DVec3) -> Line {
    let colour = |m: &Moment| {
        let energy = 1e-3 * path.energy(m);
        let c = energy_colour(CLASSES.iter().filter(|b| energy >= **b).count());
        [c.0, c.1, c.2]
    };
    Line {
        name: format!("rock {}", path.rock),
        points: path.moments.iter().map(|m| single(local(m))).collect(),
        colours: path.moments.iter().map(colour).collect(),
        times: path.moments.iter().map(|m| m.time_s as f32).collect(),
        // The radius of a ball of its mass.
        size: (path.mass / 2700.0 * 0.2387).cbrt() as f32,
    }
}

/// The ground over an area as two triangles a cell, without those that miss a corner.
fn ground(terrain: &dyn Terrain, (low, high): (DVec2, DVec2)) -> Mesh {
    let size = high - low;
    let step =
        (size.max_element() / POINTS).max(0.5 * terrain.resolution().min(size.max_element()));
    let count = (size / step).ceil().max(DVec2::ONE);
    let (columns, rows) = (count.x as usize + 1, count.y as usize + 1);
    let mut mesh = Mesh::default();
    let mut number = vec![None; columns * rows];
    for r in 0..rows {
        for c in 0..columns {
            let at = (low + DVec2::new(c as f64, r as f64) * step).min(high);
            if let Some(surface) = terrain.surface(at.x, at.y) {
                number[r * columns + c] = Some(mesh.positions.len() as u32);
                mesh.positions.push(single(at.extend(surface.height)));
            }
        }
    }
    let at = |c: usize, r: usize| number.get(r * columns + c).copied().flatten();
    for r in 0..rows - 1 {
        for c in 0..columns - 1 {
            let corners = [at(c, r), at(c + 1, r), at(c + 1, r + 1), at(c, r + 1)];
            if let [Some(a), Some(b), Some(d), Some(e)] = corners {
                mesh.triangles.extend([[a, b, d], [a, d, e]]);
            }
        }
    }
    mesh
}

/// Rows of meshes of a net from the ground to its top.
const MESHES: u32 = 2;
/// Columns of meshes from post to post.
const POSTS: usize = 5;

/// A vertical screen over a line, on the ground: a net of diagonals between posts and ropes, or its top alone.
fn fence(terrain: &dyn Terrain, line: &[DVec2], height: f64, net: bool) -> Mesh {
    let mut mesh = Mesh::default();
    let wide = match net {
        true => height / f64::from(MESHES),
        false => terrain.resolution().max(0.1),
    };
    for piece in line.windows(2) {
        let steps = ((piece[1] - piece[0]).length() / wide)
            .ceil()
            .clamp(1.0, 200.0) as usize;
        let mut before: Option<u32> = None;
        for k in 0..=steps {
            let p = piece[0].lerp(piece[1], k as f64 / steps as f64);
            let Some(surface) = terrain.surface(p.x, p.y) else {
                before = None;
                continue;
            };
            let base = mesh.positions.len() as u32;
            let knot = |j: u32| surface.height + height * f64::from(j) / f64::from(MESHES);
            let knots = (0..=MESHES).map(|j| single(p.extend(knot(j))));
            mesh.positions.extend(knots);
            if net && (k.is_multiple_of(POSTS) || k == steps) {
                mesh.edges.push([base, base + MESHES]);
            }
            if let Some(a) = before {
                let (b, top) = (base, MESHES);
                mesh.triangles
                    .extend([[a, b, b + top], [a, b + top, a + top]]);
                mesh.edges.push([a + top, b + top]);
                if net {
                    let diagonals =
                        (0..MESHES).flat_map(|j| [[a + j, b + j + 1], [a + j + 1, b + j]]);
                    mesh.edges.extend(diagonals.chain([[a, b]]));
                }
            }
            before = Some(base);
        }
    }
    mesh
}

/// The borders of a release, a little over the ground.
fn outline(release: &Release, terrain: &dyn Terrain, origin: DVec3, lines: &mut Vec<Line>) {
    let mut draped = |points: &[DVec2], closed: bool| {
        let ends = points.iter().chain(points.first().filter(|_| closed));
        let ends: Vec<DVec2> = ends.map(|p| *p - origin.truncate()).collect();
        let mut line = Line {
            name: "release".to_owned(),
            ..Line::default()
        };
        for piece in ends.windows(2) {
            for k in 0..=20 {
                let p = piece[0].lerp(piece[1], f64::from(k) / 20.0);
                if let Some(surface) = terrain.surface(p.x, p.y) {
                    line.points.push(single(p.extend(surface.height + 0.5)));
                    line.colours.push([RELEASE.0, RELEASE.1, RELEASE.2]);
                }
            }
        }
        lines.push(line);
    };
    match release {
        Release::Line(points) => draped(points, false),
        Release::Area(polygon) => polygon.rings().iter().for_each(|ring| draped(ring, true)),
        Release::Parts(parts) => parts
            .iter()
            .for_each(|part| outline(part, terrain, origin, lines)),
        Release::Point(_) | Release::Cells { .. } => {}
    }
}
