//! The range of the rotations of a stack.
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_stacks::{Stack, StackBlock, StackOptions, StackState};

#[test]
fn the_range_of_a_stack_holds_its_first_hop() {
    let motion = |ratio: f64| {
        let amplitude = ratio * 9.81 * 0.25;
        GroundMotion::horizontal(
            Component::waves(amplitude, Frequency::rad_per_s(6.0), 0.0, 1.0).unwrap(),
        )
    };
    for (count, ratio) in [(1, 1.01), (2, 1.01), (2, 1.03)] {
        let part = StackBlock::new(0.5, 2.0 / f64::from(count), 3.0).unwrap();
        let stack = Stack::new(&vec![part; count as usize], 9.81).unwrap();
        let interval = 1e-5;
        let options = StackOptions {
            sampling: Some(interval),
            ..StackOptions::until(1.0)
        };
        let rest = StackState::rest(count as usize);
        let run = stack.run(&motion(ratio), &rest, &options).unwrap();
        for j in 0..count as usize {
            let sampled = run.samples.iter().map(|s| s.angles[j]);
            let (least, most) = sampled.fold((0.0f64, 0.0f64), |(a, b), x| (a.min(x), b.max(x)));
            let range = run.range[j];
            // between two samples the rotation grows by no more than θ″ Δt²/8, with θ″ under p² tan α of some blocks:
            // 10/s²
            let between = 10.0 * interval * interval / 8.0;
            assert!(
                range.0 <= least && range.0 > least - between,
                "{count} {j} {range:?} {least:e}"
            );
            assert!(
                range.1 >= most && range.1 < most + between,
                "{count} {j} {range:?} {most:e}"
            );
        }
    }
}
