//! Every seeded rock has exactly one end; results do not depend on threads or on how the rocks are split.

use crate::scenes;

use glam::{DVec2, DVec3};
use klast_geometry::Solid;
use klast_geometry::terrain::{Grid, Terrain};
use klast_rockfall::*;
use klast_sampling::Distribution;
use proptest::prelude::*;
use scenes::{LUMPED, ground, rigid, simulation, whole};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn seeded_is_stopped_left_timed_out_and_caught(seed in 0..1000u64, rigid in any::<bool>(), hole in any::<bool>(), friction in 0.2..1.2f64) {
        let simulation = simulation(seed, if rigid { scenes::rigid() } else { LUMPED }, 30, hole, friction);
        let results = whole(&simulation);
        prop_assert_eq!(results.account.seeded, 30);
        prop_assert!(results.account.balances(), "{:?}", results.account);
        prop_assert_eq!(results.collectors[1].held, results.account.caught[1]);
        prop_assert_eq!(results.account.caught[0], 0);
        // What rests lies in the raster.
        let raster = results.raster.as_ref().unwrap();
        let deposited: f64 = raster.reached().map(|(_, c)| c.deposited as f64).sum();
        prop_assert_eq!(deposited as u64, results.account.stopped);
    }

    #[test]
    fn whatever_ends_a_rock_it_ends_once(
        seed in 0..1000u64,
        rigid in any::<bool>(),
        time in 0.02..12f64,
        capacity in 2.0..6f64,
        torn in any::<bool>(),
        thrown in -15.0..15f64,
        elevation in prop::option::of(90.0..110f64),
        sources in 1..4usize,
    ) {
        let mut scene = scenes::scene(seed, if rigid { scenes::rigid() } else { LUMPED }, 7, true, 0.5);
        scene.stop.maximum_time = time;
        let net = Barrier { height: 3.0, capacity: 10f64.powf(capacity), flexible: None };
        let flexible = torn.then_some(FlexibleBarrier {
            service_energy: 0.5 * net.capacity,
            elongation: 2.0,
            residual_height: 0.5,
        });
        // Two nets one behind the other: what tears the first meets the second.
        for collector in &mut scene.collectors {
            collector.barrier = Some(Barrier { flexible, ..net });
        }
        let first = scene.seeders.remove(0);
        for k in 0..sources {
            let mut seeder = first.clone();
            seeder.name = format!("cliff {k}");
            seeder.velocity[k % 3] = Distribution::constant(thrown);
            seeder.elevation = elevation.filter(|_| k == 1).map(Distribution::constant);
            scene.seeders.push(seeder);
        }
        let simulation = Simulation::new(scene).unwrap();
        let mut results = simulation.empty_results();
        let (mut met, mut counted) = (Vec::new(), [0; 5]);
        let mut caught = vec![0; 2];
        simulation.run(0..simulation.count(), &mut results, |number, rock| {
            met.push(number);
            counted[match rock.outcome {
                Outcome::Stopped => 0,
                Outcome::LeftMap => 1,
                Outcome::TimedOut => 2,
                Outcome::Unresolved => 3,
                Outcome::Caught { barrier } => {
                    caught[barrier as usize] += 1;
                    4
                }
            }] += 1;
            true
        });
        // Each rock is told once, and the account is that of what was told.
        prop_assert_eq!(met, (0..7 * sources as u64).collect::<Vec<_>>());
        let account = &results.account;
        prop_assert!(account.balances(), "{:?}", account);
        let told = [account.stopped, account.left_map, account.timed_out, account.unresolved];
        prop_assert_eq!(&told[..], &counted[..4]);
        prop_assert_eq!(&account.caught, &caught);
        prop_assert_eq!(account.seeded, counted.iter().sum::<u64>());
    }

    #[test]
    fn any_split_merges_to_the_same(seed in 0..1000u64, rigid in any::<bool>(), cut in 0..24u64) {
        let simulation = simulation(seed, if rigid { scenes::rigid() } else { LUMPED }, 24, true, 0.6);
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

/// A slide that nobody looks at is not shown in arcs: where and when the rock ends, how fast it was and what it met are
/// those of one that is.
#[test]
fn a_way_that_is_watched_is_the_same() {
    for seed in [3, 11] {
        let mut scene = scenes::scene(seed, LUMPED, 200, true, 0.6);
        scene.raster = None;
        let simulation = Simulation::new(scene).unwrap();
        let (mut results, mut arcs) = (simulation.empty_results(), 0u64);
        simulation.run(0..200, &mut results, |number, rock| {
            let watched = simulation.rock(number, &mut |_| arcs += 1);
            assert_eq!(&watched, rock);
            true
        });
        assert!(arcs > 2000 && results.collectors[0].passages > 0, "{arcs}");
    }
}

/// A hash of the bits of every end; a rock that is let go off the map has none.
fn hash(engine: Engine, count: u64) -> u64 {
    let simulation = simulation(7, engine, count, true, 0.6);
    let mut results = simulation.empty_results();
    let mut hash = 0u64;
    simulation.run(0..count, &mut results, |_, rock| {
        let end = if rock.off_map { DVec3::ZERO } else { rock.end };
        for x in end.to_array().into_iter().chain([rock.time]) {
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
    for (engine, count, golden) in [(LUMPED, 1200, GOLDEN_LUMPED), (rigid(), 40, GOLDEN_RIGID)] {
        for threads in [1, 2, 3, 7] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let found = pool.install(|| hash(engine.clone(), count));
            assert_eq!(
                found, golden,
                "{threads} threads: {found:#x}; a change of the engine's arithmetic or of the streams changes this number"
            );
        }
    }
}

// An edge slower than the cutoff or below the resolution of the heights is no impact, and a slide is that of the closed
// form, which also says when it ends.
const GOLDEN_LUMPED: u64 = 0x97f5_1dd9_2c9a_4ad7;
const GOLDEN_RIGID: u64 = 0x5522_5943_ff85_c6ea;

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
        class: 0,
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
        ground: ground(0.3, 0.8, 0.6),
        seeders: vec![seeder],
        engine,
        stop: StopConditions {
            maximum_time: 20.0,
            ..StopConditions::default()
        },
        gravity: DVec3::new(0.0, 0.0, -9.81),
        collectors: vec![],
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
    for engine in [LUMPED, rigid()] {
        let count = |change: &dyn Fn(&mut Seeder)| {
            let results = on_the_flat(engine.clone(), change);
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
        let a = on_the_flat(engine.clone(), |s| {
            let p = DVec2::new(2.8e6, 1.1e6 + 15.0);
            s.release = Release::Line(vec![p - DVec2::X * 30.0, p + DVec2::X * 10.0]);
            s.count = 40;
        })
        .account;
        assert!(a.balances() && a.seeded == 40 && a.released_off_map == a.left_map);
        assert!((20..=38).contains(&a.left_map), "{a:?}");
        // A mass centre at the ground, and below it: a cube of 1 m is half in the ground, a point is not.
        let half = count(&|s| s.elevation = Some(Distribution::constant(100.0)));
        assert_eq!(half.3, u64::from(engine == rigid()));
        assert_eq!(
            count(&|s| s.elevation = Some(Distribution::constant(90.0))),
            (0, 1, 0, 1)
        );
        // Raised to stand on the ground if that is near enough, and then as one that was let go there.
        let depth = if engine == rigid() { 1.0 } else { 0.5 };
        for (limit, near) in [(0.99 * depth, false), (1.01 * depth, true)] {
            let results = on_the_flat(engine.clone(), |s| {
                s.elevation = Some(Distribution::constant(99.5));
                s.raised_up_to = limit;
            });
            let a = &results.account;
            assert_eq!(
                (a.raised_starts, a.stopped),
                (u64::from(near), u64::from(near))
            );
            assert_eq!(a.released_below_ground, u64::from(!near));
        }
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
        let high = on_the_flat(engine.clone(), |s| {
            s.velocity[2] = Distribution::constant(200.0)
        });
        assert_eq!(high.account.timed_out, 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// The collector in the run is the second implementation: what is asked of kept paths afterwards is what it
    /// measured.
    #[test]
    fn a_collector_after_the_run_measures_what_it_would_have_in_it(
        seed in 0..1000u64,
        rigid in any::<bool>(),
        torn in any::<bool>(),
        at in 4.0..44f64,
    ) {
        let engine = || if rigid { scenes::rigid() } else { LUMPED };
        let collector = Collector {
            name: "later".into(),
            line: vec![DVec2::new(2.6e6 + at, 1.2e6 - 10.0), DVec2::new(2.6e6 + at + 2.0, 1.2e6 + 60.0)],
            barrier: None,
        };
        let scene = |collectors: &dyn Fn(&mut Vec<Collector>)| {
            let mut scene = scenes::scene(seed, engine(), 12, true, 0.6);
            if let (Some(net), true) = (&mut scene.collectors[1].barrier, torn) {
                net.capacity = 5e3;
                net.flexible = Some(FlexibleBarrier {
                    service_energy: 1e3,
                    elongation: 1.0,
                    residual_height: 0.5,
                });
            }
            collectors(&mut scene.collectors);
            Simulation::new(scene).unwrap()
        };
        let before = scene(&|collectors| collectors.truncate(2));
        let path = |rock: u64| {
            let mut arcs = Vec::new();
            let result = before.rock(rock, &mut |arc| arcs.push(*arc));
            KeptPath::of(before.scene(), &result, arcs)
        };
        let paths: Vec<KeptPath> = (0..12).map(path).collect();
        // Another order, one collector more and one less.
        let change = |collectors: &mut Vec<Collector>| *collectors = vec![collector.clone(), collectors[1].clone()];
        let asked = scene(&change).with_paths(paths.clone()).unwrap();
        let run = scene(&change);
        let (asked, run) = (whole(&asked), whole(&run));
        prop_assert_eq!(&asked, &run);
        // Paths of other rocks are refused.
        let other = Simulation::new(scenes::scene(seed + 1, engine(), 12, true, 0.6)).unwrap();
        prop_assert!(other.with_paths(paths).is_err());
    }
}
