//! The lanes against the single block, and their independence of neighbours, threads and instruction sets.
use klast_ground_motion::{Component, Frequency, GroundMotion, Record};
use klast_numerics::Digest;
use klast_rocking::{
    BatchOptions, Case, CaseResult, Equation, Fate, Instructions, Options, Outcome,
    OverturningMode, Restitution, RestitutionModel, RockingBlock, Side, simulate, simulate_batch,
};

/// Waves of many amplitudes, frequencies, phases and blocks.
fn cases(n: usize) -> Vec<Case> {
    (0..n)
        .map(|i| {
            let x = |k: usize| ((i * (2 * k + 7) + 3 * k) % 101) as f64 / 101.0;
            let block =
                RockingBlock::from_slenderness(0.1 + 0.5 * x(1), 0.1 + 2.0 * x(2), 9.81).unwrap();
            let amplitude = (0.8 + 5.0 * x(3)) * block.lift_off_acceleration();
            let omega = (0.4 + 6.0 * x(4)) * block.frequency();
            let motion = match i % 4 {
                0 => Component::waves(amplitude, Frequency::rad_per_s(omega), 0.0, 1.0),
                1 => Component::waves(amplitude, Frequency::rad_per_s(omega), 1.3, 2.0),
                2 => Component::constant(-amplitude, 0.7 / block.frequency()),
                _ => Component::waves(-amplitude, Frequency::rad_per_s(omega), 0.0, 1.0),
            };
            let rotation = if i % 5 == 0 {
                0.1 * block.slenderness()
            } else {
                0.0
            };
            let k = 0.7 + 0.3 * x(5);
            Case {
                block,
                restitution: Restitution::new(RestitutionModel::Improved { k }).unwrap(),
                motion: motion.unwrap(),
                rotation,
            }
        })
        .collect()
}

fn bits(results: &[CaseResult]) -> u64 {
    Digest::of_words(results.iter().flat_map(|r| {
        let fate = match r.fate {
            Fate::Rest | Fate::Slid => 0,
            Fate::Stable => 1,
            Fate::Rocking => 2,
            Fate::Overturned(mode) => {
                3 + mode.impacts as u64 * 2 + u64::from(mode.side == Side::Left)
            }
        };
        [
            fate,
            r.impacts as u64,
            r.largest_rotation.to_bits(),
            r.end_time.to_bits(),
            r.watched_time.unwrap_or(-1.0).to_bits(),
        ]
    }))
}

#[test]
fn lanes_agree_with_the_single_block() {
    let cases = cases(300);
    let options = BatchOptions {
        follow: true,
        watched_impact: 6,
        ..BatchOptions::new(12.0)
    };
    let results = simulate_batch(&cases, &options).unwrap();
    let mut overturned = 0;
    for (case, result) in cases.iter().zip(&results) {
        let motion = GroundMotion::horizontal(case.motion.clone());
        let run = simulate(
            &case.block,
            &case.restitution,
            &motion,
            &Options::released(12.0, case.rotation),
        )
        .unwrap();
        match (run.outcome, result.fate) {
            (Outcome::Rest, Fate::Rest)
            | (Outcome::Settled | Outcome::Rocking, Fate::Stable | Fate::Rocking) => {}
            (Outcome::Overturned(a), Fate::Overturned(b)) => {
                assert_eq!(a, b);
                overturned += 1;
            }
            (a, b) => panic!("{a:?} {b:?}"),
        }
        if let Some(sixth) = run.impact_times().get(5) {
            // series against elliptic integrals: rounding over six flights, and what forcing makes of it
            assert!(
                (result.watched_time.unwrap() - sixth).abs() < 1e-11,
                "{:?} {sixth}",
                result.watched_time
            );
        }
        assert!(
            (result.largest_rotation - run.largest_rotation).abs() < 1e-9,
            "{} {} {:?}",
            result.largest_rotation,
            run.largest_rotation,
            case
        );
        if let Some(rest) = run.rest_time()
            && rest < 12.0
            && matches!(result.fate, Fate::Stable)
        {
            assert!(
                (result.end_time - rest).abs() < 1e-11,
                "{} {rest}",
                result.end_time
            );
        }
    }
    assert!(overturned > 30, "{overturned}");
}

#[test]
fn early_decisions_are_those_of_the_whole_motion() {
    let cases = cases(400);
    let whole = simulate_batch(
        &cases,
        &BatchOptions {
            follow: true,
            ..BatchOptions::new(30.0)
        },
    )
    .unwrap();
    let early = simulate_batch(&cases, &BatchOptions::new(30.0)).unwrap();
    for (a, b) in whole.iter().zip(&early) {
        assert_eq!(a.fate, b.fate);
    }
}

#[test]
fn bits_do_not_depend_on_instruction_set_or_neighbours() {
    let cases = cases(200);
    let run = |cases: &[Case], instructions| {
        let options = BatchOptions {
            follow: true,
            instructions,
            watched_impact: 3,
            ..BatchOptions::new(10.0)
        };
        simulate_batch(cases, &options).unwrap()
    };
    let widest = run(&cases, Instructions::Widest);
    assert_eq!(bits(&widest), bits(&run(&cases, Instructions::Baseline)));
    assert_eq!(bits(&widest), bits(&run(&cases, Instructions::Avx2)));
    for chunk in [1, 3, 8, 50] {
        let parts: Vec<CaseResult> = cases
            .chunks(chunk)
            .flat_map(|c| run(c, Instructions::Widest))
            .collect();
        assert_eq!(bits(&parts), bits(&widest), "chunks of {chunk}");
    }
}

#[test]
fn lasting_motion_and_records_agree_too() {
    let block = RockingBlock::rectangle(1.0, 4.0, 9.81).unwrap();
    let samples: Vec<f64> = (0..600)
        .map(|i| 3.0 * (0.11 * i as f64).sin() * (0.02 * i as f64).cos())
        .collect();
    let times = (0..600).map(|i| i as f64 * 0.02).collect();
    let record = Record::new(times, samples).unwrap();
    let lasting = Component::harmonic(2.9, Frequency::rad_per_s(11.0), 0.0, f64::INFINITY).unwrap();
    for motion in [
        record.component(1.0).unwrap(),
        record.component(-1.1).unwrap(),
        lasting,
    ] {
        let case = Case {
            block,
            restitution: Restitution::housner(),
            motion: motion.clone(),
            rotation: 0.0,
        };
        let options = BatchOptions {
            follow: true,
            watched_impact: 2,
            ..BatchOptions::new(10.0)
        };
        let result = simulate_batch(&[case], &options).unwrap()[0];
        let run = simulate(
            &block,
            &Restitution::housner(),
            &GroundMotion::horizontal(motion),
            &Options::new(10.0),
        )
        .unwrap();
        assert!(
            (result.watched_time.unwrap() - run.impact_times()[1]).abs() < 1e-11,
            "{:?} {:?}",
            result.watched_time,
            run.impact_times()
        );
        assert_eq!(result.impacts, run.impacts);
    }
}

#[test]
fn the_linearised_block_follows_equation_5_3() {
    // overturned by a constant acceleration exactly when p t_a > -ln(1 - gα/a0)
    let block = RockingBlock::rectangle(0.06, 0.27, 9.81).unwrap();
    for ratio in [1.05f64, 1.5, 2.5] {
        let critical = -(1.0 - 1.0 / ratio).ln();
        for (factor, falls) in [(1.0 - 1e-9, false), (1.0 + 1e-9, true)] {
            let duration = factor * critical / block.frequency();
            let case = Case {
                block,
                restitution: Restitution::housner(),
                motion: Component::constant(ratio * 9.81 * block.slenderness(), duration).unwrap(),
                rotation: 0.0,
            };
            let options = BatchOptions {
                equation: Equation::Linearised,
                ..BatchOptions::new(10.0)
            };
            let fate = simulate_batch(&[case], &options).unwrap()[0].fate;
            assert_eq!(
                matches!(fate, Fate::Overturned(_)),
                falls,
                "{ratio} {factor}"
            );
        }
    }
}

/// Mode of overturning of a block released at `tilt` on a still base, by the energy and the coefficients alone.
fn mode_by_energy(
    block: &RockingBlock,
    restitution: &Restitution,
    tilt: f64,
) -> Option<OverturningMode> {
    let mut side = if tilt < 0.0 { Side::Left } else { Side::Right };
    let inertia = |side: Side| {
        let radius = block.corner(side).radius;
        block.gyration_squared() + radius * radius
    };
    let mut energy = block.energy(tilt, 0.0);
    for impacts in 1..200 {
        let rate = (2.0 * energy / inertia(side)).sqrt();
        side = side.other();
        let after = rate * restitution.coefficient(block, side).max(0.0);
        energy = 0.5 * inertia(side) * after * after;
        if energy > block.barrier(side) {
            return Some(OverturningMode { side, impacts });
        }
    }
    None
}

#[test]
fn an_unsymmetric_block_may_overturn_over_its_weaker_corner() {
    let models = [
        RestitutionModel::Housner,
        RestitutionModel::Given { eta: 0.97 },
        RestitutionModel::Given { eta: 1.0 },
    ];
    let (mut first, mut later, mut none) = (0, 0, 0);
    for i in 0..600 {
        let x = |k: usize| ((i * (2 * k + 7) + 3 * k) % 101) as f64 / 101.0;
        let (left, right) = (0.05 + 0.5 * x(1), 0.05 + 0.5 * x(2));
        let block = RockingBlock::unsymmetric(left, right, 2.0, 1.4, 9.81).unwrap();
        let restitution = Restitution::new(models[i % 3]).unwrap();
        let side = if i % 2 == 0 { Side::Right } else { Side::Left };
        let tilt = side.sign() * block.corner(side).slenderness * (0.02 + 0.96 * x(3));
        let expected = mode_by_energy(&block, &restitution, tilt);
        let case = Case {
            block,
            restitution,
            motion: Component::at_rest(),
            rotation: tilt,
        };
        for follow in [false, true] {
            let options = BatchOptions {
                follow,
                ..BatchOptions::new(60.0)
            };
            let result = simulate_batch(std::slice::from_ref(&case), &options).unwrap()[0];
            match (expected, result.fate) {
                (Some(mode), Fate::Overturned(found)) => assert_eq!(mode, found, "{case:?}"),
                (None, Fate::Stable) => assert!(result.largest_rotation >= tilt.abs()),
                (mode, fate) => panic!("{case:?} {follow}: {mode:?} {fate:?}"),
            }
        }
        match expected {
            Some(mode) if mode.impacts == 1 => first += 1,
            Some(_) => later += 1,
            None => none += 1,
        }
    }
    assert!(first > 20 && none > 100, "{first} {later} {none}");
}

#[test]
fn the_largest_rotation_to_come_is_that_of_the_motion_by_every_equation() {
    let block = RockingBlock::rectangle(0.5, 2.0, 9.81).unwrap();
    let restitution = Restitution::new(RestitutionModel::Given { eta: 0.5 }).unwrap();
    let amplitude = 1.3 * block.lift_off_acceleration();
    let motion = Component::waves(amplitude, Frequency::rad_per_s(6.0), 0.0, 1.0).unwrap();
    for equation in [
        Equation::Nonlinear,
        Equation::QuasiLinear,
        Equation::Linearised,
    ] {
        let options = Options {
            equation,
            ..Options::new(10.0)
        };
        let ground = GroundMotion::horizontal(motion.clone());
        let run = simulate(&block, &restitution, &ground, &options).unwrap();
        let case = Case {
            block,
            restitution,
            motion: motion.clone(),
            rotation: 0.0,
        };
        let options = BatchOptions {
            equation,
            ..BatchOptions::new(10.0)
        };
        let result = simulate_batch(&[case], &options).unwrap()[0];
        assert_eq!(result.fate, Fate::Stable);
        // closed form of the energy against the turn of the series, which carries the rounding of the forced flight
        let difference = result.largest_rotation - run.largest_rotation;
        assert!(difference.abs() < 1e-13, "{equation:?} {difference:e}");
    }
}

#[test]
fn a_limit_under_the_balance_is_honoured_on_a_still_base() {
    // a turn between two limits: the batch overturns under the one and is stable under the other, as the single block
    // is
    let block = RockingBlock::rectangle(0.5, 2.0, 9.81).unwrap();
    for (amplitude, waves) in [(3.0, 1.0), (3.0, 0.5), (4.0, 0.5), (3.5, 0.5)] {
        let motion = Component::waves(amplitude, Frequency::rad_per_s(6.0), 0.0, waves).unwrap();
        let ground = GroundMotion::horizontal(motion.clone());
        let restitution = Restitution::housner();
        let free = simulate(&block, &restitution, &ground, &Options::new(10.0)).unwrap();
        for factor in [0.3, 0.8, 1.0 - 1e-6, 1.0 + 1e-6] {
            let overturned_at = factor * free.largest_rotation;
            let options = Options {
                overturned_at,
                ..Options::new(10.0)
            };
            let run = simulate(&block, &restitution, &ground, &options).unwrap();
            assert_eq!(
                matches!(run.outcome, Outcome::Overturned(_)),
                factor < 1.0,
                "{amplitude} {waves} {factor}"
            );
            for follow in [false, true] {
                let options = BatchOptions {
                    overturned_at,
                    follow,
                    ..BatchOptions::new(10.0)
                };
                let case = Case {
                    block,
                    restitution,
                    motion: motion.clone(),
                    rotation: 0.0,
                };
                let result = simulate_batch(&[case], &options).unwrap()[0];
                match (run.outcome, result.fate) {
                    (Outcome::Overturned(a), Fate::Overturned(b)) => assert_eq!(a, b),
                    (Outcome::Settled, Fate::Stable) => {
                        assert!(result.largest_rotation < overturned_at);
                    }
                    (a, b) => panic!("{amplitude} {waves} {factor} {follow}: {a:?} {b:?}"),
                }
            }
        }
    }
}

#[test]
fn impacts_without_or_with_hardly_any_loss_are_all_followed() {
    // low rotations: a parabola whose hops last T = 2ω/(p² sin α), ω² = 2 p² sin α q, so that all after the first
    // quarter are T
    let block = RockingBlock::rectangle(0.5, 2.0, 9.81).unwrap();
    let pull = block.frequency().powi(2) * block.slenderness().sin();
    let tilt = 1e-9;
    let quarter = (2.0 * tilt / pull).sqrt();
    let expected = 1 + ((1.0 - quarter) / (2.0 * quarter)).floor() as usize;
    for eta in [1.0, 0.999_999_999_999] {
        let case = Case {
            block,
            restitution: Restitution::new(RestitutionModel::Given { eta }).unwrap(),
            motion: Component::at_rest(),
            rotation: tilt,
        };
        let options = BatchOptions {
            follow: true,
            ..BatchOptions::new(1.0)
        };
        let result = simulate_batch(std::slice::from_ref(&case), &options).unwrap()[0];
        assert_eq!(result.impacts, expected, "{eta}");
        assert_eq!(result.end_time, 1.0);
        if eta < 1.0 {
            continue;
        }
        // Hops below the resolution of the time never end: an error, not a hang.
        let endless = Case {
            rotation: 1e-40,
            ..case
        };
        let options = BatchOptions {
            max_steps: 10_000,
            ..options
        };
        assert!(simulate_batch(&[endless], &options).is_err());
    }
}
