//! What is balanced on an edge or a corner is at rest to first order and falls to second.

use crate::common;

use common::{GRAVITY, OnPlane, material};
use glam::{DQuat, DVec3};
use klast_dynamics::single::{Limits, StopReason};
use klast_dynamics::{Body, State};
use klast_geometry::{Pose, Solid};
use rand::SeedableRng;
use rand_pcg::Pcg64;

const BALANCED: f64 = 1e-8;

fn block(edges: DVec3) -> Body {
    let shape = Solid::Box { edges }.with_size(edges.max_element()).unwrap();
    Body::uniform(&shape, 2700.0).unwrap()
}

/// At rest at an attitude, with its lowest corner on the plane z = 0.
fn standing(body: &Body, rotation: DQuat) -> State {
    let heights = body.vertices().iter().map(|v| (rotation * *v).z);
    let low = heights.fold(f64::INFINITY, f64::min);
    State::at_rest(Pose {
        rotation,
        translation: -low * DVec3::Z,
    })
}

fn limits() -> Limits {
    Limits {
        time: 60.0,
        steps: 200_000,
        ..Limits::default()
    }
}

/// The rotation that takes a direction of the body to straight down.
fn down(direction: DVec3) -> DQuat {
    DQuat::from_rotation_arc(direction.normalize(), -DVec3::Z)
}

/// A cube of edge a on its edge turns as θ = ε cosh(p t), p² = 3 g/(2 √2 a), until it is large: to θ = 1 it takes
/// ln(2/ε)/p, and to the face less than a second more.
#[test]
fn a_cube_on_its_edge_falls() {
    let (edge, body) = (1.0, block(DVec3::ONE));
    let rate = (1.5 * 9.81 / (2f64.sqrt() * edge)).sqrt();
    for tilt in [BALANCED, -BALANCED, 1e-6, -1e-4] {
        let rotation = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_4 + tilt);
        let run = OnPlane::level(GRAVITY, material(0.0, 0.8), limits());
        let end = run.run(&body, standing(&body, rotation), &mut ());
        assert_eq!(end.reason, StopReason::AtRest, "{tilt}");
        let height = end.state.pose.translation.z;
        assert!((height - 0.5 * edge).abs() < 1e-6, "{tilt}: {height}");
        let least = (2.0 / f64::abs(tilt)).ln() / rate;
        // A step errs by less than a hundredth of the rate.
        assert!(end.time > 0.98 * least, "{tilt}: {} {least}", end.time);
        assert!(
            end.time < 1.02 * least + 1.0,
            "{tilt}: {} {least}",
            end.time
        );
    }
}

/// Blocks on an edge or a corner, as near to their balance as 1e-9 to 1e-3: each comes to rest on a face.
#[test]
fn what_is_balanced_comes_to_rest_on_a_face() {
    let mut rng = Pcg64::seed_from_u64(53);
    for k in 0..40 {
        let edges = DVec3::from_array(std::array::from_fn(|_| common::uniform(&mut rng, 0.3, 1.0)));
        let body = block(edges);
        let lowest = match k % 2 {
            0 => edges * DVec3::new(1.0, 0.0, 1.0),
            _ => edges,
        };
        let off = 10f64.powf(common::uniform(&mut rng, -9.0, -3.0));
        let tilt = DQuat::from_scaled_axis(off * common::direction(&mut rng));
        let yaw = DQuat::from_rotation_z(common::uniform(&mut rng, 0.0, 6.0));
        let run = OnPlane::level(GRAVITY, material(0.0, 0.8), limits());
        let end = run.run(&body, standing(&body, yaw * tilt * down(lowest)), &mut ());
        assert_eq!(end.reason, StopReason::AtRest, "{k}");
        let height = |v: &DVec3| end.state.pose.transform_point(*v).z;
        let low = body.vertices().iter().filter(|v| height(v) < 1e-6).count();
        assert!(low == 4, "{k}, {off:.1e} off: {low} corners");
    }
}

/// A large block takes longer to fall from its edge than what swings may stay in one place (10 s), and one that stands
/// on it to the last bit longer still: neither stops there. θ = ε cosh(p t) with p² = 3 g/(2 √2 a): 20 m on an edge
/// 1e-16 rad off take 50 s.
#[test]
fn what_falls_slowly_has_not_stopped() {
    for (edge, tilt) in [(1.0, 0.0), (20.0, 0.0), (20.0, 1e-6)] {
        let shape = Solid::Cube.with_size(edge).unwrap();
        let body = Body::uniform(&shape, 2700.0).unwrap();
        let rotation = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_4 + tilt);
        for stopped_velocity in [1e-6, 0.1] {
            let limits = Limits {
                time: 300.0,
                stopped_velocity,
                ..limits()
            };
            let run = OnPlane::level(GRAVITY, material(0.0, 0.8), limits);
            let end = run.run(&body, standing(&body, rotation), &mut ());
            assert_eq!(end.reason, StopReason::AtRest, "{edge} {tilt}");
            let height = end.state.pose.translation.z;
            assert!(
                (height / edge - 0.5).abs() < 1e-6,
                "{edge} {tilt}: {height}"
            );
        }
    }
}
