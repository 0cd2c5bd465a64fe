//! Whole runs on a plane against closed forms.

mod common;

use glam::{DQuat, DVec3};
use klast_dynamics::{
    Body, ContactMaterial, DynamicsError, EventDriven, Flight, Limits, Recorder, State, StopReason,
    Twist,
};
use klast_geometry::{Plane, Pose, Solid};

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

fn ground(tilt: f64) -> Plane {
    Plane::new(DVec3::new(tilt.sin(), 0.0, tilt.cos()), 0.0).unwrap()
}

fn body(solid: Solid) -> Body {
    Body::uniform(&solid.with_volume(1.0).unwrap(), 2700.0).unwrap()
}

#[derive(Default)]
struct Apexes(Vec<f64>);

impl Recorder for Apexes {
    fn flight(&mut self, _time: f64, flight: &Flight, _duration: f64) {
        let v = flight.start().velocity.linear.z;
        if v > 0.0 {
            self.0
                .push(flight.start().pose.translation.z + v * v / (2.0 * 9.81));
        }
    }
}

fn at(z: f64) -> State {
    State::at_rest(Pose::from_translation(DVec3::new(0.0, 0.0, z)))
}

#[test]
fn rebounds_of_a_cube_on_its_face() {
    let run = EventDriven::new(
        GRAVITY,
        ground(0.0),
        ContactMaterial::new(0.5, 0.3).unwrap(),
        Limits::default(),
    )
    .unwrap();
    let mut apexes = Apexes::default();
    let (end, reason) = run.run(&body(Solid::Cube), at(10.0), &mut apexes).unwrap();
    // h = 1/2 + 9.5 e^(2n).
    assert!(
        (apexes.0[0] - 2.875).abs() < 1e-12 && (apexes.0[1] - 1.09375).abs() < 1e-12,
        "{:?}",
        apexes.0
    );
    assert_eq!(reason, StopReason::AtRest);
    assert!((end.state.pose.translation.z - 0.5).abs() < 1e-12);
    // t = sqrt(2h/g) (1 + e)/(1 − e), cut off at 1e-4 m/s: 2 v/(g (1 − e)) ≈ 4e-5 s.
    let zeno = (19.0f64 / 9.81).sqrt() * 3.0;
    assert!((end.time - zeno).abs() < 1e-4, "{} {zeno}", end.time);
    assert_eq!(end.jams, 0);
}

#[test]
fn slides_to_a_stop_on_a_face_and_on_an_edge() {
    for (solid, mu, speed) in [
        (Solid::Cube, 0.5, DVec3::new(5.0, 0.0, 0.0)),
        (
            Solid::Tetrahedron,
            0.1,
            DVec3::new(3.0, -3.0, 0.0) / 2f64.sqrt(),
        ),
    ] {
        let body = body(solid);
        let run = EventDriven::new(
            GRAVITY,
            ground(0.0),
            ContactMaterial::new(0.5, mu).unwrap(),
            Limits::default(),
        )
        .unwrap();
        let low = body.vertices().iter().map(|v| v.z).fold(0.0, f64::min);
        let mut start = at(-low);
        start.velocity.linear = speed;
        let (end, reason) = run.run(&body, start, &mut ()).unwrap();
        let expected = speed.length_squared() / (2.0 * mu * 9.81);
        let slid = end.state.pose.translation - start.pose.translation;
        println!("{} {expected} {} {}", slid.length(), end.steps, end.jams);
        assert_eq!(reason, StopReason::AtRest, "{end:?}");
        assert!((slid.length() - expected).abs() < 1e-9);
        assert!((end.time - speed.length() / (mu * 9.81)).abs() < 1e-9);
        assert_eq!(end.jams, 0);
    }
}

/// A cube rolls down a slope about its edges without slipping; between impacts its energy is kept.
#[test]
fn a_cube_topples_over_its_edge_down_a_slope() {
    let body = body(Solid::Cube);
    let tilt = 50f64.to_radians();
    let run = EventDriven::new(
        GRAVITY,
        ground(tilt),
        ContactMaterial::new(0.0, 5.0).unwrap(),
        Limits {
            time: 0.9,
            ..Limits::default()
        },
    )
    .unwrap();
    // On its face, the slope falling towards +x.
    let rotation = DQuat::from_rotation_y(tilt);
    let start = State::at_rest(Pose {
        rotation,
        translation: rotation * DVec3::new(0.0, 0.0, 0.5),
    });
    let (end, reason) = run.run(&body, start, &mut ()).unwrap();
    println!("{end:?}");
    assert_eq!(reason, StopReason::MaximumTime);
    assert!(end.energy.slid.abs() < 1e-6, "{}", end.energy.slid);
    assert!(end.state.velocity.angular.y > 1.0);
}

#[test]
fn tumbles_down_and_accounts_for_its_energy() {
    let body = body(Solid::Cube);
    let tilt = 35f64.to_radians();
    let gravity = 9.81 * DVec3::new(tilt.sin(), 0.0, -tilt.cos());
    let run = EventDriven::new(
        gravity,
        ground(0.0),
        ContactMaterial::new(0.35, 0.6).unwrap(),
        Limits {
            time: 20.0,
            ..Limits::default()
        },
    )
    .unwrap()
    .until_passing(Plane::new(-DVec3::X, -100.0).unwrap());
    let mut rng = <rand_pcg::Pcg64 as rand::SeedableRng>::seed_from_u64(5);
    let (mut sum, mut steps, mut jams) = (0.0, 0, 0);
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
        let energy =
            |s: &State| s.kinetic_energy(&body).total() + s.potential_energy(&body, gravity);
        let (end, reason) = run.run(&body, start, &mut ()).unwrap();
        let balance = energy(&start) - energy(&end.state) - end.energy.lost + end.energy.gained
            - end.energy.slid;
        assert!(
            balance.abs()
                < 1e-9
                    * energy(&start)
                        .abs()
                        .max(end.state.kinetic_energy(&body).total()),
            "{balance}"
        );
        sum += end.time;
        steps += end.steps;
        jams += end.jams;
        assert!(
            matches!(
                reason,
                StopReason::PassedGate | StopReason::AtRest | StopReason::MaximumTime
            ),
            "{reason:?}"
        );
    }
    println!(
        "mean {} steps {} jams {}",
        sum / 200.0,
        steps as f64 / 200.0,
        jams
    );
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

impl Recorder for Depth<'_> {
    fn flight(&mut self, _time: f64, flight: &Flight, duration: f64) {
        self.flights += 1;
        for i in 0..=20 {
            self.look(&flight.state(duration * f64::from(i) / 20.0));
        }
    }
    fn contact(&mut self, _time: f64, before: &State, _duration: f64, after: &State) {
        self.phases += 1;
        self.look(before);
        self.look(after);
    }
}

#[test]
fn nothing_sinks_into_the_ground() {
    let mut rng = <rand_pcg::Pcg64 as rand::SeedableRng>::seed_from_u64(8);
    let (mut flights, mut phases) = (0, 0);
    for (i, body) in common::bodies(&mut rng, 25).iter().enumerate() {
        let tilt = [10f64, 25.0, 40.0][i % 3].to_radians();
        let gravity = 9.81 * DVec3::new(tilt.sin(), 0.0, -tilt.cos());
        let material = ContactMaterial::new(0.35, 0.6).unwrap();
        let limits = Limits {
            time: 6.0,
            steps: 3000,
            ..Limits::default()
        };
        let run = EventDriven::new(gravity, ground(0.0), material, limits).unwrap();
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
        let (end, _) = run.run(body, State { pose, velocity }, &mut depth).unwrap();
        // Contacts are known to 1e-12 radii; a short step where modes contradict each other may sink by v h.
        let bound = if end.jams == 0 { 1e-9 } else { 1e-3 };
        assert!(
            depth.deepest > -bound,
            "body {i}: {:e}, {} jams",
            depth.deepest,
            end.jams
        );
        (flights, phases) = (flights + depth.flights, phases + depth.phases);
    }
    assert!(flights > 300 && phases > 20, "{flights} {phases}");
}

/// Nothing presses a body on a plane that gravity does not pull it to: it slides on as in flight, however it is turned about the normal.
#[test]
fn slides_for_ever_where_nothing_presses() {
    let body = body(Solid::Cube);
    let limits = Limits {
        time: 100.0,
        ..Limits::default()
    };
    for (along, turn) in [(0.0, 0.0), (9.81, 0.0), (0.0, 0.7), (9.81, 2.0)] {
        let material = ContactMaterial::new(0.3, 0.5).unwrap();
        let run = EventDriven::new(DVec3::X * along, ground(0.0), material, limits).unwrap();
        let mut start = at(0.5);
        start.pose.rotation = DQuat::from_rotation_z(turn);
        start.velocity = Twist {
            linear: DVec3::new(1.0, 0.0, 0.0),
            angular: DVec3::new(0.0, 0.0, turn),
        };
        let (end, reason) = run.run(&body, start, &mut ()).unwrap();
        assert_eq!(reason, StopReason::MaximumTime, "{end:?}");
        assert_eq!((end.steps, end.jams), (1, 0), "{end:?}");
        // x = v t + g t²/2, in numbers of up to 5e4 with 16 digits.
        let way = 100.0 + 0.5 * along * 1e4;
        assert!((end.state.pose.translation - DVec3::new(way, 0.0, 0.5)).length() < 1e-10);
    }
}

#[test]
fn refuses_a_start_in_the_ground() {
    let body = body(Solid::Cube);
    let material = ContactMaterial::new(0.5, 0.5).unwrap();
    let run = EventDriven::new(GRAVITY, ground(0.0), material, Limits::default()).unwrap();
    for centre in [-3.0, 0.2, 0.499] {
        let refused = run.run(&body, at(centre), &mut ()).unwrap_err();
        let text = refused.to_string();
        assert!(text.contains("height of the lowest vertex"), "{text}");
        let DynamicsError::OutOfRange(refused) = refused else {
            panic!("{refused:?}");
        };
        let klast_numerics::Found::Number(found) = refused.found else {
            panic!("{refused:?}");
        };
        // The lowest corners lie half an edge below the centre; the hull's corners are rounded to 1e-16.
        assert!((found - (centre - 0.5)).abs() < 1e-15, "{found}");
    }
    assert!(run.run(&body, at(0.5 - 1e-14), &mut ()).is_ok());
}

/// A top that turns 1e9 rad in a second is followed for 1e6 rad and no further.
#[test]
fn ends_where_a_spin_cannot_be_followed() {
    let body = body(Solid::Box {
        edges: DVec3::new(1.0, 0.7, 0.4),
    });
    let material = ContactMaterial::new(0.5, 0.5).unwrap();
    let run = EventDriven::new(GRAVITY, ground(0.0), material, Limits::default()).unwrap();
    let mut start = at(1e4);
    start.velocity.angular = DVec3::new(1e9, 2e8, 0.0);
    let (end, reason) = run.run(&body, start, &mut ()).unwrap();
    assert_eq!(reason, StopReason::MaximumTurn, "{end:?}");
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
            let material = ContactMaterial::new(0.5, 0.5).unwrap();
            let run = EventDriven::new(gravity, ground(0.0), material, limits).unwrap();
            let mut start = at(5.0);
            start.velocity = Twist {
                linear: DVec3::new(0.3, 0.0, up),
                angular: DVec3::new(3.0, 1.0, 0.2),
            };
            let (_, reason) = run.run(&body, start, &mut ()).unwrap();
            assert_eq!(reason, StopReason::NoContact, "{gravity} {edges}");
        }
    }
}
