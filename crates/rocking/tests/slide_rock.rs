//! The engine with friction against closed forms, the no-slip engine, and its own invariants.

use crate::reference;
use klast_ground_motion::{Component, Frequency, GroundMotion};

use klast_rocking::{
    BatchOptions, Case, Engine, Fate, Friction, Mode, Options, Outcome, Restitution, RockingBlock,
    Side, SlideRockEventKind, SlideRockOptions, SlideRockOutcome, SlideRockRun, simulate,
    simulate_batch, simulate_slide_rock,
};

use reference::{Phase, Problem};

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
    let wave =
        Component::waves(14.0, Frequency::rad_per_s(std::f64::consts::TAU), 0.0, 1.0).unwrap();
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
        let wave = Component::waves(
            random(1.1, 3.0) * G * tan,
            Frequency::rad_per_s(omega),
            random(0.0, 3.0),
            2.0,
        )
        .unwrap();
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
                Frequency::rad_per_s(random(2.0, 30.0)),
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

/// Waves whose peak is exactly μg or g tan α touch a limit and do not cross it, to round-off.
#[test]
fn a_limit_that_is_touched_is_no_end() {
    let block = RockingBlock::rectangle(0.5, 2.0, G).unwrap();
    let mut random = numbers(5);
    for (mu, peak) in [(0.2, 0.2), (0.5, 0.25), (0.25, 0.25)] {
        for sign in [1.0, -1.0] {
            for _ in 0..60 {
                let omega = random(0.2, 30.0);
                let wave = Component::waves(
                    sign * peak * G,
                    Frequency::rad_per_s(omega),
                    random(0.0, 6.0),
                    2.0,
                )
                .unwrap();
                let run = run(&block, &GroundMotion::horizontal(wave), mu, 10.0);
                assert!(
                    run.largest_rotation < 1e-12 && run.way < 1e-12,
                    "{omega} {run:?}"
                );
                assert_eq!(run.unresolved, 0);
            }
        }
    }
}

/// Modes and accelerations from rest under a constant base acceleration A g, by closed form for a rectangle with λ =
/// h/b: sliding needs μ < 1/λ and A > μ; rocking A > 1/λ and μ ≥ (A(4 + λ²) + 3λ)/(1 + 4λ² + 3Aλ) (Shenton 1996);
/// between the two the block slides while it rocks.
#[test]
fn the_modes_from_rest_under_constant_acceleration_are_those_of_the_closed_form() {
    let mut random = numbers(3);
    let mut seen = [0usize; 4];
    for _ in 0..2000 {
        let (width, height) = (random(0.2, 1.0), random(0.5, 2.0));
        let lambda: f64 = height / width;
        let (a, mu) = (random(0.05, 2.5), random(0.02, 1.2));
        let block = RockingBlock::rectangle(width, height, G).unwrap();
        let motion = GroundMotion::horizontal(Component::constant(-a * G, 0.02).unwrap());
        let rocks_from = (a * (4.0 + lambda * lambda) + 3.0 * lambda)
            / (1.0 + 4.0 * lambda * lambda + 3.0 * a * lambda);
        let near = [mu - 1.0 / lambda, a - mu, a - 1.0 / lambda, mu - rocks_from];
        if near.iter().any(|margin| margin.abs() < 1e-6) {
            continue;
        }
        let expected = if a < mu.min(1.0 / lambda) {
            Mode::Rest
        } else if mu < 1.0 / lambda {
            Mode::Slide(Side::Right)
        } else if mu >= rocks_from {
            Mode::Rock(Side::Right)
        } else {
            Mode::SlideRock(Side::Right, Side::Right)
        };
        let mut options = SlideRockOptions::new(0.01, Friction::new(mu).unwrap());
        options.sample = Some(0.01);
        let run = simulate_slide_rock(&block, &Restitution::housner(), &motion, &options).unwrap();
        let first = run.samples[0];
        assert_eq!(first.mode, expected, "λ {lambda} A {a} μ {mu}");
        // base pushes left, so the block leans and slides to the right
        let turning = match expected {
            Mode::Rest | Mode::Slide(_) => 0.0,
            // I α″ about the corner: 3/(4R²)·(A g h/2 − g b/2)·… for a rectangle I = 4mR²/3
            Mode::Rock(_) => {
                let radius_squared = 0.25 * (width * width + height * height);
                0.75 / radius_squared * G * 0.5 * (a * height - width)
            }
            // N (1 + 12 (b/2)(b/2 − μh/2)/(b² + h²)) = g; I θ″ = N (μh/2 − b/2)
            _ => {
                let squares = width * width + height * height;
                let normal = G / (1.0 + 3.0 * width * (width - mu * height) / squares);
                normal * 0.5 * (mu * height - width) * 12.0 / squares
            }
        };
        let found = first.angular_acceleration;
        assert!(
            (found - turning).abs() < 1e-11 * (1.0 + turning.abs()),
            "{expected:?} {found} {turning}"
        );
        if let Mode::Slide(_) = expected {
            // a = (A − μ) g to the right
            let slip = 0.5 * (a - mu) * G * 0.01 * 0.01;
            assert!((run.slip - slip).abs() < 1e-14, "{} {slip}", run.slip);
        }
        seen[match expected {
            Mode::Rest => 0,
            Mode::Slide(_) => 1,
            Mode::Rock(_) => 2,
            _ => 3,
        }] += 1;
    }
    assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
}

/// Events against the second implementation: its steps of 1e-4 s leave 1e-13 s, its look ahead of 1e-7 s in the choice
/// of a mode nothing, so what is left is round-off times the growth of errors from event to event.
#[test]
fn events_are_those_of_an_independent_integration() {
    let mut random = numbers(29);
    let (mut events, mut worst) = (0, 0.0f64);
    let mut kinds = [0usize; 4];
    for case in 0..40 {
        let (half_width, half_height) = (random(0.1, 0.4), random(0.4, 1.2));
        let problem = Problem {
            half_width,
            half_height,
            gyration: (half_width * half_width + half_height * half_height) / 3.0,
            friction: random(0.1, 0.9),
            horizontal: (random(0.3, 1.2) * G, random(4.0, 14.0), random(0.0, 6.0)),
            vertical: (random(0.0, 1.2) * G, random(4.0, 20.0), random(0.0, 6.0)),
        };
        let block = RockingBlock::rectangle(2.0 * half_width, 2.0 * half_height, G).unwrap();
        let lasting = |(a, w, phase): (f64, f64, f64)| {
            Component::harmonic(a, Frequency::rad_per_s(w), phase, f64::INFINITY).unwrap()
        };
        let motion = GroundMotion::new(lasting(problem.horizontal), lasting(problem.vertical));
        let run = run(&block, &motion, problem.friction, 1.5);
        let reference = problem.run(1.5, 12);
        for (k, (time, phase, turn)) in reference.iter().enumerate() {
            if turn.abs() > 1.5 {
                break;
            }
            let Some(event) = run.events.get(k) else {
                assert!(
                    *time > run.end_time - 1e-6,
                    "{case}: event {k} at {time} is missing"
                );
                break;
            };
            let side = |x: f64| if x > 0.0 { Side::Right } else { Side::Left };
            let mode = match *phase {
                Phase::Flat { slip: 0.0 } => Mode::Rest,
                Phase::Flat { slip } => Mode::Slide(side(slip)),
                Phase::Corner { corner, slip: 0.0 } => Mode::Rock(side(corner)),
                Phase::Corner { corner, slip } => Mode::SlideRock(side(corner), side(slip)),
                Phase::Air => Mode::Flight,
            };
            if matches!(event.kind, SlideRockEventKind::Overturned { .. }) {
                break;
            }
            assert_eq!(event.mode, mode, "{case}: event {k}, {} {time}", event.time);
            worst = worst.max((event.time - time).abs());
            assert!(
                (event.time - time).abs() < 1e-9,
                "{case}: event {k} {mode:?}, {} {time}",
                event.time
            );
            events += 1;
            kinds[match mode {
                Mode::Rest | Mode::Slide(_) => 0,
                Mode::Rock(_) => 1,
                Mode::SlideRock(..) => 2,
                Mode::Flight => 3,
            }] += 1;
        }
    }
    println!("{events} events, worst {worst:e} s, {kinds:?}");
    assert!(kinds.iter().all(|count| *count >= 10), "{kinds:?}");
}

/// A batch ends a run as soon as its fate is known, and the fate is that of the whole run: a block that is beyond its
/// balance when the motion ends has less energy than at the balance, and falls all the same.
#[test]
fn a_batch_knows_the_fate_of_the_whole_run() {
    let mut number = numbers(11);
    let restitution = Restitution::housner();
    let (mut overturned, mut beyond) = (0, 0);
    for _ in 0..400 {
        let block = RockingBlock::rectangle(0.4, number(1.0, 2.0), G).unwrap();
        let frequency = Frequency::hertz(number(0.5, 2.5));
        let motion = Component::waves(number(3.0, 15.0), frequency, number(0.0, 6.0), 1.0).unwrap();
        let friction = Friction::new(number(0.3, 0.9)).unwrap();
        let options = BatchOptions {
            engine: Engine::SlideRock(friction),
            ..BatchOptions::new(20.0)
        };
        let ends = motion.duration();
        let case = Case {
            block,
            restitution,
            motion: motion.clone(),
            rotation: 0.0,
        };
        let fate = simulate_batch(&[case], &options).unwrap()[0].fate;
        let motion = GroundMotion::horizontal(motion);
        let whole = SlideRockOptions::new(20.0, friction);
        let whole = simulate_slide_rock(&block, &restitution, &motion, &whole).unwrap();
        let until = SlideRockOptions::new(ends, friction);
        let until = simulate_slide_rock(&block, &restitution, &motion, &until).unwrap();
        match whole.outcome {
            SlideRockOutcome::Overturned(mode) => {
                overturned += 1;
                let angle = until.end.0.abs();
                beyond += usize::from(angle > block.slenderness() && angle < 1.5);
                assert_eq!(
                    fate,
                    Fate::Overturned(mode),
                    "{block:?} {motion:?} {friction:?}"
                );
            }
            _ => assert!(
                matches!(fate, Fate::Stable | Fate::Rest | Fate::Slid),
                "{fate:?} {block:?} {motion:?} {friction:?}"
            ),
        }
    }
    // Both kinds are met.
    assert!(overturned > 50 && beyond > 5, "{overturned} {beyond}");
}

/// A batch ends a run as soon as its fate is known: of a block beyond its balance that must fall before it has fallen,
/// and of a block that stands once it turns no further. Each run is also made to its end, and nothing is different:
/// side, number of impacts, largest rotation. The blocks are unsymmetric, some have a higher friction at rest, some
/// start tilted, some count as overturned early and some motions end when time is almost up.
#[test]
fn a_fate_that_is_told_early_is_that_of_the_whole_run() {
    let mut number = numbers(34);
    let restitution = Restitution::housner();
    let (mut told_falls, mut told_stands, mut falls, mut saved) = (0, 0, 0, 0.0);
    for case in 0..3000 {
        let height = number(0.5, 1.2);
        let block = RockingBlock::unsymmetric(
            number(0.1, 0.4),
            number(0.1, 0.4),
            height,
            height * height * number(0.2, 0.8),
            G,
        )
        .unwrap();
        let hertz = Frequency::hertz(number(0.4, 3.0));
        let waves = number(0.5, 3.0);
        let motion = Component::waves(number(2.0, 18.0), hertz, number(0.0, 6.0), waves).unwrap();
        let mu = number(0.05, 1.6);
        let friction = Friction::with_rest(mu * [1.0, number(1.0, 1.4)][case % 2], mu).unwrap();
        let options = BatchOptions {
            engine: Engine::SlideRock(friction),
            overturned_at: [std::f64::consts::FRAC_PI_2, number(0.6, 1.5)][case / 2 % 2],
            ..BatchOptions::new(motion.duration() + number(0.1, 6.0))
        };
        let rotation = [0.0, number(-0.4, 0.4)][case / 4 % 2];
        let one = Case {
            block,
            restitution,
            motion: motion.clone(),
            rotation,
        };
        let told = simulate_batch(std::slice::from_ref(&one), &options).unwrap()[0];
        let followed = BatchOptions {
            follow: true,
            ..options
        };
        let followed = simulate_batch(&[one], &followed).unwrap()[0];
        let whole = SlideRockOptions {
            rotation,
            overturned_at: options.overturned_at,
            ..SlideRockOptions::new(options.duration, friction)
        };
        let motion = GroundMotion::horizontal(motion);
        let whole = simulate_slide_rock(&block, &restitution, &motion, &whole).unwrap();
        let early = told.end_time < whole.end_time;
        match whole.outcome {
            SlideRockOutcome::Overturned(mode) => {
                assert_eq!(
                    told.fate,
                    Fate::Overturned(mode),
                    "{case}: {told:?} {whole:?}"
                );
                falls += 1;
                told_falls += usize::from(early);
                saved += whole.end_time - told.end_time;
            }
            _ => {
                let overturned = matches!(told.fate, Fate::Overturned(_));
                assert!(!overturned, "{case}: {told:?} {whole:?}");
                told_stands += usize::from(early);
            }
        }
        // The same arcs up to where the one run ends.
        let apart = (told.largest_rotation - whole.largest_rotation).abs();
        assert!(apart < 1e-12, "{case}: {told:?} {whole:?}");
        assert_eq!(
            told.unresolved,
            whole.unresolved + whole.ambiguous,
            "{case}"
        );
        assert!(
            told.largest_slip
                .is_none_or(|slip| slip == whole.largest_slip)
        );
        assert_eq!(followed.largest_slip, Some(whole.largest_slip), "{case}");
        assert_eq!(followed.largest_rotation, whole.largest_rotation, "{case}");
    }
    println!("{told_falls} of {falls} falls told early, by {saved} s; {told_stands} others");
    assert!(
        told_falls * 2 > falls && told_stands > 500,
        "{told_falls} {told_stands}"
    );
}

/// A foot that sticks stays where it is, to the last bit, whatever the width of the block: rounding is no slip.
#[test]
fn a_foot_that_sticks_does_not_slip_by_rounding() {
    for width in [0.3, 0.4, 0.5, 0.7] {
        let block = RockingBlock::rectangle(width, 3.0 * width, G).unwrap();
        let wave = Component::waves(4.5, Frequency::hertz(1.5), 0.0, 2.0).unwrap();
        let motion = GroundMotion::horizontal(wave);
        let options = SlideRockOptions::new(6.0, Friction::new(1.2).unwrap());
        let run = simulate_slide_rock(&block, &Restitution::housner(), &motion, &options).unwrap();
        assert!(run.impacts > 2 && run.jumps == 0, "{width}: {run:?}");
        assert_eq!(run.largest_slip, 0.0, "{width}");
    }
}

/// A block that jumps lands elsewhere: no foot on the base, nor the one at the end, is further away than the largest
/// slip.
#[test]
fn the_largest_slip_includes_jumps() {
    let mut number = numbers(11);
    let mut jumped = 0;
    for case in 0..60 {
        let block = RockingBlock::rectangle(0.5, 1.0, G).unwrap();
        let mut waves = |least: f64, most: f64| {
            let hertz = Frequency::hertz(number(1.0, 4.0));
            Component::waves(number(least, most), hertz, 0.0, 3.0).unwrap()
        };
        let motion = GroundMotion::new(waves(3.0, 12.0), waves(9.0, 16.0));
        let options = SlideRockOptions {
            sample: Some(0.001),
            ..SlideRockOptions::new(6.0, Friction::new(number(0.3, 1.2)).unwrap())
        };
        let run = simulate_slide_rock(&block, &Restitution::housner(), &motion, &options).unwrap();
        jumped += usize::from(run.jumps > 0);
        let on_base = run.samples.iter().filter(|s| s.mode != Mode::Flight);
        let furthest = on_base.fold(run.slip.abs(), |most, s| most.max(s.slip.abs()));
        // Rounding of a polynomial's value.
        assert!(
            furthest <= run.largest_slip + 1e-12,
            "{case}: {furthest} {}",
            run.largest_slip
        );
    }
    assert!(jumped > 30, "{jumped}");
}

/// The time of a run ends with its motion. Where the batch says that the block then stands, a run of more time does not
/// overturn it, also where a rotation below the balance counts as overturned.
#[test]
fn a_block_that_stands_at_the_end_of_the_time_does_not_overturn_later() {
    let mut number = numbers(5);
    let (mut stands, mut later) = (0, 0);
    for case in 0..2000 {
        let block = RockingBlock::rectangle(0.5, 1.6, G).unwrap();
        let hertz = Frequency::hertz(number(0.5, 2.0));
        let motion = Component::waves(number(3.0, 7.0), hertz, 0.0, number(0.4, 1.5)).unwrap();
        let (short, mu) = (motion.duration() + 1e-3, number(0.5, 1.0));
        let one = Case {
            block,
            restitution: Restitution::housner(),
            motion,
            rotation: 0.0,
        };
        let fate = |duration: f64| {
            let options = BatchOptions {
                engine: Engine::SlideRock(Friction::new(mu).unwrap()),
                overturned_at: 0.12,
                ..BatchOptions::new(duration)
            };
            simulate_batch(std::slice::from_ref(&one), &options).unwrap()[0].fate
        };
        let whole = matches!(fate(short + 20.0), Fate::Overturned(_));
        match fate(short) {
            Fate::Stable => {
                stands += 1;
                assert!(!whole, "{case}");
            }
            Fate::Rocking => later += usize::from(whole),
            _ => {}
        }
    }
    assert!(stands > 50 && later > 5, "{stands} {later}");
}
