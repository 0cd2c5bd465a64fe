//! Free flight keeps the angular momentum of a body, its length and its direction, and follows the torque-free top.

use glam::{DQuat, DVec3};
use klast_dynamics::{Body, Role, State, Surface, Twist, World, WorldSettings};
use klast_geometry::{Pose, Solid};
use proptest::prelude::*;

use crate::common;
use common::Reference;

const STONE: Surface = Surface {
    friction: 0.5,
    restitution: 0.0,
};

fn flight(body: &Body, state: State, step: f64, steps: usize) -> (State, f64) {
    let settings = WorldSettings {
        step,
        ..WorldSettings::default()
    };
    let mut world = World::new(settings).unwrap();
    let number = world.add(body.clone(), state, Role::Free, STONE).unwrap();
    let mut error = 0.0;
    for _ in 0..steps {
        error += world.step().unwrap().angular_momentum_error;
    }
    (*world.state(number).unwrap(), error)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Rods, plates and boxes to 1:100, up to 40 rad/s, 8,000 steps. Each rounds the spin across the axis of the least
    /// moment by some 1e-15, which the largest moment multiplies.
    #[test]
    fn the_angular_momentum_stays(
        edges in prop::array::uniform3(0.01f64..1.0),
        spin in prop::array::uniform3(-40f64..40.0),
        turn in prop::array::uniform3(-3f64..3.0),
    ) {
        let edges = DVec3::from(edges);
        let shape = Solid::Box { edges }.with_size(1.0).unwrap();
        let body = Body::uniform(&shape, 2700.0).unwrap();
        let spin = Twist { linear: DVec3::ZERO, angular: DVec3::from(spin) };
        let pose = Pose::from_rotation(DQuat::from_scaled_axis(DVec3::from(turn)));
        let start = State::new(pose, spin).unwrap();
        let before = start.angular_momentum(&body);
        let moments = body.inertia();
        let rounding = 2e-15 * 8000.0 * moments.max_element() / moments.min_element();
        let energy = start.kinetic_energy(&body).rotational;
        let (end, error) = flight(&body, start, 2.5e-3, 8000);
        let after = end.angular_momentum(&body);
        prop_assert!((after - before).length() <= rounding * before.length(), "{before} {after}");
        prop_assert!((end.kinetic_energy(&body).rotational - energy).abs() <= rounding * energy);
        // The audit sums the rounding of each step, some ten operations, whatever its sign.
        prop_assert!(error <= 10.0 * rounding * before.length(), "{error}");
    }
}

/// The attitude itself converges with the square of the step to that of the free top (Euler's equations, extrapolated).
#[test]
fn the_attitude_converges_to_the_free_top() {
    let shape = Solid::Box {
        edges: DVec3::new(5.0, 3.0, 1.0),
    };
    let body = Body::uniform(&shape.with_size(1.0).unwrap(), 2700.0).unwrap();
    let spin = Twist {
        linear: DVec3::ZERO,
        angular: DVec3::new(2.0, 3.0, -1.0),
    };
    let start = State::new(Pose::IDENTITY, spin).unwrap();
    let gravity = WorldSettings::default().gravity;
    let exact = Reference::new(&body, start, gravity, 1.0)
        .state(1.0)
        .pose
        .rotation;
    let errors = [4e-3, 2e-3, 1e-3].map(|step| {
        let (end, _) = flight(&body, start, step, (1.0 / step).round() as usize);
        end.pose.rotation.angle_between(exact)
    });
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!(order > 0.9, "{errors:?}");
    }
    assert!(errors[2] < 0.02, "{errors:?}");
}
