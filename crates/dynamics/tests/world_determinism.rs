//! Same bits on any number of threads, after a snapshot, and as they were.

use glam::DVec3;
use klast_dynamics::{
    Body, Drive, Effort, Impacts, Material, Role, Sleep, State, Surface, Twist, World,
    WorldSettings,
};
use klast_geometry::{Plane, Pose};
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

/// Hulls that are poured, and two more bodies that come to them fast: one free, one driven.
fn struck_heap(settings: WorldSettings, restitution: f64) -> World {
    let mut world = pour(&ballast().unwrap(), &lattice(60), settings).unwrap();
    let surface = Surface {
        friction: 0.4,
        restitution,
    };
    let body = Body::uniform(&cubes().unwrap()[0], 2700.0).unwrap();
    let at = |x: f64, z: f64, speed: f64| State {
        pose: Pose::from_translation(DVec3::new(x, 0.3, z)),
        velocity: Twist {
            linear: DVec3::X * speed,
            angular: DVec3::new(0.5, 1.0, 2.0),
        },
    };
    world
        .add(body.clone(), at(-7.5, 1.5, 40.0), Role::Free, surface)
        .unwrap();
    let push = at(7.5, 3.0, -1.0);
    let drive = Role::Driven(Drive::Steady(push.velocity));
    world.add(body, push, drive, surface).unwrap();
    world
        .add_plane(
            Plane::new(DVec3::X, -8.9).unwrap(),
            surface,
            Some(Drive::Accelerating(DVec3::X * 0.5)),
        )
        .unwrap();
    for k in 0..60 {
        world.set_material(k, Material((k % 2) as u32)).unwrap();
    }
    let bouncing = Surface {
        friction: 0.6,
        restitution,
    };
    world.set_pair(Material(0), Material(1), bouncing).unwrap();
    world
}

/// The bits that were, of each stage of a step: impacts in turn and together, springs, sleep, steps that are divided,
/// driven bodies and planes.
#[test]
fn the_bits_that_were() {
    let plain = WorldSettings {
        step: 5e-3,
        ..Default::default()
    };
    let to_residual = Effort::Residual {
        tolerance: 1e-6,
        sweeps: 50,
    };
    let cases = [
        ("impacts in turn", plain, 0.4, 0x83ca_31c8_5064_dbd0),
        (
            "impacts together",
            WorldSettings {
                impacts: Impacts::Together,
                theta: 0.5,
                effort: to_residual,
                ..plain
            },
            0.4,
            0xba78_d289_0081_f231,
        ),
        (
            "springs",
            WorldSettings {
                stiffness: Some(1e8),
                ..plain
            },
            0.2,
            0x76b5_1714_638d_8f64,
        ),
        (
            "sleep",
            WorldSettings {
                sleep: Some(Sleep {
                    speed: 0.5,
                    after: 0.02,
                }),
                effort: Effort::Sweeps(20),
                ..plain
            },
            0.0,
            0x0e6c_624a_c266_96fc,
        ),
    ];
    let (mut moved, mut reached) = (vec![], [0; 4]);
    for (name, settings, restitution, pinned) in cases {
        let mut world = struck_heap(settings, restitution);
        let mut digest = Digest::default();
        for _ in 0..300 {
            let r = world.step().unwrap();
            let stages = [
                r.parts,
                r.events.impacts as usize,
                r.asleep,
                r.events.entered as usize,
            ];
            reached = std::array::from_fn(|k| reached[k] + stages[k]);
            digest = digest.numbers([
                r.energy.kinetic,
                r.exchange.contact_loss,
                r.exchange.boundary_work,
                r.exchange.stabilisation,
            ]);
        }
        let found = digest.word(hash(&world)).finish();
        if found != pinned {
            moved.push(format!("{name}: {found:#018x}"));
        }
    }
    assert!(reached.iter().all(|count| *count > 0), "{reached:?}");
    // If a change was meant to move the answers, put the new values here and say in the CHANGELOG what moved.
    assert!(moved.is_empty(), "{moved:#?}");
}
