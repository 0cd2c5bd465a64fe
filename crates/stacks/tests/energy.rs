//! Energy of free stacks: constant between events, never gained in an impact, for any sizes.

use klast_ground_motion::GroundMotion;
use klast_stacks::{Stack, StackBlock, StackEventKind, StackOptions, StackState};
use proptest::prelude::*;

fn stack_and_tilt() -> impl Strategy<Value = (Vec<(f64, f64, f64)>, Vec<f64>)> {
    (1_usize..=5).prop_flat_map(|blocks| {
        let block = (0.2..1.0_f64, 0.4..2.0_f64, 0.3..3.0_f64);
        let tilt = prop_oneof![Just(0.0), -0.08..0.08_f64];
        (
            prop::collection::vec(block, blocks),
            prop::collection::vec(tilt, blocks),
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn kept_between_events_and_lost_in_impacts((sizes, tilt) in stack_and_tilt()) {
        let blocks: Vec<_> = sizes.iter().map(|(b, h, m)| StackBlock::new(*b, *h, *m).expect("a block")).collect();
        let stack = Stack::new(&blocks, 9.81).expect("a stack");
        let start = StackState::from_relative(0.0, &tilt, &vec![0.0; tilt.len()]).expect("a state");
        let options = StackOptions { sampling: Some(0.013), ..StackOptions::until(1.2) };
        let run = stack.run(&GroundMotion::at_rest(), &start, &options).expect("a run");
        let weight: f64 = blocks.iter().map(|block| block.mass * 9.81).sum::<f64>() * stack.total_height();
        let mut level = stack.energy(&start);
        let mut samples = run.samples.iter().peekable();
        for event in &run.events {
            while let Some(sample) = samples.next_if(|sample| sample.time < event.state.time) {
                let here = StackState::from_angles(sample.time, &sample.angles, &sample.rates).expect("a state");
                let drift = (stack.energy(&here) - level).abs() / weight;
                prop_assert!(drift < 1e-12, "{} at {}", drift, sample.time);
            }
            let after = stack.energy(&event.state);
            if event.kind == StackEventKind::Opening {
                prop_assert!((after - level).abs() / weight < 1e-12);
            } else {
                // Round-off. What a closing sequence has left is taken by impulses, which can only lose.
                prop_assert!(after <= level + 1e-12 * weight);
            }
            level = after;
        }
        prop_assert_eq!(run.diagnostics.unresolved, 0);
        prop_assert!(run.diagnostics.energy_gain < 1e-12);
    }
}
