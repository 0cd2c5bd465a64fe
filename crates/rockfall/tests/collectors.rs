//! What barriers and collectors measure.

use crate::scenes;

use glam::{DVec2, DVec3};
use klast_geometry::terrain::Grid;
use klast_rockfall::lumped::{LumpedLaw, ReboundLaw};
use klast_rockfall::*;
use klast_sampling::{Distribution, Family};
use scenes::{LUMPED, ground, thrower, whole};

#[test]
fn a_collector_measures_a_known_flight() {
    // Flat ground, a lumped mass thrown at 10 m/s from 5 m: at x = 6 m after 0.6 s it is 5 − 9.81·0.18 m high, v² = 100
    // + (9.81·0.6)².
    let grid = Grid::new(30, 3, 1.0, DVec2::ZERO, vec![0.0; 90]).unwrap();
    let mut seeder = thrower(DVec2::new(0.0, 1.0));
    seeder.velocity[0] = Distribution::constant(10.0);
    seeder.height = Distribution::constant(5.0);
    let line = vec![DVec2::new(6.0, 0.0), DVec2::new(6.0, 2.0)];
    for (barrier, held) in [
        (None, false),
        (
            Some(Barrier {
                height: 3.0,
                capacity: 1e6,
                flexible: None,
            }),
            false,
        ),
        (
            Some(Barrier {
                height: 3.7,
                capacity: 1e6,
                flexible: None,
            }),
            true,
        ),
        (
            Some(Barrier {
                height: 3.7,
                capacity: 6.7e3,
                flexible: None,
            }),
            false,
        ),
    ] {
        let scene = Scene {
            raster: None,
            terrain: Box::new(grid.clone()),
            ground: ground(0.3, 0.8, 0.6),
            seeders: vec![seeder.clone()],
            engine: LUMPED,
            stop: StopConditions::default(),
            gravity: DVec3::new(0.0, 0.0, -9.81),
            collectors: vec![Collector {
                name: "wall".into(),
                line: line.clone(),
                barrier,
            }],
            seed: 1,
        };
        let rock = Simulation::new(scene).unwrap().rock(0, &mut |_| {});
        let p = rock.passages[0];
        let height = 5.0 - 0.5 * 9.81 * 0.36;
        let energy = 50.0 * (100.0 + (9.81f64 * 0.6).powi(2));
        assert!(
            (p.time - 0.6).abs() < 1e-14
                && (p.height - height).abs() < 1e-13
                && (p.translational - energy).abs() < 1e-9
        );
        // Radius of a sphere of 0.04 m³: 0.2122 m, so the top is at 3.446 m; 6731 J.
        assert!((p.top - height - (0.12 / (4.0 * std::f64::consts::PI)).cbrt()).abs() < 1e-13);
        assert_eq!(p.held, held, "{barrier:?}");
        assert_eq!(rock.outcome == Outcome::Caught { barrier: 0 }, held);
    }
}

/// A sphere of 100 kg in flight keeps its spin: at a collector it has ½ (2/5) m r² ω² of rotation, with either engine.
#[test]
fn a_collector_measures_a_known_spin() {
    let spin = [3.0, 4.0, 12.0];
    let radius = (0.12 / (4.0 * std::f64::consts::PI)).cbrt();
    let rotational = 0.5 * 0.4 * 100.0 * radius * radius * 169.0;
    for engine in [LUMPED, Engine::Rigid(rigid::RigidOptions::default())] {
        let mut seeder = thrower(DVec2::new(0.0, 1.0));
        seeder.velocity[0] = Distribution::constant(10.0);
        seeder.spin = spin.map(Distribution::constant);
        seeder.height = Distribution::constant(5.0);
        let scene = Scene {
            raster: None,
            terrain: Box::new(Grid::new(30, 3, 1.0, DVec2::ZERO, vec![0.0; 90]).unwrap()),
            ground: ground(0.3, 0.8, 0.6),
            seeders: vec![seeder],
            engine,
            stop: StopConditions::default(),
            gravity: DVec3::new(0.0, 0.0, -9.81),
            collectors: vec![Collector {
                name: "line".into(),
                line: vec![DVec2::new(6.0, 0.0), DVec2::new(6.0, 2.0)],
                barrier: None,
            }],
            seed: 1,
        };
        let rock = Simulation::new(scene).unwrap().rock(0, &mut |_| {});
        let found = rock.passages[0].rotational;
        // Moments of a sphere and the products of its spin round to some parts in 1e16.
        assert!(
            (found - rotational).abs() <= 1e-13 * rotational,
            "{found} {rotational}"
        );
    }
}

/// Results of one rock that goes up a ramp over a line and slides back over it.
fn there_and_back(barrier: Option<Barrier>) -> Results {
    let heights = (0..60).map(|k| f64::from(k % 20) * 1.0).collect();
    let grid = Grid::new(20, 3, 1.0, DVec2::ZERO, heights).unwrap();
    let mut seeder = thrower(DVec2::new(2.0, 1.0));
    // Thrown over the line from above; it stops on the ramp, for a moment, and slides back over it.
    seeder.velocity = [8.0, 0.0, 0.0].map(Distribution::constant);
    seeder.height = Distribution::constant(0.5);
    seeder.annual_frequency = Some(0.1);
    let simulation = Simulation::new(Scene {
        raster: None,
        terrain: Box::new(grid),
        ground: ground(0.3, 0.9, 0.05),
        seeders: vec![seeder],
        engine: Engine::Lumped(ReboundLaw::Manual(LumpedLaw {
            rotation: false,
            reading: lumped::Reading::Corrected,
            scaling: lumped::Scaling::METRIC,
        })),
        stop: StopConditions::default(),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        collectors: vec![Collector {
            name: "line".into(),
            line: vec![DVec2::new(3.0, 0.0), DVec2::new(3.0, 2.0)],
            barrier,
        }],
        seed: 1,
    })
    .unwrap();
    whole(&simulation)
}

#[test]
fn a_rock_that_passes_a_barrier_is_not_held_when_it_comes_back() {
    // At the line its centre is 2.5 + 1 − 9.81/128 m high over ground of 3 m, so its top (radius 0.212 m) is over 0.5
    // m; on its way back it slides, and its top is at 0.212 m.
    let flexible = FlexibleBarrier {
        service_energy: 1e5,
        elongation: 3.0,
        residual_height: 0.7,
    };
    for flexible in [None, Some(flexible)] {
        let barrier = Barrier {
            height: 0.5,
            capacity: 1e6,
            flexible,
        };
        let results = there_and_back(Some(barrier));
        let collector = &results.collectors[0];
        assert_eq!((collector.arrived(), collector.passages), (1, 2));
        assert_eq!((collector.held, results.account.caught[0]), (0, 0));
        let line = Collector {
            name: "net".into(),
            line: Vec::new(),
            barrier: Some(barrier),
        };
        assert_eq!(collector.sheet(&line, 1).unwrap().residual_rate, 1.0);
    }
}

#[test]
fn a_rock_counts_once_at_a_collector_it_meets_again() {
    // Up a ramp and back: two passages, one rock.
    let results = there_and_back(None);
    let collector = &results.collectors[0];
    assert_eq!((collector.arrived(), collector.passages), (1, 2));
    // It stands for a tenth of a rock a year, in parts of 1e-12.
    assert!((collector.energy.annual_exceedance(0.0) - 0.1).abs() < 1e-12);
    assert!(collector.energy.at_annual_exceedance(0.1).is_some());
    assert!(collector.energy.at_annual_exceedance(0.11).is_none());
}

#[test]
fn a_vertex_of_a_line_is_one_crossing() {
    let grid = Grid::new(30, 5, 1.0, DVec2::ZERO, vec![0.0; 150]).unwrap();
    // The path y = 2 m meets the lines at x = 6 m, in a vertex of theirs: of two pieces, of a bend, of a closed line,
    // and of a point given twice.
    let (below, vertex, above) = (
        DVec2::new(6.0, 0.0),
        DVec2::new(6.0, 2.0),
        DVec2::new(6.0, 4.0),
    );
    let bend = DVec2::new(7.3, 4.0);
    for line in [
        vec![below, vertex, above],
        vec![below, vertex, bend],
        vec![
            vertex,
            above,
            DVec2::new(3.0, 4.0),
            DVec2::new(3.0, 3.0),
            vertex,
        ],
        vec![below, vertex, vertex, above],
    ] {
        let mut seeder = thrower(DVec2::new(5.0, 2.0));
        seeder.velocity[0] = Distribution::constant(10.0);
        seeder.height = Distribution::constant(1.0);
        let scene = Scene {
            raster: None,
            terrain: Box::new(grid.clone()),
            ground: ground(0.3, 0.8, 0.6),
            seeders: vec![seeder],
            engine: LUMPED,
            stop: StopConditions::default(),
            gravity: DVec3::new(0.0, 0.0, -9.81),
            collectors: vec![Collector {
                name: "line".into(),
                line: line.clone(),
                barrier: None,
            }],
            seed: 1,
        };
        let simulation = Simulation::new(scene).unwrap();
        assert_eq!(whole(&simulation).collectors[0].passages, 1, "{line:?}");
    }
}

fn mass(release: Release, count: u64) -> Seeder {
    let group = RockGroup {
        share: 1.0,
        shape: RockShape::Sphere,
        size: RockSize::Mass(Distribution::constant(100.0)),
        density: Distribution::constant(2500.0),
        class: 0,
    };
    Seeder::new("masses", release, count, group)
}

fn scene(
    grid: Grid,
    seeder: Seeder,
    friction: Distribution,
    collectors: Vec<Collector>,
) -> Simulation {
    let material = SlopeMaterial {
        friction,
        ..SlopeMaterial::constant(
            "ground",
            GroundCoefficients {
                normal_restitution: 0.3,
                tangential_restitution: 0.8,
                friction: 0.3,
            },
        )
    };
    Simulation::new(Scene {
        raster: None,
        terrain: Box::new(grid),
        ground: Ground::uniform(material).unwrap(),
        seeders: vec![seeder],
        engine: LUMPED,
        stop: StopConditions::default(),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        collectors,
        seed: 1,
    })
    .unwrap()
}

/// A slide ends an arc at each edge of a cell, give or take the last bit, and collectors stand on such edges: each rock
/// crosses each once.
#[test]
fn a_slide_is_counted_at_a_collector_on_the_edge_of_a_cell() {
    let uniform = |lower, upper| Distribution::new(Family::Uniform { lower, upper }).unwrap();
    let heights = (0..30 * 4)
        .map(|k| 20.0 - 0.5 * f64::from(k % 30))
        .collect();
    let grid = Grid::new(30, 4, 1.0, DVec2::ZERO, heights).unwrap();
    let line = [DVec2::new(0.6, 0.2), DVec2::new(1.7, 2.7)];
    let mut seeder = mass(Release::Line(line.to_vec()), 300);
    seeder.velocity[0] = uniform(0.5, 3.0);
    seeder.velocity[1] = uniform(-0.01, 0.01);
    let collector = |x: f64, way: [f64; 2]| Collector {
        name: format!("{x} m"),
        line: way.map(|y| DVec2::new(x, y)).to_vec(),
        barrier: None,
    };
    let collectors =
        [3.0, 12.0, 12.5, 20.0].map(|x| [collector(x, [0.0, 3.0]), collector(x, [3.0, 0.0])]);
    let results = whole(&scene(grid, seeder, uniform(0.1, 0.4), collectors.concat()));
    for collector in &results.collectors {
        assert_eq!((collector.arrived(), collector.passages), (300, 300));
    }
}

/// Over missing data there is no ground that a barrier could stand on: what flies there is neither measured nor held.
#[test]
fn there_is_no_barrier_over_a_hole() {
    let mut heights = vec![0.0; 30 * 5];
    for row in 0..3 {
        heights[row * 30 + 6] = f64::NAN;
    }
    let grid = Grid::new(30, 5, 1.0, DVec2::ZERO, heights).unwrap();
    for (y, passages) in [(1.0, 0), (3.5, 1)] {
        let mut seeder = mass(Release::Point(DVec2::new(0.0, y)), 1);
        seeder.velocity[0] = Distribution::constant(10.0);
        seeder.height = Distribution::constant(5.0);
        let collector = Collector {
            name: "net".into(),
            line: vec![DVec2::new(6.0, 0.0), DVec2::new(6.0, 4.0)],
            barrier: Some(Barrier {
                height: 100.0,
                capacity: 1e9,
                flexible: None,
            }),
        };
        let simulation = scene(
            grid.clone(),
            seeder,
            Distribution::constant(0.3),
            vec![collector],
        );
        let collector = &whole(&simulation).collectors[0];
        assert_eq!(
            (collector.passages, collector.held),
            (passages, passages),
            "{y}"
        );
    }
}

/// A collector along the foot of a slope, on the vertex where each mass strikes the level ground: rounding decides on
/// which side of the impact the line is met, and the side with more energy is the one written down, v² = 2 g (sin θ − μ
/// cos θ) l for a slide from rest.
#[test]
fn a_collector_on_a_vertex_sees_the_larger_side() {
    for k in 0..40 {
        let (x, z) = (10.0 + 0.37 * f64::from(k), 7.0 + 0.11 * f64::from(k));
        let profile = klast_geometry::terrain::Profile::new(vec![
            DVec2::new(0.0, z),
            DVec2::new(x, 0.0),
            DVec2::new(x + 50.0, 0.0),
        ])
        .unwrap();
        let mut seeder = mass(Release::Point(DVec2::new(1.0, 0.0)), 1);
        seeder.groups[0].size = RockSize::Mass(Distribution::constant(2.0));
        let collector = Collector {
            name: "foot".into(),
            line: vec![DVec2::new(x, -5.0), DVec2::new(x, 5.0)],
            barrier: None,
        };
        let simulation = Simulation::new(Scene {
            raster: None,
            terrain: Box::new(profile),
            ground: ground(0.3, 0.7, 0.1),
            seeders: vec![seeder],
            engine: LUMPED,
            stop: StopConditions::default(),
            gravity: DVec3::new(0.0, 0.0, -9.81),
            collectors: vec![collector],
            seed: 1,
        })
        .unwrap();
        let found = simulation.rock(0, &mut |_| {});
        let (sine, cosine) = (z / x.hypot(z), x / x.hypot(z));
        let energy = 2.0 * 9.81 * (sine - 0.1 * cosine) * (x - 1.0) / cosine;
        let passage = found.passages[0];
        assert!(
            (passage.translational / energy - 1.0).abs() < 1e-9,
            "{k}: {passage:?} {energy}"
        );
    }
}
