//! The scheme of the thesis converges to the exact events with the square of its step.

use klast_dynamics::ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::RockingError;
use klast_rocking::stack::{Stack, StackBlock, StackOptions, StackState};

/// Largest error of an event time to 3 s, over all events of the exact run, for the stack of Kounadis at `ratio` g α*.
fn worst(ratio: f64, step: f64) -> f64 {
    let (r, alpha) = (1.606, 0.25_f64);
    let block =
        StackBlock::new(2.0 * r * alpha.sin(), 2.0 * r * alpha.cos(), 1.0).expect("a block");
    let stack = Stack::uniform(2, block, 9.81).expect("a stack");
    let wave = Component::waves(ratio * 9.81 * 0.125, Frequency::rad_per_s(12.0), 0.0, 1.0)
        .expect("a wave");
    let motion = GroundMotion::horizontal(wave);
    let options = StackOptions::until(3.0);
    let exact = stack
        .run(&motion, &StackState::rest(2), &options)
        .expect("a run");
    let scheme = stack
        .run_newmark(&motion, &StackState::rest(2), &options, step)
        .expect("a run");
    assert_eq!(exact.events.len(), scheme.events.len(), "{ratio} {step}");
    exact
        .events
        .iter()
        .zip(&scheme.events)
        .fold(0.0, |worst, (a, b)| {
            assert_eq!(
                a.state.configuration(),
                b.state.configuration(),
                "{ratio} {step} at {}",
                a.state.time
            );
            worst.max((a.state.time - b.state.time).abs())
        })
}

#[test]
fn second_order_with_the_known_constant() {
    for ratio in [10.7808, 10.8696, 10.989] {
        let (coarse, fine) = (worst(ratio, 1e-3), worst(ratio, 1e-4));
        // Independent runs of the scheme: 6.6e-4 s and 6.6e-6 s at most over the three cases, given to two digits.
        assert!(
            coarse < 6.7e-4 && fine < 6.7e-6,
            "{ratio}: {coarse:e}, {fine:e}"
        );
        let order = (coarse / fine).log10();
        assert!((order - 2.0).abs() < 0.05, "{ratio}: order {order}");
    }
}

/// The iteration within a step contracts by about (p Δt)²/4 a turn: by 2 and more it leads away.
#[test]
fn a_step_too_long_for_the_iteration_is_an_error() {
    let block = StackBlock::new(0.5, 2.0, 1.0).expect("a block");
    let stack = Stack::uniform(2, block, 9.81).expect("a stack");
    let start = StackState::from_angles(0.0, &[0.05, 0.05], &[0.0; 2]).expect("a state");
    let run = |turn: f64| {
        let step = turn / stack.total_frequency();
        let options = StackOptions::until(20.0);
        stack.run_newmark(&GroundMotion::at_rest(), &start, &options, step)
    };
    assert!(run(0.01).is_ok());
    assert!(matches!(
        run(4.0),
        Err(RockingError::NoConvergence { rounds: 40, .. })
    ));
}
