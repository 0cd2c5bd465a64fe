//! Base motions: consistency of the three ordinates, closed forms, records, clear errors.
use klast_ground_motion::{
    AccelerationUnit, Component, DoublePulse, Frequency, GroundMotion, Law, Record,
};
use proptest::prelude::*;
use std::f64::consts::{FRAC_PI_2, TAU};

/// The piece at a time is the first of the list that has not ended, whether pieces last alike or not.
#[test]
fn a_piece_is_found_as_in_the_list() {
    let durations = [
        vec![0.1; 40],
        (0..40).map(|k| 10f64.powi(k % 7 - 3)).collect::<Vec<_>>(),
        vec![0.3, f64::INFINITY],
        vec![0.7],
    ];
    for durations in durations {
        let laws = durations.iter().zip(0..).map(|(d, k)| {
            let value = f64::from(k);
            (*d, Law::Linear { value, slope: 0.0 })
        });
        let motion = Component::chain(0.5, 0.0, 0.0, &laws.collect::<Vec<_>>()).unwrap();
        let pieces = motion.pieces();
        let ends = pieces
            .iter()
            .flat_map(|p| [p.start, p.end, p.start.midpoint(p.end)]);
        let hair = |t: f64| [t.next_down(), t, t.next_up()];
        for t in ends
            .filter(|t| t.is_finite())
            .flat_map(hair)
            .chain([-1e300, 0.0, 1e300])
        {
            let expected = pieces.iter().find(|p| t < p.end).filter(|p| p.start <= t);
            let found = motion.piece_at(t);
            match expected {
                Some(piece) => assert_eq!(found, *piece, "{t}"),
                None => assert!(
                    found.acceleration(t) == 0.0 && !pieces.contains(&found),
                    "{t}"
                ),
            }
        }
    }
}

/// Velocity and acceleration against central differences of displacement and velocity inside the pieces.
fn assert_consistent(motion: &Component, until: f64) {
    let h = 1e-5;
    for k in 0..400 {
        let t = until * (k as f64 + 0.37) / 400.0;
        let near_jump = motion
            .discontinuities()
            .iter()
            .any(|d| (d - t).abs() < 2.0 * h);
        if near_jump {
            continue;
        }
        let v = (motion.displacement(t + h) - motion.displacement(t - h)) / (2.0 * h);
        let a = (motion.velocity(t + h) - motion.velocity(t - h)) / (2.0 * h);
        // rounding of the ordinates over 2h, and the third derivative times h²/6
        let scale = 1.0 + motion.displacement(t).abs() + motion.velocity(t).abs();
        assert!((v - motion.velocity(t)).abs() < 1e-7 * scale, "t = {t}");
        assert!((a - motion.acceleration(t)).abs() < 1e-5 * scale, "t = {t}");
    }
    for t in motion.discontinuities() {
        let steady_from_the_start = t == 0.0 && motion.velocity(0.0) != 0.0;
        if steady_from_the_start {
            continue;
        }
        // no jump in velocity or displacement
        let dv = motion.velocity(t + 1e-12) - motion.velocity(t - 1e-12);
        let du = motion.displacement(t + 1e-12) - motion.displacement(t - 1e-12);
        assert!(dv.abs() < 1e-8 && du.abs() < 1e-8, "jump at {t}");
    }
}

fn pulse() -> DoublePulse {
    DoublePulse {
        peak_velocity: 0.59,
        rise_time: 2e-3,
        gap: 0.02,
        restitution: 0.5,
        friction: 0.23,
        gravity: 9.81,
    }
}

#[test]
fn every_motion_is_the_integral_of_its_acceleration() {
    assert_consistent(&Component::constant(3.0, 0.4).unwrap(), 1.0);
    assert_consistent(
        &Component::waves(4.0, Frequency::rad_per_s(12.0), 0.0, 1.0).unwrap(),
        1.0,
    );
    assert_consistent(
        &Component::waves(4.0, Frequency::rad_per_s(12.0), 0.7, 2.5).unwrap(),
        2.0,
    );
    assert_consistent(
        &Component::harmonic_displacement(0.01, Frequency::rad_per_s(12.0), 0.3).unwrap(),
        2.0,
    );
    assert_consistent(&pulse().component().unwrap(), 0.6);
    let record = Record::uniform(
        0.02,
        &[0.0, 0.1, -0.3, 0.2, 0.05, -0.05],
        AccelerationUnit::StandardGravity,
    );
    assert_consistent(&record.unwrap().component(-1.5).unwrap(), 0.2);
}

#[test]
fn sine_and_cosine_waves_are_those_of_the_shaking_table() {
    let (a0, w) = (3.0, 9.0);
    let sine = Component::waves(a0, Frequency::rad_per_s(w), 0.0, 1.0).unwrap();
    let cosine = Component::waves(a0, Frequency::rad_per_s(w), FRAC_PI_2, 1.0).unwrap();
    for k in 0..50 {
        let t = 0.013 * k as f64;
        // (5.5) and (5.4) of Čeh (2018), rounding only
        assert!((sine.velocity(t) - a0 / w * (1.0 - (w * t).cos())).abs() < 1e-14);
        assert!((sine.displacement(t) - a0 / w * (t - (w * t).sin() / w)).abs() < 1e-14);
        assert!((cosine.velocity(t) - a0 / w * (w * t).sin()).abs() < 1e-14);
        let u = a0 / (w * w) * (1.0 - (w * t).cos());
        assert!((cosine.displacement(t) - u).abs() < 1e-14);
    }
    assert_eq!(sine.acceleration(TAU / w + 1e-9), 0.0);
    assert!(sine.velocity(2.0).abs() < 1e-15);
}

#[test]
fn a_lasting_displacement_has_no_drift() {
    let basin = Component::harmonic_displacement(0.01, Frequency::rad_per_s(20.0), 0.0).unwrap();
    let t = 1e4 * TAU / 20.0;
    // the phase at 6e4 rad carries an error of 1e-11
    assert!(basin.displacement(t).abs() < 1e-12);
    assert!((basin.velocity(t) - 0.2).abs() < 1e-11);
}

#[test]
fn double_pulse_reaches_its_velocity_and_comes_to_rest() {
    let motion = pulse().component().unwrap();
    assert!((motion.velocity(2e-3) - 0.59).abs() < 1e-14);
    assert!((motion.peak_velocity() - 0.59).abs() < 1e-14);
    let times = motion.discontinuities();
    // the stopper stands at the gap; the base is reversed with the restitution and ends at rest
    assert!((motion.displacement(times[2]) - 0.02).abs() < 1e-14);
    let (hit, back) = (motion.velocity(times[2]), motion.velocity(times[3]));
    assert!((back + 0.5 * hit).abs() < 1e-14);
    assert!(motion.velocity(motion.duration()).abs() < 1e-14);
    let short = DoublePulse {
        gap: 0.2,
        ..pulse()
    };
    // v²/(2 μ g) = 0.077 m: stopped by friction before the stopper
    assert_eq!(short.component().unwrap().pieces().len(), 2);
}

#[test]
fn intensity_of_waves_and_records() {
    let wave = Component::waves(4.0, Frequency::rad_per_s(10.0), 0.0, 3.0)
        .unwrap()
        .intensity();
    assert!((wave.pga - 4.0).abs() < 1e-14 && (wave.pgv - 0.8).abs() < 1e-14);
    assert!((wave.pulse_time() - 0.2).abs() < 1e-14);
    let triangle = Record::new(vec![0.0, 1.0, 2.0, 3.0], vec![0.0, 2.0, -2.0, 0.0]).unwrap();
    let i = triangle.component(1.0).unwrap().intensity();
    // area of the first triangle: 1.5 s · 2 m/s² / 2
    assert!((i.pga - 2.0).abs() < 1e-15 && (i.pgv - 1.5).abs() < 1e-14);
    assert!(triangle.baseline().unwrap().is_acceptable());
    let drift = Record::new(vec![0.0, 1.0, 2.0], vec![1.0, 1.0, 1.0]).unwrap();
    assert!(!drift.baseline().unwrap().is_acceptable());
}

#[test]
fn spectrum_has_its_three_limits() {
    let wave = Component::harmonic(2.0, Frequency::rad_per_s(5.0), 0.0, f64::INFINITY).unwrap();
    // stiff: the oscillator follows the base; resonance: amplitude 1/(2 ζ) of the static one
    let stiff = wave.spectral_acceleration(1e-3, 0.05).unwrap();
    assert!((stiff / 2.0 - 1.0).abs() < 1e-3, "{stiff}");
    let resonance = wave.spectral_acceleration(TAU / 5.0, 0.05).unwrap();
    assert!((resonance / 20.0 - 1.0).abs() < 1e-6, "{resonance}");
    // a step of acceleration: twice the static deflection times the damped overshoot (1 + exp(-ζπ/√(1-ζ²)))
    let step = Component::constant(1.0, 100.0).unwrap();
    let z = 0.05f64;
    let overshoot = 1.0 + (-z * std::f64::consts::PI / (1.0 - z * z).sqrt()).exp();
    let sa = step.spectral_acceleration(1.0, z).unwrap();
    assert!((sa - overshoot).abs() < 1e-9, "{sa} {overshoot}");
}

#[test]
fn motions_that_are_none_are_refused() {
    assert!(Component::constant(1.0, 0.0).is_err());
    assert!(Component::waves(1.0, Frequency::rad_per_s(-3.0), 0.0, 1.0).is_err());
    assert!(Component::waves(1.0, Frequency::rad_per_s(3.0), 0.0, f64::NAN).is_err());
}

#[test]
fn a_summary_has_the_integrals_of_a_triangle() {
    // a rises to 2 m/s² in 1 s and falls to −2 in the next two, to 0 in the last
    let record = Record::new(vec![0.0, 1.0, 3.0, 4.0], vec![0.0, 2.0, -2.0, 0.0]).unwrap();
    let summary = record.summary().unwrap();
    assert_eq!(
        (summary.samples, summary.length, summary.step),
        (4, 4.0, (1.0, 2.0))
    );
    assert_eq!(summary.pga, 2.0);
    // v: 1 at 1 s, extreme 2 where a = 0 at 2 s, 1 at 3 s, 0 at 4 s
    assert!((summary.pgv - 2.0).abs() < 1e-15);
    // u: 1/3, then 1/3 + ∫ over 2 s of 1 + 2τ − τ² = 1/3 + 2 + 4 − 8/3 = 11/3, then + 1 − 1/2 + ... falls to rest at 4
    // s: 1/3 more
    assert!((summary.pgd - 4.0).abs() < 1e-14, "{}", summary.pgd);
    // ∫a² = 4/3 + 8/3 + 4/3
    let arias = std::f64::consts::PI / (2.0 * 9.80665) * 16.0 / 3.0;
    assert!((summary.arias - arias).abs() < 1e-15 * 10.0);
    // symmetric: 5 % where 4 t³/3 = 0.05 · 16/3
    let early = 0.2f64.cbrt();
    assert!((summary.significant.0 - early).abs() < 1e-14);
    assert!((summary.significant.1 - (4.0 - early)).abs() < 1e-14);
    assert!(summary.baseline.is_acceptable());
    let (period, value) = summary.spectrum[12];
    assert_eq!(
        value,
        record
            .component(1.0)
            .unwrap()
            .spectral_acceleration(period, 0.05)
            .unwrap()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn polarity_and_scale_act_on_all_ordinates(a in 0.1..20.0f64, w in 0.5..60.0f64, p in -3.0..3.0f64, f in -3.0..3.0f64, t in 0.0..3.0f64) {
        let motion = Component::waves(a, Frequency::rad_per_s(w), p, 2.0).unwrap();
        let scaled = motion.scaled(f);
        let tol = 1e-12 * (1.0 + a);
        prop_assert!((scaled.acceleration(t) - f * motion.acceleration(t)).abs() < tol);
        prop_assert!((scaled.velocity(t) - f * motion.velocity(t)).abs() < tol);
        prop_assert!((scaled.displacement(t) - f * motion.displacement(t)).abs() < tol * (1.0 + 3.0 / w));
    }

    #[test]
    fn pieces_cover_time_without_gaps(n in 2usize..40, seed in 0u64..1000) {
        let samples: Vec<f64> = (0..n).map(|i| (((i as u64 + 1) * (seed + 7) * 2654435761) % 1000) as f64 / 500.0 - 1.0).collect();
        let record = Record::uniform(0.01, &samples, AccelerationUnit::MetrePerSecondSquared).unwrap();
        let motion = GroundMotion::horizontal(record.component(1.0).unwrap());
        let mut t = -1.0f64;
        let mut count = 0;
        while t.is_finite() {
            let (h, _, end) = motion.pieces_at(t);
            prop_assert!(end > t && h.start <= t);
            t = end;
            count += 1;
        }
        prop_assert_eq!(count, n + 1);
    }
}
