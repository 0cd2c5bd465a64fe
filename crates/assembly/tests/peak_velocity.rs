//! The peak velocity of a basin, by which kinetic energies are measured, against closed forms.

use klast_assembly::analysis::IndexReference;
use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule, Restitution, Start,
    StartVelocity, Wave,
};
use klast_ground_motion::{Component, Law};

fn close(found: f64, expected: f64) {
    // A few roundings of sums and of a searched place, whose error enters squared.
    assert!((found / expected - 1.0).abs() < 1e-14, "{found} {expected}");
}

fn waves(parts: &[(f64, f64, f64)]) -> BasinMotion {
    let wave = |&(amplitude, omega, phase): &(f64, f64, f64)| Wave {
        amplitude,
        omega,
        phase,
    };
    BasinMotion::Waves(parts.iter().map(wave).collect())
}

#[test]
fn one_motion_has_one_reference_energy_however_it_is_given() {
    let energy = |motion| {
        let block = Block {
            size: 0.04,
            mass: 0.1,
            friction: 0.03,
        };
        let row = BlockRow::uniform(2, block).unwrap();
        let basin = Basin::new(0.4, motion, Restitution::new(0.6, 0.6).unwrap()).unwrap();
        let start = Start::touching(2, StartVelocity::AtRest);
        let run = Assembly::new(basin, &row, &start, ImpactRule::Complementarity).unwrap();
        IndexReference::compact(&run).energy
    };
    // ½ M (1 + e)² (u0 Ω)².
    let expected = 0.5 * 0.2 * (1.6_f64 * 0.04 * 12.0).powi(2);
    let ground = Component::harmonic_displacement(0.04, Frequency::rad_per_s(12.0), 0.0).unwrap();
    let pi = std::f64::consts::PI;
    for motion in [
        BasinMotion::harmonic(0.04, Frequency::hertz(12.0 / std::f64::consts::TAU)).unwrap(),
        BasinMotion::Ground(ground),
        waves(&[(0.04, 12.0, 0.3)]),
        waves(&[(0.08, 12.0, 0.0), (0.04, 12.0, pi)]),
    ] {
        close(energy(motion), expected);
    }
}

#[test]
fn waves_with_a_common_period_reach_less_than_their_sum() {
    // B1 cos θ − B2 sin 2θ is largest where 4 B2 s² − B1 s − 2 B2 = 0, s = sin θ, and smallest by as much.
    let (b1, b2) = (0.5, 0.3);
    let root = f64::sqrt(b1 * b1 + 32.0 * b2 * b2);
    let peak = [(b1 + root) / (8.0 * b2), (b1 - root) / (8.0 * b2)]
        .into_iter()
        .filter(|s: &f64| s.abs() <= 1.0)
        .map(|s| (b1 - 2.0 * b2 * s).abs() * (1.0 - s * s).sqrt())
        .fold(0.0, f64::max);
    let omega = std::f64::consts::TAU * 1.7;
    let quarter = std::f64::consts::FRAC_PI_2;
    let two = waves(&[
        (b1 / omega, omega, 0.0),
        (b2 / (2.0 * omega), 2.0 * omega, quarter),
    ]);
    close(two.peak_velocity(), peak);
    assert!(peak < 0.95 * (b1 + b2));

    // Σ cos kθ over k = 1 … n is n at θ = 0.
    let sum: Vec<_> = (1..=12)
        .map(|k| (1.0 / f64::from(k), f64::from(k), 0.0))
        .collect();
    close(waves(&sum).peak_velocity(), 12.0);
    // Ratios 4 : 6 : 15 against a fine grid over the common period.
    let pi = std::f64::consts::PI;
    let three = [(0.2, 4.0, 0.0), (0.1, 6.0, pi), (0.05, 15.0, pi)];
    let grid = (0..200_000)
        .map(|i| {
            let t = pi / 1e5 * f64::from(i);
            let v = three.iter().map(|(a, w, p)| a * w * (w * t + p).cos());
            v.sum::<f64>().abs()
        })
        .fold(0.0, f64::max);
    let found = waves(&three).peak_velocity();
    // Half a step of the grid, 1.6e-5 s, times 15 rad/s, squared and halved: 3e-8.
    assert!(
        found >= grid && found < grid * (1.0 + 3e-8),
        "{found} {grid}"
    );
}

#[test]
fn waves_without_a_common_period_add() {
    let two = waves(&[(0.1, 1.0, 0.2), (0.05, std::f64::consts::SQRT_2, 1.0)]);
    close(two.peak_velocity(), 0.1 + 0.05 * std::f64::consts::SQRT_2);
    assert_eq!(waves(&[]).peak_velocity(), 0.0);
}

#[test]
fn a_record_peaks_where_its_acceleration_vanishes() {
    // a = 3 − 2 t from rest for 4 s: v = 3 t − t², 9/4 at 1.5 s and −4 at the end; for 2.5 s the first counts.
    let law = Law::Linear {
        value: 3.0,
        slope: -2.0,
    };
    for (duration, peak) in [(2.5, 2.25), (4.0, 4.0)] {
        let ground = Component::chain(0.0, 0.0, 0.0, &[(duration, law)]).unwrap();
        close(BasinMotion::Ground(ground).peak_velocity(), peak);
    }
}
