//! The stack of Kounadis, Papadopoulos and Cotsovos (2012) against an independent event list.

use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_stacks::{
    InterfaceRestitution, Stack, StackBlock, StackEventKind, StackOptions, StackOutcome, StackState,
};

/// Two equal blocks of half diagonal 1.606 m and slenderness 0.25 rad.
fn stack() -> Stack {
    let (r, alpha) = (1.606, 0.25_f64);
    let block =
        StackBlock::new(2.0 * r * alpha.sin(), 2.0 * r * alpha.cos(), 1.0).expect("a block");
    Stack::uniform(2, block, 9.81).expect("a stack")
}

/// One sine wave of 12 rad/s and amplitude `ratio` g α*, α* = 0.125.
fn motion(ratio: f64) -> GroundMotion {
    let wave = Component::waves(ratio * 9.81 * 0.125, Frequency::rad_per_s(12.0), 0.0, 1.0)
        .expect("a wave");
    GroundMotion::horizontal(wave)
}

/// An event of the reference.
struct Expected {
    time: f64,
    configuration: &'static str,
    angles: [f64; 2],
    rates: [f64; 2],
}

/// The events of the reference by the ratio of the amplitude and the law of restitution, in the order of the table.
fn reference() -> Vec<((&'static str, &'static str), Vec<Expected>)> {
    let table = include_str!("reference/kounadis-events.csv");
    let mut cases: Vec<((&str, &str), Vec<Expected>)> = Vec::new();
    for line in table.lines().filter(|l| !l.starts_with('#')).skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let at = |k: usize| cells[k].parse().expect("a number");
        let case = (cells[0], cells[1]);
        if cases.last().is_none_or(|(last, _)| *last != case) {
            cases.push((case, Vec::new()));
        }
        cases.last_mut().expect("a case").1.push(Expected {
            time: at(2),
            configuration: cells[3],
            angles: [at(4), at(5)],
            rates: [at(6), at(7)],
        });
    }
    cases
}

/// The laws of the base and of the interface between the blocks behind the names of the reference.
fn laws(name: &str) -> (InterfaceRestitution, InterfaceRestitution) {
    let housner = InterfaceRestitution::Housner;
    let all = InterfaceRestitution::AllRates { factor: 0.95 };
    match name {
        "housner" => (housner, housner),
        "scale_0.95_interface2" => (housner, all),
        "rho_0.95_interface2" => (housner, InterfaceRestitution::Relative { ratio: 0.95 }),
        "scale_0.95_both" => (all, all),
        other => panic!("unknown restitution {other}"),
    }
}

#[test]
fn every_event_to_three_seconds() {
    let cases = reference();
    assert_eq!(cases.len(), 12);
    for ((ratio, name), expected) in cases {
        let (base, between) = laws(name);
        let options = StackOptions {
            base,
            between,
            ..StackOptions::until(3.0)
        };
        let motion = motion(ratio.parse().expect("a ratio"));
        let run = stack()
            .run(&motion, &StackState::rest(2), &options)
            .expect("a run");
        let mut bar = 2e-10;
        for (index, (expected, found)) in expected.iter().zip(&run.events).enumerate() {
            let at = format!("{ratio} {name} event {index}");
            // Printed to ten or eleven digits; the reference is converged to 3e-12 s. At the end of a closing sequence
            // it drops a rate of 1e-9 rad/s at most, which is here taken by an impulse; with impacts at some 0.5 rad/s
            // that shifts what follows by 2e-9 s.
            let difference = (expected.time - found.state.time).abs();
            assert!(difference < bar, "{at}: {difference:e} s");
            if found.kind == StackEventKind::Closing {
                bar = 2e-9;
            }
            let configuration = found.state.configuration().to_string();
            assert_eq!(expected.configuration, configuration, "{at}");
            for j in 0..2 {
                let angle = (expected.angles[j] - found.state.angle(j)).abs();
                let rate = (expected.rates[j] - found.state.rate(j)).abs();
                assert!(
                    angle < 1e-9 && rate < 1e-9,
                    "{at}: {angle:e} rad, {rate:e} rad/s"
                );
            }
        }
        assert_eq!(expected.len(), run.events.len(), "{ratio} {name}");
    }
}

#[test]
fn the_model_holds_and_nothing_falls() {
    for ratio in [10.7808, 10.8696, 10.989] {
        let run = stack()
            .run(
                &motion(ratio),
                &StackState::rest(2),
                &StackOptions::until(12.0),
            )
            .expect("a run");
        assert!(
            matches!(run.outcome(), StackOutcome::Rocking | StackOutcome::Rest),
            "{ratio}"
        );
        // Reference: needed friction 0.40, least N/W 0.63, to two digits; sampled three times a step here.
        assert!(
            (run.diagnostics.friction.value - 0.40).abs() < 0.005,
            "{:?}",
            run.diagnostics
        );
        assert!(
            (run.diagnostics.normal.value - 0.63).abs() < 0.03,
            "{:?}",
            run.diagnostics
        );
        assert_eq!(run.diagnostics.unresolved, 0);
        assert_eq!(run.diagnostics.jump_time, None);
    }
}
