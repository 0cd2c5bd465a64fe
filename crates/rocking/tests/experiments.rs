//! Fitting histories, spectra and fragilities: recovery of what was put in.
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::fragility::{
    Answer, BandOptions, Campaign, DamageState, Fragility, FragilityWarning, Intensities, Trial,
};
use klast_rocking::{
    BatchOptions, Engine, FitWindow, Options, Outcome, Regime, Restitution, RestitutionModel,
    RockingBlock, RotationHistory, fit_restitution, regime, rocking_spectrum, simulate,
    simulate_at,
};

/// A history as a camera of 150 frames a second would see it.
fn filmed(block: &RockingBlock, eta: f64, tilt: f64) -> RotationHistory {
    let restitution = Restitution::new(RestitutionModel::Given { eta }).unwrap();
    let options = Options {
        sample: Some(1.0 / 150.0),
        ..Options::released(1.2, tilt)
    };
    let run = simulate(block, &restitution, &GroundMotion::at_rest(), &options).unwrap();
    let times = run.samples.iter().map(|s| s.time).collect();
    RotationHistory::new(times, run.samples.iter().map(|s| s.rotation).collect()).unwrap()
}

#[test]
fn the_coefficient_is_recovered_from_a_history() {
    let block = RockingBlock::rectangle(0.045, 0.0675, 9.81).unwrap();
    for eta in [0.67, 0.8] {
        for tilt in [0.4, -0.4] {
            let history = filmed(&block, eta, tilt);
            for window in [
                FitWindow::Full,
                FitWindow::MiddleHalf,
                FitWindow::FirstHalfPeriod,
            ] {
                if window == FitWindow::MiddleHalf && eta < 0.7 {
                    continue; // at rest by then
                }
                let fit = fit_restitution(&block, &history, window).unwrap();
                // resolution of the golden section
                assert!((fit.eta - eta).abs() < 2e-6, "{window:?} {} {eta}", fit.eta);
            }
        }
    }
}

/// From its balance on a block falls, whatever the coefficient: its history says nothing of one.
#[test]
fn a_history_that_begins_beyond_the_balance_is_refused() {
    let block = RockingBlock::rectangle(0.045, 0.0675, 9.81).unwrap();
    // The narrower side of a block whose mass centre is nearer to its left corner.
    let lame = RockingBlock::unsymmetric(0.01, 0.035, 0.03, 5e-4, 9.81).unwrap();
    let (balance, left) = ((2.0f64 / 3.0).atan(), (1.0f64 / 3.0).atan());
    for (block, first, accepted) in [
        (&block, 0.99 * balance, true),
        (&block, balance + 1e-12, false),
        (&block, -1.2, false),
        (&lame, 1.01 * left, true),
        (&lame, -1.01 * left, false),
    ] {
        let times = (0..5).map(|k| 0.01 * f64::from(k)).collect();
        let history = RotationHistory::new(times, vec![first; 5]).unwrap();
        let fit = fit_restitution(block, &history, FitWindow::Full);
        assert_eq!(fit.is_ok(), accepted, "{first}: {fit:?}");
    }
}

/// A gauge that is lost as the block falls writes zeros from then on. A coefficient that overturns the block has no
/// rotation there, which is not a rotation of zero.
#[test]
fn a_coefficient_that_overturns_does_not_fit_by_what_is_missing() {
    let block = RockingBlock::unsymmetric(0.02, 0.035, 0.06, 2e-3, 9.81).unwrap();
    let still = GroundMotion::at_rest();
    let tilt = 0.95 * (0.035f64 / 0.06).atan();
    let run = |eta: f64, times: &[f64]| {
        let restitution = Restitution::new(RestitutionModel::Given { eta }).unwrap();
        simulate_at(
            &block,
            &restitution,
            &still,
            &Options::released(2.0, tilt),
            times,
        )
        .unwrap()
    };
    let times: Vec<f64> = (0..200).map(|k| 0.01 * f64::from(k)).collect();
    let fallen = run(0.95, &times);
    assert!(matches!(fallen.outcome, Outcome::Overturned(_)));
    let mut rotations: Vec<f64> = fallen.samples.iter().map(|s| s.rotation).collect();
    assert!(rotations.len() < times.len());
    rotations.resize(times.len(), 0.0);
    let history = RotationHistory::new(times.clone(), rotations).unwrap();
    let fit = fit_restitution(&block, &history, FitWindow::Full).unwrap();
    let outcome = run(fit.eta, &times).outcome;
    assert!(!matches!(outcome, Outcome::Overturned(_)), "{fit:?}");
    assert!(fit.rms.is_finite() && fit.rms > 0.0);
}

#[test]
fn a_spectrum_ends_in_rest_for_large_blocks_and_overturning_for_small_ones() {
    let wave = Component::waves(5.0, Frequency::rad_per_s(6.0), 0.0, 1.0).unwrap();
    let motion = GroundMotion::horizontal(wave);
    let options = Options::new(20.0);
    let points = rocking_spectrum(
        &motion,
        0.25,
        &Restitution::housner(),
        &[0.5, 2.0, 8.0],
        9.81,
        &options,
        Engine::NoSlip,
    )
    .unwrap();
    assert!(matches!(points[0].outcome, Outcome::Overturned(_)));
    assert!(points[2].largest_rotation < points[1].largest_rotation.max(0.25));
    // R = 3 g (T/2π)²/4
    assert!((points[1].radius - 0.75 * 9.81 / std::f64::consts::PI.powi(2)).abs() < 1e-12);
}

#[test]
fn fragility_recovers_a_lognormal_truth() {
    // outcomes at the quantiles of a lognormal with median 2 and dispersion 0.5: expected frequencies without chance
    let mut list = Vec::new();
    for k in 0..40 {
        let intensity = 0.4 * 1.12f64.powi(k);
        let p = 0.5 * libm::erfc(-(intensity / 2.0).ln() / 0.5 * std::f64::consts::FRAC_1_SQRT_2);
        let n = 200;
        let fallen = (p * n as f64).round() as usize;
        list.extend((0..n).map(|i| Trial {
            record: i,
            scale: 1.0,
            intensity,
            reached: i < fallen,
        }));
    }
    let curve = Fragility::fit(&list).unwrap();
    // rounding of the frequencies to 1/200
    assert!(
        (curve.median() - 2.0).abs() < 0.01 && (curve.dispersion() - 0.5).abs() < 0.01,
        "{} {}",
        curve.median(),
        curve.dispersion()
    );
    assert!((curve.probability(2.0) - 0.5).abs() < 0.01);
    let (low, high) = curve.binomial_band(2.0, 1.96);
    assert!(low < 0.5 && high > 0.5 && high - low < 0.1);
    assert!(curve.warnings().is_empty());
}

#[test]
fn a_trial_far_from_the_median_does_not_move_a_fragility() {
    let trial = |(intensity, reached): (f64, bool)| Trial {
        record: 0,
        scale: 1.0,
        intensity,
        reached,
    };
    let near = [
        (0.3, false),
        (0.5, false),
        (0.8, false),
        (0.9, true),
        (1.0, false),
        (1.1, true),
        (1.2, true),
        (1.5, true),
    ];
    let near: Vec<Trial> = near.into_iter().map(trial).collect();
    let curve = Fragility::fit(&near).unwrap();
    // The score of the probit model vanishes at the maximum; the density by the closed form, the tail by erfc.
    let mut score = [0.0; 2];
    for t in &near {
        let x = (t.intensity / curve.median()).ln() / curve.dispersion();
        let density = (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
        let sign = if t.reached { 1.0 } else { -1.0 };
        let tail = 0.5 * libm::erfc(-sign * x * std::f64::consts::FRAC_1_SQRT_2);
        score[0] += sign * density / tail;
        score[1] += sign * density / tail * x;
    }
    // steps of 1e-12 in parameters of size 10
    assert!(score.iter().all(|s| s.abs() < 1e-9), "{score:?}");
    // A trial that ends as the curve says weighs nothing ten standard deviations from the median.
    for far in [
        (5.0, true),
        (10.0, true),
        (100.0, true),
        (1e12, true),
        (0.1, false),
        (1e-12, false),
    ] {
        let mut all = near.clone();
        all.push(trial(far));
        let other = Fragility::fit(&all).unwrap();
        // density under exp(-50), and the rounding of a mean that is elsewhere
        assert!(
            (other.median() - curve.median()).abs() < 1e-10
                && (other.dispersion() - curve.dispersion()).abs() < 1e-10,
            "{far:?} {} {}",
            other.median() - curve.median(),
            other.dispersion() - curve.dispersion()
        );
        // and its outcome the other way round is outweighed, not lost
        all.pop();
        all.push(trial((far.0, !far.1)));
        if let Ok(other) = Fragility::fit(&all) {
            assert!(other.dispersion() > curve.dispersion());
        }
    }
    let mut bad = near.clone();
    bad.push(trial((f64::NAN, true)));
    assert!(Fragility::fit(&bad).is_err());
}

#[test]
fn an_impact_on_a_sample_of_zero_is_a_change_of_sign() {
    // free rocking sampled between and exactly at the impacts, where the rotation is zero
    let block = RockingBlock::rectangle(0.06, 0.27, 9.81).unwrap();
    let restitution = Restitution::new(RestitutionModel::Given { eta: 0.93 }).unwrap();
    let options = Options::released(2.0, 0.1);
    let still = GroundMotion::at_rest();
    let run = simulate(&block, &restitution, &still, &options).unwrap();
    let impacts = run.impact_times();
    for struck in [&impacts[..1], &impacts[1..2], &impacts[..2]] {
        let mut times: Vec<f64> = (0..200).map(|i| 0.005 * f64::from(i)).collect();
        times.extend(struck);
        times.sort_by(f64::total_cmp);
        let run = simulate_at(&block, &restitution, &still, &options, &times).unwrap();
        let rotation = |s: &klast_rocking::Sample| {
            if struck.contains(&s.time) {
                0.0
            } else {
                s.rotation
            }
        };
        let rotations = run.samples.iter().map(rotation).collect();
        let history = RotationHistory::new(times, rotations).unwrap();
        let fit = fit_restitution(&block, &history, FitWindow::FirstHalfPeriod).unwrap();
        for (found, impact) in [fit.window.0, fit.window.1].iter().zip(&impacts) {
            // exact at a zero; between two samples the straight line is off by (sag over slope) of 5 ms
            let off = if struck.contains(impact) { 0.0 } else { 1e-3 };
            assert!((found - impact).abs() <= off, "{found} {impact}");
        }
        // the search for the coefficient ends at 1e-7
        assert!((fit.eta - 0.93).abs() < 1e-6, "{}", fit.eta);
    }
}

#[test]
fn fragility_of_scaled_waves_warns_of_few_records() {
    let block = RockingBlock::rectangle(0.06, 0.27, 9.81).unwrap();
    let records: Vec<Component> = (0..6)
        .map(|k| {
            Component::waves(
                1.0,
                Frequency::rad_per_s(12.0 + 4.0 * f64::from(k)),
                0.0,
                1.0,
            )
            .unwrap()
        })
        .collect();
    let scales: Vec<f64> = (1..=40).map(|k| 0.75 * f64::from(k)).collect();
    let campaign = Campaign::run(
        &block,
        &Restitution::housner(),
        &records,
        &scales,
        &BatchOptions::new(10.0),
    )
    .unwrap();
    let values: Vec<f64> = records.iter().map(Component::peak_acceleration).collect();
    let list = campaign.trials(
        DamageState::Overturning,
        &Intensities::proportional(campaign.magnitudes(), &values),
    );
    assert_eq!(list.len(), 240);
    let curve = Fragility::fit(&list).unwrap();
    assert!(curve.median() > block.lift_off_acceleration());
    let few = FragilityWarning::FewRecords { records: 6 };
    assert!(curve.warnings().contains(&few));
    let standing: Vec<Trial> = list.iter().filter(|t| !t.reached).copied().collect();
    assert!(Fragility::fit(&standing).is_err());
    let Answer::NoneReached {
        up_to,
        upper,
        records,
    } = Answer::of(&standing, &BandOptions::default()).unwrap()
    else {
        panic!("no trial of these overturns");
    };
    // 0 of 6 records: 1 − 0.025^(1/6)
    assert!(
        records == 6 && (upper - 0.459_258).abs() < 1e-6 && up_to > 0.0,
        "{upper}"
    );
}

#[test]
fn regimes_and_the_friction_a_motion_needs() {
    let block = RockingBlock::rectangle(0.2, 0.8, 9.81).unwrap();
    assert_eq!(regime(&block, 0.5, 2.0), Regime::Rest);
    assert_eq!(regime(&block, 0.5, 3.0), Regime::Rock);
    assert_eq!(regime(&block, 0.2, 2.2), Regime::Slide);
    let wave = GroundMotion::horizontal(
        Component::waves(3.5, Frequency::rad_per_s(14.0), 0.0, 1.0).unwrap(),
    );
    let run = |friction| {
        let options = Options {
            friction: Some(friction),
            ..Options::new(5.0)
        };
        simulate(&block, &Restitution::housner(), &wave, &options)
            .unwrap()
            .contact
            .unwrap()
    };
    let needed = run(10.0).needed_friction;
    // at lift-off the needed friction is ü/g = tan α, less the rotation's share afterwards
    assert!(needed > 0.1 && needed < 1.0, "{needed}");
    assert!(run(needed * 1.01).is_met());
    assert!(!run(needed * 0.9).is_met());
}

/// Under a constant base acceleration a, energy gives q′² and the equation of motion q″ at each rotation, and with them
/// the forces: with ψ = α − q, R q″ = ¾ (a cos ψ − g sin ψ), R q′² = 3/2 (a (sin α − sin ψ) − g (cos ψ − cos α)), T = a
/// − R q″ cos ψ − R q′² sin ψ, N = g + R q″ sin ψ − R q′² cos ψ (over the mass).
#[test]
fn an_overturning_needs_friction_up_to_the_balance() {
    let block = RockingBlock::rectangle(0.2, 0.8, 9.81).unwrap();
    let (alpha, a, g) = (block.slenderness(), 3.0, 9.81);
    let steady = GroundMotion::horizontal(Component::constant(a, 10.0).unwrap());
    let run = simulate(
        &block,
        &Restitution::housner(),
        &steady,
        &Options::new(10.0),
    )
    .unwrap();
    assert!(matches!(run.outcome, Outcome::Overturned(_)));
    let needed = |q: f64| {
        let (s, c) = (alpha - q).sin_cos();
        let turning = 0.75 * (a * c - g * s);
        let inward = 1.5 * (a * (alpha.sin() - s) - g * (c - alpha.cos()));
        let normal = g + turning * s - inward * c;
        (a - turning * c - inward * s).abs() / normal
    };
    let largest = |to: f64| {
        (0..=1000)
            .map(|k| needed(to * f64::from(k) / 1000.0))
            .fold(0.0, f64::max)
    };
    let contact = run.contact.unwrap();
    // The forces are looked at eight times a step: a largest one within the flight is missed by less than 1 %.
    let expected = largest(alpha);
    let found = contact.needed_friction_to_balance;
    assert!(
        (found - expected).abs() < 0.01 * expected,
        "{found} for {expected}"
    );
    assert!(contact.needed_friction > 3.0 * expected);
}
