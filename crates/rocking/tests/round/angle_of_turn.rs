//! The angle of turn of a can that nearly slaps its base on the ground.

use super::{G, assert_audited};
use glam::{DQuat, DVec3};
use klast_rocking::spatial::{SpatialBody, SpatialMotion, SpatialOptions};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// The angle by which the contact runs around the rim from one highest tilt to the next, of a can that nearly slaps its
/// base on the ground. Near the flat position the axis moves as a point n = φ (cos ψ, sin ψ) with the energy
/// ½ (A + m a²) φ′² + ½ A φ² ψ′² + m g (a φ − h φ²/2), A = I₁ + m h²: a straight line on a cone, so the angle tends to
/// π √(1 + m a²/A), Srinivasan and Ruina's angle of turn (2008, Physical Review E 78, 066609); √5 π of a rolling disc.
/// At a finite least tilt it is the quadrature below.
fn turn(a: f64, h: f64, tilt: f64, sideways: f64) -> (f64, f64) {
    let inertia = a * a / 4.0 + h * h / 3.0 + h * h;
    let height = |phi: f64| G * (a * phi - 0.5 * h * phi * phi);
    let momentum = inertia * tilt * sideways;
    // Twice the kinetic energy of φ.
    let radial = |phi: f64| {
        let turning = |phi: f64| momentum * momentum / (inertia * phi * phi);
        (2.0 * (height(tilt) - height(phi)) + turning(tilt) - turning(phi)) / (inertia + a * a)
    };
    let (mut low, mut high) = (1e-12, 0.5 * tilt);
    while high - low > 1e-15 * tilt {
        let middle = 0.5 * (low + high);
        if radial(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    // φ = least + (tilt − least) sin²: both ends are turning points.
    let steps = 200_000;
    let sum: f64 = (0..steps)
        .map(|k| {
            let x = (f64::from(k) + 0.5) / f64::from(steps) * FRAC_PI_2;
            let phi = high + (tilt - high) * x.sin().powi(2);
            let slope = 2.0 * (tilt - high) * x.sin() * x.cos();
            momentum / (inertia * phi * phi) * slope / radial(phi).max(1e-300).sqrt()
        })
        .sum();
    let limit = PI * (1.0 + a * a / inertia).sqrt();
    (2.0 * sum * FRAC_PI_2 / f64::from(steps), limit)
}

/// The angle by which a run turns from its start, at a highest tilt, to the next one.
fn turned(body: &SpatialBody, tilt: f64, sideways: f64) -> f64 {
    let step = 1e-5;
    let options = SpatialOptions {
        step,
        attitude: DQuat::from_axis_angle(DVec3::Y, tilt),
        angular_velocity: DVec3::new(-sideways, 0.0, 0.0),
        sample: Some(step),
        ..SpatialOptions::new(0.08, 5.0)
    };
    let run = body.run(&SpatialMotion::default(), G, &options).unwrap();
    assert_audited(&run);
    let (mut sum, mut falling) = (0.0, true);
    for pair in run.samples.windows(2) {
        if !falling && pair[1].tilt < pair[0].tilt {
            return sum;
        }
        falling &= pair[1].tilt <= pair[0].tilt;
        let step = pair[1].azimuth - pair[0].azimuth;
        sum += (step + PI).rem_euclid(TAU) - PI;
    }
    f64::NAN
}

#[test]
fn a_can_that_seems_to_rock_rolls_by_the_angle_of_turn() {
    let a = 0.25;
    let disc = turn(a, 1e-9, 1e-3, 1e-5);
    assert!((disc.1 / (5f64.sqrt() * PI) - 1.0).abs() < 1e-12);
    assert!((disc.0 / disc.1 - 1.0).abs() < 2e-2, "{disc:?}");
    for (h, tilt, sideways) in [(0.4, 2e-3, 0.02), (0.1, 2e-3, 0.03), (0.01, 1e-3, 0.03)] {
        let (expected, limit) = turn(a, h, tilt, sideways);
        let body = SpatialBody::cylinder(a, 2.0 * h, 24, 2500.0).unwrap();
        let found = turned(&body, tilt, sideways);
        // The energy above is right to the tilt, and a highest tilt is found to a step.
        assert!(
            (found / expected - 1.0).abs() < 2.0 * tilt,
            "{h}: {found} {expected}"
        );
        let slaps = turned(&body, tilt, 0.1 * sideways);
        assert!((slaps / limit - 1.0).abs() < 2e-2, "{h}: {slaps} {limit}");
    }
}
