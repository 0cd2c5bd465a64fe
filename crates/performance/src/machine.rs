//! What one core of this machine can do at best, measured with the instructions that the build uses.

use std::hint::black_box;
use std::time::Instant;

use crate::median::median;

/// Time of the operations a bound is made of, nanoseconds each.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// An addition or multiplication among many that do not wait for one another.
    pub flop: f64,
    /// The same in a chain in which each waits for the last.
    pub chained: f64,
    /// A division or square root among many.
    pub division: f64,
    /// A sine of the mathematics library.
    pub sine: f64,
    /// A byte read in order from memory beyond the caches.
    pub byte: f64,
}

impl Machine {
    /// Measures, in about two seconds.
    #[must_use]
    pub fn measure() -> Self {
        Self {
            flop: each(2 * 16 * 1000, flops),
            chained: each(2 * 1000, chain),
            division: each(16 * 1000, divisions),
            sine: each(1000, sines),
            byte: bytes(),
        }
    }
}

/// Median time of one of `count` operations, nanoseconds.
fn each(count: usize, work: fn(f64) -> f64) -> f64 {
    let times = (0..15)
        .map(|_| {
            let start = Instant::now();
            for k in 0..200 {
                black_box(work(black_box(1.0 + f64::from(k) * 1e-9)));
            }
            start.elapsed().as_secs_f64() * 1e9 / (200 * count) as f64
        })
        .collect();
    median(times)
}

fn flops(x: f64) -> f64 {
    let mut sums = [x; 16];
    let (a, b) = (black_box(0.999_999), black_box(1e-7));
    for _ in 0..1000 {
        for s in &mut sums {
            *s = *s * a + b;
        }
    }
    sums.iter().sum()
}

fn chain(mut x: f64) -> f64 {
    let (a, b) = (black_box(0.999_999), black_box(1e-7));
    for _ in 0..1000 {
        x = x * a + b;
    }
    x
}

fn divisions(x: f64) -> f64 {
    let mut sums = [x; 16];
    for _ in 0..1000 {
        for s in &mut sums {
            *s = 1.0 / *s;
        }
    }
    sums.iter().sum()
}

fn sines(x: f64) -> f64 {
    (0..1000).map(|k| libm::sin(x * f64::from(k) * 0.01)).sum()
}

fn bytes() -> f64 {
    let block = vec![1.0f64; 16 << 20];
    let times = (0..7)
        .map(|_| {
            let start = Instant::now();
            let sums = black_box(&block)
                .chunks_exact(8)
                .fold([0.0; 8], |mut sums, c| {
                    for (s, x) in sums.iter_mut().zip(c) {
                        *s += x;
                    }
                    sums
                });
            black_box(sums);
            start.elapsed().as_secs_f64() * 1e9 / (8 * block.len()) as f64
        })
        .collect();
    median(times)
}
