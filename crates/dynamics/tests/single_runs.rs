//! Whole runs on a plane against closed forms.

use crate::common;

use common::{GRAVITY, OnPlane, imbalance, material};
use glam::{DQuat, DVec3};
use klast_dynamics::single::{Flight, Limits, Motion, Observer, StopReason, Stretch};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::{Plane, Pose, Solid};
use std::ops::ControlFlow;

fn body(solid: Solid) -> Body {
    Body::uniform(&solid.with_volume(1.0).unwrap(), 2700.0).unwrap()
}

#[derive(Default)]
struct Apexes(Vec<f64>);

impl Observer for Apexes {
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        let State { pose, velocity } = &stretch.start;
        let v = velocity.linear.z;
        if v > 0.0 {
            self.0.push(pose.translation.z + v * v / (2.0 * 9.81));
        }
        ControlFlow::Continue(())
    }
}

fn at(z: f64) -> State {
    State::at_rest(Pose::from_translation(DVec3::new(0.0, 0.0, z)))
}

#[test]
fn rebounds_of_a_cube_on_its_face() {
    let run = OnPlane::level(GRAVITY, material(0.5, 0.3), Limits::default());
    let mut apexes = Apexes::default();
    let end = run.run(&body(Solid::Cube), at(10.0), &mut apexes);
    // h = 1/2 + 9.5 e^(2n).
    assert!(
        (apexes.0[0] - 2.875).abs() < 1e-12 && (apexes.0[1] - 1.09375).abs() < 1e-12,
        "{:?}",
        apexes.0
    );
    assert_eq!(end.reason, StopReason::AtRest);
    assert!((end.state.pose.translation.z - 0.5).abs() < 1e-12);
    // t = sqrt(2h/g) (1 + e)/(1 − e), cut off at 1e-4 m/s: 2 v/(g (1 − e)) ≈ 4e-5 s.
    let zeno = (19.0f64 / 9.81).sqrt() * 3.0;
    assert!((end.time - zeno).abs() < 1e-4, "{} {zeno}", end.time);
    assert_eq!(end.tally.unconverged, 0);
}

/// A cube rolls down a slope about its edges without slipping; between impacts its energy is kept.
#[test]
fn a_cube_topples_over_its_edge_down_a_slope() {
    let body = body(Solid::Cube);
    let tilt = 50f64.to_radians();
    let limits = Limits {
        time: 0.9,
        ..Limits::default()
    };
    let run = OnPlane {
        plane: Plane::new(DVec3::new(tilt.sin(), 0.0, tilt.cos()), 0.0).unwrap(),
        ..OnPlane::level(GRAVITY, material(0.0, 5.0), limits)
    };
    // On its face, the slope falling towards +x.
    let rotation = DQuat::from_rotation_y(tilt);
    let start = State::at_rest(Pose {
        rotation,
        translation: rotation * DVec3::new(0.0, 0.0, 0.5),
    });
    let end = run.run(&body, start, &mut ());
    assert_eq!(end.reason, StopReason::MaximumTime);
    // A step of 0.1 rad errs by 1e-4 of the energy at most; what the law keeps from rising is taken.
    let scale = end.tally.energy.largest_kinetic;
    assert!(end.tally.energy.slid.abs() < 2e-3 * scale, "{end:?}");
    assert!(end.state.velocity.angular.y > 1.0);
}

#[test]
fn tumbles_down_and_accounts_for_its_energy() {
    let body = body(Solid::Cube);
    let tilt = 35f64.to_radians();
    let gravity = 9.81 * DVec3::new(tilt.sin(), 0.0, -tilt.cos());
    let limits = Limits {
        time: 20.0,
        ..Limits::default()
    };
    let run = OnPlane::level(gravity, material(0.35, 0.6), limits);
    let mut rng = <rand_pcg::Pcg64 as rand::SeedableRng>::seed_from_u64(5);
    for _ in 0..200 {
        let start = State {
            pose: Pose {
                rotation: common::attitude(&mut rng),
                translation: DVec3::new(0.0, 0.0, 5.0),
            },
            velocity: Twist {
                linear: DVec3::ZERO,
                angular: common::direction(&mut rng) * 5.0,
            },
        };
        let mut gate = Plane::new(-DVec3::X, -100.0).unwrap();
        let end = run.run(&body, start, &mut gate);
        let balance = imbalance(&body, gravity, &start, &end);
        let scale = end.tally.energy.largest_kinetic;
        assert!(balance.abs() < 1e-9 * scale, "{balance}");
        assert_eq!(end.tally.energy.rises, 0, "{end:?}");
        assert!(
            matches!(
                end.reason,
                StopReason::Observer | StopReason::AtRest | StopReason::MaximumTime
            ),
            "{end:?}"
        );
    }
}

/// Watches the lowest vertex during flights and at the ends of contact phases.
struct Depth<'a> {
    body: &'a Body,
    deepest: f64,
    flights: usize,
    phases: usize,
}

impl Depth<'_> {
    fn look(&mut self, state: &State) {
        let height = |v: &DVec3| state.pose.transform_point(*v).z;
        let lowest = self
            .body
            .vertices()
            .iter()
            .map(height)
            .fold(f64::INFINITY, f64::min);
        self.deepest = self.deepest.min(lowest);
    }
}

impl Observer for Depth<'_> {
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        if stretch.motion == Motion::Contact {
            self.phases += 1;
            self.look(&stretch.start);
            self.look(&stretch.end);
            return ControlFlow::Continue(());
        }
        self.flights += 1;
        let flight = Flight::new(self.body, stretch.start, stretch.acceleration);
        for i in 0..=20 {
            self.look(&flight.state(stretch.duration * f64::from(i) / 20.0));
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn nothing_sinks_into_the_ground() {
    let mut rng = <rand_pcg::Pcg64 as rand::SeedableRng>::seed_from_u64(8);
    let (mut flights, mut phases) = (0, 0);
    for (i, body) in common::bodies(&mut rng, 25).iter().enumerate() {
        let tilt = [10f64, 25.0, 40.0][i % 3].to_radians();
        let gravity = 9.81 * DVec3::new(tilt.sin(), 0.0, -tilt.cos());
        let ground = material(0.35, 0.6);
        let limits = Limits {
            time: 6.0,
            steps: 3000,
            ..Limits::default()
        };
        let run = OnPlane::level(gravity, ground, limits);
        let pose = Pose {
            rotation: common::attitude(&mut rng),
            translation: DVec3::new(0.0, 0.0, 3.0),
        };
        let velocity = Twist {
            linear: DVec3::ZERO,
            angular: common::direction(&mut rng) * 6.0,
        };
        let mut depth = Depth {
            body,
            deepest: 0.0,
            flights: 0,
            phases: 0,
        };
        run.run(body, State { pose, velocity }, &mut depth);
        // What a step sinks is lifted out but for 1e-5 of the radius that a body without kinetic energy keeps.
        assert!(depth.deepest > -1e-5, "body {i}: {:e}", depth.deepest);
        (flights, phases) = (flights + depth.flights, phases + depth.phases);
    }
    assert!(flights > 300 && phases > 20, "{flights} {phases}");
}

/// Nothing presses a body on a plane that gravity does not pull it to: it slides on as in flight, however it is turned
/// about the normal.
#[test]
fn slides_for_ever_where_nothing_presses() {
    let body = body(Solid::Cube);
    let limits = Limits {
        time: 100.0,
        ..Limits::default()
    };
    for (along, turn) in [(0.0, 0.0), (9.81, 0.0), (0.0, 0.7), (9.81, 2.0)] {
        let ground = material(0.3, 0.5);
        let run = OnPlane::level(DVec3::X * along, ground, limits);
        let mut start = at(0.5);
        start.pose.rotation = DQuat::from_rotation_z(turn);
        start.velocity = Twist {
            linear: DVec3::new(1.0, 0.0, 0.0),
            angular: DVec3::new(0.0, 0.0, turn),
        };
        let end = run.run(&body, start, &mut ());
        assert_eq!(end.reason, StopReason::MaximumTime, "{end:?}");
        assert_eq!(end.tally.steps, 1, "{end:?}");
        // x = v t + g t²/2, in numbers of up to 5e4 with 16 digits.
        let way = 100.0 + 0.5 * along * 1e4;
        assert!((end.state.pose.translation - DVec3::new(way, 0.0, 0.5)).length() < 1e-10);
    }
}

#[test]
fn refuses_a_start_in_the_ground() {
    let body = body(Solid::Cube);
    let ground = material(0.5, 0.5);
    let run = OnPlane::level(GRAVITY, ground, Limits::default());
    for centre in [-3.0, 0.2, 0.499] {
        let end = run.run(&body, at(centre), &mut ());
        assert_eq!((end.reason, end.time), (StopReason::BelowGround, 0.0));
    }
    let end = run.run(&body, at(0.5 - 1e-14), &mut ());
    assert_eq!(end.reason, StopReason::AtRest);
}

/// A top that turns 1e9 rad in a second is followed for 1e6 rad and no further.
#[test]
fn ends_where_a_spin_cannot_be_followed() {
    let body = body(Solid::Box {
        edges: DVec3::new(1.0, 0.7, 0.4),
    });
    let ground = material(0.5, 0.5);
    let run = OnPlane::level(GRAVITY, ground, Limits::default());
    let mut start = at(1e4);
    start.velocity.angular = DVec3::new(1e9, 2e8, 0.0);
    let end = run.run(&body, start, &mut ());
    assert_eq!(end.reason, StopReason::MaximumTurn, "{end:?}");
    // The angle is that of the bound W on the spin, W² = 2T/I_min.
    let energy = 2.0 * start.kinetic_energy(&body).rotational;
    let bound = (energy / body.inertia().min_element()).sqrt();
    assert!((end.time * bound / 1e6 - 1.0).abs() < 1e-12, "{}", end.time);
}

/// Whether the spin is steady or not, a body that flies off for ever meets nothing.
#[test]
fn flies_off() {
    let limits = Limits {
        time: f64::INFINITY,
        ..Limits::default()
    };
    for (gravity, up) in [(DVec3::ZERO, 1.0), (DVec3::Z, 0.0), (-GRAVITY, -1.0)] {
        for edges in [DVec3::ONE, DVec3::new(1.0, 0.7, 0.4)] {
            let body = body(Solid::Box { edges });
            let ground = material(0.5, 0.5);
            let run = OnPlane::level(gravity, ground, limits);
            let mut start = at(5.0);
            start.velocity = Twist {
                linear: DVec3::new(0.3, 0.0, up),
                angular: DVec3::new(3.0, 1.0, 0.2),
            };
            let end = run.run(&body, start, &mut ());
            assert_eq!(end.reason, StopReason::NoContact, "{gravity} {edges}");
        }
    }
}
