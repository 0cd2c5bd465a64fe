//! Bodies that pass each other, and bodies that meet at their edges.

use glam::{DQuat, DVec3};
use klast_dynamics::{
    Body, Drive, DynamicsError, Effort, Role, State, Surface, Twist, World, WorldSettings,
};
use klast_geometry::{Pose, Solid};
use std::f64::consts::FRAC_PI_4;

const SMOOTH: Surface = Surface {
    friction: 0.0,
    restitution: 0.0,
};

fn cube(edge: f64) -> Body {
    Body::uniform(&Solid::Cube.with_size(edge).unwrap(), 2700.0).unwrap()
}

fn going(pose: Pose, velocity: DVec3) -> State {
    let twist = Twist {
        linear: velocity,
        angular: DVec3::ZERO,
    };
    State::new(pose, twist).unwrap()
}

fn efforts() -> [Effort; 2] {
    let residual = Effort::Residual {
        tolerance: 1e-8,
        sweeps: 60,
    };
    [Effort::Sweeps(20), residual]
}

fn weightless(effort: Effort) -> World {
    let settings = WorldSettings {
        gravity: DVec3::ZERO,
        effort,
        ..WorldSettings::default()
    };
    World::new(settings).unwrap()
}

/// A cube that goes down beside a fixed one, from where it stands diagonally above it and with steps up to twelve times
/// as long as the room between them: nothing touches, so its velocity stays to the last bit.
#[test]
fn a_body_that_passes_beside_another_is_not_deflected() {
    for effort in efforts() {
        for (speed, room) in [(2.0, 1e-3), (5.0, 1e-3), (10.0, 5e-3), (50.0, 0.03)] {
            for phase in 0..20 {
                let mut world = weightless(effort);
                let still = State::at_rest(Pose::IDENTITY);
                world.add(cube(1.0), still, Role::Fixed, SMOOTH).unwrap();
                let height = 1.1 + speed * 2.5e-3 * f64::from(phase) / 20.0;
                let pose = Pose::from_translation(DVec3::new(1.0 + room, 0.1, height));
                let down = going(pose, DVec3::Z * -speed);
                let body = world.add(cube(1.0), down, Role::Free, SMOOTH).unwrap();
                for _ in 0..(2.4 / speed / 2.5e-3) as usize {
                    world.step().unwrap();
                }
                let state = world.state(body).unwrap();
                assert!(state.pose.translation.z < -1.0, "{speed} {room} {phase}");
                assert_eq!(state.velocity, down.velocity, "{speed} {room} {phase}");
            }
        }
    }
}

/// A cube on its edge that falls on the parallel edge of another, without loss: it goes back up as it came, and does
/// not turn.
#[test]
fn a_ridge_that_falls_on_a_parallel_ridge_goes_back() {
    let elastic = Surface {
        friction: 0.0,
        restitution: 1.0,
    };
    let ridge = DQuat::from_rotation_y(FRAC_PI_4);
    let [_, residual] = efforts();
    let mut world = weightless(residual);
    let still = State::at_rest(Pose::from_rotation(ridge));
    world.add(cube(1.0), still, Role::Fixed, elastic).unwrap();
    let above = Pose::new(ridge, DVec3::Z * (2f64.sqrt() + 0.02)).unwrap();
    let down = going(above, DVec3::Z * -3.0);
    let body = world.add(cube(1.0), down, Role::Free, elastic).unwrap();
    for _ in 0..40 {
        world.step().unwrap();
    }
    let v = world.state(body).unwrap().velocity;
    // The residual is 1e-8 of the 6 m/s that the impact changes.
    assert!((v.linear - DVec3::Z * 3.0).length() < 1e-6, "{v:?}");
    assert!(v.angular.length() < 1e-6, "{v:?}");
}

/// A bat that stands still when it is added and then moves at 400 m/s, two of its lengths in a step, takes along what
/// stands in its way.
#[test]
fn a_driven_body_meets_others_in_its_first_step() {
    for effort in efforts() {
        for speed in [150.0, 400.0] {
            let mut world = weightless(effort);
            let drive = Twist {
                linear: DVec3::X * speed,
                angular: DVec3::ZERO,
            };
            let plate = Solid::Box {
                edges: DVec3::new(0.2, 2.0, 2.0),
            };
            let bat = Body::uniform(&plate.with_size(2.0).unwrap(), 1.0).unwrap();
            let role = Role::Driven(Drive::Steady(drive));
            world
                .add(bat, State::at_rest(Pose::IDENTITY), role, SMOOTH)
                .unwrap();
            let ahead = State::at_rest(Pose::from_translation(DVec3::X * 0.5));
            let body = world.add(cube(0.2), ahead, Role::Free, SMOOTH).unwrap();
            for _ in 0..10 {
                world.step().unwrap();
            }
            let v = world.state(body).unwrap().velocity.linear.x;
            assert!((v - speed).abs() < 1e-6 * speed, "{speed} {v}");
        }
    }
}

/// What a step can not compute is an error, and nothing has moved.
#[test]
fn a_step_that_is_not_finite_is_refused() {
    let spinning = |spin: DVec3| {
        let twist = Twist {
            linear: DVec3::ZERO,
            angular: spin,
        };
        State::new(Pose::IDENTITY, twist).unwrap()
    };
    for (state, step) in [
        (spinning(DVec3::new(1e160, 1e3, 0.0)), 2.5e-3),
        (going(Pose::IDENTITY, DVec3::X * 1.7e308), 10.0),
    ] {
        let settings = WorldSettings {
            step,
            ..WorldSettings::default()
        };
        let mut world = World::new(settings).unwrap();
        let plate = Solid::Box {
            edges: DVec3::new(1.0, 0.7, 0.4),
        };
        let body = Body::uniform(&plate.with_size(1.0).unwrap(), 2700.0).unwrap();
        let body = world.add(body, state, Role::Free, SMOOTH).unwrap();
        // What it ends with is out of range, and nothing that was given.
        let error = world.step().unwrap_err();
        let named = matches!(&error, DynamicsError::OutOfRange(out) if out.field.ends_with(" after a step"));
        assert!(named, "{error}");
        assert_eq!(world.state(body), Some(&state));
        assert_eq!(world.time(), 0.0);
        // The contacts of others keep what holds them.
        world.set_velocity(body, Twist::ZERO).unwrap();
        for (x, role) in [(3.0, Role::Free), (3.2, Role::Fixed)] {
            let beside = State::at_rest(Pose::from_translation(DVec3::X * x));
            world.add(cube(0.2), beside, role, SMOOTH).unwrap();
        }
        world.step().unwrap();
        assert!(!world.contacts().is_empty());
        world.set_velocity(body, state.velocity).unwrap();
        let before = world.snapshot();
        world.step().unwrap_err();
        assert_eq!(world.snapshot(), before);
    }
}

/// Corners in the wrong order, and friction whose square does not fit.
#[test]
fn containers_and_large_friction() {
    let mut world = weightless(Effort::Sweeps(20));
    let (low, high) = (DVec3::splat(-9.0), DVec3::splat(9.0));
    assert!(world.add_container(low, high, SMOOTH).is_ok());
    for (low, high) in [(high, low), (low, low)] {
        let error = world.add_container(low, high, SMOOTH).unwrap_err();
        let named = matches!(&error, DynamicsError::OutOfRange(out) if out.field == "inner width of the container");
        assert!(named, "{error}");
    }
    let rough = |friction| Surface {
        friction,
        restitution: 0.0,
    };
    let mut world = weightless(Effort::Sweeps(20));
    let still = State::at_rest(Pose::IDENTITY);
    world
        .add(cube(1.0), still, Role::Fixed, rough(1e155))
        .unwrap();
    let above = going(
        Pose::from_translation(DVec3::Z * 1.001),
        DVec3::new(0.5, 0.0, -1.0),
    );
    let body = world
        .add(cube(1.0), above, Role::Free, rough(4e155))
        .unwrap();
    world.step().unwrap();
    assert!(world.state(body).unwrap().velocity.linear.z > -1.0);
    let friction = world.contacts()[0].friction;
    assert!((friction / 2e155 - 1.0).abs() < 1e-15);
}

/// Two bodies that have struck each other go on with one velocity. What is left for their contacts to do is the
/// rounding of two velocities, of which no part can be asked for: each step is solved, from where the last one ended.
#[test]
fn bodies_that_go_on_together_are_solved() {
    let effort = Effort::Residual {
        tolerance: 1e-6,
        sweeps: 800,
    };
    for k in 0..20 {
        let mut world = weightless(effort);
        let turn = DQuat::from_rotation_z(0.1 * f64::from(k));
        for (place, speed) in [(-0.51, 0.7), (0.51, -0.4)] {
            let pose = Pose {
                rotation: turn,
                translation: turn * (DVec3::X * place),
            };
            let state = going(pose, turn * (DVec3::X * speed));
            world.add(cube(1.0), state, Role::Free, SMOOTH).unwrap();
        }
        for step in 0..60 {
            let report = world.step().unwrap();
            assert_eq!(report.solver.unconverged, 0, "{k} {step}: {report:?}");
            assert!(report.solver.sweeps <= 100, "{k} {step}: {report:?}");
        }
        // Of 0.7 and -0.4 m/s the mean.
        let v = world.state(0).unwrap().velocity.linear;
        assert!((v - turn * (DVec3::X * 0.15)).length() < 1e-7, "{k}: {v}");
    }
}
