//! When the samples of a stack are taken, to the last.

use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_stacks::{ContactOptions, Stack, StackBlock, StackOptions, StackRun, StackState};

fn stack(blocks: usize) -> Stack {
    let block = StackBlock::new(0.5, 2.0, 3.0).unwrap();
    Stack::uniform(blocks, block, 9.81).unwrap()
}

fn sampled(stack: &Stack, motion: &GroundMotion, start: &StackState, end: f64) -> StackRun {
    let options = StackOptions {
        sampling: Some(0.25),
        ..StackOptions::until(end)
    };
    stack.run(motion, start, &options).unwrap()
}

/// A sample at the end of a run is that of a run which goes on.
#[test]
fn the_end_is_sampled_in_motion_as_in_rest() {
    let wave = Component::waves(4.0, Frequency::rad_per_s(3.0), 0.3, 4.0).unwrap();
    let moving = GroundMotion::horizontal(wave);
    let still = GroundMotion::at_rest();
    let tilted = StackState::from_angles(0.0, &[0.1], &[0.0]).unwrap();
    for (blocks, motion, start) in [
        (1, &still, tilted),
        (1, &moving, StackState::rest(1)),
        (3, &moving, StackState::rest(3)),
    ] {
        let stack = stack(blocks);
        let whole = sampled(&stack, motion, &start, 1.0);
        let cut = sampled(&stack, motion, &start, 0.75);
        assert_eq!((whole.samples.len(), cut.samples.len()), (5, 4));
        for (a, b) in whole.samples.iter().zip(&cut.samples) {
            assert_eq!(a.time, b.time);
            let pairs = [
                (&a.angles, &b.angles),
                (&a.rates, &b.rates),
                (&a.accelerations, &b.accelerations),
            ];
            for (x, y) in pairs.into_iter().flat_map(|(a, b)| a.iter().zip(b)) {
                // Each step is good to 1e-11 g/H; other steps lead to the same time.
                assert!((x - y).abs() < 1e-8, "{blocks} at {}: {x} {y}", a.time);
            }
        }
        let last = &cut.samples[3];
        assert!(last.rates.iter().any(|rate| *rate != 0.0), "{last:?}");
    }
}

/// At 1e9 s two doubles are 1.2e-7 s apart: a sum of intervals of 1e-8 s would stay where it is.
#[test]
fn intervals_below_the_rounding_of_the_time_come_to_an_end() {
    let start = StackState::from_angles(1e9, &[0.1], &[0.0]).unwrap();
    let options = StackOptions {
        sampling: Some(1e-8),
        ..StackOptions::until(1e9 + 1e-6)
    };
    let run = stack(1)
        .run(&GroundMotion::at_rest(), &start, &options)
        .unwrap();
    // The end is 8 spacings on; k of 1e-8 s round to no more than that up to k = 101.
    assert_eq!(run.samples.len(), 102);
    let times = run.samples.iter().map(|sample| sample.time);
    assert!(times.is_sorted());
}

#[test]
fn the_end_is_sampled_with_friction_too() {
    let start = StackState::from_angles(0.0, &[0.1], &[0.0]).unwrap();
    let options = ContactOptions {
        sampling: Some(0.125),
        // Steps that add up without rounding.
        step: 1.0 / 1024.0,
        ..ContactOptions::new(0.5, 50.0, 0.1)
    };
    let run = stack(1)
        .run_contact(&GroundMotion::at_rest(), &start, &options)
        .unwrap();
    let times: Vec<f64> = run.samples.iter().map(|sample| sample.time).collect();
    assert_eq!(times, [0.0, 0.125, 0.25, 0.375, 0.5]);
}
