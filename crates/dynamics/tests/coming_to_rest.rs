//! Bodies thrown on the ground with friction come to rest, and on the way contacts take energy.

use crate::common;

use common::{GRAVITY, OnPlane, imbalance, material};
use glam::DVec3;
use klast_dynamics::single::{Limits, Motion, Observer, StopReason, Stretch};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::{Pose, Solid};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use std::ops::ControlFlow;

/// The most energy that a stretch in contact has made, over the largest kinetic energy so far.
struct Gains<'a> {
    body: &'a Body,
    gravity: DVec3,
    kinetic: f64,
    largest: f64,
}

impl Observer for Gains<'_> {
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        let kinetic = |s: &State| s.kinetic_energy(self.body).total();
        let energy = |s: &State| kinetic(s) + s.potential_energy(self.body, self.gravity);
        let most = kinetic(&stretch.start).max(kinetic(&stretch.end));
        self.kinetic = self.kinetic.max(most);
        if stretch.motion == Motion::Contact {
            let made = energy(&stretch.end) - energy(&stretch.start);
            self.largest = self.largest.max(made / self.kinetic);
        }
        ControlFlow::Continue(())
    }
}

/// Throws a body at random; the steps it took.
fn throw(body: &Body, rng: &mut Pcg64, tilt: f64, e: f64, mu: f64) -> usize {
    let gravity = 9.81 * DVec3::new(tilt.sin(), 0.0, -tilt.cos());
    let limits = Limits {
        steps: 20_000,
        time: 60.0,
        ..Limits::default()
    };
    let run = OnPlane::level(gravity, material(e, mu), limits);
    let across = common::direction(rng) * DVec3::new(3.0, 3.0, 0.0);
    let start = State {
        pose: Pose {
            rotation: common::attitude(rng),
            translation: DVec3::Z * 2.5,
        },
        velocity: Twist {
            linear: across,
            angular: common::direction(rng) * 2.0,
        },
    };
    let mut gains = Gains {
        body,
        gravity,
        kinetic: 0.0,
        largest: f64::NEG_INFINITY,
    };
    let end = run.run(body, start, &mut gains);
    let reason = end.reason;
    let case = || {
        format!(
            "{} vertices, e {e}, mu {mu}: {end:?}",
            body.vertices().len()
        )
    };
    assert_eq!(reason, StopReason::AtRest, "{}", case());
    // At rest it lies on three points or more, or it would fall over.
    let height = |v: &DVec3| end.state.pose.transform_point(*v).z;
    let low = body.vertices().iter().filter(|v| height(v) < 2e-8).count();
    assert!(low >= 3, "{low} points: {}", case());
    // A slow landing sinks by up to half of what it goes in a step, and may have too little kinetic energy left to pay
    // for the way out: that is lifted.
    assert!(gains.largest < 1e-4, "{:e}: {}", gains.largest, case());
    let balance = imbalance(body, gravity, &start, &end);
    // Some hundred sums that round to 1e-16 of the start.
    assert!(
        balance.abs() < 1e-12 * end.tally.energy.largest_kinetic,
        "{balance:e}: {}",
        case()
    );
    end.tally.steps
}

/// Every solid that stands on a face, and hulls, on level ground: nothing there but rest can be the end.
#[test]
fn on_level_ground() {
    let mut rng = Pcg64::seed_from_u64(11);
    let bodies = common::bodies(&mut rng, 6);
    for (e, mu) in [(0.0, 0.5), (0.3, 0.5), (0.3, 1.0), (0.5, 0.2)] {
        for body in &bodies {
            for _ in 0..2 {
                throw(body, &mut rng, 0.0, e, mu);
            }
        }
    }
}

/// On a slope under the angle of friction, shapes that do not roll on it: a cube tips from 45°.
#[test]
fn on_a_slope() {
    let mut rng = Pcg64::seed_from_u64(12);
    for solid in [Solid::Cube, Solid::Octahedron, Solid::Tetrahedron] {
        let body = Body::uniform(&solid.with_volume(1.0).unwrap(), 2700.0).unwrap();
        for _ in 0..10 {
            throw(&body, &mut rng, 10f64.to_radians(), 0.3, 1.0);
        }
    }
}

/// Four corners that land a few nanometres apart hop in turn; each hop is smaller, and after some dozens the cube lies.
#[test]
fn a_cube_that_lands_nearly_flat() {
    let body = Body::uniform(&Solid::Cube.with_size(1.0).unwrap(), 2700.0).unwrap();
    let start = State {
        pose: Pose::from_translation(DVec3::Z * 2.0),
        velocity: Twist {
            linear: DVec3::X * 3.0,
            angular: DVec3::new(0.4, 1.0, 0.2),
        },
    };
    for normal_velocity in [1e-4, 1e-3, 1e-2, 5e-2] {
        let limits = Limits {
            normal_velocity,
            steps: 1000,
            ..Limits::default()
        };
        let run = OnPlane::level(GRAVITY, material(0.3, 0.5), limits);
        let end = run.run(&body, start, &mut ());
        assert_eq!(end.reason, StopReason::AtRest, "{end:?}");
        assert!((end.state.pose.translation.z - 0.5).abs() < 1e-5);
    }
}
