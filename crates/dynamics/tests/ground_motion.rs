//! Base motions: consistency of the three ordinates, closed forms, records, clear errors.
use klast_dynamics::ground_motion::{
    AccelerationUnit, Component, DoublePulse, Frequency, GroundMotion, GroundMotionError, Record,
};
use proptest::prelude::*;
use std::f64::consts::{FRAC_PI_2, TAU};

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
fn at2_and_csv_are_read() {
    let text = "PEER\nEVENT\nACCELERATION TIME HISTORY IN UNITS OF G. FILTER\nNPTS=  5, DT= .01000 SEC\n .1E-02 -.2E-02 .3E-02\n 0.0 1.0\n";
    let record = Record::read_at2(text, None).unwrap();
    assert_eq!(record.times().len(), 5);
    assert!((record.accelerations()[1] + 0.002 * 9.80665).abs() < 1e-15);
    let old = "PEER\nEVENT\nACCELERATION IN UNITS OF G\n  3  .0050  NPTS, DT\n 0 1 0\n";
    assert_eq!(Record::read_at2(old, None).unwrap().times()[1], 0.005);
    let csv = "# origin\ntime_s,acceleration_m_s2\n0,0\n0.5,1\n0.7,0\n";
    assert_eq!(
        Record::read_columns(csv, None).unwrap().times(),
        &[0.0, 0.5, 0.7]
    );
}

#[test]
fn the_unit_of_an_at2_file_is_the_word_after_units() {
    // the factor to m/s² that the words say, whatever stands behind them
    let g = 9.80665;
    let stated = [
        ("ACCELERATION TIME HISTORY IN UNITS OF G. FILTER", g),
        (
            "ACCELERATION IN UNITS OF CM/SEC^2 (1 G = 980.665 CM/SEC^2)",
            0.01,
        ),
        ("UNITS OF M/SEC/SEC, PEAK 0.3 G", 1.0),
        ("Acceleration, units: cm/s/s", 0.01),
        ("ACCELERATION UNITS=GAL", 0.01),
        ("UNITS OF CM/SEC**2.", 0.01),
        ("UNITS OF CM/SEC2; FROM VELOCITY", 0.01),
        ("UNITS OF (M/S**2)", 1.0),
        ("UNITS G", g),
        ("The units are (g)", g),
    ];
    for (line, factor) in stated {
        let text = format!("A\nB\n{line}\nNPTS= 2, DT= .01 SEC\n0 1\n");
        let record = Record::read_at2(&text, None).unwrap();
        assert!((record.accelerations()[1] - factor).abs() < 1e-15, "{line}");
    }
    let refused = [
        (
            "VELOCITY TIME SERIES IN UNITS OF CM/S (FROM ACCELERATION IN G)",
            "VELOCITY",
        ),
        (
            "DISPLACEMENT TIME SERIES IN UNITS OF CM. FILTER 0.1 G",
            "DISPLACEMENT",
        ),
        ("TIME SERIES IN UNITS OF CM. FILTER 0.1 G", "CM"),
        ("TIME SERIES IN UNITS OF CM/SEC, PGA 0.3 G", "CM/SEC"),
        ("ACCELERATION IN UNITS OF", "UNITS"),
    ];
    for (line, named) in refused {
        let text = format!("A\nB\n{line}\nNPTS= 2, DT= .01 SEC\n0 1\n");
        let message = Record::read_at2(&text, None).unwrap_err().to_string();
        assert!(
            message.contains(named) && message.contains("line 3"),
            "{message}"
        );
        // a given unit wins over an unknown one, but makes no acceleration of a velocity
        let given = Record::read_at2(&text, Some(AccelerationUnit::MetrePerSecondSquared));
        let other = named == "VELOCITY" || named == "DISPLACEMENT";
        assert_eq!(given.is_err(), other, "{line}");
    }
}

#[test]
fn a_unit_given_beside_an_at2_file_agrees_with_its_header() {
    let text = "A\nB\nACCELERATION IN UNITS OF G\nNPTS= 2, DT= .01 SEC\n0 1\n";
    let second = |unit| Record::read_at2(text, Some(unit)).map(|r| r.accelerations()[1]);
    assert_eq!(second(AccelerationUnit::StandardGravity), Ok(9.80665));
    // a gravity of its own is meant for a record in g
    assert_eq!(second(AccelerationUnit::Gravity(9.81)), Ok(9.81));
    for other in [
        AccelerationUnit::MetrePerSecondSquared,
        AccelerationUnit::CentimetrePerSecondSquared,
    ] {
        let said = second(other).unwrap_err().to_string();
        assert!(
            said.contains("UNITS OF G") && said.contains("line 3"),
            "{said}"
        );
    }
}

#[test]
fn the_step_of_an_at2_file_is_in_seconds() {
    let read = |line: &str| {
        Record::read_at2(&format!("A\nB\nUNITS OF G\n{line}\n0 1\n"), None)
            .map(|record| record.times()[1])
    };
    for line in [
        "NPTS= 2, DT= .0050 SEC,",
        "NPTS=2,DT=.0050SEC",
        "NPTS= 2, DT= 5.0E-3 S",
        "NPTS= 2, DT= 5e-3sec.",
        "NPTS= 2, DT= 0.005",
        "DT= 0.005 NPTS= 2",
        "NPTS= 2, DT= 0.005 (SECONDS)",
        "2 .0050 NPTS, DT",
        "2 .0050 NPTS, DT (SEC)",
    ] {
        assert_eq!(read(line).unwrap(), 0.005, "{line}");
    }
    for line in [
        "NPTS= 2, DT= 5 MSEC",
        "NPTS= 2, DT= 5MSEC, 0.005",
        "NPTS= 2, DT= 5 MS",
        "NPTS= 2, DT= 200 HZ",
        "2 5.0 NPTS, DT (MSEC)",
    ] {
        let message = read(line).unwrap_err().to_string();
        assert!(
            message.contains("seconds") && message.contains("line 4"),
            "{message}"
        );
    }
}

#[test]
fn records_that_cannot_be_trusted_are_refused() {
    let head = "A\nB\nUNITS OF G\nNPTS= 3, DT= .01 SEC\n";
    let read = |text: &str| Record::read_at2(text, None);
    assert!(read(&format!("{head}0 NaN 1\n")).is_err());
    assert!(matches!(
        read(&format!("{head}0 1\n")),
        Err(GroundMotionError::Count {
            announced: 3,
            found: 2
        })
    ));
    assert!(read("A\nB\nUNITS OF G\nNPTS= 3, DT= 0 SEC\n0 1 2\n").is_err());
    let unstated = read("A\nB\nC\nNPTS= 3, DT= .01 SEC\n0 1 2\n").unwrap_err();
    assert!(unstated.to_string().contains("unit"), "{unstated}");
    assert!(
        read("0 1 2\n3 4 5\n")
            .unwrap_err()
            .to_string()
            .contains("NPTS")
    );
    assert!(Record::read_columns("0,1\n1,2\n", None).is_err());
    assert!(Record::read_columns("time_s,acceleration_g\n0,1\n0,2\n", None).is_err());
    assert!(Record::read_columns("time_s,acceleration_g\n0,1\n1,inf\n", None).is_err());
    assert!(Record::read_columns("", None).is_err());
    assert!(Component::constant(1.0, 0.0).is_err());
    assert!(Component::waves(1.0, Frequency::rad_per_s(-3.0), 0.0, 1.0).is_err());
    assert!(Component::waves(1.0, Frequency::rad_per_s(3.0), 0.0, f64::NAN).is_err());
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
    fn readers_never_panic(text in "(?s).{0,200}", head in 0usize..3) {
        let start = ["", "A\nB\nUNITS OF G\nNPTS= 3, DT= .01 SEC\n", "time_s,acceleration_g\n"][head];
        let text = format!("{start}{text}");
        let _ = Record::read_at2(&text, None).map(|r| r.baseline());
        let _ = Record::read(text.as_bytes(), None).map(|r| r.baseline());
        let _ = Record::read_columns(&text, None).map(|r| r.baseline());
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
