//! Every seeded rock has exactly one end; results do not depend on threads or on how the rocks are split.

use glam::{DVec2, DVec3};
use klast_dynamics::{Distribution, Family};
use klast_geometry::Solid;
use klast_geometry::terrain::{Grid, Terrain};
use klast_rockfall::lumped::LumpedLaw;
use klast_rockfall::*;
use proptest::prelude::*;

/// A rough slope of 35° on a raster at map coordinates, with a hole of missing data.
fn raster(seed: u64, hole: bool) -> Grid {
    let n = 24u64;
    let rough =
        |k: u64| ((k.wrapping_mul(2_654_435_761).wrapping_add(seed * 977)) % 1000) as f64 * 1e-3;
    let mut heights: Vec<f64> = (0..n * n)
        .map(|k| 100.0 - 0.7 * 2.0 * (k % n) as f64 + rough(k))
        .collect();
    if hole {
        heights[(12 * n + 12) as usize] = f64::NAN;
    }
    Grid::new(
        n as usize,
        n as usize,
        2.0,
        DVec2::new(2.6e6, 1.2e6),
        heights,
    )
    .unwrap()
}

fn normal(mean: f64, sd: f64, lower: f64, upper: f64) -> Distribution {
    Distribution::truncated(Family::Normal { mean, sd }, lower, upper).unwrap()
}

fn simulation(seed: u64, engine: Engine, count: u64, hole: bool, friction: f64) -> Simulation {
    let grid = raster(seed, hole);
    let extent = grid.extent();
    let material = SlopeMaterial {
        normal_restitution: normal(0.35, 0.05, 0.1, 0.6),
        friction: normal(friction, 0.1, 0.05, 2.0),
        roughness: normal(0.0, 0.05, -0.2, 0.2),
        ..SlopeMaterial::constant("scree", 0.35, 0.8, 0.6)
    };
    let group = |share, shape| RockGroup {
        share,
        shape,
        size: RockSize::Volume(
            Distribution::truncated(Family::Lognormal { mean: 0.5, sd: 0.3 }, 0.05, 3.0).unwrap(),
        ),
        density: Distribution::constant(2700.0),
    };
    let groups = vec![
        group(2.0, RockShape::Solid(Solid::Cube)),
        group(
            1.0,
            RockShape::Solid(Solid::Slab {
                sides: DVec2::new(2.0, 3.0),
                slenderness: 0.4,
            }),
        ),
    ];
    let ring = |a: f64, b: f64| {
        [(a, a), (b, a), (b, b), (a, b)]
            .map(|(x, y)| DVec2::new(2.6e6 + x, 1.2e6 + y))
            .to_vec()
    };
    let area = Release::Area(Polygon::new(vec![ring(-4.0, 40.0)]).unwrap());
    let mut seeder = Seeder::new("cliff", area, count, groups[0].clone());
    seeder.groups = groups;
    seeder.height = Distribution::new(Family::Uniform {
        lower: 0.0,
        upper: 3.0,
    })
    .unwrap();
    seeder.annual_frequency = Some(0.2);
    let line = |x: f64| {
        vec![
            DVec2::new(2.6e6 + x, 1.2e6 - 10.0),
            DVec2::new(2.6e6 + x, 1.2e6 + 60.0),
        ]
    };
    let gates = vec![
        Gate {
            name: "collector".into(),
            line: line(30.0),
            barrier: None,
        },
        Gate {
            name: "net".into(),
            line: line(36.0),
            barrier: Some(Barrier {
                height: 2.0,
                capacity: 60e3,
            }),
        },
    ];
    let stop = StopConditions {
        maximum_time: 12.0,
        ..StopConditions::default()
    };
    Simulation::new(Scene {
        raster: Some(RasterFrame::over(extent, 4.0).unwrap()),
        terrain: Box::new(grid),
        ground: Ground::uniform(material).unwrap(),
        seeders: vec![seeder],
        engine,
        stop,
        gravity: DVec3::new(0.0, 0.0, -9.81),
        gates,
        seed,
    })
    .unwrap()
}

const RIGID: Engine = Engine::Rigid {
    contact_step: 5e-3,
    scarring: None,
    drag: None,
};
const LUMPED: Engine = Engine::Lumped(LumpedLaw {
    rotation: true,
    reading: lumped::Reading::Corrected,
    scaling: lumped::Scaling::METRIC,
});

fn whole(simulation: &Simulation) -> Results {
    let mut results = simulation.empty_results();
    assert_eq!(
        simulation.run(0..simulation.count(), &mut results, |_, _| true),
        simulation.count()
    );
    results
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn seeded_is_stopped_left_timed_out_and_caught(seed in 0..1000u64, rigid in any::<bool>(), hole in any::<bool>(), friction in 0.2..1.2f64) {
        let simulation = simulation(seed, if rigid { RIGID } else { LUMPED }, 30, hole, friction);
        let results = whole(&simulation);
        prop_assert_eq!(results.account.seeded, 30);
        prop_assert!(results.account.balances(), "{:?}", results.account);
        prop_assert_eq!(results.gates[1].held, results.account.caught[1]);
        prop_assert_eq!(results.account.caught[0], 0);
        // What rests lies in the raster.
        let raster = results.raster.as_ref().unwrap();
        let deposited: f64 = raster.map(|c| Some(c.deposited as f64)).iter().filter(|v| !v.is_nan()).sum();
        prop_assert_eq!(deposited as u64, results.account.stopped);
    }

    #[test]
    fn any_split_merges_to_the_same(seed in 0..1000u64, rigid in any::<bool>(), cut in 0..24u64) {
        let simulation = simulation(seed, if rigid { RIGID } else { LUMPED }, 24, true, 0.6);
        let (mut a, mut b) = (simulation.empty_results(), simulation.empty_results());
        simulation.run(0..cut, &mut a, |_, _| true);
        simulation.run(cut..24, &mut b, |_, _| true);
        b.merge(&a).unwrap();
        let one = whole(&simulation);
        prop_assert_eq!(&b, &one);
        // How the 95 % energy settles does not know of the split either.
        prop_assert_eq!(b.settling(0), one.settling(0));
        // Going on from an interruption is the same as no interruption.
        let mut stopped = simulation.empty_results();
        let next = simulation.run(0..24, &mut stopped, |index, _| index < cut);
        simulation.run(next..24, &mut stopped, |_, _| true);
        prop_assert_eq!(&stopped, &b);
    }
}

/// A hash of the bits of every end.
fn hash(engine: Engine, count: u64) -> u64 {
    let simulation = simulation(7, engine, count, true, 0.6);
    let mut results = simulation.empty_results();
    let mut hash = 0u64;
    simulation.run(0..count, &mut results, |_, rock| {
        for x in rock.end.to_array().into_iter().chain([rock.time]) {
            hash = (hash ^ x.to_bits())
                .wrapping_mul(0x0000_0100_0000_01B3)
                .rotate_left(23);
        }
        true
    });
    hash
}

#[test]
fn golden_hashes_on_any_number_of_threads() {
    for (engine, count, golden) in [(LUMPED, 1200, GOLDEN_LUMPED), (RIGID, 40, GOLDEN_RIGID)] {
        for threads in [1, 2, 3, 7] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let found = pool.install(|| hash(engine, count));
            assert_eq!(
                found, golden,
                "{threads} threads: {found:#x}; a change of the engine's arithmetic or of the streams changes this number"
            );
        }
    }
}

const GOLDEN_LUMPED: u64 = 0xdb0b_59b7_f4f2_50d9;
const GOLDEN_RIGID: u64 = 0xb9a3_52cd_f538_ea7e;

#[test]
fn a_collector_measures_a_known_flight() {
    // Flat ground, a lumped mass thrown at 10 m/s from 5 m: at x = 6 m after 0.6 s it is 5 − 9.81·0.18 m high, v² = 100 + (9.81·0.6)².
    let grid = Grid::new(30, 3, 1.0, DVec2::ZERO, vec![0.0; 90]).unwrap();
    let mut seeder = Seeder::new(
        "thrower",
        Release::Point(DVec2::new(0.0, 1.0)),
        1,
        RockGroup {
            share: 1.0,
            shape: RockShape::Sphere,
            size: RockSize::Mass(Distribution::constant(100.0)),
            density: Distribution::constant(2500.0),
        },
    );
    seeder.velocity[0] = Distribution::constant(10.0);
    seeder.height = Distribution::constant(5.0);
    let line = vec![DVec2::new(6.0, 0.0), DVec2::new(6.0, 2.0)];
    for (barrier, held) in [
        (None, false),
        (
            Some(Barrier {
                height: 3.0,
                capacity: 1e6,
            }),
            false,
        ),
        (
            Some(Barrier {
                height: 3.7,
                capacity: 1e6,
            }),
            true,
        ),
        (
            Some(Barrier {
                height: 3.7,
                capacity: 6.7e3,
            }),
            false,
        ),
    ] {
        let scene = Scene {
            raster: None,
            terrain: Box::new(grid.clone()),
            ground: Ground::uniform(SlopeMaterial::constant("flat", 0.3, 0.8, 0.6)).unwrap(),
            seeders: vec![seeder.clone()],
            engine: LUMPED,
            stop: StopConditions::default(),
            gravity: DVec3::new(0.0, 0.0, -9.81),
            gates: vec![Gate {
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

#[test]
fn bad_scenes_are_refused() {
    let group = RockGroup {
        share: 1.0,
        shape: RockShape::Sphere,
        size: RockSize::Volume(Distribution::constant(1.0)),
        density: Distribution::constant(2700.0),
    };
    let seeder = Seeder::new(
        "s",
        Release::Point(DVec2::new(2.6e6 + 5.0, 1.2e6 + 5.0)),
        3,
        group,
    );
    let scene = |seeder: &Seeder, gates: Vec<Gate>| Scene {
        raster: None,
        terrain: Box::new(raster(1, true)),
        ground: Ground::uniform(SlopeMaterial::constant("m", 0.3, 0.8, 0.6)).unwrap(),
        seeders: vec![seeder.clone()],
        engine: LUMPED,
        stop: StopConditions::default(),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        gates,
        seed: 1,
    };
    let error = |seeder: &Seeder, gates| {
        Simulation::new(scene(seeder, gates))
            .err()
            .unwrap()
            .to_string()
    };
    let mut off = seeder.clone();
    off.release = Release::Point(DVec2::ZERO);
    assert!(error(&off, vec![]).contains("off the map"));
    // Over the hole in the data.
    off.release = Release::Point(DVec2::new(2.6e6 + 24.2, 1.2e6 + 24.2));
    assert!(error(&off, vec![]).contains("missing data"));
    let mut below = seeder.clone();
    below.height = Distribution::constant(-1.0);
    assert!(error(&below, vec![]).contains("release height"));
    let mut buried = seeder.clone();
    buried.elevation = Some(Distribution::constant(90.0));
    assert!(error(&buried, vec![]).contains("released at 90 m where the ground stands at"));
    let gate = |line| {
        vec![Gate {
            name: "g".into(),
            line,
            barrier: None,
        }]
    };
    assert!(error(&seeder, gate(vec![DVec2::ZERO, DVec2::X])).contains("no rock can cross"));
    assert!(error(&seeder, gate(vec![DVec2::ZERO])).contains("fewer than two"));
    assert!(error(&seeder, gate(vec![DVec2::ONE, DVec2::ONE])).contains("no length"));
    assert!(Ground::uniform(SlopeMaterial::constant("m", 1.3, 0.8, 0.6)).is_err());
    let unbounded = SlopeMaterial {
        friction: Distribution::new(Family::Normal { mean: 0.5, sd: 0.1 }).unwrap(),
        ..SlopeMaterial::constant("m", 0.3, 0.8, 0.6)
    };
    assert!(Ground::uniform(unbounded).is_err());
    assert!(Simulation::new(scene(&seeder, vec![])).is_ok());
}

/// One rock on a flat square of 29 m with a hole, released where and how a test says.
fn on_the_flat(engine: Engine, change: impl FnOnce(&mut Seeder)) -> Results {
    let n = 30;
    let mut heights = vec![100.0; n * n];
    heights[10 * n + 10] = f64::NAN;
    let grid = Grid::new(n, n, 1.0, DVec2::new(2.8e6, 1.1e6), heights).unwrap();
    let group = RockGroup {
        share: 1.0,
        shape: RockShape::Solid(Solid::Cube),
        size: RockSize::Volume(Distribution::constant(1.0)),
        density: Distribution::constant(2700.0),
    };
    let release = Release::Line(
        vec![DVec2::new(2.8e6 + 20.0, 1.1e6 + 15.0); 2]
            .into_iter()
            .enumerate()
            .map(|(k, p)| p + DVec2::X * 1e-3 * k as f64)
            .collect(),
    );
    let mut seeder = Seeder::new("s", release, 1, group);
    seeder.attitude = Attitude::Fixed(glam::DQuat::IDENTITY);
    change(&mut seeder);
    let simulation = Simulation::new(Scene {
        raster: Some(RasterFrame::over(grid.extent(), 5.0).unwrap()),
        terrain: Box::new(grid),
        ground: Ground::uniform(SlopeMaterial::constant("m", 0.3, 0.8, 0.6)).unwrap(),
        seeders: vec![seeder],
        engine,
        stop: StopConditions {
            maximum_time: 20.0,
            ..StopConditions::default()
        },
        gravity: DVec3::new(0.0, 0.0, -9.81),
        gates: vec![],
        seed: 1,
    })
    .unwrap();
    whole(&simulation)
}

#[test]
fn every_bad_release_and_every_way_off_the_map_is_counted() {
    let to = |x: f64, y: f64| {
        let p = DVec2::new(2.8e6 + x, 1.1e6 + y);
        Release::Line(vec![p, p + DVec2::X * 1e-3])
    };
    for engine in [LUMPED, RIGID] {
        let count = |change: &dyn Fn(&mut Seeder)| {
            let results = on_the_flat(engine, change);
            let a = results.account;
            assert!(a.balances() && a.seeded == 1, "{a:?}");
            (
                a.stopped,
                a.left_map,
                a.released_off_map,
                a.released_below_ground,
            )
        };
        assert_eq!(count(&|_| {}), (1, 0, 0, 0));
        // A line of which three quarters lie west of the map.
        let a = on_the_flat(engine, |s| {
            let p = DVec2::new(2.8e6, 1.1e6 + 15.0);
            s.release = Release::Line(vec![p - DVec2::X * 30.0, p + DVec2::X * 10.0]);
            s.count = 40;
        })
        .account;
        assert!(a.balances() && a.seeded == 40 && a.released_off_map == a.left_map);
        assert!((20..=38).contains(&a.left_map), "{a:?}");
        // A mass centre at the ground, and below it: a cube of 1 m is half in the ground, a point is not.
        let half = count(&|s| s.elevation = Some(Distribution::constant(100.0)));
        assert_eq!(half.3, u64::from(engine == RIGID));
        assert_eq!(
            count(&|s| s.elevation = Some(Distribution::constant(90.0))),
            (0, 1, 0, 1)
        );
        // Just on the ground, at an elevation.
        assert_eq!(
            count(&|s| s.elevation = Some(Distribution::constant(100.5))),
            (1, 0, 0, 0)
        );
        // Thrown over the rim, and into the hole.
        let thrown = |s: &mut Seeder, v: f64| {
            s.height = Distribution::constant(3.0);
            s.velocity[0] = Distribution::constant(v);
        };
        assert_eq!(count(&|s| thrown(s, 30.0)), (0, 1, 0, 0));
        assert_eq!(
            count(&|s| {
                s.release = to(10.3, 8.0);
                s.height = Distribution::constant(0.5);
                s.velocity[1] = Distribution::constant(6.0);
            }),
            (0, 1, 0, 0)
        );
        // Over a cliff that never ends: thrown straight up it comes down again, in time or out of it.
        let high = on_the_flat(engine, |s| s.velocity[2] = Distribution::constant(200.0));
        assert_eq!(high.account.timed_out, 1);
    }
}

#[test]
fn bad_terrain_and_distributions_are_refused() {
    use klast_geometry::terrain::{Profile, read_esri_ascii};
    let raster =
        |rows: usize, height: f64| Grid::new(5, rows, 1.0, DVec2::ZERO, vec![height; 5 * rows]);
    // One row is no surface; a NaN is missing data, but all of them missing is no terrain; an infinite height is none.
    assert!(
        raster(1, 0.0)
            .unwrap_err()
            .to_string()
            .contains("raster rows")
    );
    assert!(raster(3, f64::NAN).is_err() && raster(3, f64::INFINITY).is_err());
    let header = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\n";
    let unequal = format!("{header}dx 1\ndy 2\nNODATA_value -9999\n1 2\n3 4\n");
    assert!(read_esri_ascii(&unequal).is_err());
    let short = format!("{header}cellsize 1\nNODATA_value -9999\n1 2\n3\n");
    assert!(read_esri_ascii(&short).is_err());
    let folded = [(0.0, 10.0), (5.0, 8.0), (4.0, 3.0)].map(|(x, z)| DVec2::new(x, z));
    assert!(Profile::new(folded.to_vec()).is_err());
    for bad in [
        Distribution::new(Family::Normal {
            mean: 1.0,
            sd: -0.1,
        }),
        Distribution::truncated(Family::Normal { mean: 1.0, sd: 0.1 }, 2.0, 1.0),
        Distribution::truncated(
            Family::Uniform {
                lower: 0.0,
                upper: 1.0,
            },
            2.0,
            3.0,
        ),
        Distribution::new(Family::Uniform {
            lower: 1.0,
            upper: 0.0,
        }),
    ] {
        assert!(bad.is_err());
    }
}

#[test]
fn a_rock_counts_once_at_a_gate_it_meets_again() {
    // Up a ramp and back: two passages, one rock.
    let heights = (0..60).map(|k| f64::from(k % 20) * 1.0).collect();
    let grid = Grid::new(20, 3, 1.0, DVec2::ZERO, heights).unwrap();
    let mut seeder = Seeder::new(
        "thrower",
        Release::Point(DVec2::new(2.0, 1.0)),
        1,
        RockGroup {
            share: 1.0,
            shape: RockShape::Sphere,
            size: RockSize::Mass(Distribution::constant(100.0)),
            density: Distribution::constant(2500.0),
        },
    );
    // Thrown over the line from above; it stops on the ramp, for a moment, and slides back over it.
    seeder.velocity = [8.0, 0.0, 0.0].map(Distribution::constant);
    seeder.height = Distribution::constant(0.5);
    seeder.annual_frequency = Some(0.1);
    let simulation = Simulation::new(Scene {
        raster: None,
        terrain: Box::new(grid),
        ground: Ground::uniform(SlopeMaterial::constant("ice", 0.3, 0.9, 0.05)).unwrap(),
        seeders: vec![seeder],
        engine: Engine::Lumped(LumpedLaw {
            rotation: false,
            reading: lumped::Reading::Corrected,
            scaling: lumped::Scaling::METRIC,
        }),
        stop: StopConditions::default(),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        gates: vec![Gate {
            name: "line".into(),
            line: vec![DVec2::new(3.0, 0.0), DVec2::new(3.0, 2.0)],
            barrier: None,
        }],
        seed: 1,
    })
    .unwrap();
    let results = whole(&simulation);
    let gate = &results.gates[0];
    assert_eq!((gate.arrived(), gate.passages), (1, 2));
    // It stands for a tenth of a rock a year, in parts of 1e-12.
    assert!((gate.energy.annual_exceedance(0.0) - 0.1).abs() < 1e-12);
    assert!(gate.energy.at_annual_exceedance(0.1).is_some());
    assert!(gate.energy.at_annual_exceedance(0.11).is_none());
}
