//! A stack of one is a block, a stack that stays shut is one block, and a mirror changes signs only.

use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::{Options, Restitution, RockingBlock, simulate};
use klast_stacks::{
    Configuration, InterfaceRestitution, Pivot, Stack, StackBlock, StackEventKind, StackOptions,
    StackState,
};

const G: f64 = 9.81;

fn single(width: f64, height: f64) -> Stack {
    Stack::new(&[StackBlock::new(width, height, 3.0).expect("a block")], G).expect("a stack")
}

/// Fine enough that what is left is round-off.
fn fine(end: f64) -> StackOptions {
    StackOptions {
        tolerance: 1e-14,
        ..StackOptions::until(end)
    }
}

#[test]
fn one_block_is_a_rocking_block_over_two_hundred_impacts() {
    let (width, height) = (0.06, 0.27);
    let start = 0.6 * (width / height);
    let run = single(width, height)
        .run(
            &GroundMotion::at_rest(),
            &StackState::from_angles(0.0, &[start], &[0.0]).expect("a state"),
            &fine(200.0),
        )
        .expect("a run");
    let block = RockingBlock::rectangle(width, height, G).expect("a block");
    let options = Options::released(200.0, start);
    let other = simulate(
        &block,
        &Restitution::housner(),
        &GroundMotion::at_rest(),
        &options,
    )
    .expect("a run");
    let impacts: Vec<_> = run
        .events
        .iter()
        .filter(|event| event.kind == StackEventKind::Impact)
        .collect();
    let times = other.impact_times();
    assert!(
        impacts.len() >= 200 && times.len() >= 200,
        "{} and {}",
        impacts.len(),
        times.len()
    );
    for (index, (impact, time)) in impacts.iter().zip(&times).take(200).enumerate() {
        let difference = (impact.state.time - time).abs();
        assert!(
            difference < 1e-12,
            "impact {index} at {time}: {difference:e}"
        );
    }
}

#[test]
fn one_block_under_a_wave_is_a_rocking_block() {
    let wave =
        Component::waves(1.6 * G * 0.25, Frequency::rad_per_s(8.0), 0.0, 4.0).expect("a wave");
    let motion = GroundMotion::new(
        wave,
        Component::waves(0.3 * G, Frequency::rad_per_s(15.0), 0.4, 3.0).expect("a wave"),
    );
    let run = single(0.5, 2.0)
        .run(&motion, &StackState::rest(1), &fine(12.0))
        .expect("a run");
    let block = RockingBlock::rectangle(0.5, 2.0, G).expect("a block");
    let other = simulate(
        &block,
        &Restitution::housner(),
        &motion,
        &Options::new(12.0),
    )
    .expect("a run");
    let impacts: Vec<_> = run
        .events
        .iter()
        .filter(|event| event.kind == StackEventKind::Impact)
        .collect();
    assert!(impacts.len() > 5);
    for (impact, time) in impacts.iter().zip(other.impact_times()) {
        // The bar of the free case; the base motion adds a few roundings of its argument.
        assert!(
            (impact.state.time - time).abs() < 1e-12,
            "{time}: {:e}",
            impact.state.time - time
        );
    }
}

#[test]
fn shut_blocks_are_one_block() {
    for parts in [2, 3, 5] {
        let (width, height, mass) = (0.2, 1.2, 6.0);
        let part = StackBlock::new(width, height / f64::from(parts), mass / f64::from(parts))
            .expect("a block");
        let many = Stack::uniform(parts as usize, part, G).expect("a stack");
        let one = Stack::new(&[StackBlock::new(width, height, mass).expect("a block")], G)
            .expect("a stack");
        let angles = vec![0.05; parts as usize];
        let still = vec![0.0; parts as usize];
        let start = StackState::from_angles(0.0, &angles, &still).expect("a state");
        assert_eq!(
            start.configuration().pivots()[1..],
            vec![Pivot::Full; parts as usize - 1]
        );
        let ours = many
            .run(&GroundMotion::at_rest(), &start, &fine(1.5))
            .expect("a run");
        let alone = StackState::from_angles(0.0, &[0.05], &[0.0]).expect("a state");
        let theirs = one
            .run(&GroundMotion::at_rest(), &alone, &fine(1.5))
            .expect("a run");
        let shut = ours.events.iter().take_while(|event| {
            event.state.configuration().pivots()[1..]
                .iter()
                .all(|pivot| *pivot == Pivot::Full)
        });
        let mut compared = 0;
        for (event, expected) in shut.zip(&theirs.events) {
            assert!(
                (event.state.time - expected.state.time).abs() < 1e-12,
                "{parts} parts"
            );
            assert!(
                (event.state.rate(0) - expected.state.rate(0)).abs() < 1e-12,
                "{parts} parts"
            );
            compared += 1;
        }
        assert!(compared >= 1, "{parts} parts: nothing compared");
        // Accelerations and impact of the whole, whatever the interfaces do afterwards.
        for (push, lift) in [(0.0, 0.0), (4.0, -2.0), (-3.0, 5.0)] {
            let ours = many
                .accelerations(&start, push, lift)
                .expect("accelerations")[parts as usize - 1];
            let theirs = one
                .accelerations(&alone, push, lift)
                .expect("accelerations")[0];
            assert!((ours - theirs).abs() < 1e-12 * (1.0 + theirs.abs()));
        }
    }
}

#[test]
fn a_mirror_changes_signs_only() {
    let blocks = [(0.3, 0.9, 2.0), (0.25, 0.7, 1.1), (0.35, 0.5, 1.4)]
        .map(|(b, h, m)| StackBlock::new(b, h, m).expect("a block"));
    let stack = Stack::new(&blocks, G).expect("a stack");
    let wave = Component::waves(5.0, Frequency::rad_per_s(7.0), 0.3, 2.0).expect("a wave");
    let lift = Component::waves(2.0, Frequency::rad_per_s(11.0), 0.1, 3.0).expect("a wave");
    let motion = GroundMotion::new(wave.clone(), lift.clone());
    let mirrored = GroundMotion::new(wave.scaled(-1.0), lift);
    let ours = stack
        .run(&motion, &StackState::rest(3), &StackOptions::until(4.0))
        .expect("a run");
    let theirs = stack
        .run(&mirrored, &StackState::rest(3), &StackOptions::until(4.0))
        .expect("a run");
    assert!(ours.events.len() > 10);
    assert_eq!(ours.events.len(), theirs.events.len());
    for (left, right) in ours.events.iter().zip(&theirs.events) {
        // The arithmetic is the same up to signs.
        assert_eq!(left.state.time, right.state.time);
        assert_eq!(
            left.state.configuration(),
            right.state.configuration().mirrored()
        );
    }
}

#[test]
fn names_of_configurations_are_read_back() {
    for (blocks, moving) in [(1, 2), (2, 8), (3, 26)] {
        let all: Vec<_> = Configuration::all(blocks).collect();
        assert_eq!(
            all.iter()
                .filter(|configuration| !configuration.is_rest())
                .count(),
            moving
        );
        for configuration in all {
            assert_eq!(
                Configuration::from_name(&configuration.to_string(), blocks),
                Some(configuration)
            );
        }
    }
    assert_eq!(Configuration::from_name("1a", 3), None);
    assert_eq!(
        Configuration::from_name("LRF", 3)
            .map(|found| found.to_string())
            .as_deref(),
        Some("LRF")
    );
}

#[test]
fn offset_impulse_is_the_linear_formula() {
    let (width, height) = (0.3, 0.9);
    let sin2 = width * width / (width * width + height * height);
    for k in [0.3, 0.73, 1.0] {
        let state = StackState::from_relative(0.0, &[0.1], &[-1.0])
            .expect("a state")
            .landing(0);
        let law = InterfaceRestitution::Offset { ratio: k };
        let after = single(width, height)
            .impact(&state, 0, law)
            .expect("an impact")
            .after;
        let expected = (4.0 - 3.0 * sin2 * (1.0 + k)) / (4.0 - 3.0 * sin2 * (1.0 - k));
        assert!(
            (after.rate(0) + expected).abs() < 1e-14,
            "{} {expected}",
            after.rate(0)
        );
    }
}
