//! Runs a second of the Kounadis stack: two equal blocks under one sine wave of 10.8696 g α*, to 10 s, and three drums
//! with it.

use criterion::{Criterion, criterion_group, criterion_main};
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_stacks::{Stack, StackBlock, StackOptions, StackState};
use std::hint::black_box;
use std::time::Instant;

fn kounadis() -> Option<(Stack, GroundMotion)> {
    let (r, alpha) = (1.606, 0.25_f64);
    let block = StackBlock::new(2.0 * r * alpha.sin(), 2.0 * r * alpha.cos(), 1.0).ok()?;
    let wave =
        Component::waves(10.8696 * 9.81 * 0.125, Frequency::rad_per_s(12.0), 0.0, 1.0).ok()?;
    Some((
        Stack::uniform(2, block, 9.81).ok()?,
        GroundMotion::horizontal(wave),
    ))
}

/// Events of the case whose times are known to 1e-11 s: the fourth, the sixth and the seventh.
const KNOWN: [(usize, f64); 3] = [(3, 1.1575839744), (5, 1.6073180013), (6, 2.1532000769)];

fn stacks(c: &mut Criterion) {
    let Some((stack, motion)) = kounadis() else {
        return;
    };
    let (start, options) = (StackState::rest(2), StackOptions::until(10.0));
    if let Ok(run) = stack.run(&motion, &start, &options) {
        let worst = KNOWN.iter().fold(0.0_f64, |worst, (index, time)| {
            let found = run
                .events
                .get(*index)
                .map_or(f64::INFINITY, |event| event.state.time);
            worst.max((found - time).abs())
        });
        println!(
            "Kounadis 10.8696, 10 s: {} events, {} steps, worst known event time off by {worst:.1e} s",
            run.events.len(),
            run.steps
        );
        let (runs, clock) = (2000, Instant::now());
        for _ in 0..runs {
            let _ = black_box(stack.run(black_box(&motion), &start, &options));
        }
        println!(
            "throughput: {:.0} runs/s and core",
            f64::from(runs) / clock.elapsed().as_secs_f64()
        );
    }
    c.bench_function("kounadis 10.8696, 10 s", |b| {
        b.iter(|| stack.run(black_box(&motion), &start, &options))
    });
}

criterion_group!(benches, stacks);
criterion_main!(benches);
