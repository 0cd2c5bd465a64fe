//! Drag and resistance to rolling in sustained contact: closed forms of a box that slides and a ball that rolls, the
//! equation of a cube that turns over an edge by a Runge–Kutta method, and the order in which the error falls with the
//! step.

use glam::{DQuat, DVec3};
use klast_dynamics::single::{
    Coefficients, Drag, Friction, GroundLaw, Limits, Motion, Observer, Options, Restitution, Run,
    SingleBody, StopReason, Stretch, Workspace,
};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::{Mesh, Slope};
use klast_geometry::{Plane, Pose, Solid};
use std::ops::ControlFlow;

const G: f64 = 9.81;

/// Ground with friction, drag per mass (1/s) and resistance to rolling (m/s²).
struct Soft {
    friction: f64,
    rate: f64,
    brake: f64,
    mass: f64,
}

impl GroundLaw for Soft {
    fn coefficients(&self, _point: DVec3) -> Coefficients {
        Coefficients::new(Restitution(0.0), Friction(self.friction)).unwrap()
    }

    fn is_uniform(&self) -> bool {
        true
    }

    fn is_steady(&self) -> bool {
        self.brake == 0.0
    }

    fn drag(&self) -> Option<Drag> {
        (self.rate > 0.0).then_some(Drag {
            coefficient: self.rate * self.mass,
            height: f64::INFINITY,
        })
    }

    fn resistance(&self, _state: &State, _pressing: f64) -> f64 {
        self.brake
    }
}

/// Stretches of sustained contact.
#[derive(Default)]
struct Contacts(Vec<Stretch>);

impl Observer for Contacts {
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        if stretch.motion == Motion::Contact {
            self.0.push(*stretch);
        }
        ControlFlow::Continue(())
    }
}

/// A run on a level plane under an inclined gravity, which is a slope that falls along x.
struct Case {
    body: Body,
    start: State,
    /// Angle of the slope (rad).
    angle: f64,
    friction: f64,
    rate: f64,
    brake: f64,
    time: f64,
}

impl Case {
    fn run(&self, step: Option<f64>) -> (Run, Vec<Stretch>) {
        let (sine, cosine) = libm::sincos(self.angle);
        let options = Options {
            gravity: G * DVec3::new(sine, 0.0, -cosine),
            limits: Limits {
                time: self.time,
                ..Limits::default()
            },
            contact_step: step,
            ..Options::default()
        };
        let plane = Slope::new(Plane::new(DVec3::Z, 0.0).unwrap()).unwrap();
        let single = SingleBody::new(&plane, options).unwrap();
        let mut law = Soft {
            friction: self.friction,
            rate: self.rate,
            brake: self.brake,
            mass: self.body.mass(),
        };
        let mut seen = Contacts::default();
        let run = single.run(
            &self.body,
            self.start,
            &mut law,
            &mut seen,
            &mut Workspace::default(),
        );
        (run, seen.0)
    }

    /// Speed and way along the slope at the end.
    fn end(&self, step: Option<f64>) -> [f64; 2] {
        let (run, _) = self.run(step);
        assert_eq!(run.reason, StopReason::MaximumTime);
        let way = run.state.pose.translation - self.start.pose.translation;
        [run.state.velocity.linear.x, way.x]
    }
}

/// Errors fall with the square of the step: each halving takes between 3.6 and 4.4 times off, and the last is below a
/// bound. Steps divide the time.
fn assert_second_order(error: impl Fn(f64) -> f64, coarse: f64, bound: f64) {
    let errors = [coarse, 0.5 * coarse, 0.25 * coarse].map(error);
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((3.6..4.4).contains(&ratio), "{ratio}: {errors:?}");
    }
    assert!(errors[2] < bound, "{errors:?}");
}

/// v̇ = a − k v: the speed and the way after a time.
fn closed(a: f64, k: f64, speed: f64, time: f64) -> [f64; 2] {
    let (last, decay) = (a / k, libm::exp(-k * time));
    [
        last + (speed - last) * decay,
        last * time + (speed - last) * (1.0 - decay) / k,
    ]
}

fn cube() -> Body {
    Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), 2700.0).unwrap()
}

fn at(translation: DVec3, linear: DVec3, angular: DVec3) -> State {
    State {
        pose: Pose::from_translation(translation),
        velocity: Twist { linear, angular },
    }
}

fn sliding(rate: f64) -> Case {
    Case {
        body: cube(),
        start: at(DVec3::Z * 0.5, DVec3::X * 4.0, DVec3::ZERO),
        angle: 30f64.to_radians(),
        friction: 0.3,
        rate,
        brake: 0.0,
        time: 3.2,
    }
}

/// v̇ = g (sin θ − μ cos θ) − (c/m) v.
#[test]
fn a_box_that_slides_with_drag() {
    let (sine, cosine) = libm::sincos(30f64.to_radians());
    let a = G * (sine - 0.3 * cosine);
    for rate in [0.1, 0.6, 3.0] {
        let case = sliding(rate);
        let right = closed(a, rate, 4.0, case.time);
        // By its own step: speeds (k h)²/24 of the last speed low, ways (k h)²/12 long, with k h up to 0.05.
        let own = case.end(None);
        for (value, right) in own.iter().zip(right) {
            assert!((value / right - 1.0).abs() < 2.1e-4, "{own:?} {right}");
        }
    }
    let case = sliding(0.6);
    let right = closed(a, 0.6, 4.0, case.time);
    for (quantity, right) in right.iter().enumerate() {
        let error = |step| (case.end(Some(step))[quantity] / right - 1.0).abs();
        assert_second_order(error, 0.016, 6e-7);
    }
}

/// What is shown of a slide with drag has the speeds of the closed form at the ends of its stretches, which join.
#[test]
fn stretches_of_a_slide_with_drag_join() {
    let (sine, cosine) = libm::sincos(30f64.to_radians());
    let a = G * (sine - 0.3 * cosine);
    let (_, stretches) = sliding(0.6).run(None);
    assert!(stretches.len() > 100);
    for pair in stretches.windows(2) {
        let [now, next] = [&pair[0], &pair[1]];
        let [speed, _] = closed(a, 0.6, 4.0, next.time);
        let shown = now.start.velocity.linear + now.acceleration * now.duration;
        assert!((shown.x / speed - 1.0).abs() < 1e-5, "{}", next.time);
        assert!((next.start.velocity.linear - shown).length() < 1e-12);
        // The mean acceleration reaches the end but for a third order: k a h³/4 of 15 ms.
        let mean = now.start.velocity.linear + 0.5 * now.duration * now.acceleration;
        let reached = now.start.pose.translation + now.duration * mean;
        assert!((next.start.pose.translation - reached).length() < 2e-6);
    }
}

/// What is noted as lost is what the closed form loses: ½ m (v₀² − v²) + m g s sin θ, by the error of steps of 4 ms,
/// which are at most 6e-7 of v and s.
#[test]
fn energy_of_a_slide_with_drag_adds_up() {
    let case = sliding(0.6);
    let (run, _) = case.run(Some(0.004));
    let (sine, cosine) = libm::sincos(case.angle);
    let (mass, first) = (case.body.mass(), case.start.velocity.linear.x);
    let [last, way] = closed(G * (sine - 0.3 * cosine), 0.6, first, case.time);
    let work = mass * G * sine * way;
    let lost = 0.5 * mass * (first * first - last * last) + work;
    let energy = &run.tally.energy;
    let error = (energy.slid + energy.lost - lost).abs();
    assert!(error < 6e-7 * (mass * last * last + work), "{error}");
    assert_eq!((energy.rises, energy.gains), (0, 0));
    assert!(energy.risen < 1e-9 * lost, "{}", energy.risen);
}

/// A ball rolls with v̇ = 5/7 (g sin θ − (c/m) v), since both forces act on its mass centre, in no more steps than
/// without drag.
#[test]
fn a_ball_that_rolls_with_drag() {
    const R: f64 = 0.4;
    let speed = 3.0;
    let case = |rate| Case {
        body: Body::sphere(R, 2700.0).unwrap(),
        start: at(DVec3::Z * R, DVec3::X * speed, DVec3::Y * speed / R),
        angle: 20f64.to_radians(),
        friction: 0.6,
        rate,
        brake: 0.0,
        time: 3.2,
    };
    let a = 5.0 / 7.0 * G * libm::sin(20f64.to_radians());
    for rate in [0.1, 0.6] {
        let case = case(rate);
        let right = closed(a, 5.0 / 7.0 * rate, speed, case.time);
        let own = case.end(None);
        for (value, right) in own.iter().zip(right) {
            assert!((value / right - 1.0).abs() < 1e-5, "{own:?} {right}");
        }
        let steps = |rate| {
            let (run, _) = Case {
                rate,
                ..case.copy()
            }
            .run(None);
            run.tally.contact_steps
        };
        assert!(steps(rate) <= steps(0.0));
    }
    let case = case(0.6);
    let right = closed(a, 5.0 / 7.0 * 0.6, speed, case.time);
    for (quantity, right) in right.iter().enumerate() {
        let error = |step| (case.end(Some(step))[quantity] / right - 1.0).abs();
        // Below 8 ms no step is shorter for the spin.
        assert_second_order(error, 0.008, 2e-7);
    }
}

/// A ball thrown along level ground without spin: it slides with v̇ = −μ g − k v and ω̇ = 5/2 μ g/r until the slip
/// v − ω r is none, then rolls with v̇ = −5/7 k v.
#[test]
fn a_ball_with_drag_slides_and_then_rolls() {
    const R: f64 = 0.4;
    let (mu, k, speed) = (0.3, 0.6, 5.0);
    let sliding = |t: f64| closed(-mu * G, k, speed, t);
    let slip = |t: f64| sliding(t)[0] - 2.5 * mu * G * t;
    let (mut low, mut high) = (0.0, speed / (mu * G));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match slip(middle) > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    let rest = 3.2 - low;
    let [left, way] = sliding(low);
    let decay = libm::exp(-5.0 / 7.0 * k * rest);
    let right = [left * decay, way + left * (1.0 - decay) * 1.4 / k];
    let case = Case {
        body: Body::sphere(R, 2700.0).unwrap(),
        start: at(DVec3::Z * R, DVec3::X * speed, DVec3::ZERO),
        angle: 0.0,
        friction: mu,
        rate: k,
        brake: 0.0,
        time: 3.2,
    };
    let own = case.end(None);
    for (value, right) in own.iter().zip(right) {
        // The step in which the slip ends is found by the rates at its start.
        assert!((value / right - 1.0).abs() < 1e-4, "{own:?} {right}");
    }
}

/// Constant forces are followed to rounding: a box without friction with v̇ = g sin θ − b, and a ball that rolls with
/// v̇ = 5/7 (g sin θ − b).
#[test]
fn resistance_to_rolling_is_exact() {
    let (angle, brake, time) = (25f64.to_radians(), 1.7, 2.5);
    let slides = Case {
        friction: 0.0,
        rate: 0.0,
        angle,
        brake,
        time,
        ..sliding(0.0)
    };
    let rolls = Case {
        body: Body::sphere(0.4, 2700.0).unwrap(),
        start: at(DVec3::Z * 0.4, DVec3::X * 4.0, DVec3::Y * 10.0),
        friction: 0.6,
        ..slides.copy()
    };
    for (case, share) in [(slides, 1.0), (rolls, 5.0 / 7.0)] {
        let a = share * (G * libm::sin(angle) - brake);
        let [speed, way] = case.end(None);
        assert!((speed - (4.0 + a * time)).abs() < 1e-8, "{speed}");
        let right = 4.0 * time + 0.5 * a * time * time;
        assert!((way - right).abs() < 1e-8, "{way} {right}");
    }
}

impl Case {
    fn copy(&self) -> Self {
        Self {
            body: self.body.clone(),
            ..*self
        }
    }
}

/// A cube that turns over its edge along y at the origin, which carries it from below: α, from upright, of the mass
/// centre, and α̇, after a time.
fn turning(start: [f64; 2], rate: f64, time: f64, step: f64) -> [f64; 2] {
    let r = 0.5f64.sqrt();
    let (sine, cosine) = libm::sincos(start[0]);
    let case = Case {
        body: cube(),
        start: State {
            pose: Pose {
                rotation: DQuat::from_rotation_y(start[0] + std::f64::consts::FRAC_PI_4),
                translation: r * DVec3::new(sine, 0.0, cosine),
            },
            velocity: Twist {
                linear: r * start[1] * DVec3::new(cosine, 0.0, -sine),
                angular: DVec3::Y * start[1],
            },
        },
        angle: 0.0,
        friction: 5.0,
        rate,
        brake: 0.0,
        time,
    };
    let State { pose, velocity } = case.run(Some(step)).0.state;
    let angle = libm::atan2(pose.translation.x, pose.translation.z);
    [angle, velocity.angular.y]
}

/// I α̈ = m g r sin α − c r² α̇ about the edge with I = 2/3 m s² and r² = s²/2, by the classical Runge–Kutta method in
/// steps of 0.1 ms.
fn pendulum(start: [f64; 2], rate: f64, time: f64) -> [f64; 2] {
    let r = 0.5f64.sqrt();
    let slope = |[a, w]: [f64; 2]| [w, 0.75 / r * G * libm::sin(a) - 0.75 * rate * w];
    let (h, mut y) = (1e-4, start);
    for _ in 0..(time / h).round() as usize {
        let add = |k: [f64; 2], s: f64| [y[0] + s * k[0], y[1] + s * k[1]];
        let k1 = slope(y);
        let k2 = slope(add(k1, 0.5 * h));
        let k3 = slope(add(k2, 0.5 * h));
        let k4 = slope(add(k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    y
}

/// A cube that comes down over an edge, and one that passes over it. On the way up a few steps end early, where the
/// edge closes by more than rounding: there the order shows in small steps alone.
#[test]
fn a_cube_that_turns_over_an_edge_with_drag() {
    let rate = 1.5;
    for (start, time, coarse, bound) in [
        ([0.1, 0.5], 0.32, 0.016, 5e-6),
        ([-0.6, 2.6], 0.64, 0.002, 1e-6),
    ] {
        let right = pendulum(start, rate, time);
        assert!((0.1..0.7).contains(&right[0]), "{right:?}");
        for quantity in 0..2 {
            let error = |step| {
                let found = turning(start, rate, time, step);
                (found[quantity] - right[quantity]).abs()
            };
            assert_second_order(error, coarse, bound);
        }
    }
}

/// Ground that resists rolling with a part of what presses onto it.
struct Rolling(f64);

impl GroundLaw for Rolling {
    fn coefficients(&self, _point: DVec3) -> Coefficients {
        Coefficients::new(Restitution(0.0), Friction(0.0)).unwrap()
    }

    fn is_uniform(&self) -> bool {
        true
    }

    fn is_steady(&self) -> bool {
        false
    }

    fn resistance(&self, _state: &State, pressing: f64) -> f64 {
        self.0 * pressing
    }
}

/// Friction and resistance hold together what neither holds alone: a box on a slope of 20°, 0.36, with 0.25 and 0.2
/// stops after v/(g ((0.25 + 0.2) cos θ − sin θ)), and does not creep on.
#[test]
fn friction_and_resistance_stop_a_box_together() {
    let (sine, cosine) = libm::sincos(20f64.to_radians());
    let case = Case {
        friction: 0.25,
        angle: 20f64.to_radians(),
        brake: 0.2 * G * cosine,
        time: 60.0,
        ..sliding(0.0)
    };
    let (run, _) = case.run(None);
    assert_eq!(run.reason, StopReason::AtRest);
    assert!(!run.tally.swinging);
    let slower = G * (0.45 * cosine - sine);
    let way = run.state.pose.translation.x;
    // The box is held below 0.1 m/s, and a step is 0.02 s at most.
    let (least, most) = (
        (16.0 - 0.01) / (2.0 * slower),
        16.0 / (2.0 * slower) + 0.1 * 0.02,
    );
    assert!((least - 1e-6..most).contains(&way), "{way} {least} {most}");
    let time = run.time;
    assert!(
        ((4.0 - 0.1) / slower - 0.02..4.0 / slower + 0.02).contains(&time),
        "{time}"
    );
}

/// A ball in a channel is pressed by both flanks: with normals (n_x, ±n_y, n_z) their forces N together balance what
/// gravity does not pull along the channel, N √(1 − n_y²) = m g cos α.
#[test]
fn resistance_to_rolling_in_a_channel_is_that_of_both_flanks() {
    let (speed, [sine, press]) = in_a_channel(0.2, 2.0, StopReason::MaximumTime);
    let right = 3.0 + (G * sine - 0.2 * press) * 2.0;
    // The first step of about 0.01 s knows one flank only, which presses with 0.57 of both.
    let first = 0.2 * 0.43 * press * 0.015;
    assert!((speed - right).abs() < first, "{speed} {right}");
}

/// Where that is more than what gravity pulls along the channel, the ball stops, though its flanks are steeper: here
/// 0.5 of √2 × 0.94 g cos α = g sin α × 1.15 or more.
#[test]
fn resistance_to_rolling_holds_a_ball_in_a_channel() {
    let (_, [sine, press]) = in_a_channel(0.5, 30.0, StopReason::AtRest);
    assert!(0.5 * press > 1.1 * G * sine);
}

/// The speed of a ball of 0.4 m at the end of a time (s) in a channel that falls by 30°, from 3 m/s; the sine of the
/// fall, and what presses onto both flanks per mass (m/s²).
fn in_a_channel(rolling: f64, time: f64, reason: StopReason) -> (f64, [f64; 2]) {
    const R: f64 = 0.4;
    let (sine, cosine) = libm::sincos(30f64.to_radians());
    let fall = sine / cosine;
    // Flanks rise by 1 in 1 across; the corner of the mesh with the least x and y is the origin.
    let corner = |x: f64, y: f64| DVec3::new(x, y + 10.0, y.abs() - fall * x);
    let points: Vec<DVec3> = [0.0, 100.0]
        .iter()
        .flat_map(|&x| [-10.0, 0.0, 10.0].map(|y| corner(x, y)))
        .collect();
    let triangles = [[0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2]];
    let channel = Mesh::new(&points, &triangles).unwrap();
    let normal = DVec3::new(fall, 1.0, 1.0).normalize();
    let both = (1.0 - normal.y * normal.y).sqrt();
    let along = DVec3::new(cosine, 0.0, -sine);
    let bottom = DVec3::new(5.0, 10.0, -5.0 * fall);
    let across = DVec3::new(normal.x, 0.0, normal.z).normalize();
    let start = at(bottom + across * (R / both), 3.0 * along, DVec3::ZERO);
    let options = Options {
        gravity: -G * DVec3::Z,
        limits: Limits {
            time,
            ..Limits::default()
        },
        ..Options::default()
    };
    let single = SingleBody::new(&channel, options).unwrap();
    let body = Body::sphere(R, 2700.0).unwrap();
    let ran = single.run(
        &body,
        start,
        &mut Rolling(rolling),
        &mut (),
        &mut Workspace::default(),
    );
    assert_eq!(ran.reason, reason);
    let speed = ran.state.velocity.linear.dot(along);
    (speed, [sine, G * cosine / both])
}
