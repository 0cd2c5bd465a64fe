//! Contacts of many bodies: broad phase, momentum, boundaries that move, laws in a row, bad input.

use glam::DVec3;
use klast_dynamics::{
    Body, Drive, DynamicsError, Effort, GroundMotion, Role, State, Surface, Twist, World,
    WorldSettings,
};
use klast_geometry::{Manifold, NarrowPhase, Placed, Plane, Pose, Solid};
use klast_ground_motion::{Component, Frequency};
use klast_scenarios::{cubes, lattice, pour};

const ROUGH: Surface = Surface {
    friction: 0.5,
    restitution: 0.0,
};

fn settled() -> WorldSettings {
    let effort = Effort::Residual {
        tolerance: 1e-10,
        sweeps: 200,
    };
    WorldSettings {
        effort,
        parallel: false,
        ..Default::default()
    }
}

fn cube(density: f64) -> Body {
    Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), density).unwrap()
}

/// The broad phase loses no pair: all touching pairs by brute force are among the contacts, in every step.
#[test]
fn no_touching_pair_is_lost() {
    let mut world = pour(
        &cubes().unwrap(),
        &lattice(150),
        WorldSettings {
            step: 5e-3,
            ..Default::default()
        },
    )
    .unwrap();
    let (mut narrow, mut manifold) = (NarrowPhase::default(), Manifold::default());
    for step in 0..300 {
        let states: Vec<State> = world.states().copied().collect();
        world.step().unwrap();
        if step % 10 != 0 {
            continue;
        }
        let mut pairs: Vec<(u32, u32)> = world
            .contacts()
            .iter()
            .map(|c| (c.first, c.second))
            .collect();
        pairs.dedup();
        for i in 0..states.len() {
            for j in i + 1..states.len() {
                let shape = |k: usize| Placed {
                    shape: world.body(k).unwrap().shape(),
                    pose: &states[k].pose,
                };
                if (states[i].pose.translation - states[j].pose.translation).length() < 1.8 {
                    narrow.manifold(shape(i), shape(j), 0.0, None, &mut manifold);
                    let key = (i as u32, j as u32);
                    assert!(
                        manifold.points.is_empty() || pairs.binary_search(&key).is_ok(),
                        "{key:?} in step {step}"
                    );
                }
            }
        }
    }
}

/// Without boundaries momentum and angular momentum are kept, whatever collides.
#[test]
fn momentum_is_kept() {
    let settings = WorldSettings {
        gravity: DVec3::ZERO,
        ..settled()
    };
    let mut world = World::new(settings).unwrap();
    for (k, pose) in lattice(27).iter().enumerate() {
        let mut state = State::at_rest(*pose);
        state.velocity.linear = (DVec3::new(0.0, 0.0, 3.0) - pose.translation) * 0.5;
        state.velocity.angular = DVec3::new(0.3 * k as f64, 1.0, -0.2);
        world
            .add(
                cube(1.0),
                state,
                Role::Free,
                Surface {
                    friction: 0.5,
                    restitution: 0.3,
                },
            )
            .unwrap();
    }
    let sums = |world: &World| {
        let (mut p, mut l) = (DVec3::ZERO, DVec3::ZERO);
        for s in world.states() {
            p += s.velocity.linear;
            l += s.pose.translation.cross(s.velocity.linear) + s.velocity.angular / 6.0;
        }
        (p, l)
    };
    let (p, l) = sums(&world);
    let mut touched = 0;
    for _ in 0..800 {
        touched += world.step().unwrap().contacts;
        let (q, m) = sums(&world);
        // Impulses act in pairs at one point: linear momentum is kept to rounding of sums of order 100. The angular one
        // also turns with x(t + h) = x + h v⁺ being the point the impulse acted for, and with the shifts that take out
        // overlap (at most a slop of 2e-5 m times 100 kg m/s a step in contact).
        assert!((q - p).length() < 1e-11, "{q} {p}");
        assert!((m - l).length() < 1e-2 * l.length().max(10.0), "{m} {l}");
    }
    assert!(touched > 100);
}

/// A block on a belt is carried along at the belt's speed after μ g t = v.
#[test]
fn a_driven_slab_carries_a_block() {
    let mut world = World::new(settled()).unwrap();
    let drive = Drive::Steady(Twist {
        linear: DVec3::X,
        angular: DVec3::ZERO,
    });
    let slab = Body::uniform(
        &Solid::Box {
            edges: DVec3::new(50.0, 4.0, 1.0),
        }
        .with_size(50.0)
        .unwrap(),
        1000.0,
    )
    .unwrap();
    let at = |z: f64| State::at_rest(Pose::from_translation(DVec3::Z * z));
    world
        .add(slab, at(-0.5), Role::Driven(drive), ROUGH)
        .unwrap();
    let block = world.add(cube(2000.0), at(0.5), Role::Free, ROUGH).unwrap();
    let speed = |world: &World| world.state(block).unwrap().velocity.linear.x;
    let mut work = 0.0;
    for k in 1..=100 {
        work += world.step().unwrap().exchange.boundary_work;
        let t = 2.5e-3 * f64::from(k);
        // Solved to 1e-10 of velocities of order 1; the step in which it stops slipping is one of 2.5 ms.
        assert!(
            (speed(&world) - (0.5 * 9.81 * t).min(1.0)).abs() < 1e-8,
            "{t} {}",
            speed(&world)
        );
    }
    // The belt does m v² of work: half moves the block, half is friction.
    assert!((work - 2000.0).abs() < 15.0, "{work}");
    assert!((world.ledger().exchange.contact_loss - 1000.0).abs() < 15.0);
}

/// A body glued by friction to shaken ground follows its displacement without drift.
#[test]
fn ground_motion_is_followed() {
    let mut world = World::new(settled()).unwrap();
    let motion = GroundMotion::horizontal(
        Component::harmonic(1.0, Frequency::rad_per_s(std::f64::consts::TAU), 0.0, 3.0).unwrap(),
    );
    let shown = motion.horizontal.clone();
    let slab = Body::uniform(
        &Solid::Box {
            edges: DVec3::new(9.0, 4.0, 1.0),
        }
        .with_size(9.0)
        .unwrap(),
        1000.0,
    )
    .unwrap();
    let at = |z: f64| State::at_rest(Pose::from_translation(DVec3::Z * z));
    let base = world
        .add(
            slab,
            at(-0.5),
            Role::Driven(Drive::Ground(Box::new(motion), DVec3::X)),
            ROUGH,
        )
        .unwrap();
    let block = world.add(cube(2000.0), at(0.5), Role::Free, ROUGH).unwrap();
    for _ in 0..1200 {
        world.step().unwrap();
    }
    let x = |k: usize| world.state(k).unwrap().pose.translation.x;
    let want = shown.displacement(world.time()) - shown.displacement(0.0);
    assert!((x(base) - want).abs() < 1e-12, "{} {want}", x(base));
    assert!((x(block) - want).abs() < 1e-6, "{} {want}", x(block));
}

#[test]
fn a_moving_plane_lifts_what_stands_on_it() {
    let mut world = World::new(settled()).unwrap();
    let lift = Drive::Steady(Twist {
        linear: DVec3::Z * 0.5,
        angular: DVec3::ZERO,
    });
    world
        .add_plane(Plane::new(DVec3::Z, 0.0).unwrap(), ROUGH, Some(lift))
        .unwrap();
    let at = State::at_rest(Pose::from_translation(DVec3::Z * 0.5));
    world.add(cube(1000.0), at, Role::Free, ROUGH).unwrap();
    for _ in 0..400 {
        world.step().unwrap();
    }
    assert!((world.planes().next().unwrap().offset - 0.5).abs() < 1e-12);
    assert!((world.state(0).unwrap().pose.translation.z - 1.0).abs() < 1e-4);
}

#[test]
fn a_bouncing_cube_rises_to_e_squared() {
    let settings = WorldSettings {
        step: 1e-3,
        theta: 0.5,
        ..settled()
    };
    let mut world = World::new(settings).unwrap();
    let bouncy = Surface {
        friction: 0.0,
        restitution: 0.6,
    };
    world
        .add_plane(Plane::new(DVec3::Z, 0.0).unwrap(), bouncy, None)
        .unwrap();
    world
        .add(
            cube(1000.0),
            State::at_rest(Pose::from_translation(DVec3::Z * 5.5)),
            Role::Free,
            bouncy,
        )
        .unwrap();
    let (mut top, mut bounced) = (0.0f64, false);
    for _ in 0..2000 {
        world.step().unwrap();
        let s = world.state(0).unwrap();
        bounced |= s.velocity.linear.z > 0.0;
        if bounced {
            top = top.max(s.pose.translation.z);
        }
    }
    // The bounce comes up to one step (10 mm at 10 m/s) early.
    assert!((top - 0.5 - 0.36 * 5.0).abs() < 0.01, "{top}");
}

#[test]
fn bad_input_is_refused() {
    let field = |error: DynamicsError| match error {
        DynamicsError::OutOfRange(out) => out.field.into_owned(),
        other => panic!("{other}"),
    };
    type Change = fn(&mut WorldSettings);
    for (change, expected) in [
        ((|s| s.step = 0.0) as Change, "step"),
        (|s| s.step = f64::NAN, "step"),
        (|s| s.theta = 0.4, "theta"),
        (|s| s.slop = -1.0, "slop"),
        (|s| s.gravity.x = f64::INFINITY, "gravity"),
        (
            |s| {
                s.effort = Effort::Residual {
                    tolerance: 0.0,
                    sweeps: 1,
                };
            },
            "tolerance",
        ),
    ] {
        let mut settings = WorldSettings::default();
        change(&mut settings);
        assert_eq!(field(World::new(settings).unwrap_err()), expected);
    }
    let mut world = World::new(WorldSettings::default()).unwrap();
    let state = State::at_rest(Pose::IDENTITY);
    let refused = |e: Result<usize, DynamicsError>| field(e.unwrap_err());
    for (friction, restitution, expected) in [
        (-0.1, 0.0, "friction"),
        (f64::NAN, 0.0, "friction"),
        (0.5, 1.1, "restitution"),
    ] {
        let surface = Surface {
            friction,
            restitution,
        };
        let free = world.add(cube(1.0), state, Role::Free, surface);
        assert_eq!(refused(free), expected);
        let plane = Plane::new(DVec3::Z, 0.0).unwrap();
        assert_eq!(refused(world.add_plane(plane, surface, None)), expected);
    }
    let spinning = State {
        velocity: Twist {
            linear: DVec3::ZERO,
            angular: DVec3::splat(f64::NAN),
        },
        ..state
    };
    assert!(world.add(cube(1.0), spinning, Role::Free, ROUGH).is_err());
    assert!(world.set_velocity(0, spinning.velocity).is_err());
    let floor = Plane::new(DVec3::Z, 0.0).unwrap();
    let still = GroundMotion::at_rest();
    for (drive, expected) in [
        (Drive::Accelerating(DVec3::NAN), "acceleration"),
        (
            Drive::Ground(Box::new(still), DVec3::X * 2.0),
            "direction length",
        ),
    ] {
        assert_eq!(
            refused(world.add_plane(floor, ROUGH, Some(drive))),
            expected
        );
    }
    assert!(world.step().is_ok(), "an empty world steps");
}

/// A plane that covers ten blocks a step, from the first or ever faster, meets one in the step in which it comes to it.
#[test]
fn a_fast_plane_goes_through_nothing() {
    let steady = Twist {
        linear: DVec3::Z * 100.0,
        angular: DVec3::ZERO,
    };
    for drive in [Drive::Steady(steady), Drive::Accelerating(DVec3::Z * 5e3)] {
        let mut world = World::new(WorldSettings {
            gravity: DVec3::ZERO,
            step: 1e-2,
            ..settled()
        })
        .unwrap();
        let floor = Plane::new(DVec3::Z, 0.0).unwrap();
        world.add_plane(floor, ROUGH, Some(drive)).unwrap();
        let block = Body::uniform(&Solid::Cube.with_volume(1e-3).unwrap(), 2700.0).unwrap();
        let at = State::at_rest(Pose::from_translation(DVec3::Z * 1.5));
        world.add(block, at, Role::Free, ROUGH).unwrap();
        for step in 0..20 {
            let report = world.step().unwrap();
            assert!(report.overlap.deepest < 1e-9, "{step} {report:?}");
        }
        assert!(world.states().all(|s| s.pose.translation.z > 15.0));
    }
}

/// What is fixed has no velocity, whatever is asked of it: neither its own start nor a later one.
#[test]
fn a_fixed_body_takes_no_velocity() {
    let mut world = World::new(WorldSettings::default()).unwrap();
    let fast = Twist {
        linear: DVec3::X * 100.0,
        angular: DVec3::Z,
    };
    let state = State::new(Pose::IDENTITY, fast).unwrap();
    let body = world.add(cube(1.0), state, Role::Fixed, ROUGH).unwrap();
    world.set_velocity(body, fast).unwrap();
    world.step().unwrap();
    assert_eq!(world.state(body), Some(&State::at_rest(Pose::IDENTITY)));
}
