//! Bodies thrown on the ground with friction come to rest, and on the way contacts take energy.

use crate::common;

use common::{GRAVITY, OnPlane, imbalance, material};
use glam::{DVec2, DVec3};
use klast_dynamics::single::{
    Limits, Motion, Observer, Options, SingleBody, StopReason, Stretch, Workspace,
};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::{Grid, Terrain};
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

/// Cubes on a raster whose facets are nearly level with each other lie on corners and on edges that cross edges of the
/// ground. Those that lie still have stopped: none is taken for one that swings in its place for ever.
#[test]
fn what_lies_still_on_a_raster_does_not_swing() {
    let height = |k: usize| {
        let (x, y) = ((k % 61) as f64, (k / 61) as f64);
        -0.577 * x + 2.0 * (0.05 * x).sin() * (0.04 * y).cos()
    };
    let heights = (0..61 * 61).map(height).collect();
    let ground = Grid::new(61, 61, 1.0, DVec2::ZERO, heights).unwrap();
    let body = Body::uniform(&Solid::Cube.with_volume(0.5).unwrap(), 2700.0).unwrap();
    let options = Options {
        limits: Limits {
            normal_velocity: 0.1,
            stopped_velocity: 0.1,
            ..Limits::default()
        },
        ..Options::default()
    };
    let run = SingleBody::new(&ground, options).unwrap();
    let (mut law, mut workspace) = (material(0.35, 0.7), Workspace::default());
    let mut rng = Pcg64::seed_from_u64(7);
    let mut at_rest = 0;
    for k in 0..1000 {
        let (x, y) = (20.0 + f64::from(k % 20), 10.0 + f64::from(k) / 25.0);
        let over = ground.surface(x, y).unwrap().height + 2.0;
        let start = State {
            pose: Pose {
                rotation: common::attitude(&mut rng),
                translation: DVec3::new(x, y, over),
            },
            velocity: Twist::ZERO,
        };
        let end = run.run(&body, start, &mut law, &mut (), &mut workspace);
        assert!(!end.tally.swinging, "{k}: {end:?}");
        at_rest += usize::from(end.reason == StopReason::AtRest);
    }
    assert!(at_rest > 50, "{at_rest}");
}
