//! The engine for any number of blocks against the eight explicit configurations of two.

use crate::eight::{Config, Dual};
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_numerics::SplitMix64;
use klast_stacks::{
    Configuration, InterfaceRestitution, Pivot, Stack, StackBlock, StackEventKind, StackOptions,
    StackState,
};

fn dual(chance: &mut SplitMix64) -> Dual {
    let b = chance.between(0.05, 1.0);
    let (h1, h2) = (b * chance.between(1.5, 6.0), b * chance.between(1.5, 6.0));
    Dual {
        b,
        h1,
        h2,
        m1: b * h1,
        m2: b * h2,
        g: 9.81,
        keeps: [1.0; 2],
    }
}

fn stack(dual: &Dual) -> Stack {
    let lower = StackBlock::new(dual.b, dual.h1, dual.m1).expect("a block");
    let upper = StackBlock::new(dual.b, dual.h2, dual.m2).expect("a block");
    Stack::new(&[lower, upper], dual.g).expect("a stack")
}

const MOVING: [Config; 8] = [
    Config::A1,
    Config::B1,
    Config::A2,
    Config::B2,
    Config::A3,
    Config::B3,
    Config::A4,
    Config::B4,
];

fn state(config: Config, t1: f64, t2: f64, w1: f64, w2: f64) -> StackState {
    let made = StackState::from_relative(0.0, &[t1, t2 - t1], &[w1, w2 - w1]).expect("a state");
    assert_eq!(made.configuration().to_string(), config.name());
    made
}

/// Rotations and rates that belong to a configuration.
fn rotations(config: Config, chance: &mut SplitMix64) -> (f64, f64, f64, f64) {
    let pivots = *Configuration::from_name(config.name(), 2)
        .expect("a name")
        .pivots()
        .first_chunk::<2>()
        .expect("two");
    let (mut angle, mut rate) = ([0.0; 2], [0.0; 2]);
    for k in 0..2 {
        if pivots[k] != Pivot::Full {
            angle[k] = pivots[k].sign() * chance.between(0.001, 0.2);
            rate[k] = chance.between(-1.0, 1.0);
        }
    }
    (angle[0], angle[0] + angle[1], rate[0], rate[0] + rate[1])
}

#[test]
fn accelerations_of_all_configurations() {
    let mut chance = SplitMix64::new(1);
    for _ in 0..200 {
        let dual = dual(&mut chance);
        for config in MOVING {
            let (t1, t2, w1, w2) = rotations(config, &mut chance);
            let push = chance.between(-20.0, 20.0);
            let (d1, d2) = dual.accelerations(config, t1, t2, w1, w2, push);
            let found = stack(&dual)
                .accelerations(&state(config, t1, t2, w1, w2), push, 0.0)
                .expect("accelerations");
            let unit = 1.0 + d1.abs() + d2.abs();
            // Two ways to the same number, each of some fifty roundings.
            assert!(
                (found[0] - d1).abs() < 1e-12 * unit,
                "{config:?}: {} {d1}",
                found[0]
            );
            assert!(
                (found[1] - d2).abs() < 1e-12 * unit,
                "{config:?}: {} {d2}",
                found[1]
            );
        }
    }
}

#[test]
fn opening_conditions_agree() {
    let mut chance = SplitMix64::new(2);
    let mut opened = 0;
    for _ in 0..3000 {
        let dual = dual(&mut chance);
        let config =
            [Config::A3, Config::B3, Config::A4, Config::B4][(chance.unit() * 4.0) as usize];
        let (t1, t2, w1, w2) = rotations(config, &mut chance);
        let push = chance.between(-15.0, 15.0);
        let s = [t1, t2 - t1, w1, w2 - w1];
        let past: Vec<_> = dual
            .reserves(config, &s, push)
            .into_iter()
            .filter(|(_, reserve)| *reserve < 0.0)
            .collect();
        let found = stack(&dual)
            .openings(&state(config, t1, t2, w1, w2), push, 0.0)
            .expect("openings")
            .to_string();
        let expected = past
            .iter()
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map_or(config, |(to, _)| *to);
        opened += usize::from(expected != config);
        assert_eq!(found, expected.name(), "{dual:?} {config:?} {s:?} {push}");
    }
    assert!(
        opened > 300,
        "only {opened} of 3000 open: the comparison would be empty"
    );
}

#[test]
fn impacts_agree() {
    let mut chance = SplitMix64::new(3);
    let mut shut = 0;
    for _ in 0..4000 {
        let b = 1.0;
        // Bulky upper blocks stick; lower ones from h/b = 1.1 do not.
        let (h1, h2) = (chance.between(1.1, 8.0), chance.between(0.5, 8.0));
        let dual = Dual {
            b,
            h1,
            h2,
            m1: h1,
            m2: h2,
            g: 9.81,
            keeps: [1.0; 2],
        };
        let config = MOVING[(chance.unit() * 8.0) as usize];
        let upper = match config {
            Config::A3 | Config::B3 => false,
            Config::A4 | Config::B4 => true,
            _ => chance.unit() < 0.5,
        };
        let pivots = Configuration::from_name(config.name(), 2).expect("a name");
        let struck = usize::from(upper);
        let (mut angle, mut rate) = ([0.0; 2], [0.0; 2]);
        for k in 0..2 {
            let sign = pivots.pivot(k).sign();
            if k == struck {
                rate[k] = -sign * chance.between(0.01, 1.0);
            } else if sign != 0.0 {
                angle[k] = sign * chance.between(0.001, 0.2);
                rate[k] = chance.between(-1.0, 1.0);
            }
        }
        // The configuration just before the impact: the struck interface is still open to its side.
        let mut early = angle;
        early[struck] = pivots.pivot(struck).sign() * 1e-3;
        let before = StackState::from_relative(0.0, &early, &rate)
            .expect("a state")
            .landing(struck);
        let (to, v1, v2) = dual.impact(config, upper, &[angle[0], angle[1], rate[0], rate[1]]);
        let found = stack(&dual)
            .impact(&before, struck, InterfaceRestitution::Housner)
            .expect("an impact");
        let at = format!("{dual:?} {config:?} {angle:?} {rate:?}");
        shut += usize::from(matches!(to, Config::A3 | Config::B3) && upper);
        assert_eq!(found.after.configuration().to_string(), to.name(), "{at}");
        assert!((found.after.rate(0) - v1).abs() < 1e-11, "{at}");
        assert!((found.after.rate(1) - v2).abs() < 1e-11, "{at}");
        assert!(
            found.admissible && found.energy.1 <= found.energy.0 * (1.0 + 1e-12),
            "{at}"
        );
    }
    assert!(
        shut > 20,
        "only {shut} interfaces stick: the comparison would be empty"
    );
}

#[test]
fn a_hundred_runs_to_three_seconds() {
    let mut chance = SplitMix64::new(4);
    let (mut compared, mut kinds) = (0, std::collections::BTreeSet::new());
    for case in 0..100 {
        let dual = dual(&mut chance);
        let slender = dual.b / (dual.h1 + dual.h2);
        let p = (0.75 * 9.81 / (0.5 * dual.b.hypot(dual.h1 + dual.h2))).sqrt();
        let (base, start, config) = if case % 2 == 0 {
            let amplitude = 9.81 * slender * chance.between(1.2, 8.0);
            let wave = Component::waves(
                amplitude,
                Frequency::rad_per_s(p * chance.between(1.0, 8.0)),
                0.0,
                1.0,
            )
            .expect("a wave");
            (wave, StackState::rest(2), Config::Rest)
        } else {
            let config = MOVING[(chance.unit() * 6.0) as usize];
            let sign = |name: &str| if name.ends_with('a') { -1.0 } else { 1.0 };
            let t1 = sign(config.name()) * slender * chance.between(0.05, 0.4);
            let relative = match config {
                Config::A1 | Config::B1 => t1 * chance.between(0.1, 1.0),
                Config::A2 | Config::B2 => -t1 * chance.between(0.1, 1.0),
                _ => 0.0,
            };
            (
                Component::at_rest(),
                state(config, t1, t1 + relative, 0.0, 0.0),
                config,
            )
        };
        let s = [start.relative(0), start.relative(1), 0.0, 0.0];
        let expected = crate::eight::simulate(dual, &base, (config, s), 3.0);
        let stack = stack(&dual);
        let options = StackOptions {
            stop_at_closing: true,
            // The eight end a sequence at 1e-9 rad/s whatever the size.
            closing_rate: 1e-9 / stack.total_frequency(),
            ..StackOptions::until(3.0)
        };
        let run = stack
            .run(&GroundMotion::horizontal(base), &start, &options)
            .expect("a run");
        let found: Vec<_> = run
            .events
            .iter()
            .take_while(|event| event.kind != StackEventKind::Fall)
            .collect();
        for (index, (event, (time, to))) in found.iter().zip(&expected).enumerate() {
            let at = format!("case {case} event {index} at {time}: {dual:?}");
            if event.kind != StackEventKind::Closing {
                assert_eq!(event.state.configuration().to_string(), to.name(), "{at}");
            }
            // The bar of 1e-9 s: two integrators near their round-off, with event times that depend on the start up to
            // some 1e3 fold.
            assert!(
                (event.state.time - time).abs() < 1e-9,
                "{at}: {}",
                event.state.time - time
            );
            compared += 1;
            kinds.insert(to.name());
        }
        assert!(
            found.len().abs_diff(expected.len()) <= 1,
            "case {case}: {} and {}",
            found.len(),
            expected.len()
        );
    }
    assert!(compared > 1000, "only {compared} events compared");
    assert!(kinds.len() >= 6, "only {kinds:?} met");
}
