//! The torque-free top against an independent solution, and what the splitting keeps.

use glam::{DQuat, DVec3};
use klast_dem::Rotation;

const INERTIA: DVec3 = DVec3::new(0.7, 1.1, 1.6);
const OMEGA: DVec3 = DVec3::new(0.4, 1.3, -0.5);

fn start() -> Rotation {
    Rotation {
        orientation: DQuat::IDENTITY,
        momentum: INERTIA * OMEGA,
    }
}

fn distance(q: DQuat, w: f64, x: f64, y: f64, z: f64) -> f64 {
    let r = DQuat::from_xyzw(x, y, z, w);
    // Largest component, as the printed errors are; q and −q are one attitude.
    let largest = |d: DQuat| d.to_array().into_iter().map(f64::abs).fold(0.0, f64::max);
    largest(q - r).min(largest(q + r))
}

/// Attitude and body rates at t = 10 by an arbitrary-precision integration that is not ours.
#[test]
fn converges_at_second_order_to_the_independent_solution() {
    let omega_end = DVec3::new(
        -0.908_786_616_749_685_6,
        0.962_938_058_695_645_3,
        -0.695_027_042_764_645_9,
    );
    // (step, error of q, error of ω) as printed by the same independent source for this splitting.
    let printed: [(f64, f64, f64); 4] = [
        (0.2, 3.181e-3, 4.398e-3),
        (0.1, 8.094e-4, 1.113e-3),
        (0.05, 2.032e-4, 2.791e-4),
        (0.0125, 1.272e-5, 1.746e-5),
    ];
    for (step, error_q, error_w) in printed {
        let mut body = start();
        for _ in 0..(10.0 / step).round() as usize {
            body.drift(INERTIA, step);
        }
        let q = distance(
            body.orientation,
            0.948_825_949_877_082_5,
            0.147_249_426_915_847_1,
            -0.197_846_665_642_672_03,
            -0.197_240_006_101_407_8,
        );
        let w = (body.momentum / INERTIA - omega_end).abs().max_element();
        // Printed to four digits.
        assert!((q / error_q - 1.0).abs() < 1e-3, "{step}: {q}");
        assert!((w / error_w - 1.0).abs() < 1e-3, "{step}: {w}");
    }
}

/// A million steps: the energy error stays where it was after the first turns, and the momentum in space is kept.
#[test]
fn a_million_steps_keep_the_energy_in_a_band() {
    let step = 0.05;
    let mut body = start();
    let energy = body.energy(INERTIA);
    let momentum = body.world_momentum();
    let (mut first, mut last) = (0.0f64, 0.0f64);
    for k in 0..1_000_000 {
        body.drift(INERTIA, step);
        let error = (body.energy(INERTIA) / energy - 1.0).abs();
        if k < 1000 {
            first = first.max(error);
        } else if k >= 900_000 {
            last = last.max(error);
        }
    }
    // 9.049e-5 is the independent maximum over 400 000 steps of the same size.
    assert!(last < 9.1e-5, "{last}");
    assert!(last < 1.01 * first, "{first} grew to {last}");
    // Rounding: five turns a step, each about 1e-16 and unbiased, over 10^6 steps: 2e-13; ten times that for safety.
    let drift = (body.world_momentum() - momentum).length() / momentum.length();
    assert!(drift < 2e-12, "{drift}");
}

#[test]
fn energy_error_is_second_order() {
    let worst = |step: f64| {
        let mut body = start();
        let energy = body.energy(INERTIA);
        let mut worst = 0.0f64;
        for _ in 0..(200.0 / step) as usize {
            body.drift(INERTIA, step);
            worst = worst.max((body.energy(INERTIA) / energy - 1.0).abs());
        }
        worst
    };
    let errors = [0.1, 0.05, 0.025].map(worst);
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < 0.02, "{order}");
    }
}

#[test]
fn runs_back_to_where_it_started() {
    let mut body = start();
    for _ in 0..10_000 {
        body.drift(INERTIA, 0.03);
    }
    for _ in 0..10_000 {
        body.drift(INERTIA, -0.03);
    }
    // Rounding of 2·10^4 steps.
    assert!(distance(body.orientation, 1.0, 0.0, 0.0, 0.0) < 1e-11);
    assert!((body.momentum - INERTIA * OMEGA).length() < 1e-11);
}

/// A point load on the top: two half kicks are second order, the printed order (one full kick first) is first order.
#[test]
fn half_kicks_are_second_order_and_one_full_kick_is_first() {
    let arm = DVec3::new(0.3, -0.2, 0.5);
    let force = DVec3::new(0.0, 0.0, -2.0);
    let error = |step: f64, first: f64| {
        let mut body = start();
        for _ in 0..(5.0 / step).round() as usize {
            body.kick((body.orientation * arm).cross(force) * step * first);
            body.drift(INERTIA, step);
            body.kick((body.orientation * arm).cross(force) * step * (1.0 - first));
        }
        distance(
            body.orientation,
            0.298_059_286_534_199_1,
            -0.598_458_932_316_319_9,
            0.254_941_391_279_407_26,
            0.698_578_878_645_042_1,
        )
    };
    // Independent source, to four digits: steps 0.05, 0.025, 0.0125, 0.00625.
    let half_printed = [6.33e-4, 1.58e-4, 3.96e-5, 9.90e-6];
    let full_printed = [3.04e-2, 1.53e-2, 7.66e-3, 3.84e-3];
    for (k, step) in [0.05, 0.025, 0.0125, 0.00625].into_iter().enumerate() {
        // Three printed digits.
        assert!((error(step, 0.5) / half_printed[k] - 1.0).abs() < 5e-3);
        assert!((error(step, 1.0) / full_printed[k] - 1.0).abs() < 5e-3);
    }
}
