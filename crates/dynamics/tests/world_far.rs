//! A world far from the origin moves as one at the origin.

use glam::DVec3;
use klast_dynamics::{
    Body, Drive, DynamicsError, Role, State, Surface, Twist, World, WorldSettings,
};
use klast_geometry::{Plane, Pose};
use klast_scenarios::cubes;

const SURFACE: Surface = Surface {
    friction: 0.5,
    restitution: 0.3,
};

/// A small heap that falls onto a plane and a slab that is driven, seen from elsewhere. Its first cube is at the
/// origin and nearest to it, and all coordinates are sums of powers of two, so that no rounding is lost by the shift.
fn heap(at: DVec3) -> World {
    let mut world = World::new(WorldSettings::default()).unwrap();
    let floor = Plane::new(DVec3::Z, at.z - 1.0).unwrap();
    world.add_plane(floor, SURFACE, None).unwrap();
    let cube = Body::uniform(&cubes().unwrap()[0], 2700.0).unwrap();
    let state = |x: f64, y: f64, z: f64, spin: DVec3| State {
        pose: Pose::from_translation(at + DVec3::new(x, y, z)),
        velocity: Twist {
            linear: DVec3::ZERO,
            angular: spin,
        },
    };
    for k in 0..6 {
        let k = f64::from(k);
        let start = state(
            0.25 * k,
            0.125 * k,
            1.125 * k,
            DVec3::new(0.5 * k, 1.0, -0.25),
        );
        world.add(cube.clone(), start, Role::Free, SURFACE).unwrap();
    }
    let drive = Drive::Accelerating(DVec3::X);
    let slab = state(-2.0, 0.5, -0.5, DVec3::ZERO);
    let role = Role::Driven(drive);
    world.add(cube, slab, role, SURFACE).unwrap();
    world
}

/// To the last bit: velocities, impulses and the audit are those of the world at the origin. Positions are its
/// positions and the shift, to the rounding of their sum. The same goes on after a snapshot.
#[test]
fn a_world_far_away_moves_as_one_at_the_origin() {
    let shift = DVec3::new(1_048_576.0, 2_097_152.0, 524_288.0);
    let (mut near, mut far) = (heap(DVec3::ZERO), heap(shift));
    let mut elsewhere = heap(shift);
    for k in 0..160 {
        if k == 80 {
            elsewhere.restore(&far.snapshot()).unwrap();
            for (a, b) in elsewhere.states().zip(far.states()) {
                assert_eq!(a, b);
            }
        }
        let mut here = near.step().unwrap();
        let there = far.step().unwrap();
        // Zero at the origin: the weight of six cubes on a way of 524,288 m, and what is left of the digits.
        let lifted = there.energy.potential - here.energy.potential;
        let weight = 6.0 * 2700.0 * 9.81;
        assert!(
            (lifted / (weight * shift.z) - 1.0).abs() < 1e-12,
            "{lifted}"
        );
        here.energy.potential = there.energy.potential;
        assert_eq!(here, there, "step {k}");
        if k >= 80 {
            assert_eq!(elsewhere.step().unwrap(), there, "step {k}");
        }
        for (a, b) in near.states().zip(far.states()) {
            assert_eq!((a.velocity, a.pose.rotation), (b.velocity, b.pose.rotation));
            assert_eq!(a.pose.translation + shift, b.pose.translation, "step {k}");
        }
        for (a, b) in near.contacts().iter().zip(far.contacts()) {
            assert_eq!((a.impulse, a.gap), (b.impulse, b.gap));
            assert_eq!(a.point + shift, b.point);
        }
    }
    for (a, b) in near.planes().zip(far.planes()) {
        assert_eq!((a.normal, a.offset + shift.z), (b.normal, b.offset));
    }
}

/// What is added to a world that already measures its positions from elsewhere is where it was put.
#[test]
fn a_body_that_is_added_later_is_where_it_was_put() {
    let shift = DVec3::new(1_048_576.0, 0.0, 0.0);
    let mut world = heap(shift);
    world.step().unwrap();
    let body = world.body(0).unwrap().clone();
    let at = shift + DVec3::new(0.0, 0.0, 20.0);
    let state = State::at_rest(Pose::from_translation(at));
    let added = world.add(body, state, Role::Free, SURFACE).unwrap();
    assert_eq!(world.state(added), Some(&state));
    let wall = Plane::new(DVec3::X, shift.x - 4.0).unwrap();
    let added = world.add_plane(wall, SURFACE, None).unwrap();
    assert_eq!(world.planes().nth(added), Some(&wall));
}

/// A velocity that is set is that of the body at once, and of no other; its place is as it was.
#[test]
fn a_velocity_is_set_far_away() {
    let mut world = heap(DVec3::new(1_048_576.0, 0.0, 0.0));
    world.step().unwrap();
    let before: Vec<State> = world.states().copied().collect();
    let velocity = Twist {
        linear: DVec3::new(1.0, -2.0, 0.5),
        angular: DVec3::Y,
    };
    world.set_velocity(3, velocity).unwrap();
    for (i, (state, before)) in world.states().zip(&before).enumerate() {
        let expected = if i == 3 { velocity } else { before.velocity };
        assert_eq!((state.velocity, state.pose), (expected, before.pose), "{i}");
    }
}

/// A snapshot with a position too few is refused, and the world is as it was.
#[cfg(feature = "serde")]
#[test]
fn a_snapshot_that_is_refused_changes_nothing() {
    let mut world = heap(DVec3::new(1_048_576.0, 0.0, 0.0));
    world.step().unwrap();
    let mut stored = serde_json::to_value(world.snapshot()).unwrap();
    let positions = stored.pointer_mut("/elsewhere/positions").unwrap();
    positions.as_array_mut().unwrap().pop();
    for _ in 0..20 {
        world.step().unwrap();
    }
    let before = world.snapshot();
    let error = world.restore(&serde_json::from_value(stored).unwrap());
    let error = error.unwrap_err();
    let named = matches!(&error, DynamicsError::OutOfRange(out) if out.field == "positions in the snapshot");
    assert!(named, "{error}");
    assert_eq!(world.snapshot(), before);
}
