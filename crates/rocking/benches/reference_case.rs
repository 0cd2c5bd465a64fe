//! Simulations per second on one core for the reference case: block 0.5 m x 2 m, one sine wave of 2 α g at 2 Hz,
//! Housner, 10 s.
//!
//! SciPy's DOP853 does 35 to 43 per second at an error of 1e-7 to 5e-10 s in the 20th impact (t = 8.20971722347 s), a
//! compiled loop at 1 ms steps 2450 at 1e-4 s.
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::{
    BatchOptions, Case, Instructions, Options, Restitution, RockingBlock, simulate, simulate_batch,
};
use std::hint::black_box;
use std::time::Instant;

const TWENTIETH: f64 = 8.20971722347;

fn case(factor: f64) -> Case {
    let block = RockingBlock::rectangle(0.5, 2.0, 9.81).expect("a good block");
    let amplitude = 2.0 * factor * block.slenderness() * 9.81;
    let motion = Component::waves(
        amplitude,
        Frequency::rad_per_s(2.0 * std::f64::consts::TAU),
        0.0,
        1.0,
    );
    Case {
        block,
        restitution: Restitution::housner(),
        motion: motion.expect("a good wave"),
        rotation: 0.0,
    }
}

/// `run` gives the time of the 20th impact, if it followed the block that far.
fn per_second(name: &str, count: usize, mut run: impl FnMut() -> Option<f64>) {
    let mut best = f64::INFINITY;
    let mut watched = None;
    for _ in 0..7 {
        let start = Instant::now();
        watched = run();
        best = best.min(start.elapsed().as_secs_f64());
    }
    let error = watched.map_or("decided before the 20th impact".into(), |time| {
        format!(
            "error in the 20th impact {:.1e} s",
            (time - TWENTIETH).abs()
        )
    });
    println!(
        "{name}: {:.0} simulations/s on one core, {error}",
        count as f64 / best
    );
}

fn reference_case(c: &mut Criterion) {
    // Amplitudes that differ in the last digits keep the lanes from being copies of one another.
    let cases: Vec<Case> = (0..4096).map(|i| case(1.0 + 1e-15 * i as f64)).collect();
    let mut group = c.benchmark_group("reference case");
    group.sample_size(10);
    for (name, follow, instructions) in [
        ("lanes, all impacts", true, Instructions::Widest),
        ("lanes, all impacts, AVX2", true, Instructions::Avx2),
        ("lanes, all impacts, baseline", true, Instructions::Baseline),
        ("lanes, fate only", false, Instructions::Widest),
    ] {
        let options = BatchOptions {
            follow,
            instructions,
            watched_impact: 20,
            ..BatchOptions::new(10.0)
        };
        let run = || simulate_batch(&cases, &options).expect("good input");
        per_second(name, cases.len(), || run()[0].watched_time);
        group.throughput(Throughput::Elements(cases.len() as u64));
        group.bench_function(name, |b| b.iter(|| black_box(run())));
    }
    let one = &cases[0];
    let motion = GroundMotion::horizontal(one.motion.clone());
    let run = || simulate(&one.block, &one.restitution, &motion, &Options::new(10.0));
    per_second("single block with all events", 100, || {
        let mut time = 0.0;
        for _ in 0..100 {
            time = black_box(run()).expect("good input").impact_times()[19];
        }
        Some(time)
    });
    group.throughput(Throughput::Elements(1));
    group.bench_function("single block with all events", |b| {
        b.iter(|| black_box(run()))
    });
    group.finish();
}

criterion_group!(benches, reference_case);
criterion_main!(benches);
