//! The engine with friction against closed forms, the no-slip engine, and its own invariants.

use klast_dynamics::ground_motion::{Component, GroundMotion};
use klast_rocking::{
    Friction, Mode, Options, Outcome, Restitution, RockingBlock, Side, SlideRockOptions,
    SlideRockOutcome, SlideRockRun, simulate, simulate_slide_rock,
};

const G: f64 = 9.81;

fn numbers(seed: u64) -> impl FnMut(f64, f64) -> f64 {
    let mut state = seed;
    move |low, high| {
        // Knuth's multiplier; the upper bits are good enough for a sample of cases.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn run(block: &RockingBlock, motion: &GroundMotion, mu: f64, duration: f64) -> SlideRockRun {
    let options = SlideRockOptions::new(duration, Friction::new(mu).unwrap());
    simulate_slide_rock(block, &Restitution::housner(), motion, &options).unwrap()
}

/// μ 0.2 is below b/h = 0.25: ü = 14 sin 2πt slides the block when it reaches μg, and nothing can tip it.
#[test]
fn a_block_of_little_friction_slides_and_never_rocks() {
    let block = RockingBlock::rectangle(0.5, 2.0, G).unwrap();
    let wave = Component::waves(14.0, std::f64::consts::TAU, 0.0, 1.0).unwrap();
    let run = run(&block, &GroundMotion::horizontal(wave), 0.2, 10.0);
    assert_eq!(run.outcome, SlideRockOutcome::Slid);
    let onset = (0.2 * G / 14.0).asin() / std::f64::consts::TAU;
    // the time is a root found to round-off
    assert!((run.first_slide.unwrap() - onset).abs() < 1e-12);
    assert_eq!(run.first_rock, None);
    assert!(run.energy.imbalance < 1e-12 * run.energy.friction);
}

#[test]
fn with_much_friction_it_is_the_engine_without_slip() {
    let mut random = numbers(7);
    for case in 0..60 {
        let block = RockingBlock::rectangle(random(0.3, 0.8), random(1.0, 3.0), G).unwrap();
        let tan = 2.0 * block.corner(Side::Right).lever / (2.0 * block.centre_height());
        let omega = random(3.0, 15.0);
        let wave =
            Component::waves(random(1.1, 3.0) * G * tan, omega, random(0.0, 3.0), 2.0).unwrap();
        let motion = GroundMotion::horizontal(wave);
        let without = simulate(
            &block,
            &Restitution::housner(),
            &motion,
            &Options::new(12.0),
        )
        .unwrap();
        // 1.3 is below 4/3, under which no sliding corner jams
        let with = run(&block, &motion, 1.3, 12.0);
        let demand = {
            let mut asked = Options::new(12.0);
            asked.friction = Some(1.3);
            simulate(&block, &Restitution::housner(), &motion, &asked)
                .unwrap()
                .contact
                .unwrap()
        };
        if !demand.is_met() || with.first_slide.is_some() {
            continue;
        }
        let same = matches!(
            (without.outcome, with.outcome),
            (Outcome::Settled, SlideRockOutcome::Settled)
                | (Outcome::Rocking, SlideRockOutcome::Rocking)
                | (Outcome::Rest, SlideRockOutcome::Rest)
        ) || matches!((without.outcome, with.outcome), (Outcome::Overturned(a), SlideRockOutcome::Overturned(b)) if a == b);
        assert!(same, "{case}: {:?} {:?}", without.outcome, with.outcome);
        assert!(
            (without.largest_rotation - with.largest_rotation).abs() < 1e-9,
            "{case}: {} {}",
            without.largest_rotation,
            with.largest_rotation
        );
        if let (Some(a), Some(b)) = (
            without.rest_time(),
            with.events.last().map(|event| event.time),
        ) {
            assert!((a - b).abs() < 1e-7, "{case}: {a} {b}");
        }
    }
}

#[test]
fn energy_balances_and_contacts_are_resolved_whatever_the_motion() {
    let mut random = numbers(11);
    let (mut modes, mut jams) = ([0usize; 4], 0);
    for case in 0..400 {
        let block = RockingBlock::unsymmetric(
            random(0.1, 0.6),
            random(0.1, 0.6),
            random(0.2, 1.5),
            random(0.05, 0.8),
            G,
        )
        .unwrap();
        let waves = |random: &mut dyn FnMut(f64, f64) -> f64, size: f64| {
            Component::waves(
                random(0.0, size) * G,
                random(2.0, 30.0),
                random(0.0, 6.0),
                random(0.5, 5.0),
            )
            .unwrap()
        };
        let motion = GroundMotion::new(waves(&mut random, 2.0), waves(&mut random, 1.4));
        let mu = random(0.0, 1.0);
        let rest = mu * random(1.0, 1.5);
        let mut options = SlideRockOptions::new(6.0, Friction::with_rest(rest, mu).unwrap());
        if case % 3 == 0 {
            options.rotation = random(-0.3, 0.3);
            options.angular_velocity = random(-1.0, 1.0);
            options.sliding_velocity = random(-1.0, 1.0);
        }
        let run = simulate_slide_rock(&block, &Restitution::housner(), &motion, &options)
            .unwrap_or_else(|error| panic!("{case}: {error}"));
        let energy = run.energy;
        let scale =
            energy.friction + energy.impacts + energy.base_work.abs() + energy.start.abs() + 1e-3;
        let balance = energy.start + energy.base_work - energy.friction - energy.impacts
            + energy.gained
            - energy.end;
        assert!(
            balance.abs() < 1e-10 * scale,
            "{case}: {balance:e} of {energy:?}"
        );
        assert!(energy.imbalance < 1e-11 * scale, "{case}: {:?}", energy);
        assert!(energy.gained == 0.0, "{case}: {energy:?}");
        assert_eq!(run.unresolved, 0, "{case} {run:?}");
        jams += run.jams;
        for event in &run.events {
            match event.mode {
                Mode::Slide(_) => modes[0] += 1,
                Mode::Rock(_) => modes[1] += 1,
                Mode::SlideRock(..) => modes[2] += 1,
                Mode::Flight => modes[3] += 1,
                Mode::Rest => {}
            }
        }
    }
    println!("{modes:?} jams {jams}");
    assert!(modes.iter().all(|count| *count > 100), "{modes:?}");
}
