//! Motion in contact against motions that are known: a pendulum on an edge, a sliding and spinning face, and Moreau's
//! scheme with a small step.

mod common;

use glam::{DQuat, DVec3};
use klast_dynamics::{
    Body, ContactMaterial, EventDriven, Limits, MoreauMidpoint, Motion, State, StopReason, Twist,
};
use klast_geometry::{Plane, Pose, Solid};
use rand::SeedableRng;
use rand_pcg::Pcg64;

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

fn ground() -> Plane {
    Plane::new(DVec3::Z, 0.0).unwrap()
}

fn run(friction: f64, time: f64) -> EventDriven {
    let limits = Limits {
        time,
        ..Limits::default()
    };
    EventDriven::new(
        GRAVITY,
        ground(),
        ContactMaterial::new(0.0, friction).unwrap(),
        limits,
    )
    .unwrap()
}

/// The state moved so that its lowest vertex stands on the ground.
fn standing(body: &Body, mut state: State) -> State {
    let height = |v: &DVec3| state.pose.transform_vector(*v).z;
    state.pose.translation.z = -body
        .vertices()
        .iter()
        .map(height)
        .fold(f64::INFINITY, f64::min);
    state
}

/// A box tips over its edge: a compound pendulum, I_e θ'' = m g r sin θ, θ the angle of the centre from the vertical.
#[test]
fn a_box_tips_like_a_pendulum() {
    let body = Body::uniform(
        &Solid::Box {
            edges: DVec3::new(1.0, 2.0, 3.0),
        }
        .with_size(3.0)
        .unwrap(),
        2700.0,
    )
    .unwrap();
    let (half, r) = (DVec3::new(0.5, 1.0, 1.5), (0.25f64 + 2.25).sqrt());
    assert!((body.inertia().y - body.mass() / 3.0 * (0.25 + 2.25)).abs() < 1e-9 * body.mass());
    let upright = (half.x / half.z).atan();
    // 0.1 rad beyond the balance, about the edge along y.
    let rotation = DQuat::from_rotation_y(upright + 0.1);
    let start = standing(
        &body,
        State::at_rest(Pose {
            rotation,
            translation: DVec3::ZERO,
        }),
    );
    let k = body.mass() * 9.81 * r / (body.inertia().y + body.mass() * r * r);
    let (mut angle, mut rate, n) = (0.1, 0.0, 100_000);
    let h = 0.9 / f64::from(n);
    // Classical Runge–Kutta with steps of 9 µs: error far below the tolerance.
    let f = |a: f64| k * a.sin();
    for _ in 0..n {
        let (k1, l1) = (rate, f(angle));
        let (k2, l2) = (rate + 0.5 * h * l1, f(angle + 0.5 * h * k1));
        let (k3, l3) = (rate + 0.5 * h * l2, f(angle + 0.5 * h * k2));
        let (k4, l4) = (rate + h * l3, f(angle + h * k3));
        angle += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        rate += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    let (end, reason) = run(2.0, 0.9).run(&body, start, &mut ()).unwrap();
    assert_eq!(
        (reason, end.steps, end.jams),
        (StopReason::MaximumTime, 1, 0)
    );
    let axis = end.state.pose.transform_vector(DVec3::Z);
    let turned = axis.x.atan2(axis.z) - upright;
    // The integration keeps 1e-11 a step.
    assert!(
        (turned - angle).abs() < 1e-9 && (end.state.velocity.angular.y - rate).abs() < 1e-9,
        "{turned} {angle}"
    );
    assert!((end.state.pose.translation.z - r * angle.cos()).abs() < 1e-9);
    assert!(end.energy.slid.abs() < 1e-6 * body.mass());
}

/// A cube that slides and spins on its face stops both at once (for any start: Farkas, Bartels, Unger, Wolf 2003).
#[test]
fn sliding_and_spinning_end_together() {
    let body = Body::uniform(&Solid::Cube.with_size(1.0).unwrap(), 2700.0).unwrap();
    for (v, w) in [(3.0, 1.0), (1.0, 6.0), (0.5, 0.5)] {
        let velocity = Twist {
            linear: DVec3::new(v, 0.3 * v, 0.0),
            angular: DVec3::new(0.0, 0.0, w),
        };
        let start = standing(
            &body,
            State {
                pose: Pose::IDENTITY,
                velocity,
            },
        );
        let case = run(0.4, 60.0);
        let (mut motion, mut least) = (Motion::new(start), f64::INFINITY);
        let reason = loop {
            if let Some(reason) = case.advance(&body, &mut motion, &mut ()).unwrap() {
                break reason;
            }
            let Twist { linear, angular } = motion.state.velocity;
            if linear.length() > 1e-6 {
                least = least.min(angular.length());
            }
        };
        assert_eq!(reason, StopReason::AtRest);
        assert!(least > 0.0);
        // Work of friction took all of it.
        let energy = start.kinetic_energy(&body).total();
        assert!(
            (motion.energy.slid + motion.energy.lost - energy).abs() < 1e-9 * energy,
            "{motion:?}"
        );
        assert!((motion.state.pose.translation.z - 0.5).abs() < 1e-9);
        let reference = follow(&body, start, 0.4, motion.time, 1e-4);
        let off = (reference.pose.translation - motion.state.pose.translation).length();
        // Four corners carry the load in many ways, and where they slip in different directions that shows: the run spreads the pressure
        // linearly, the scheme takes what its solver finds. The way differs by under a percent or two.
        assert!(
            off < 0.02 * motion.state.pose.translation.truncate().length(),
            "{off:e}"
        );
        assert!(reference.velocity.linear.length() < 1e-3);
    }
}

fn follow(body: &Body, mut state: State, friction: f64, time: f64, step: f64) -> State {
    let scheme = MoreauMidpoint::new(
        step,
        GRAVITY,
        ground(),
        ContactMaterial::new(0.0, friction).unwrap(),
    )
    .unwrap();
    for _ in 0..(time / step).round() as usize {
        assert!(scheme.step(body, &mut state).unwrap().converged);
    }
    state
}

/// A vertex that slides or sticks while the body turns over it: the exact run and the scheme meet as the step shrinks.
#[test]
fn a_body_turns_over_its_vertex_as_the_scheme_says_in_the_limit() {
    let mut rng = Pcg64::seed_from_u64(6);
    let mut compared = 0;
    for (i, body) in common::bodies(&mut rng, 12).into_iter().enumerate() {
        let friction = if i % 2 == 0 { 0.3 } else { 3.0 };
        let pose = Pose {
            rotation: common::attitude(&mut rng),
            translation: DVec3::ZERO,
        };
        let mut start = standing(&body, State::at_rest(pose));
        let low = body
            .shape()
            .support(-pose.inverse_transform_vector(DVec3::Z));
        let arm = pose.transform_vector(body.vertices()[low]);
        let w = common::direction(&mut rng) * 0.7;
        let slip = if friction < 1.0 {
            DVec3::new(0.8, -0.4, 0.0)
        } else {
            DVec3::ZERO
        };
        start.velocity = Twist {
            linear: slip - w.cross(arm),
            angular: w,
        };
        let time = 0.08;
        let (end, reason) = run(friction, time).run(&body, start, &mut ()).unwrap();
        if reason != StopReason::MaximumTime || end.steps > 2 || end.energy.impacts > 0 {
            continue; // Another vertex came down: first-order schemes part from the exact run there.
        }
        compared += 1;
        let off = |step: f64| {
            let s = follow(&body, start, friction, time, step);
            (s.pose.translation - end.state.pose.translation).length()
                + (s.velocity.angular - end.state.velocity.angular).length()
        };
        let (coarse, fine) = (off(8e-5), off(1e-5));
        // First order: eight times the step, eight times the difference; rounding and the solver's tolerance are far below.
        assert!(
            fine < 2e-4 && fine < 0.2 * coarse + 1e-9,
            "{i}: {coarse:e} {fine:e}"
        );
    }
    assert!(compared >= 8, "{compared}");
}
