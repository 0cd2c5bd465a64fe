//! The order of results and their bits do not depend on threads or shards.

use klast_sampling::{Distribution, Family, Purpose, Streams, ensemble};
use proptest::prelude::*;
use std::ops::ControlFlow;

fn run(seed: u64) -> impl Fn(u64) -> u64 + Sync {
    let normal = Distribution::new(Family::Normal { mean: 0.0, sd: 1.0 }).unwrap();
    move |index| {
        normal
            .sample(&mut Streams::new(seed).rng(Purpose::Velocity, index))
            .to_bits()
    }
}

fn hash(range: std::ops::Range<u64>, seed: u64, mut start: u64) -> u64 {
    let end = ensemble(range.clone(), run(seed), |index, bits| {
        start = (start ^ bits ^ index)
            .wrapping_mul(0x0000_0100_0000_01B3)
            .rotate_left(17);
        ControlFlow::Continue(())
    });
    assert_eq!(end, range.end);
    start
}

#[test]
fn golden_hash_on_any_number_of_threads() {
    // The hash of 3,000 samples in index order; a change means that streams, sampling or order changed, and with them
    // every seeded result.
    let serial = (0..3_000).fold(0, |h: u64, i| {
        (h ^ run(7)(i) ^ i)
            .wrapping_mul(0x0000_0100_0000_01B3)
            .rotate_left(17)
    });
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        assert_eq!(
            pool.install(|| hash(0..3_000, 7, 0)),
            serial,
            "{threads} threads"
        );
    }
    assert_eq!(serial, GOLDEN, "{serial:#x}");
}

const GOLDEN: u64 = 0xfd17_910e_275c_800e;

#[test]
fn a_break_says_where_to_resume() {
    let mut seen = Vec::new();
    let next = ensemble(
        5..5_000,
        |i| i,
        |i, r| {
            assert_eq!(i, r);
            seen.push(i);
            if i == 777 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    );
    assert_eq!(next, 778);
    assert_eq!(seen, (5..778).collect::<Vec<_>>());
    assert_eq!(ensemble(3..3, |i| i, |_, _| ControlFlow::Continue(())), 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn any_split_gives_the_same_bits(n in 0..3_000u64, cut in 0..3_000u64, seed in any::<u64>()) {
        let cut = cut.min(n);
        prop_assert_eq!(hash(0..n, seed, 0), hash(cut..n, seed, hash(0..cut, seed, 0)));
    }
}
