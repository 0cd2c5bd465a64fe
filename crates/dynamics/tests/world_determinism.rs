//! Same bits on any number of threads, and after a snapshot.

use klast_dynamics::{Effort, World, WorldSettings};
use klast_numerics::Digest;
use klast_scenarios::{ballast, cubes, lattice, pour};

/// The bits of all states and impulses.
fn hash(world: &World) -> u64 {
    let mut digest = Digest::default();
    for s in world.states() {
        digest = digest
            .numbers(s.pose.translation.to_array())
            .numbers(s.pose.rotation.to_array())
            .numbers(s.velocity.linear.to_array())
            .numbers(s.velocity.angular.to_array());
    }
    for c in world.contacts() {
        digest = digest.numbers(c.impulse.to_array());
    }
    digest.finish()
}

fn scene(hulls: bool, parallel: bool, effort: Effort) -> World {
    let shapes = if hulls { ballast() } else { cubes() }.unwrap();
    let settings = WorldSettings {
        parallel,
        effort,
        step: 5e-3,
        ..Default::default()
    };
    pour(&shapes, &lattice(120), settings).unwrap()
}

fn run(mut world: World, steps: usize) -> World {
    for _ in 0..steps {
        world.step().unwrap();
    }
    world
}

#[test]
fn threads_do_not_show() {
    for (hulls, effort) in [
        (false, Effort::Sweeps(20)),
        (
            true,
            Effort::Residual {
                tolerance: 1e-6,
                sweeps: 50,
            },
        ),
    ] {
        let alone = hash(&run(scene(hulls, false, effort), 200));
        for threads in [1, 2, 3, 7] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let found = pool.install(|| hash(&run(scene(hulls, true, effort), 200)));
            assert_eq!(alone, found, "{threads} threads");
        }
    }
}

#[test]
fn a_restored_snapshot_goes_on_with_the_same_bits() {
    let mut world = run(scene(true, true, Effort::Sweeps(20)), 120);
    let (snapshot, copy) = (world.snapshot(), world.clone());
    let end = hash(&run(world.clone(), 100));
    assert_eq!(end, hash(&run(copy, 100)), "a clone");
    // Into a fresh scene, whose boxes and hints know nothing of the run.
    let mut fresh = scene(true, true, Effort::Sweeps(20));
    fresh.restore(&snapshot).unwrap();
    assert_eq!(end, hash(&run(fresh, 100)), "a fresh scene");
    // Back in the old one.
    for _ in 0..10 {
        world.step().unwrap();
    }
    world.restore(&snapshot).unwrap();
    assert_eq!(end, hash(&run(world, 100)), "back in time");
    let mut other = pour(&cubes().unwrap(), &lattice(3), WorldSettings::default()).unwrap();
    assert!(other.restore(&snapshot).is_err());
}

#[cfg(feature = "serde")]
#[test]
fn a_snapshot_survives_its_text() {
    let world = run(scene(false, false, Effort::Sweeps(20)), 120);
    let text = serde_json::to_string(&world.snapshot()).unwrap();
    let mut fresh = scene(false, false, Effort::Sweeps(20));
    fresh
        .restore(&serde_json::from_str(&text).unwrap())
        .unwrap();
    assert_eq!(hash(&run(world, 50)), hash(&run(fresh, 50)));
}
