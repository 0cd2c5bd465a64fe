//! Bodies thrown on the ground with friction come to rest, and on the way contacts take energy.

mod common;

use glam::DVec3;
use klast_dynamics::{
    Body, ContactMaterial, EventDriven, Limits, Recorder, State, StopReason, Twist,
};
use klast_geometry::{Plane, Pose, Solid};
use rand::SeedableRng;
use rand_pcg::Pcg64;

fn ground() -> Plane {
    Plane::new(DVec3::Z, 0.0).unwrap()
}

/// The most energy that a stretch in contact has made, over what its ways of computing leave open.
struct Gains<'a> {
    body: &'a Body,
    gravity: DVec3,
    largest: f64,
}

impl Recorder for Gains<'_> {
    fn contact(&mut self, _time: f64, before: &State, duration: f64, after: &State) {
        let potential = |s: &State| s.potential_energy(self.body, self.gravity);
        let kinetic = |s: &State| s.kinetic_energy(self.body).total();
        let weight = self.body.mass() * self.gravity.length() * self.body.shape().radius();
        let made = kinetic(after) + potential(after) - kinetic(before) - potential(before);
        // A vertex that turns goes r ω² h²/2 below its tangent in a short step of h = 1e-4 s and is lifted out: over ½ I ω² that is
        // g h² m r/I, under 1e-6 for all bodies here. In a phase a slip that turns round within a step of the integration is found late:
        // 1e-3 of the kinetic energy, once in some hundred throws. Heights are known to 1e-10 radii at both ends.
        let part = if duration <= 1e-4 { 1e-6 } else { 1e-2 };
        let scale = part * kinetic(before) + 2e-10 * weight;
        self.largest = self.largest.max(made / scale);
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
    let material = ContactMaterial::new(e, mu).unwrap();
    let run = EventDriven::new(gravity, ground(), material, limits).unwrap();
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
        largest: f64::NEG_INFINITY,
    };
    let (end, reason) = run.run(body, start, &mut gains).unwrap();
    let case = || {
        format!(
            "{} vertices, e {e}, mu {mu}: {end:?}",
            body.vertices().len()
        )
    };
    assert_eq!(reason, StopReason::AtRest, "{}", case());
    // At rest it lies on three points or more, or it would fall over.
    let height = |v: &DVec3| end.state.pose.transform_point(*v).z;
    let low = body.vertices().iter().filter(|v| height(v) < 1e-9).count();
    assert!(low >= 3, "{low} points: {}", case());
    assert!(gains.largest < 1.0, "{:e}: {}", gains.largest, case());
    let energy = |s: &State| s.kinetic_energy(body).total() + s.potential_energy(body, gravity);
    let audit = end.energy.lost - end.energy.gained + end.energy.slid;
    let balance = energy(&start) - energy(&end.state) - audit;
    // Some hundred sums that round to 1e-16 of the start.
    assert!(
        balance.abs() < 1e-13 * energy(&start),
        "{balance:e}: {}",
        case()
    );
    end.steps
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
        let material = ContactMaterial::new(0.3, 0.5).unwrap();
        let gravity = DVec3::new(0.0, 0.0, -9.81);
        let run = EventDriven::new(gravity, ground(), material, limits).unwrap();
        let (end, reason) = run.run(&body, start, &mut ()).unwrap();
        assert_eq!(reason, StopReason::AtRest, "{end:?}");
        assert!((end.state.pose.translation.z - 0.5).abs() < 1e-9);
    }
}
