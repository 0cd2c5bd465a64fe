//! The default solver on the published friction problems and on structures of boxes; sweeps over bodies.

#[path = "../tests/common/mod.rs"]
mod common;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use klast_contact::bodies::Solver;
use klast_contact::{SolveOptions, solve};

fn problems(c: &mut Criterion) {
    let mut list = common::published();
    list.push(("wall 8 x 9".into(), common::wall(8, 9, 0.6).problem(0.0, 0)));
    list.push((
        "planks 37 x 2".into(),
        common::plank_tower(37, 2, 0.5).problem(0.0, 0),
    ));
    let options = SolveOptions {
        tolerance: 1e-8,
        ..SolveOptions::default()
    };
    let mut group = c.benchmark_group("friction problem");
    for (name, problem) in &list {
        group.throughput(Throughput::Elements(problem.contacts() as u64));
        group.bench_function(name.as_str(), |b| b.iter(|| solve(problem, &options)));
    }
    group.finish();
}

fn sweeps(c: &mut Criterion) {
    let problem = common::wall(30, 30, 0.6).factored(0.1, 1);
    let mut group = c.benchmark_group("bodies");
    group.throughput(Throughput::Elements(20 * problem.contacts() as u64));
    group.bench_function("20 sweeps", |b| {
        b.iter_batched_ref(
            || (problem.clone(), Solver::new()),
            |(problem, solver)| solver.sweep(problem, 20),
            BatchSize::LargeInput,
        )
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = problems, sweeps
}
criterion_main!(benches);
