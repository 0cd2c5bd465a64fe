//! Sustained contact against motions that are known: slides to a stop, a pendulum on an edge, a face that spins,
//! tipping, needles.

use crate::common;

use common::{GRAVITY, OnPlane, imbalance, material};
use glam::{DQuat, DVec3};
use klast_dynamics::single::{Limits, Observer, StopReason, Stretch};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::{ConvexPolyhedron, Pose, Solid};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use std::ops::ControlFlow;

fn run(friction: f64, time: f64) -> OnPlane {
    let limits = Limits {
        time,
        ..Limits::default()
    };
    OnPlane::level(GRAVITY, material(0.0, friction), limits)
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

fn cube() -> Body {
    Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), 2700.0).unwrap()
}

/// v²/(2 μ g) in two phases, along any direction, also where a linear pressure under the face would pull (μ (|cos φ| +
/// |sin φ|) h/a > 1), and whatever the cutoffs.
#[test]
fn a_face_slides_to_a_stop() {
    for (degrees, mu) in [
        (0.0f64, 0.5),
        (45.0, 0.75),
        (10.0, 0.9),
        (30.0, 0.3),
        (77.0, 0.7),
    ] {
        for cutoff in [1e-4, 0.1] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let mut start = State::at_rest(Pose::from_translation(DVec3::Z * 0.5));
            start.velocity.linear = DVec3::new(cos, sin, 0.0) * 5.0;
            let limits = Limits {
                normal_velocity: cutoff,
                stopped_velocity: cutoff,
                ..Limits::default()
            };
            let end =
                OnPlane::level(GRAVITY, material(0.0, mu), limits).run(&cube(), start, &mut ());
            let way = (end.state.pose.translation - start.pose.translation).length();
            let exact = 25.0 / (2.0 * mu * 9.81);
            assert_eq!((end.reason, end.tally.steps), (StopReason::AtRest, 2));
            assert!((way - exact).abs() < 1e-12, "{way} {exact}");
            assert!((end.time - 5.0 / (mu * 9.81)).abs() < 1e-12);
        }
    }
}

/// A tetrahedron on its lower edge, along it: both ends carry. It stops in its balance, which is none to stay in: the
/// energy is largest there, and from rounding it falls to a face in ln(1e16) of its time √(h/g) and more.
#[test]
fn an_edge_slides_to_a_stop_and_falls() {
    let body = Body::uniform(&Solid::Tetrahedron.with_volume(1.0).unwrap(), 2700.0).unwrap();
    let mut start = standing(&body, State::at_rest(Pose::IDENTITY));
    start.velocity.linear = DVec3::new(3.0, -3.0, 0.0) / 2f64.sqrt();
    let stop = 3.0 / (0.1 * 9.81);
    let end = run(0.1, stop + 0.05).run(&body, start, &mut ());
    let way = (end.state.pose.translation - start.pose.translation).length();
    assert_eq!(end.reason, StopReason::MaximumTime, "{end:?}");
    assert_eq!(end.tally.slides, 1, "{:?}", end.tally);
    // The few steps after the stop leave what their solver rounds.
    assert!((way - 9.0 / (0.2 * 9.81)).abs() < 1e-9, "{way}");
    let end = run(0.1, 60.0).run(&body, start, &mut ());
    let height = |v: &DVec3| end.state.pose.transform_point(*v).z;
    let low = body.vertices().iter().filter(|v| height(v) < 1e-6).count();
    match end.reason {
        // Or it is so exactly balanced that ten seconds in one place end the run, which is counted.
        StopReason::AtRest => assert!(low == 3 || end.tally.swinging, "{end:?}"),
        _ => panic!("{end:?}"),
    }
}

/// A slab 6:5:2 dropped flat on 57° slides on its face, never to stop.
#[test]
fn a_slab_slides_down_a_steep_slope() {
    let edges = DVec3::new(6.0, 5.0, 2.0);
    let body = Body::uniform(&Solid::Box { edges }.with_volume(1.0).unwrap(), 2700.0).unwrap();
    let slope = 57f64.to_radians();
    let gravity = 9.81 * DVec3::new(slope.sin(), 0.0, -slope.cos());
    let mut start = standing(&body, State::at_rest(Pose::IDENTITY));
    start.pose.translation.z += 0.5;
    let limits = Limits {
        time: 5.0,
        ..Limits::default()
    };
    let end = OnPlane::level(gravity, material(0.6, 0.45), limits).run(&body, start, &mut ());
    assert_eq!(end.reason, StopReason::MaximumTime);
    assert_eq!(
        (end.tally.slides, end.tally.contact_steps),
        (1, 0),
        "{:?}",
        end.tally
    );
    // Friction acts on what presses in the long run, bounces or not: v = (sin α − μ cos α) g t but for the bounces'
    // order.
    let speed = 9.81 * (slope.sin() - 0.45 * slope.cos()) * 5.0;
    assert!(
        (end.state.velocity.linear.x / speed - 1.0).abs() < 0.05,
        "{:?}",
        end.state
    );
}

/// A plate of 40 corners that slides with a yaw costs a few hundred looks at its corners.
#[test]
fn a_plate_of_forty_corners() {
    let rim = |k: u32, z: f64| {
        let (s, c) = (f64::from(k) * std::f64::consts::TAU / 40.0).sin_cos();
        DVec3::new(c, s, z)
    };
    let points: Vec<DVec3> = (0..40).flat_map(|k| [rim(k, 0.1), rim(k, -0.1)]).collect();
    let body = Body::uniform(&ConvexPolyhedron::from_points(&points).unwrap(), 2700.0).unwrap();
    let mut start = State::at_rest(Pose::from_translation(DVec3::Z * 0.1));
    start.velocity = Twist::new(DVec3::X * 3.0, DVec3::Z).unwrap();
    let end = run(0.4, 60.0).run(&body, start, &mut ());
    assert_eq!(end.reason, StopReason::AtRest);
    assert!(
        end.tally.slides < 100 && end.tally.contact_steps == 0,
        "{:?}",
        end.tally
    );
}

/// Thin needles that spin and slide without restitution: kinetic and potential energy never rise.
#[test]
fn needles_make_no_energy() {
    let mut rng = Pcg64::seed_from_u64(5);
    for slenderness in [50.0, 20.0, 10.0] {
        let edges = DVec3::new(slenderness, 1.0, 1.0);
        let body = Body::uniform(&Solid::Box { edges }.with_size(1.0).unwrap(), 2700.0).unwrap();
        for _ in 0..20 {
            let pose = Pose {
                rotation: common::attitude(&mut rng),
                translation: DVec3::Z * 0.6,
            };
            let velocity = Twist {
                linear: DVec3::X,
                angular: common::direction(&mut rng) * 30.0,
            };
            let start = State { pose, velocity };
            let limits = Limits {
                time: 3.0,
                normal_velocity: 0.1,
                stopped_velocity: 0.1,
                ..Limits::default()
            };
            let end =
                OnPlane::level(GRAVITY, material(0.0, 0.2), limits).run(&body, start, &mut ());
            let sums = end.tally.energy;
            assert_eq!((sums.rises, end.tally.unconverged), (0, 0), "{end:?}");
            assert!(sums.risen < 1e-9 * sums.largest_kinetic, "{sums:?}");
            // A slow landing sinks by up to half of what it goes in a step, and may have too little kinetic energy left
            // to pay for the way out.
            assert!(sums.lifted < 1e-3 * sums.largest_kinetic, "{sums:?}");
            let balance = imbalance(&body, GRAVITY, &start, &end);
            assert!(balance.abs() < 1e-9 * sums.largest_kinetic, "{balance}");
        }
    }
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
    let end = run(2.0, 0.9).run(&body, start, &mut ());
    assert_eq!(end.reason, StopReason::MaximumTime);
    let axis = end.state.pose.transform_vector(DVec3::Z);
    let turned = axis.x.atan2(axis.z) - upright;
    // Of second order: 0.9 s in steps of up to 0.1 rad and 0.06 √(r/g).
    let off = (turned - angle).abs() + (end.state.velocity.angular.y - rate).abs();
    assert!(off < 1e-2, "{off:e}: {turned} {angle}");
    let energy = &end.tally.energy;
    assert!(
        energy.slid.abs() < 2e-3 * energy.largest_kinetic,
        "{energy:?}"
    );
}

/// A cube that slides and spins on its face stops both at once (for any start: Farkas, Bartels, Unger, Wolf 2003).
#[test]
fn sliding_and_spinning_end_together() {
    #[derive(Default)]
    struct Least(f64);
    impl Observer for Least {
        fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
            let Twist { linear, angular } = stretch.end.velocity;
            if linear.length() > 1e-5 {
                self.0 = self.0.min(angular.length() / linear.length());
            }
            ControlFlow::Continue(())
        }
    }
    let body = Body::uniform(&Solid::Cube.with_size(1.0).unwrap(), 2700.0).unwrap();
    for (v, w) in [(3.0, 1.0), (1.0, 6.0), (0.5, 0.5)] {
        let velocity = Twist {
            linear: DVec3::new(v, 0.3 * v, 0.0),
            angular: DVec3::new(0.0, 0.0, w),
        };
        let pose = Pose::from_translation(DVec3::Z * 0.5);
        let start = State { pose, velocity };
        let mut least = Least(f64::INFINITY);
        let end = run(0.4, 60.0).run(&body, start, &mut least);
        assert_eq!(end.reason, StopReason::AtRest);
        assert!(least.0 > 0.0, "{}", least.0);
        assert_eq!(end.tally.contact_steps, 0, "{:?}", end.tally);
        let energy = start.kinetic_energy(&body).total();
        assert!((end.tally.energy.slid - energy).abs() < 1e-12 * energy);
        assert!((end.state.pose.translation.z - 0.5).abs() < 1e-12);
    }
}

/// A slide askew on a slope follows v = C tan(θ/2)^k / sin θ, k = μ cos α / sin α, θ the angle between velocity and
/// pull (v θ' = −g sin α sin θ, v' = g sin α cos θ − μ g cos α).
#[test]
fn a_slide_askew_follows_its_hodograph() {
    let body = Body::uniform(
        &Solid::Box {
            edges: DVec3::new(1.0, 1.0, 0.2),
        }
        .with_size(1.0)
        .unwrap(),
        2700.0,
    )
    .unwrap();
    let low = body.vertices().iter().map(|v| v.z).fold(0.0, f64::min);
    let (alpha, mu) = (30f64.to_radians(), 0.7);
    let limits = Limits {
        time: 0.8,
        ..Limits::default()
    };
    let gravity = 9.81 * DVec3::new(alpha.sin(), 0.0, -alpha.cos());
    let mut start = State::at_rest(Pose::from_translation(DVec3::Z * -low));
    start.velocity.linear = DVec3::Y * 8.0;
    let end = OnPlane::level(gravity, material(0.0, mu), limits).run(&body, start, &mut ());
    let v = end.state.velocity.linear;
    let (k, theta) = (mu / alpha.tan(), v.y.atan2(v.x));
    let speed = 8.0 * (0.5 * theta).tan().powf(k) / theta.sin();
    // The cube's own yaw: friction under uneven pressure turns it a little, so the two agree where the pressures are
    // even: a flat slab does to a percent.
    assert!(
        (v.length() / speed - 1.0).abs() < 0.02,
        "{} {speed}",
        v.length()
    );
    assert!(
        end.tally.slides > 0 && end.tally.contact_steps == 0,
        "{:?}",
        end.tally
    );
}
