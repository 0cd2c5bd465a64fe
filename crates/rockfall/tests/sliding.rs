//! A point that slides askew on a plane with dry friction, in closed form.
//!
//! With p the pull of gravity along the plane, h = μ g cos α, k = h/p and θ the angle between velocity and pull, v θ̇ =
//! −p sin θ and v̇ = p cos θ − h give v = C tan(θ/2)^k / sin θ; in u = tan(θ/2), time and way are sums of powers of u.

use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Grid, Slope, Terrain};
use klast_numerics::roots::bisect;
use klast_rockfall::lumped::{LumpedLaw, LumpedState, Reading, ReboundLaw, Scaling};
use klast_rockfall::*;
use proptest::prelude::*;
use std::ops::ControlFlow;

const LAW: ReboundLaw = ReboundLaw::Manual(LumpedLaw {
    rotation: false,
    reading: Reading::Corrected,
    scaling: Scaling::METRIC,
});

/// Way down and across the slope and speed, after sliding for a time from across the slope (u = 1) at speed `c`.
fn closed_form(time: f64, c: f64, p: f64, k: f64) -> (f64, f64, f64) {
    let clock = |u: f64| {
        c / (2.0 * p) * ((1.0 - u.powf(k - 1.0)) / (k - 1.0) + (1.0 - u.powf(k + 1.0)) / (k + 1.0))
    };
    // It falls from u = 1 on.
    let (_, u) = bisect(0.0, 1.0, 200, |u| clock(u) <= time);
    let part = |n: f64| (1.0 - u.powf(n)) / n;
    let square = c * c / (4.0 * p);
    (
        square * (part(2.0 * k - 2.0) - part(2.0 * k + 2.0)),
        2.0 * square * (part(2.0 * k - 1.0) + part(2.0 * k + 1.0)),
        0.5 * c * (u.powf(k - 1.0) + u.powf(k + 1.0)),
    )
}

/// Ground of one material everywhere, and its sample.
fn ground(normal: f64, tangential: f64, friction: f64) -> (Ground, [MaterialSample; 1]) {
    let material = SlopeMaterial::constant(
        "ground",
        GroundCoefficients {
            normal_restitution: normal,
            tangential_restitution: tangential,
            friction,
        },
    );
    let sample = MaterialSample {
        normal_restitution: normal,
        tangential_restitution: tangential,
        friction,
        ..MaterialSample::default()
    };
    (Ground::uniform(material).unwrap(), [sample])
}

#[test]
fn a_slide_askew_follows_the_closed_form() {
    for (degrees, mu, speed, time) in [
        (30.0f64, 0.7, 8.0, 2.0),
        (35.0, 0.3, 3.0, 4.0),
        (20.0, 0.5, 20.0, 3.0),
    ] {
        let angle = degrees.to_radians();
        let slope = Slope::downhill_x(angle).unwrap();
        let (ground, samples) = ground(0.0, 1.0, mu);
        let stop = StopConditions {
            maximum_time: time,
            ..StopConditions::default()
        };
        let rock = LumpedMass::of_volume(0.4)
            .and_then(|m| m.with_mass(1000.0))
            .unwrap();
        let normal = DVec3::new(angle.sin(), 0.0, angle.cos());
        let start = LumpedState {
            position: normal * 1e-12,
            velocity: DVec3::Y * speed,
            spin: DVec3::ZERO,
        };
        let mut steps = 0;
        let engine = LumpedRock {
            law: LAW,
            terrain: &slope,
            ground: &ground,
            stop: &stop,
            gravity: DVec3::new(0.0, 0.0, -9.81),
        };
        let (outcome, end, _) = engine.run(&rock, &samples, start, None, &mut |_| {
            steps += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(outcome, Outcome::TimedOut);
        let (pull, hold) = (9.81 * angle.sin(), mu * 9.81 * angle.cos());
        let (down, across, fast) = closed_form(time, speed, pull, hold / pull);
        // The steps err by 1e-6 of the way at most; the velocity is of fourth order.
        let bound = 1e-6 * down.hypot(across);
        let found = end.position.x / angle.cos();
        assert!((found - down).abs() < bound, "{found} {down} {steps}");
        assert!(
            (end.position.y - across).abs() < bound,
            "{} {across}",
            end.position.y
        );
        assert!(
            (end.velocity.length() - fast).abs() < bound,
            "{} {fast}",
            end.velocity.length()
        );
        assert!(steps < 400, "{steps}");
    }
}

/// Way down and across the slope and time until the end of a slide that begins at θ with friction k > 1: the sums of
/// powers from u = tan(θ/2) down to 0. Straight uphill u has no bound, and the braking is constant.
fn rest(theta: f64, speed: f64, p: f64, k: f64) -> (f64, f64, f64) {
    if theta >= std::f64::consts::PI {
        let time = speed / (p * (k + 1.0));
        return (-0.5 * speed * time, 0.0, time);
    }
    let u = (0.5 * theta).tan();
    let c = 2.0 * speed / (u.powf(k - 1.0) + u.powf(k + 1.0));
    let part = |n: f64| u.powf(n) / n;
    let square = c * c / (4.0 * p);
    (
        square * (part(2.0 * k - 2.0) - part(2.0 * k + 2.0)),
        2.0 * square * (part(2.0 * k - 1.0) + part(2.0 * k + 1.0)),
        c / (2.0 * p) * (part(k - 1.0) + part(k + 1.0)),
    )
}

/// How a slide went: outcome, way down and across, velocity at the end, time and number of steps.
struct Slid {
    outcome: Outcome,
    down: f64,
    across: f64,
    speed: f64,
    time: f64,
    steps: u32,
}

/// A slide on an unbounded plane with friction k tan α for `maximum_time`; no speed counts as rest but 0.
fn slid(angle: f64, k: f64, theta: f64, speed: f64, maximum_time: f64) -> Slid {
    let slope = Slope::downhill_x(angle).unwrap();
    let (ground, samples) = ground(0.0, 1.0, k * angle.tan());
    let stop = StopConditions {
        maximum_time,
        stopped_velocity_cutoff: 0.0,
        ..StopConditions::default()
    };
    let rock = LumpedMass::of_volume(0.4)
        .and_then(|m| m.with_mass(1000.0))
        .unwrap();
    let engine = LumpedRock {
        law: LAW,
        terrain: &slope,
        ground: &ground,
        stop: &stop,
        gravity: DVec3::new(0.0, 0.0, -9.81),
    };
    let descent = DVec3::new(angle.cos(), 0.0, -angle.sin());
    let start = LumpedState {
        position: DVec3::new(angle.sin(), 0.0, angle.cos()) * 1e-12,
        velocity: speed * (descent * theta.cos() + DVec3::Y * theta.sin()),
        spin: DVec3::ZERO,
    };
    let (mut steps, mut time) = (0, 0.0);
    let (outcome, end, _) = engine.run(&rock, &samples, start, None, &mut |arc| {
        steps += 1;
        time = arc.time + arc.duration;
        ControlFlow::Continue(())
    });
    Slid {
        outcome,
        down: end.position.dot(descent),
        across: end.position.y,
        speed: end.velocity.length(),
        time,
        steps,
    }
}

/// Friction that is a little above the slope holds a mass that moves askew after a finite time and way, however close
/// it is to the slope.
#[test]
fn a_slide_askew_ends_where_and_when_the_closed_form_does() {
    let angle = 30f64.to_radians();
    let straight_up = std::f64::consts::PI;
    for k in [1.005f64, 1.02, 1.05, 1.1, 1.14, 1.2, 2.0] {
        for theta in [0.01f64, 0.3, 1.0, 2.0, 3.0, 3.1, straight_up] {
            for speed in [0.5, 3.0, 12.0] {
                let found = slid(angle, k, theta, speed, 1e5);
                let case = format!("k {k}, θ {theta}, {speed} m/s, {} steps", found.steps);
                assert_eq!(found.outcome, Outcome::Stopped, "{case}");
                let (down, across, time) = rest(theta, speed, 9.81 * angle.sin(), k);
                // A step errs by 1e-6 m, and the last, straight one by as much; the steps after an error go on with it.
                let bound = 1e-5 * (1.0 + down.abs() + across);
                let (x, y) = (found.down, found.across);
                assert!((x - down).abs() < bound, "{case}: {x} {down}");
                assert!((y - across).abs() < bound, "{case}: {y} {across}");
                // The last, straight step may be all of the half millisecond short; the others are of fourth order.
                let bound = 5e-4 + 1e-6 * time;
                assert!(
                    (found.time - time).abs() < bound,
                    "{case}: {} {time}",
                    found.time
                );
                assert!(found.steps < 3000, "{case}");
            }
        }
    }
}

/// Friction equal to the slope: |v| (1 + cos θ) is constant, so the mass comes to slide straight down at half of it.
#[test]
fn a_slide_askew_with_the_friction_of_its_slope_goes_on_for_ever() {
    let angle = 30f64.to_radians();
    for theta in [0.3f64, 1.5, 2.5] {
        let found = slid(angle, 1.0, theta, 6.0, 300.0);
        assert_eq!(found.outcome, Outcome::TimedOut);
        assert!((found.time - 300.0).abs() < 1e-9, "{}", found.time);
        let last = 3.0 * (1.0 + theta.cos());
        // The velocity is of fourth order in steps that turn it by a tenth.
        let bound = 1e-6 * last;
        assert!((found.speed - last).abs() < bound, "{} {last}", found.speed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    /// Each slide that the closed form ends within the default time ends within the default number of steps.
    #[test]
    fn friction_above_the_slope_ends_every_slide(
        above in -2.5..1.0f64,
        theta in 1e-6..std::f64::consts::PI,
        speed in -3.0..1.5f64,
        degrees in 10.0..60.0f64,
    ) {
        let (angle, k, speed) = (degrees.to_radians(), 1.0 + 10f64.powf(above), 10f64.powf(speed));
        let (_, _, time) = rest(theta, speed, 9.81 * angle.sin(), k);
        let limit = StopConditions::DEFAULT.maximum_time;
        prop_assume!(time < 0.99 * limit);
        let found = slid(angle, k, theta, speed, limit);
        prop_assert_eq!(found.outcome, Outcome::Stopped, "k {} after {} s", k, found.time);
    }
}

/// Bounces that die out, to the last one: where no speed is too slow to rebound, a bounce gets lower than the depth to
/// which rounding puts the mass into the plane. It comes to slide all the same, and down a slope steeper than friction
/// it slides for ever.
#[test]
fn a_mass_does_not_bounce_through_a_plane() {
    let stop = StopConditions {
        normal_velocity_cutoff: 0.0,
        maximum_time: 20.0,
        ..StopConditions::default()
    };
    for (degrees, restitution) in [
        (0.0, 0.3),
        (0.0, 0.7),
        (17.0, 0.5),
        (35.0, 0.2),
        (35.0, 0.8),
    ] {
        let slope = Slope::downhill_x(f64::to_radians(degrees)).unwrap();
        let (ground, samples) = ground(restitution, 0.9, 0.3);
        let rock = LumpedRock {
            law: LAW,
            terrain: &slope,
            ground: &ground,
            stop: &stop,
            gravity: DVec3::new(0.0, 0.0, -9.81),
        };
        let start = LumpedState {
            position: DVec3::new(13.7, 0.1, 3.3),
            velocity: DVec3::new(2.3, 0.4, -1.0),
            spin: DVec3::ZERO,
        };
        let mass = LumpedMass::of_volume(0.04)
            .and_then(|m| m.with_mass(100.0))
            .unwrap();
        let (_, end, _) = rock.run(&mass, &samples, start, None, &mut |_| {
            ControlFlow::Continue(())
        });
        let height = slope.as_plane().unwrap().height(end.position);
        // Rounding of places some hundreds of metres away.
        assert!(height.abs() < 1e-10, "{degrees} {restitution}: {height}");
    }
}

/// Where a lumped mass ends that slides from across a slope, and after how many arcs.
fn from_across(
    degrees: f64,
    mu: f64,
    speed: f64,
    stop: &StopConditions,
) -> (Outcome, LumpedState, usize) {
    let slope = Slope::downhill_x(degrees.to_radians()).unwrap();
    let (ground, samples) = ground(0.0, 1.0, mu);
    let rock = LumpedRock {
        law: LAW,
        terrain: &slope,
        ground: &ground,
        stop,
        gravity: DVec3::new(0.0, 0.0, -9.81),
    };
    let start = LumpedState {
        position: DVec3::ZERO,
        velocity: DVec3::Y * speed,
        spin: DVec3::ZERO,
    };
    let mass = LumpedMass::of_volume(0.04)
        .and_then(|m| m.with_mass(100.0))
        .unwrap();
    let mut arcs = 0;
    let (outcome, end, _) = rock.run(&mass, &samples, start, None, &mut |_| {
        arcs += 1;
        ControlFlow::Continue(())
    });
    (outcome, end, arcs)
}

/// Friction that holds a rock stops it at last however strong it is and wherever the cutoff lies. In the closed form
/// above the whole way down and across, to u = 0, is c²/(4p) (1/(2k−2) − 1/(2k+2)) and c²/(2p) (1/(2k−1) + 1/(2k+1)).
#[test]
fn strong_friction_stops_a_slide_askew() {
    let stop = StopConditions {
        stopped_velocity_cutoff: 0.0,
        ..StopConditions::default()
    };
    for (degrees, mu) in [
        (30.0f64, 0.8),
        (20.0, 5.0),
        (30.0, 57.0),
        (30.0, 500.0),
        (30.0, 1e6),
        (30.0, 1e300),
        (30.0, f64::MAX),
    ] {
        let angle = degrees.to_radians();
        let p = 9.81 * angle.sin();
        let k = mu.min(1e100) / angle.tan();
        let (outcome, end, arcs) = from_across(degrees, mu, 8.0, &stop);
        assert_eq!(outcome, Outcome::Stopped, "{mu}");
        let square = 64.0 / (4.0 * p);
        let down = square * (1.0 / (2.0 * k - 2.0) - 1.0 / (2.0 * k + 2.0));
        let across = 2.0 * square * (1.0 / (2.0 * k - 1.0) + 1.0 / (2.0 * k + 1.0));
        // Each step may err by 1e-6 m.
        let bound = 1e-6 * arcs as f64;
        let found = end.position.x / angle.cos();
        assert!((found - down).abs() < bound, "{mu}: {found} {down} {arcs}");
        assert!(
            (end.position.y - across).abs() < bound,
            "{mu}: {} {across} {arcs}",
            end.position.y
        );
        assert!(arcs < 400, "{mu}: {arcs}");
    }
}

/// Over a convex edge a mass flies off without touching what it leaves, at whatever place rounding puts the edge: then
/// it comes down on the far side with the speed of a free flight.
#[test]
fn a_convex_edge_is_left_without_a_touch() {
    let stop = StopConditions::default();
    let (ground, samples) = ground(0.0, 0.5, 0.2);
    let mass = LumpedMass::of_volume(0.04)
        .and_then(|m| m.with_mass(100.0))
        .unwrap();
    for k in 0..200 {
        // A crest along the nodes at i = 10: flat before, 60° after, on cells of any side, crossed at any angle.
        let cell = 1.0 + 0.013 * f64::from(k);
        let fall = |i: usize| -3f64.sqrt() * cell * i.saturating_sub(10) as f64;
        let rise = 0.1 + 0.001 * f64::from(k);
        let heights = (0..31 * 31).map(|n| fall(n % 31) + rise * cell * (n / 31) as f64);
        let grid = Grid::new(31, 31, cell, DVec2::ZERO, heights.collect()).unwrap();
        let start = DVec3::new(9.3 * cell, 14.1 * cell, 14.1 * cell * rise);
        let along = DVec3::new(1.0, 0.3 * (f64::from(k)).sin(), 0.0);
        let velocity = 6.0 * (along + DVec3::Z * (rise * along.y));
        let rock = LumpedRock {
            law: LAW,
            terrain: &grid,
            ground: &ground,
            stop: &stop,
            gravity: DVec3::new(0.0, 0.0, -9.81),
        };
        let state = LumpedState {
            position: start,
            velocity,
            spin: DVec3::ZERO,
        };
        let mut flights = Vec::new();
        rock.run(&mass, &samples, state, None, &mut |arc| {
            if arc.motion == Motion::Flight {
                flights.push(*arc);
            }
            ControlFlow::Continue(())
        });
        // With vx at the crest: x(t) = vx t, and the ground falls by √3 x and rises by the slope across, along which
        // the mass moves too: t = 2√3 vx/g.
        let first = flights[0];
        let expected = 2.0 * 3f64.sqrt() * first.velocity.x / 9.81;
        // The place of the crest is rounded to 1e-15 of some 30 m.
        assert!(
            (first.duration - expected).abs() < 1e-9,
            "{k}: {} s against {expected} s",
            first.duration
        );
    }
}

/// A mass released on the ground and moving along it slides from the first instant, to whichever side of the ground
/// rounding puts it: no strike slows it, and it does not fall through.
#[test]
fn a_mass_released_along_the_ground_slides() {
    let (ground, samples) = ground(0.3, 0.5, 0.2);
    let stop = StopConditions {
        maximum_time: 1.0,
        ..StopConditions::default()
    };
    let mass = LumpedMass::of_volume(0.04)
        .and_then(|m| m.with_mass(100.0))
        .unwrap();
    for k in 0..100 {
        let angle = f64::to_radians(3.0 + 0.8 * f64::from(k));
        let heights = (0..31 * 31).map(|n| -angle.tan() * f64::from(n % 31));
        let grid = Grid::new(31, 31, 1.0, DVec2::ZERO, heights.collect()).unwrap();
        let rock = LumpedRock {
            law: LAW,
            terrain: &grid,
            ground: &ground,
            stop: &stop,
            gravity: DVec3::new(0.0, 0.0, -9.81),
        };
        let down = DVec3::new(angle.cos(), 0.0, -angle.sin());
        let start = LumpedState {
            position: DVec3::new(3.3, 15.2, -angle.tan() * 3.3),
            velocity: 5.0 * down,
            spin: DVec3::ZERO,
        };
        let (_, end, _) = rock.run(&mass, &samples, start, None, &mut |_| {
            ControlFlow::Continue(())
        });
        let expected = 5.0 + 0.5 * 9.81 * (angle.sin() - 0.2 * angle.cos());
        let found = (end.position - start.position).dot(down);
        // Seams of the raster are left by 1e-9 of the place at most, some ten of them.
        assert!((found - expected).abs() < 1e-6, "{k}: {found} {expected}");
    }
}
