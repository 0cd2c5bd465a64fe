//! Interfaces that shut together: every hop of one starts a sequence of bounces of the next.

use klast_ground_motion::{Component, GroundMotion, Law};
use klast_stacks::{
    InterfaceRestitution, Stack, StackBlock, StackEventKind, StackOptions, StackRun, StackState,
    StackStop,
};

/// A slender column of three, the base of which loses half a per cent of its rate in an impact, and one sine of 0.3 s.
/// Drawn at random, and kept to the last digit: with numbers 1e-4 off the motion is unstable and parts after 2 s
/// whatever is neglected.
const SLENDER: [(f64, f64, f64); 3] = [
    (
        0.027_779_791_184_988_505,
        0.216_358_760_264_073_14,
        14.123_216_423_265_161,
    ),
    (
        0.019_430_788_715_062_396,
        0.152_105_123_973_539_3,
        8.961_535_483_555_231,
    ),
    (
        0.028_331_721_266_700_596,
        0.102_781_085_749_529_71,
        4.273_988_558_247_092,
    ),
];

/// Lengths, masses and times of a scale model over those of the original.
#[derive(Clone, Copy)]
struct Scale {
    length: f64,
    mass: f64,
    time: f64,
}

const ORIGINAL: Scale = Scale {
    length: 1.0,
    mass: 1.0,
    time: 1.0,
};

fn column(scale: Scale) -> Stack {
    let blocks = SLENDER.map(|(width, height, mass)| {
        StackBlock::new(
            width * scale.length,
            height * scale.length,
            mass * scale.mass,
        )
        .expect("a block")
    });
    Stack::new(&blocks, 9.81 * scale.length / scale.time.powi(2)).expect("a stack")
}

fn run(scale: Scale, options: &StackOptions) -> StackRun {
    let pulse = Law::Sine {
        amplitude: 0.786_755_880_054_434_1 * scale.length / scale.time.powi(2),
        omega: 23.545_595_686_808_16 / scale.time,
        phase: 0.073_743_682_028_526_21,
    };
    let pulse = Component::chain(
        0.0,
        0.0,
        0.0,
        &[(0.299_641_472_901_523_9 * scale.time, pulse)],
    )
    .expect("a wave");
    let options = StackOptions {
        end: 6.0 * scale.time,
        between: InterfaceRestitution::Relative {
            ratio: 0.717_548_893_655_554_1,
        },
        ..*options
    };
    column(scale)
        .run(
            &GroundMotion::horizontal(pulse),
            &StackState::rest(3),
            &options,
        )
        .expect("a run")
}

#[test]
fn nested_sequences_end() {
    let options = StackOptions {
        most_steps: 1_000_000,
        ..StackOptions::until(6.0)
    };
    let found = run(ORIGINAL, &options);
    // With rates that were dropped instead of taken by impulses it was not at rest after 10 million steps.
    assert_eq!(
        found.stop,
        StackStop::Rest,
        "{} steps, {} s",
        found.steps,
        found.state.time
    );

    // Of a closing rate w the fastest centre keeps less than w H and the three turn by less than 3 w in all.
    let stack = column(ORIGINAL);
    let rate = options.closing_rate * stack.total_frequency();
    let mass: f64 = SLENDER.iter().map(|(_, _, mass)| mass).sum();
    let most = 0.5 * mass * (3.0 * rate * stack.total_height()).powi(2);
    let closings = found
        .events
        .iter()
        .filter(|event| event.kind == StackEventKind::Closing);
    let loss = found.diagnostics.closing_loss;
    assert!(
        loss > 0.0 && loss < most * closings.count() as f64,
        "{loss:e} J"
    );
    assert!(
        found.diagnostics.energy_gain < 1e-12,
        "{}",
        found.diagnostics.energy_gain
    );
}

#[test]
fn a_scale_model_does_the_same() {
    let options = StackOptions::until(6.0);
    let original = run(ORIGINAL, &options);
    for (length, mass, time) in [(3.7, 11.0, 3.7_f64.sqrt()), (0.3, 2.0, 3.0)] {
        let scale = Scale { length, mass, time };
        let model = run(scale, &options);
        assert_eq!(original.events.len(), model.events.len());
        for (one, other) in original.events.iter().zip(&model.events) {
            assert_eq!(one.kind, other.kind);
            assert_eq!(one.interface, other.interface);
            assert_eq!(one.state.configuration(), other.state.configuration());
            // Round-off of 1e-16 s, which 200,000 events make 1e6 times more: measured is 2.6e-10 s.
            let apart = (one.state.time - other.state.time / time).abs();
            assert!(apart < 2e-9, "{apart:e} s at {}", one.state.time);
        }
    }
}

#[test]
fn the_closing_rate_does_not_matter() {
    let at = |share: f64| {
        let options = StackOptions {
            closing_rate: share,
            sampling: Some(0.25),
            ..StackOptions::until(6.0)
        };
        run(ORIGINAL, &options)
    };
    let share = StackOptions::until(6.0).closing_rate;
    let usual = at(share);
    for factor in [0.1, 10.0] {
        let other = at(factor * share);
        assert_eq!(other.stop, usual.stop);
        // What an interface has left at the closing rate w lasts 2 w / (a (1 − e)): with w = 4e-8 rad/s, an
        // acceleration a of some 0.1 of p² α = 2 rad/s² and 1 − e = 0.005 on the base, 8e-5 s at most.
        let rest = (other.state.time - usual.state.time).abs();
        assert!(rest < 8e-5, "{factor}: rest {rest:e} s apart");
        assert_eq!(other.samples.len(), usual.samples.len());
        for (one, another) in usual.samples.iter().zip(&other.samples) {
            for (a, b) in one.angles.iter().zip(&another.angles) {
                // That rate over those times turns by 4e-8 · 8e-5 rad.
                let apart = (a - b).abs();
                assert!(apart < 1e-11, "{factor}: {apart:e} rad at {}", one.time);
            }
        }
    }
}
