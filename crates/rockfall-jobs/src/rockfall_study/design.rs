//! Which trials a study makes: shares of the ranges of its numbers.

use klast_sampling::{Purpose, Streams, open_uniform};

use super::scene::{Method, Scene};

/// A trajectory of Morris' method: trials at the shares in order, each by a step of one number from the one before.
pub(super) struct Trajectory {
    pub shares: Vec<Vec<f64>>,
    /// The number that is stepped and its step, from the second trial on.
    pub steps: Vec<(usize, f64)>,
}

/// Trials of a study.
pub(super) fn trials(scene: &Scene) -> usize {
    let numbers = scene.vary.len();
    match scene.method {
        Method::Morris { trajectories } => (numbers + 1) * trajectories as usize,
        Method::BackAnalysis { sets, .. } => sets as usize,
        Method::Sections { ref lines } => lines.len(),
    }
}

/// Values at shares of the ranges.
pub(super) fn values(scene: &Scene, shares: &[f64]) -> Vec<f64> {
    let pairs = scene.vary.iter().zip(shares);
    pairs
        .map(|(v, s)| v.lower * (1.0 - s) + v.upper * s)
        .collect()
}

/// Shares of the ranges of every trial in its order.
pub(super) fn shares(scene: &Scene, seed: u64) -> Vec<Vec<f64>> {
    let numbers = scene.vary.len();
    match scene.method {
        Method::Morris { trajectories } => {
            let all = drawn(scene, trajectories, seed).into_iter();
            all.flat_map(|t| t.shares).collect()
        }
        Method::Sections { ref lines } => vec![Vec::new(); lines.len()],
        Method::BackAnalysis { sets, .. } => spread(sets as usize, numbers),
    }
}

/// Morris' trajectories over four levels, each number stepping by two thirds of its range once.
pub(super) fn drawn(scene: &Scene, trajectories: u32, seed: u64) -> Vec<Trajectory> {
    const STEP: f64 = 2.0 / 3.0;
    let numbers = scene.vary.len();
    let streams = Streams::new(seed);
    let trajectory = |k: u32| {
        let mut rng = streams.rng(Purpose::Custom(0), u64::from(k));
        let mut shares: Vec<f64> = (0..numbers)
            .map(|_| {
                if open_uniform(&mut rng) < 0.5 {
                    0.0
                } else {
                    1.0 / 3.0
                }
            })
            .collect();
        // Some go down: those that start at the top of their step.
        let down: Vec<bool> = (0..numbers).map(|_| open_uniform(&mut rng) < 0.5).collect();
        for (share, down) in shares.iter_mut().zip(&down) {
            *share += if *down { STEP } else { 0.0 };
        }
        let mut order: Vec<(f64, usize)> =
            (0..numbers).map(|n| (open_uniform(&mut rng), n)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut all, mut steps) = (vec![shares.clone()], Vec::new());
        for (_, number) in order {
            let step = if down.get(number) == Some(&true) {
                -STEP
            } else {
                STEP
            };
            if let Some(share) = shares.get_mut(number) {
                *share += step;
            }
            all.push(shares.clone());
            steps.push((number, step));
        }
        Trajectory { shares: all, steps }
    };
    (0..trajectories).map(trajectory).collect()
}

/// Shares spread evenly over the ranges: fractional parts of multiples of the powers of the generalised golden ratio.
fn spread(count: usize, numbers: usize) -> Vec<Vec<f64>> {
    // The root of x^(n + 1) = x + 1 by iteration, which converges as its derivative is below one.
    let power = 1.0 / (numbers as f64 + 1.0);
    let golden = (0..64).fold(1.5_f64, |x, _| libm::pow(1.0 + x, power));
    let shares = |k: usize| {
        let share = |d: usize| (0.5 + (k + 1) as f64 / libm::pow(golden, (d + 1) as f64)).fract();
        (0..numbers).map(share).collect()
    };
    (0..count).map(shares).collect()
}
