//! The reference run of many blocks: free travel 8, friction level 0.02, e = 0.9 at the walls and 0.9999 between
//! blocks, one complementarity problem per impact. Prints pair impacts, stops and slips per second.

use std::f64::consts::TAU;
use std::hint::black_box;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule, Restitution, Start,
    StartVelocity,
};

fn released(n: usize) -> Assembly {
    let row = BlockRow::uniform(
        n,
        Block {
            size: 1.0 / n as f64,
            mass: 1.0,
            friction: 0.02 / 9.81,
        },
    )
    .expect("a valid row");
    let motion = BasinMotion::harmonic(1.0, Frequency::hertz(1.0 / TAU)).expect("a valid motion");
    let restitution = Restitution::new(0.9, 0.9999).expect("valid coefficients");
    let basin = Basin::new(9.0, motion, restitution).expect("a valid basin");
    let start = Start::spread(n, 8.0, StartVelocity::WithBasin);
    Assembly::new(basin, &row, &start, ImpactRule::Complementarity).expect("a valid start")
}

fn events(run: &Assembly) -> u64 {
    let c = run.counts();
    c.pair_impacts + c.stops + c.slips
}

fn reference_run(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("reference_run");
    group.sample_size(10);
    // Spans with some 1e5 events each; the largest row has 1e7 within half a period.
    for (n, periods) in [(8, 1500.0), (64, 20.0), (1024, 0.4), (10_000, 0.25)] {
        let start = released(n);
        let run = || {
            let mut run = start.clone();
            run.advance_to(periods * TAU).expect("time runs forward");
            run
        };
        let clock = Instant::now();
        let done = run();
        let seconds = clock.elapsed().as_secs_f64();
        let count = events(&done);
        println!(
            "N = {n}: {count} events in {seconds:.3} s, {:.3} M events/s, balance {:.1e}",
            count as f64 / seconds / 1e6,
            done.energy().relative_residual()
        );
        group.throughput(Throughput::Elements(count));
        group.bench_function(BenchmarkId::from_parameter(n), |b| {
            b.iter(|| black_box(run()))
        });
    }
    group.finish();
}

criterion_group!(benches, reference_run);
criterion_main!(benches);
