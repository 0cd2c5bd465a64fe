//! Fragility over records: the band covers a known truth, the answers that are no curve, states, thresholds, fractions.
use klast_ground_motion::{Component, Frequency};
use klast_rocking::fragility::{
    Answer, BandOptions, Campaign, DamageState, Intensities, IntensityMeasure, Response, Scatter,
    Trial, efficiencies,
};
use klast_rocking::{BatchOptions, Engine, Friction, Restitution, RockingBlock};
use klast_sampling::{Purpose, Streams, open_uniform};
use proptest::prelude::*;

/// Standard normal number by Box and Muller's formula.
fn normal(uniform: &mut impl FnMut() -> f64) -> f64 {
    let (u, v) = (uniform(), uniform());
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// Outcomes of a hierarchical campaign: ln of the capacity is between + within normal, the first once a record; the
/// intensity of a record at scale 1 is lognormal too, so that trials of different records stand at different
/// intensities.
fn campaign(seed: u64, (records, angles): (usize, usize), between: f64, within: f64) -> Vec<Trial> {
    let mut generator = Streams::new(seed).rng(Purpose::Custom(77), 0);
    let mut rng = || open_uniform(&mut generator);
    let mut trials = Vec::new();
    for record in 0..records {
        let (own, capacity) = (0.4 * normal(&mut rng), between * normal(&mut rng));
        for k in 1..=10 * angles {
            let scale = 0.25 * (1 + (k - 1) % 10) as f64;
            let x = own + scale.ln();
            let reached = x + capacity + within * normal(&mut rng) > 0.0;
            trials.push(Trial {
                record,
                scale,
                intensity: x.exp(),
                reached,
            });
        }
    }
    trials
}

/// How often the bands cover the true probability at the quantiles, and how wide they are.
fn coverage(
    campaigns: u64,
    records: (usize, usize),
    replicates: usize,
    binomial: bool,
) -> Vec<f64> {
    let (between, within) = (0.35f64, 0.2f64);
    let spread = between.hypot(within);
    let quantiles = [
        -1.281_551_565_544_6,
        -0.841_621_233_572_9,
        0.0,
        0.841_621_233_572_9,
        1.281_551_565_544_6,
    ];
    let mut covered = vec![0.0; quantiles.len()];
    for seed in 0..campaigns {
        let trials = campaign(seed, records, between, within);
        let options = BandOptions {
            replicates,
            seed,
            confidence: 0.95,
        };
        let answer = Answer::of(&trials, &options).unwrap();
        let curve = answer.curve().expect("outcomes that overlap");
        for (count, z) in covered.iter_mut().zip(quantiles) {
            let (x, p) = (
                (spread * z).exp(),
                0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2),
            );
            let (low, high) = if binomial {
                curve.binomial_band(x, 1.96)
            } else {
                curve.band(x)
            };
            *count += f64::from(u8::from(low <= p && p <= high));
        }
    }
    covered.iter().map(|c| c / campaigns as f64).collect()
}

#[test]
fn the_band_over_records_covers_and_the_binomial_one_does_not() {
    let campaigns = 100;
    // 92 to 98 % are asked of 2,000 campaigns; of 100, three standard deviations of a binomial 0.95 are 6.5 %.
    for records in [(24, 1), (40, 1), (30, 8)] {
        let found = coverage(campaigns, records, 80, false);
        assert!(
            found.iter().all(|c| (0.95 - 0.065..=1.0).contains(c)),
            "{records:?}: {found:?}"
        );
    }
    let binomial = coverage(campaigns, (24, 1), 2, true);
    assert!(binomial.iter().all(|c| *c < 0.95 - 0.065), "{binomial:?}");
}

/// One sine each, of 1 m/s² and 5, 7, 9 ... rad/s.
fn sines(count: u32) -> Vec<Component> {
    let of = |k| {
        Component::waves(
            1.0,
            Frequency::rad_per_s(5.0 + 2.0 * f64::from(k)),
            0.0,
            1.0,
        )
    };
    (0..count).map(|k| of(k).unwrap()).collect()
}

fn statue() -> RockingBlock {
    RockingBlock::rectangle(0.5, 2.0, 9.81).unwrap()
}

#[test]
fn a_campaign_has_the_same_bits_on_any_number_of_threads() {
    let block = statue();
    let records: Vec<Component> = (0..7)
        .map(|k| {
            Component::waves(
                1.0,
                Frequency::rad_per_s(5.0 + f64::from(k)),
                0.3 * f64::from(k),
                1.0 + f64::from(k % 3),
            )
            .unwrap()
        })
        .collect();
    let scales: Vec<f64> = (1..=30)
        .flat_map(|k| [f64::from(k), -f64::from(k)])
        .collect();
    let bits = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let campaign = Campaign::run(
                &block,
                &Restitution::housner(),
                &records,
                &scales,
                &BatchOptions::new(10.0),
            )
            .unwrap();
            let values: Vec<f64> = records.iter().map(Component::peak_acceleration).collect();
            let intensities = Intensities::proportional(campaign.magnitudes(), &values);
            let answer = Answer::of(
                &campaign.trials(DamageState::Overturning, &intensities),
                &BandOptions::default(),
            )
            .unwrap();
            let curve = answer.curve().unwrap().clone();
            let (low, high) = curve.band(5.0);
            let peaks: Vec<u64> = (0..7)
                .flat_map(|r| campaign.row(r))
                .map(|r| r.peak.to_bits())
                .collect();
            (
                peaks,
                [curve.median(), curve.dispersion(), low, high].map(f64::to_bits),
            )
        })
    };
    let one = bits(1);
    for threads in [2, 3, 7] {
        assert_eq!(one, bits(threads), "{threads} threads");
    }
}

#[test]
fn states_are_nested_and_thresholds_are_the_least_scales() {
    let block = statue();
    let records = sines(5);
    let scales: Vec<f64> = (1..=40)
        .flat_map(|k| [0.5 * f64::from(k), -0.5 * f64::from(k)])
        .collect();
    let campaign = Campaign::run(
        &block,
        &Restitution::housner(),
        &records,
        &scales,
        &BatchOptions::new(10.0),
    )
    .unwrap();
    assert_eq!(campaign.undecided(), 0);
    let fractions: Vec<Vec<f64>> = DamageState::USUAL
        .iter()
        .map(|s| {
            campaign
                .fractions(*s)
                .iter()
                .map(|f| f.fraction())
                .collect()
        })
        .collect();
    for pair in fractions.windows(2) {
        assert!(
            pair[0]
                .iter()
                .zip(&pair[1])
                .all(|(lower, higher)| lower >= higher),
            "a higher state is rarer"
        );
    }
    let uplift = campaign.thresholds(DamageState::Rotation(0.0));
    for threshold in &uplift {
        // A sine of amplitude s lifts the block off where s > g tan α; the waves are symmetric.
        let lift_off = block.lift_off_acceleration();
        let (least, below) = (threshold.least.unwrap(), threshold.below.unwrap());
        assert!(
            below <= lift_off && lift_off < least && least - below <= 0.5,
            "{threshold:?}"
        );
        assert_eq!(threshold.returns, 0);
    }
    // bounds hold what was seen
    for fraction in campaign.fractions(DamageState::Overturning) {
        assert!(
            fraction.bounds.0 <= fraction.fraction() && fraction.fraction() <= fraction.bounds.1,
            "{fraction:?}"
        );
        assert_eq!(fraction.records, 5);
    }
    // PGA over lift-off is PGA times a constant: the same curve, as efficient
    let measures = [
        IntensityMeasure::Pga,
        IntensityMeasure::PgaOverLiftOff,
        IntensityMeasure::Pgv,
        IntensityMeasure::PgvOverLiftOff,
    ];
    let list = efficiencies(
        &campaign,
        DamageState::Overturning,
        &measures,
        &BandOptions::default(),
        |measure| Intensities::of(measure, &block, &records, campaign.magnitudes()),
    )
    .unwrap();
    let of = |m: IntensityMeasure| {
        list.iter()
            .find(|e| e.measure == m)
            .unwrap()
            .dispersion
            .unwrap()
    };
    assert!(
        (of(measures[0]) - of(measures[1])).abs() < 1e-9
            && (of(measures[2]) - of(measures[3])).abs() < 1e-9
    );
    assert!(
        list.windows(2)
            .all(|pair| pair[0].dispersion.unwrap() <= pair[1].dispersion.unwrap() + 1e-9)
    );
}

#[test]
fn answers_without_a_curve_are_answers() {
    let trial = |record: usize, intensity: f64, reached: bool| Trial {
        record,
        scale: 1.0,
        intensity,
        reached,
    };
    let all = |reached: fn(f64) -> bool| -> Vec<Trial> {
        (0..24)
            .flat_map(|r| (1..=10).map(move |k| (r, f64::from(k))))
            .map(|(r, x)| trial(r, x, reached(x)))
            .collect()
    };
    let options = BandOptions::default();
    // 0 of 24: 1 − 0.025^(1/24) = 0.1425
    let none = Answer::of(&all(|_| false), &options).unwrap();
    assert!(
        matches!(none, Answer::NoneReached { up_to: 10.0, upper, records: 24 } if (upper - 0.142_474).abs() < 1e-5),
        "{none:?}"
    );
    let every = Answer::of(&all(|_| true), &options).unwrap();
    assert!(
        matches!(every, Answer::AllReached { from: 1.0, lower, records: 24 } if (lower - 0.857_526).abs() < 1e-5),
        "{every:?}"
    );
    let cut = Answer::of(&all(|x| x > 4.5), &options).unwrap();
    assert!(
        matches!(
            cut,
            Answer::CleanlyCut {
                below: 4.0,
                above: 5.0,
                records: 24
            }
        ),
        "{cut:?}"
    );
    let falls = Answer::of(&all(|x| x < 4.5 || x == 7.0), &options).unwrap();
    assert!(
        matches!(falls, Answer::NotIncreasing { slope, .. } if slope < 0.0),
        "{falls:?}"
    );
    for answer in [none, every, cut, falls] {
        assert!(
            answer.sentence("m/s²").contains("24 records"),
            "{}",
            answer.sentence("m/s²")
        );
    }
    assert!(Answer::of(&[], &options).is_err());
    assert!(Answer::of(&[trial(0, f64::NAN, true)], &options).is_err());
}

#[test]
fn a_block_that_could_slide_but_does_not_is_decided_as_one_that_cannot() {
    let block = statue();
    let records = sines(3);
    let scales = [2.0, 4.0, -4.0, 9.0];
    let run = |engine| {
        let options = BatchOptions {
            engine,
            ..BatchOptions::new(6.0)
        };
        Campaign::run(&block, &Restitution::housner(), &records, &scales, &options).unwrap()
    };
    let held = run(Engine::NoSlip);
    let free = run(Engine::SlideRock(Friction::new(5.0).unwrap()));
    assert!(held.undecided() == 0 && free.undecided() == 0);
    for record in 0..3 {
        for (a, b) in held.row(record).iter().zip(free.row(record)) {
            assert_eq!(a.overturned, b.overturned);
            // What overturns slips as it falls, and is followed to other ends.
            let same = b.slip == 0.0 && (a.peak - b.peak).abs() < 1e-8;
            assert!(a.overturned || same, "{a:?} {b:?}");
        }
    }
}

/// Points on y = 3 x² about which each second one is moved by ±d: the least squares of an exact line with residuals
/// that cancel in pairs of equal x leave s² = n d²/(n − 2).
#[test]
fn the_scatter_is_that_of_a_known_line() {
    let d = 0.2f64;
    let points: Vec<(f64, f64)> = [0.5f64, 1.0, 2.0, 4.0]
        .iter()
        .flat_map(|x| [(*x, 3.0 * x * x * d.exp()), (*x, 3.0 * x * x * (-d).exp())])
        .collect();
    let found = Scatter::of(&points).unwrap();
    let n = points.len() as f64;
    assert!((found.slope - 2.0).abs() < 1e-12 && (found.intercept - 3.0f64.ln()).abs() < 1e-12);
    assert!((found.deviation - d * (n / (n - 2.0)).sqrt()).abs() < 1e-12);
    assert_eq!(found.trials, 8);
    assert_eq!(Scatter::of(&points[..2]), None);
    assert_eq!(Scatter::of(&[(1.0, 0.1), (1.0, 0.2), (1.0, 0.3)]), None);
}

/// The uniform duration does not grow in proportion to the scale: of one sine of amplitude s it is
/// 1 − (2/π) asin(g tan α/s) of its length.
#[test]
fn the_uniform_duration_is_taken_at_each_scale() {
    let block = statue();
    let records = sines(2);
    let magnitudes = vec![2.0, 3.0, 6.0];
    let measure = IntensityMeasure::UniformDuration;
    let found = Intensities::of(measure, &block, &records, magnitudes).unwrap();
    for (record, motion) in records.iter().enumerate() {
        for scale in [2.0f64, -3.0, 6.0] {
            let share = (block.lift_off_acceleration() / scale.abs()).min(1.0);
            let part = 1.0 - share.asin() / std::f64::consts::FRAC_PI_2;
            let wanted = part * motion.duration();
            assert!((found.at(record, scale) - wanted).abs() < 1e-12);
        }
    }
    assert!(found.at(0, 5.0).is_nan() && found.at(2, 2.0).is_nan());
}

/// Landing, gap and restrainers of a campaign are those of each run by itself; without them the outcomes are those of
/// the lanes.
#[test]
fn what_is_seen_at_events_is_that_of_each_run() {
    use klast_ground_motion::GroundMotion;
    use klast_rocking::{
        Restrainer, Restraint, SlideRockEventKind, SlideRockOptions, simulate_slide_rock,
    };
    let block = statue();
    let (records, scales) = (sines(3), [4.0, -9.0]);
    let bolt = Restrainer::bolt(0.2, 1e6, 3000.0);
    let restraint = Restraint::new(1000.0, &[bolt]).unwrap();
    for restraint in [None, Some(restraint)] {
        let options = BatchOptions {
            reach_height: Some(2.0),
            restraint,
            ..BatchOptions::new(10.0)
        };
        let model = Restitution::housner();
        let campaign = Campaign::run(&block, &model, &records, &scales, &options).unwrap();
        let plain = BatchOptions {
            reach_height: None,
            ..options
        };
        let lanes = Campaign::run(&block, &model, &records, &scales, &plain).unwrap();
        for (record, motion) in records.iter().enumerate() {
            for (k, scale) in scales.iter().enumerate() {
                let (found, plain) = (campaign.row(record)[k], lanes.row(record)[k]);
                assert_eq!(found.overturned, plain.overturned);
                let moved = GroundMotion::horizontal(motion.scaled(*scale));
                let one = SlideRockOptions {
                    restraint,
                    ..SlideRockOptions::sticking(10.0)
                };
                let run = simulate_slide_rock(&block, &model, &moved, &one).unwrap();
                let before = run.events.iter().filter_map(|event| match event.kind {
                    SlideRockEventKind::Impact { before, .. } => Some(before.abs()),
                    _ => None,
                });
                // The corner that lands turns about the other one, 0.5 m away.
                let landing = 0.5 * before.fold(0.0, f64::max);
                assert!(
                    (found.landing - landing).abs() < 1e-9,
                    "{found:?} {landing}"
                );
                if !found.overturned {
                    // Peaks of lanes and of the loop agree to the tolerances of their integrators.
                    assert!((found.peak - plain.peak).abs() < 1e-8);
                    let reach = 2.0 * run.largest_rotation.sin();
                    assert!((found.reach - reach).abs() < 1e-12, "{found:?} {reach}");
                }
                let pull = run
                    .restrainers
                    .first()
                    .map_or(0.0, |r| r.largest_force / 3000.0);
                let broken = run.restrainers.iter().any(|r| r.broke.is_some());
                // The time at which it breaks is found to rounding, and with it the force.
                assert!((found.pull - pull).abs() < 1e-9 && found.broken == broken);
                assert_eq!(DamageState::Rupture.is_reached(&found), broken);
                assert!(!broken || DamageState::Pull(1.0).is_reached(&found));
            }
        }
        let broken = (0..3)
            .flat_map(|r| campaign.row(r))
            .filter(|r| r.broken)
            .count();
        assert_eq!(broken > 0, restraint.is_some());
    }
}

/// A block released at rest lands with the velocity of the energy it has lost: (k² + R²) ω²/2 = g R (cos(α − θ) − cos
/// α), and its corner is a width from the pivot. Its top corner starts at its height times the sine of the rotation.
#[test]
fn a_released_block_lands_as_fast_as_its_energy_says() {
    use klast_ground_motion::GroundMotion;
    use klast_rocking::{Friction, SlideRockOptions, simulate_slide_rock};
    let block = statue();
    let (alpha, theta, r2) = (0.25f64.atan(), 0.1f64, 1.0625f64);
    let inertia = r2 * 4.0 / 3.0;
    let drop = r2.sqrt() * ((alpha - theta).cos() - alpha.cos());
    let landing = 0.5 * (2.0 * 9.81 * drop / inertia).sqrt();
    for foot in [
        SlideRockOptions::sticking(3.0),
        SlideRockOptions::new(3.0, Friction::new(2.0).unwrap()),
    ] {
        let options = SlideRockOptions {
            rotation: theta,
            reach_height: 2.0,
            ..foot
        };
        let motion = GroundMotion::at_rest();
        let run = simulate_slide_rock(&block, &Restitution::housner(), &motion, &options).unwrap();
        // The Taylor series of the loop meet their events to 1e-13 of the scale of the motion.
        assert!(
            (run.largest_landing - landing).abs() < 1e-11,
            "{} {landing}",
            run.largest_landing
        );
        assert!(
            (run.largest_reach - 2.0 * theta.sin()).abs() < 1e-12,
            "{}",
            run.largest_reach
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Whatever the outcomes: an answer whose probabilities are probabilities, whose band holds its curve.
    #[test]
    fn any_outcomes_have_an_answer(outcomes in prop::collection::vec((0usize..6, 0.01..20.0f64, any::<bool>()), 1..60)) {
        let trials: Vec<Trial> =
            outcomes.into_iter().map(|(record, intensity, reached)| Trial { record, scale: 1.0, intensity, reached }).collect();
        let options = BandOptions { replicates: 40, ..BandOptions::default() };
        let answer = Answer::of(&trials, &options);
        if let Ok(Answer::Curve(curve)) = &answer {
            for x in [0.01, 1.0, 10.0, 100.0] {
                let (p, (low, high)) = (curve.probability(x), curve.band(x));
                prop_assert!(low <= p && p <= high && (0.0..=1.0).contains(&low) && (0.0..=1.0).contains(&high));
            }
        }
    }

    #[test]
    fn a_campaign_of_any_responses_has_fractions(peaks in prop::collection::vec(0.0..2.0f64, 12)) {
        let responses = peaks.iter().map(|p| Response { peak: *p, overturned: *p > 1.5,
                total: *p > 1.5, ..Response::default() }).collect();
        let campaign = Campaign::new(3, vec![1.0, -1.0, 2.0, -2.0], responses).unwrap();
        for state in DamageState::USUAL {
            for fraction in campaign.fractions(state) {
                prop_assert!((0.0..=1.0).contains(&fraction.fraction()));
                prop_assert!(fraction.bounds.0 <= fraction.fraction() && fraction.fraction() <= fraction.bounds.1);
            }
        }
    }
}
