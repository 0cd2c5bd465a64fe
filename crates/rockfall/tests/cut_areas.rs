//! How an area of one material is cut is not seen: the same rocks to the last bit, with chance and without, with either
//! engine; and a border of two materials holds no rock.

use crate::scenes;
use glam::DVec2;
use klast_geometry::terrain::{Grid, Terrain};
use klast_rockfall::lumped::{LumpedState, ReboundLaw};
use klast_rockfall::rigid::RigidOptions;
use klast_rockfall::*;
use klast_sampling::{Distribution, Family};
use std::ops::ControlFlow;

/// A material with scatter in each of its laws.
fn material(name: &str, friction: f64) -> SlopeMaterial {
    let around = |mean: f64, sd: f64| {
        let family = Family::Normal { mean, sd };
        Distribution::truncated(family, mean - 2.0 * sd, mean + 2.0 * sd).unwrap()
    };
    SlopeMaterial {
        name: name.into(),
        normal_restitution: around(0.35, 0.05),
        friction: around(friction, 0.05),
        roughness: around(0.0, 0.05),
        rolling_resistance: around(0.1, 0.02),
        penetration: None,
        ..SlopeMaterial::constant(
            "",
            GroundCoefficients {
                normal_restitution: 0.35,
                tangential_restitution: 0.8,
                friction,
            },
        )
    }
}

fn square(from: DVec2, to: DVec2) -> Polygon {
    let ring = [from, DVec2::new(to.x, from.y), to, DVec2::new(from.x, to.y)];
    Polygon::new(vec![ring.to_vec()]).unwrap()
}

/// A square of the map of [`scenes::raster`] cut into n x n, with the number of each piece.
fn cut(n: u32, number: impl Fn(u32) -> u32) -> Vec<(Polygon, u32)> {
    let place = |k: u32| 48.0 * f64::from(k) / f64::from(n);
    let corner = |i: u32, j: u32| DVec2::new(2.6e6 + place(i), 1.2e6 + place(j));
    let pieces = (0..n * n).map(|k| (k % n, k / n, number(k)));
    pieces
        .map(|(i, j, number)| (square(corner(i, j), corner(i + 1, j + 1)), number))
        .collect()
}

/// Every rock of a scene on some ground, to the last bit.
fn rocks(engine: Engine, count: u64, ground: Ground) -> Vec<String> {
    let scene = Scene {
        ground,
        ..scenes::scene(5, engine, count, true, 0.6)
    };
    let simulation = Simulation::new(scene).unwrap();
    let rock = |k| format!("{:?}", simulation.rock(k, &mut |_| ()));
    (0..count).map(rock).collect()
}

#[test]
fn an_area_of_one_material_may_be_cut() {
    let engines = [
        (Engine::Lumped(ReboundLaw::default()), 60),
        (Engine::Rigid(RigidOptions::default()), 6),
    ];
    for (engine, count) in engines {
        let whole = Ground::uniform(material("soil", 0.6)).unwrap();
        let right = rocks(engine.clone(), count, whole);
        for n in [1u32, 4, 32] {
            // Each piece of a material of its own name, all of the same laws.
            let names = (0..=n * n).map(|k| material(&format!("soil {k}"), 0.6));
            let layout = Layout::Polygons(cut(n, |k| k + 1), 0);
            let ground = Ground::new(names.collect(), layout).unwrap();
            assert_eq!(rocks(engine.clone(), count, ground), right, "{n}");
        }
        let classes = (0..24 * 24).map(|k| f64::from(k % 3)).collect();
        let grid = Grid::new(24, 24, 2.0, DVec2::new(2.6e6, 1.2e6), classes).unwrap();
        let names = ["a", "b", "c"].map(|name| material(name, 0.6));
        let ground = Ground::new(names.to_vec(), Layout::Raster(grid, 1)).unwrap();
        assert_eq!(rocks(engine.clone(), count, ground), right);
    }
}

/// Beside another material: the half of the map, in one piece or cut.
#[test]
fn an_area_beside_another_may_be_cut() {
    let engine = Engine::Lumped(ReboundLaw::default());
    let half = |n: u32| {
        let materials = vec![material("a", 0.45), material("b", 0.6), material("c", 0.6)];
        let side = |k: u32| k % n < n / 2;
        // Chequered by name.
        let number = |k: u32| 1 + (k + k / n) % 2;
        let pieces = cut(n, |k| if side(k) { number(k) } else { 0 });
        Ground::new(materials, Layout::Polygons(pieces, 0)).unwrap()
    };
    let right = rocks(engine.clone(), 60, half(2));
    for n in [4, 30] {
        assert_eq!(rocks(engine.clone(), 60, half(n)), right, "{n}");
    }
}

/// The western half of the map in pieces with oblique sides, which share their corners: a quad of one material beside
/// another, whose inner corners lie anywhere.
fn oblique(n: u32) -> Vec<(Polygon, u32)> {
    let place = |k: u32, size: f64| size * f64::from(k) / f64::from(n);
    let shift = |k: u32| f64::from(k.wrapping_mul(2_654_435_761) >> 16) / 65_536.0 - 0.5;
    let corner = |i: u32, j: u32| {
        let inner = |k: u32| f64::from(u8::from(k > 0 && k < n)) * 0.8 / f64::from(n);
        let (x, y) = (
            24.0 * inner(i) * shift(i + 97 * j),
            48.0 * inner(j) * shift(7 * i + j),
        );
        DVec2::new(2.6e6 + place(i, 24.0) + x, 1.2e6 + place(j, 48.0) + y)
    };
    let piece = |k: u32| {
        let (i, j) = (k % n, k / n);
        let ring = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(a, b)| corner(i + a, j + b));
        (Polygon::new(vec![ring.to_vec()]).unwrap(), 1 + k % 2)
    };
    (0..n * n).map(piece).collect()
}

/// As areas on maps are cut: 1, 16 and 1,024 pieces, of two names and one material, beside another material.
#[test]
fn an_area_may_be_cut_obliquely() {
    let engine = Engine::Lumped(ReboundLaw::default());
    let ground = |n: u32| {
        let materials = vec![material("a", 0.45), material("b", 0.6), material("c", 0.6)];
        Ground::new(materials, Layout::Polygons(oblique(n), 0)).unwrap()
    };
    let right = rocks(engine.clone(), 60, ground(1));
    for n in [4, 32] {
        assert_eq!(rocks(engine.clone(), 60, ground(n)), right, "{n}");
    }
}

/// Unequal laws stay apart: a material that differs in one of them, or in its scatter, moves rocks.
#[test]
fn materials_of_other_laws_are_not_one() {
    let engine = Engine::Lumped(ReboundLaw::default());
    let soil = material("soil", 0.6);
    let right = rocks(engine.clone(), 60, Ground::uniform(soil.clone()).unwrap());
    let others = [
        SlopeMaterial {
            friction: Distribution::constant(0.6),
            ..soil.clone()
        },
        SlopeMaterial {
            roughness: Distribution::constant(0.0),
            ..soil.clone()
        },
        SlopeMaterial {
            tangential_restitution: Distribution::constant(0.81),
            ..soil.clone()
        },
    ];
    for other in others {
        let layout = Layout::Polygons(cut(4, |k| k % 2), 0);
        let ground = Ground::new(vec![soil.clone(), other], layout).unwrap();
        assert_ne!(rocks(engine.clone(), 60, ground), right);
    }
}

/// Lumped masses that slide over rough ground across borders of two materials that hardly differ, at any angle: each
/// comes to an end, as on one material, and no border costs more than a few arcs.
#[test]
fn no_border_holds_a_rock() {
    let noise = |k: usize| ((k * 2_654_435_761) % 1000) as f64 * 8e-4;
    let heights = (0..21 * 21).map(|k| 300.0 - 3.5 * (k / 21) as f64 + noise(k));
    let grid = Grid::new(21, 21, 5.0, DVec2::new(600.0, 400.0), heights.collect()).unwrap();
    let sample = |friction: f64| MaterialSample {
        normal_restitution: 0.3,
        tangential_restitution: 0.75,
        friction,
        ..MaterialSample::default()
    };
    let stop = StopConditions::default();
    let rock = LumpedMass::default();
    let run = |layout: Layout, friction: [f64; 2]| {
        let materials = friction.map(|mu| material("", mu));
        let ground = Ground::new(materials.to_vec(), layout).unwrap();
        let engine = LumpedRock::new(&grid, &ground, &stop);
        let samples = friction.map(sample);
        let (mut arcs, mut ends) = (0u32, Vec::new());
        for k in 0..60 {
            let plan = DVec2::new(20.3 + f64::from(k), 10.1);
            let ground = grid.surface(plan.x, plan.y).unwrap();
            let start = LumpedState {
                position: plan.extend(ground.height + 0.5),
                ..LumpedState::default()
            };
            let (outcome, end, _) = engine.run(&rock, &samples, start, None, &mut |_| {
                arcs += 1;
                ControlFlow::Continue(())
            });
            assert_ne!(outcome, Outcome::TimedOut, "{k}: {end:?}");
            ends.push(end.position);
        }
        (arcs, ends)
    };
    let (whole, right) = run(Layout::Uniform, [0.65, 0.65 + 1e-12]);
    let mid = DVec2::new(650.0, 452.0);
    for turn in 0..8 {
        // Strips of 3.7 m, turned; one direction is that of the fall, one lies across it.
        let along = DVec2::from_angle(f64::from(turn) * std::f64::consts::FRAC_PI_8);
        let strip = |k: i32| {
            let from = mid + along.perp() * (7.4 * f64::from(k));
            let ends = [from - along * 200.0, from + along * 200.0];
            let width = along.perp() * 3.7;
            let ring = vec![ends[0], ends[1], ends[1] + width, ends[0] + width];
            (Polygon::new(vec![ring]).unwrap(), 1)
        };
        let strips = Layout::Polygons((-12..12).map(strip).collect(), 0);
        let (arcs, ends) = run(strips, [0.65, 0.65 + 1e-12]);
        assert!(arcs < 2 * whole, "{turn}: {arcs} of {whole}");
        // A part of 1e-12 of the friction grows at each impact, but not to a metre in all of them.
        let same = ends
            .iter()
            .zip(&right)
            .filter(|(a, b)| a.distance(**b) < 1e-3);
        assert!(same.count() >= 55, "{turn}");
    }
}
