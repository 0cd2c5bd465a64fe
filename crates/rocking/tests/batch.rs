//! The lanes against the single block, and their independence of neighbours, threads and instruction sets.
use klast_dynamics::ground_motion::{Component, GroundMotion, Record};
use klast_rocking::{
    BatchOptions, Case, CaseResult, Equation, Fate, Instructions, Options, Outcome, Restitution,
    RestitutionModel, RockingBlock, Side, simulate, simulate_batch,
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
                0 => Component::waves(amplitude, omega, 0.0, 1.0),
                1 => Component::waves(amplitude, omega, 1.3, 2.0),
                2 => Component::constant(-amplitude, 0.7 / block.frequency()),
                _ => Component::waves(-amplitude, omega, 0.0, 1.0),
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
    results.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, r| {
        let fate = match r.fate {
            Fate::Rest => 0,
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
        .iter()
        .fold(hash, |h, x| (h ^ x).wrapping_mul(0x0100_0000_01b3))
    })
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
    let lasting = Component::harmonic(2.9, 11.0, 0.0, f64::INFINITY).unwrap();
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
