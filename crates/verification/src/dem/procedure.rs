//! Section 4.1 of the paper, step by step: seeds, cells, shrink factors by size class, sizes, the loose sample.

use anyhow::{Result, ensure};
use glam::DVec3;
use klast_dem::{Cell, Grading, SizeClass, Voronoi, shrink_fraction};
use klast_geometry::ConvexPolyhedron;
use klast_sampling::{Purpose, Streams, open_uniform};

use crate::{Context, Outcome, Table};

/// Asserts every step on one tessellation.
pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let count = table.input("seeds")? as usize;
    let mut rng = Streams::new(table.input("seed")? as u64).rng(Purpose::Position, 0);
    let mut point = || {
        let mut draw = || open_uniform(&mut rng);
        DVec3::new(draw(), draw(), draw())
    };
    let seeds: Vec<DVec3> = (0..count).map(|_| point()).collect();
    let cells = Voronoi::new(DVec3::ZERO, DVec3::ONE, &seeds)?.cells;
    ensure!(
        cells.len() == count,
        "{} cells of {count} seeds",
        cells.len()
    );
    let mut outcome = Outcome::new();
    nearest(&seeds, &mut outcome);
    voronoi(&seeds, &cells, &mut outcome);
    let probes: Vec<DVec3> = (0..2000).map(|_| point()).collect();
    ownership(&seeds, &cells, &probes, &mut outcome);
    shrink(&seeds, &cells, &mut outcome)?;
    let grading = Grading::Normal {
        mean: 0.1,
        spread: 0.1,
    };
    let mut rng = Streams::new(1).rng(Purpose::Shape, 0);
    let sizes = grading.sizes(20_000, &mut rng)?;
    let mean = sizes.iter().sum::<f64>() / sizes.len() as f64;
    let square = sizes.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>();
    let deviation = (square / sizes.len() as f64).sqrt();
    let off = sizes.iter().map(|d| (d / 0.1 - 1.0).abs());
    outcome.set("sizes: largest deviation", "ours", off.fold(0.0, f64::max));
    outcome.set("sizes: mean", "ours", mean);
    outcome.set("sizes: standard deviation", "ours", deviation);
    Ok(outcome)
}

/// Mean distance to the nearest seed over the radius of the ball that is a seed's share of the volume; seeds near a
/// face have their neighbours on one side only and are left out.
fn nearest(seeds: &[DVec3], outcome: &mut Outcome) {
    let radius = (3.0 / (4.0 * std::f64::consts::PI * seeds.len() as f64)).cbrt();
    let inner = |s: &&DVec3| s.min_element() > 3.0 * radius && s.max_element() < 1.0 - 3.0 * radius;
    let distances: Vec<f64> = seeds
        .iter()
        .filter(inner)
        .map(|s| {
            let others = seeds.iter().filter(|o| *o != s);
            others.map(|o| o.distance(*s)).fold(f64::MAX, f64::min)
        })
        .collect();
    let mean = distances.iter().sum::<f64>() / distances.len() as f64;
    outcome.set("seeds: nearest over radius", "ours", mean / radius);
    let within = seeds
        .iter()
        .all(|s| s.min_element() > 0.0 && s.max_element() < 1.0);
    outcome.set("seeds: all in the region", "ours", yes(within));
}

fn voronoi(seeds: &[DVec3], cells: &[Cell], outcome: &mut Outcome) {
    let volume: f64 = cells.iter().map(|c| c.measure().volume).sum();
    outcome.set("voronoi: volume of all cells", "ours", volume);
    // A corner is as far from its own seed as from the nearest of all: no seed is nearer.
    let worst = cells
        .iter()
        .zip(seeds)
        .flat_map(|(cell, seed)| cell.vertices.iter().map(move |v| (v, seed)))
        .map(|(v, own)| {
            let nearest = seeds
                .iter()
                .map(|s| s.distance(*v))
                .fold(f64::MAX, f64::min);
            own.distance(*v) - nearest
        })
        .fold(0.0, f64::max);
    outcome.set("voronoi: corner nearer to another seed by", "ours", worst);
}

/// Points at random lie in the cell of their nearest seed.
fn ownership(seeds: &[DVec3], cells: &[Cell], probes: &[DVec3], outcome: &mut Outcome) {
    let outside = |cell: &Cell, p: DVec3| {
        let plane = |face: &klast_dem::CellFace| {
            let [a, b, c] = [0, 1, 2].map(|k| cell.vertices[face.vertices[k] as usize]);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            let inward = cell.measure().centroid - a;
            // Which way a face looks is no matter here.
            (p - a).dot(normal) * -inward.dot(normal).signum()
        };
        cell.faces.iter().map(plane).fold(f64::MIN, f64::max)
    };
    let wrong = probes.iter().filter(|p| {
        let nearest = (0..seeds.len()).min_by(|a, b| {
            let far = |k: &usize| seeds[*k].distance_squared(**p);
            far(a).total_cmp(&far(b))
        });
        nearest.is_none_or(|k| outside(&cells[k], **p) > 1e-9)
    });
    outcome.set(
        "voronoi: points in another cell",
        "ours",
        wrong.count() as f64,
    );
}

/// One factor a cell keeps it convex; the factors of a size class give its sizes.
fn shrink(seeds: &[DVec3], cells: &[Cell], outcome: &mut Outcome) -> Result<()> {
    let (low, high, largest) = (0.09, 0.1, 0.11);
    let mut convex = true;
    let (mut least, mut most) = (f64::MAX, f64::MIN);
    let mut rng = Streams::new(2).rng(Purpose::Shape, 0);
    for (cell, seed) in cells.iter().zip(seeds) {
        let q = shrink_fraction(low, high, largest, open_uniform(&mut rng))?;
        least = least.min(largest * (1.0 - q));
        most = most.max(largest * (1.0 - q));
        let shrunk: Vec<DVec3> = cell
            .vertices
            .iter()
            .map(|v| *seed + (*v - *seed) * (1.0 - q))
            .collect();
        // Every corner is one of the hull: as many stay as the cell has.
        let hull = ConvexPolyhedron::from_points(&shrunk)?;
        let whole = ConvexPolyhedron::from_points(&cell.vertices)?;
        convex &= hull.vertices().len() == whole.vertices().len();
        let volume = cell.measure().volume;
        convex &= (hull.volume() / volume - (1.0 - q).powi(3)).abs() < 1e-9;
    }
    outcome.set("shrink: convex and similar", "ours", yes(convex));
    outcome.set("shrink: least size of the class", "ours", least);
    outcome.set("shrink: largest size of the class", "ours", most);
    let classes = Grading::Classes(vec![
        SizeClass {
            low: 0.09,
            high: 0.1,
            share: 0.25,
        },
        SizeClass {
            low: 0.1,
            high: 0.11,
            share: 0.75,
        },
    ]);
    let mut rng = Streams::new(3).rng(Purpose::Shape, 0);
    let sizes = classes.sizes(20_000, &mut rng)?;
    let share = sizes.iter().filter(|d| **d < 0.1).count() as f64 / sizes.len() as f64;
    outcome.set("shrink: share of the lower class", "ours", share);
    // Seeds with their cells shrunk to a half overlap nowhere: the loose sample.
    let loose = cells
        .iter()
        .zip(seeds)
        .map(|(c, _)| c.measure().volume * 0.5)
        .sum::<f64>();
    outcome.set("loose: filling", "ours", loose);
    Ok(())
}

fn yes(holds: bool) -> &'static str {
    if holds { "yes" } else { "no" }
}
