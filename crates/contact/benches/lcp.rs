//! Linear complementarity problems: Murty's family, on which pivoting is at its worst, and friction with facets.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use klast_contact::{LcpMethod, LcpOptions, LinearComplementarityProblem, solve_lcp};

/// Upper triangular with 1 on and 2 above the diagonal, q = −1 (Murty 1988, chapter 6).
fn murty(n: usize) -> LinearComplementarityProblem {
    let entry = |i: usize, j: usize| match i.cmp(&j) {
        std::cmp::Ordering::Less => 2.0,
        std::cmp::Ordering::Equal => 1.0,
        std::cmp::Ordering::Greater => 0.0,
    };
    let m = (0..n * n).map(|k| entry(k / n, k % n)).collect();
    LinearComplementarityProblem::new(m, vec![-1.0; n]).expect("valid data")
}

/// A symmetric positive definite band with loads of both signs, as a row of blocks gives.
fn band(n: usize) -> LinearComplementarityProblem {
    let entry = |i: usize, j: usize| match i.abs_diff(j) {
        0 => 2.1,
        1 => -1.0,
        _ => 0.0,
    };
    let m = (0..n * n).map(|k| entry(k / n, k % n)).collect();
    let q = (0..n)
        .map(|i| if i % 3 == 0 { 0.4 } else { -0.3 })
        .collect();
    LinearComplementarityProblem::new(m, q).expect("valid data")
}

fn lcps(c: &mut Criterion) {
    let mut group = c.benchmark_group("lcp");
    group.throughput(Throughput::Elements(1));
    for (name, problem) in [
        ("murty 6", murty(6)),
        ("murty 20", murty(20)),
        ("band 40", band(40)),
    ] {
        for (method, label) in [
            (LcpMethod::Lemke, "lemke"),
            (LcpMethod::ProjectedGaussSeidel, "gauss-seidel"),
        ] {
            let options = LcpOptions {
                method,
                ..LcpOptions::default()
            };
            group.bench_with_input(BenchmarkId::new(label, name), &problem, |b, p| {
                b.iter(|| solve_lcp(p, &options))
            });
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = lcps
}
criterion_main!(benches);
