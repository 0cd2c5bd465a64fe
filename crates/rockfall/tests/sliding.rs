//! A point that slides askew on a plane with dry friction, in closed form.
//!
//! With p the pull of gravity along the plane, h = μ g cos α, k = h/p and θ the angle between velocity and pull, v θ̇ = −p sin θ and v̇ = p cos θ − h give
//! v = C tan(θ/2)^k / sin θ; in u = tan(θ/2), time and way are sums of powers of u.

use glam::DVec3;
use klast_geometry::terrain::{Slope, Terrain};
use klast_rockfall::lumped::{LumpedLaw, LumpedState, Reading, Scaling};
use klast_rockfall::*;
use std::ops::ControlFlow;

const LAW: LumpedLaw = LumpedLaw {
    rotation: false,
    reading: Reading::Corrected,
    scaling: Scaling::METRIC,
};

/// Way down and across the slope and speed, after sliding for a time from across the slope (u = 1) at speed `c`.
fn closed_form(time: f64, c: f64, p: f64, k: f64) -> (f64, f64, f64) {
    let clock = |u: f64| {
        c / (2.0 * p) * ((1.0 - u.powf(k - 1.0)) / (k - 1.0) + (1.0 - u.powf(k + 1.0)) / (k + 1.0))
    };
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for _ in 0..200 {
        let u = 0.5 * (low + high);
        if clock(u) > time { low = u } else { high = u }
    }
    let u = high;
    let part = |n: f64| (1.0 - u.powf(n)) / n;
    let square = c * c / (4.0 * p);
    (
        square * (part(2.0 * k - 2.0) - part(2.0 * k + 2.0)),
        2.0 * square * (part(2.0 * k - 1.0) + part(2.0 * k + 1.0)),
        0.5 * c * (u.powf(k - 1.0) + u.powf(k + 1.0)),
    )
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
        let ground = Ground::uniform(SlopeMaterial::constant("g", 0.0, 1.0, mu)).unwrap();
        let samples = [MaterialSample {
            normal_restitution: 0.0,
            tangential_restitution: 1.0,
            friction: mu,
        }];
        let stop = StopConditions {
            maximum_time: time,
            ..StopConditions::default()
        };
        let rock = LumpedMass::new(1000.0, 0.4).unwrap();
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
        let (outcome, end) = engine.run(&rock, &samples, start, None, &mut |_| {
            steps += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(outcome, Outcome::TimedOut);
        let (pull, hold) = (9.81 * angle.sin(), mu * 9.81 * angle.cos());
        let (down, across, fast) = closed_form(time, speed, pull, hold / pull);
        // Each step may err by 1e-6 m; the velocity is of fourth order.
        let bound = 1e-6 * f64::from(steps);
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

/// Bounces that die out, to the last one: where no speed is too slow to rebound, a bounce gets lower than the depth to which rounding puts the mass into
/// the plane. It comes to slide all the same, and down a slope steeper than friction it slides for ever.
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
        let ground = Ground::uniform(SlopeMaterial::constant("m", restitution, 0.9, 0.3)).unwrap();
        let samples = [MaterialSample {
            normal_restitution: restitution,
            tangential_restitution: 0.9,
            friction: 0.3,
        }];
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
        let mass = LumpedMass::new(100.0, 0.04).unwrap();
        let (_, end) = rock.run(&mass, &samples, start, None, &mut |_| {
            ControlFlow::Continue(())
        });
        let height = slope.as_plane().unwrap().height(end.position);
        // Rounding of places some hundreds of metres away.
        assert!(height.abs() < 1e-10, "{degrees} {restitution}: {height}");
    }
}
