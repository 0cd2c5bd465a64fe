//! With a large friction coefficient the stack in space follows the no-slip engine, and with a small one it slides.

use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_stacks::{ContactOptions, Stack, StackBlock, StackOptions, StackState};

fn uniform(blocks: usize, width: f64, height: f64) -> Stack {
    Stack::uniform(
        blocks,
        StackBlock::new(width, height, 2.0).expect("a block"),
        9.81,
    )
    .expect("a stack")
}

/// Largest difference of a rotation from the no-slip engine up to `end`.
fn difference(
    stack: &Stack,
    motion: &GroundMotion,
    start: &StackState,
    end: f64,
    step: f64,
) -> f64 {
    let sampling = Some(5e-3);
    let options = ContactOptions {
        sampling,
        step,
        ..ContactOptions::new(end, 50.0, 0.1)
    };
    let with_friction = stack.run_contact(motion, start, &options).expect("a run");
    let exact = stack
        .run(
            motion,
            start,
            &StackOptions {
                sampling,
                ..StackOptions::until(end)
            },
        )
        .expect("a run");
    let mut worst = 0.0_f64;
    for (a, b) in with_friction.samples.iter().zip(&exact.samples) {
        assert!((a.time - b.time).abs() < 1e-6);
        for (x, y) in a.angles.iter().zip(&b.angles) {
            worst = worst.max((x - y).abs());
        }
    }
    assert!(with_friction.samples.len() > 20);
    worst
}

#[test]
fn one_block_released() {
    let start = StackState::from_angles(0.0, &[0.12], &[0.0]).expect("a state");
    let stack = uniform(1, 0.1, 0.4);
    let at = |step| difference(&stack, &GroundMotion::at_rest(), &start, 0.8, step);
    let (coarse, fine) = (at(1e-4), at(5e-5));
    // A time-stepping scheme is late by up to a step at every impact, at rates near 1 rad/s, and loses what it then
    // carries: first order.
    assert!(coarse < 2.5e-3, "{coarse:e}");
    assert!(fine < 0.75 * coarse, "{coarse:e} to {fine:e}");
}

#[test]
fn two_blocks_pushed_until_the_first_impact() {
    let stack = uniform(2, 0.1, 0.3);
    let push = Component::constant(0.35 * 9.81, 0.12).expect("a push");
    let motion = GroundMotion::horizontal(push);
    let exact = stack
        .run(&motion, &StackState::rest(2), &StackOptions::until(0.3))
        .expect("a run");
    assert_eq!(exact.diagnostics.jump_time, None);
    let worst = difference(&stack, &motion, &StackState::rest(2), 0.3, 1e-4);
    // The narrowing of the upper block by 1e-4 and the steps of 0.1 ms.
    assert!(worst < 1e-3, "{worst:e}");
}

#[test]
fn a_slippery_base_slides_instead_of_rocking() {
    let stack = uniform(2, 0.1, 0.2);
    let push = Component::constant(0.5 * 9.81, 0.1).expect("a push");
    let motion = GroundMotion::horizontal(push);
    let options = ContactOptions {
        base_friction: 0.1,
        ..ContactOptions::new(0.3, 0.8, 0.1)
    };
    let run = stack
        .run_contact(&motion, &StackState::rest(2), &options)
        .expect("a run");
    assert!(run.falls.is_empty());
    assert!(
        run.angles.iter().all(|angle| angle.abs() < 1e-3),
        "{:?}",
        run.angles
    );
    // While the base runs ahead at 0.5 g the stack follows at 0.1 g: it lags by 0.4 g t²/2 over the push alone.
    assert!(
        run.slides[0] > 0.5 * 0.4 * 9.81 * 0.1 * 0.1 * 0.9,
        "{:?}",
        run.slides
    );
    assert!(run.slides[1] < 1e-4, "{:?}", run.slides);
}

/// Under a base acceleration a for a time T an interface of friction μ slides by v T/2 + v²/(2 μ g) against it, with
/// v = (a − μ g) T; an interface that holds keeps its block where it is.
#[test]
fn residual_offsets_are_those_of_a_sliding_block() {
    let (a, pulse, friction) = (4.0, 0.2, 0.2);
    let stack = uniform(3, 1.0, 0.2);
    let motion = GroundMotion::horizontal(Component::constant(a, pulse).unwrap());
    let start = StackState::rest(3);
    let run = |between: f64, base: f64| {
        let options = ContactOptions {
            base_friction: base,
            ..ContactOptions::new(1.0, between, 0.8)
        };
        stack.run_contact(&motion, &start, &options).expect("a run")
    };
    let speed = (a - friction * 9.81) * pulse;
    let slid = 0.5 * speed * pulse + speed * speed / (2.0 * friction * 9.81);
    let on_base = run(0.9, friction);
    // Steps of 0.1 ms: v h is 4e-5.
    assert!(
        (on_base.offsets[0].way.x + slid).abs() < 1e-4,
        "{on_base:?}"
    );
    // It slides one way only: the largest offset and the path are both the distance.
    assert!((on_base.largest_offsets[0] - slid).abs() < 1e-4 && !on_base.sliding);
    assert!((on_base.slides[0] - slid).abs() < 1e-4, "{on_base:?}");
    for held in &on_base.offsets[1..] {
        assert!(
            held.way.length() < 1e-5 && held.twist.abs() < 1e-9,
            "{held:?}"
        );
    }
    assert!(on_base.offsets[0].twist.abs() < 1e-9);
    // Friction of 0.2 between the blocks too: the lowest is held, the middle one slides on it with the upper one on
    // top.
    let between = run(friction, 0.9);
    // The base, at 0.8 m/s at the end, is half a step ahead: 4e-5.
    assert!(between.offsets[0].way.length() < 1e-4, "{between:?}");
    assert!(
        (between.offsets[1].way.x + slid).abs() < 1e-4,
        "{between:?}"
    );
    assert!(between.offsets[2].way.length() < 1e-3, "{between:?}");
}

/// Largest offset and path (m) of a mass on a base that accelerates by A cos ωt for 3 s, with Coulomb friction μg: its
/// velocity w against the base follows w′ = −a − μg sign w, and it sticks where w passes 0 while |a| ≤ μg.
fn shaken_mass(amplitude: f64, omega: f64, friction: f64) -> (f64, f64) {
    let step = 1e-5;
    let (mut speed, mut way, mut largest, mut path) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
    for k in 0..300_000 {
        let base = amplitude * (omega * step * (f64::from(k) + 0.5)).cos();
        let pull = if speed == 0.0 { -base } else { speed };
        let sliding = speed != 0.0 || base.abs() > friction;
        let rate = if sliding {
            -base - friction.copysign(pull)
        } else {
            0.0
        };
        let next = speed + rate * step;
        let next = if speed * next < 0.0 { 0.0 } else { next };
        way += 0.5 * (speed + next) * step;
        path += 0.5 * (speed + next).abs() * step;
        largest = largest.max(way.abs());
        speed = next;
    }
    (largest, path)
}

/// A base that shakes for 3 s under a stack of small friction: the path grows with every cycle, the distance from the
/// first place does not.
#[test]
fn the_path_of_a_shaken_stack_is_no_offset() {
    let blocks = [
        StackBlock::new(2.0, 0.4, 1600.0),
        StackBlock::new(1.5, 0.3, 900.0),
    ];
    let stack = Stack::new(&blocks.map(|block| block.unwrap()), 9.81).unwrap();
    let shaking = Component::harmonic(
        3.0,
        Frequency::rad_per_s(4.0 * std::f64::consts::PI),
        std::f64::consts::FRAC_PI_2,
        f64::INFINITY,
    );
    let motion = GroundMotion::horizontal(shaking.unwrap());
    let options = ContactOptions {
        base_friction: 0.1,
        step: 2e-4,
        ..ContactOptions::new(3.0, 0.6, 1.0)
    };
    let run = stack
        .run_contact(&motion, &StackState::rest(2), &options)
        .unwrap();
    let (offset, path) = shaken_mass(3.0, 4.0 * std::f64::consts::PI, 0.981);
    // A step of 0.2 ms at the start of 3 m/s² leaves 0.3 mm/s, over half a cycle of 0.25 s.
    assert!(
        (run.largest_offsets[0] - offset).abs() < 5e-4,
        "{run:?} {offset}"
    );
    assert!((run.slides[0] / path - 1.0).abs() < 0.01, "{run:?} {path}");
    assert!(path > 8.0 * offset && run.sliding, "the base never stops");
    assert!(run.largest_rotations.iter().all(|turned| *turned < 1e-6));
}

/// A block that rocks without sliding has not moved, though the middle of its lower face swings by b (1 − cos θ).
#[test]
fn rocking_is_no_offset() {
    let stack = uniform(1, 0.4, 1.6);
    let start = StackState::from_relative(0.0, &[0.15], &[0.0]).unwrap();
    let options = ContactOptions::new(0.5, 2.0, 0.4);
    let run = stack
        .run_contact(&GroundMotion::at_rest(), &start, &options)
        .unwrap();
    let swing = 0.2 * (1.0 - 0.15f64.cos());
    assert!(
        run.largest_rotations[0] > 0.149,
        "{:?}",
        run.largest_rotations
    );
    assert!(
        run.largest_offsets[0] < 0.02 * swing,
        "{:?} of {swing}",
        run.largest_offsets
    );
}
