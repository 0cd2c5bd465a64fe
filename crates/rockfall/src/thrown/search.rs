//! The coefficients of a law that leave least between computed and measured throws, and how sure they are.

use super::band::{band, level};
use klast_dynamics::{DistributionError, Purpose, Streams, open_uniform};

/// The stream of the resamples.
const RESAMPLING: Purpose = Purpose::Custom(37);
/// Sums of squares that differ by a smaller part are the same; so are those that differ by less than a nanometre a
/// sample. Where a body sticks, every larger friction gives the same motion.
const SAME: f64 = 1e-6;
const SAME_LENGTH: f64 = 1e-9;

/// Grids of a search.
pub const GRIDS: usize = 4;
/// After the first grids the next spans the best part of the trials as well: a valley that is narrower than their
/// spacing shows only as a neighbourhood of good sets.
const WIDE_GRIDS: usize = 2;
const BEST_PART: f64 = 0.05;
/// How often it halves its steps around the best set afterwards.
const HALVINGS: usize = 8;

/// Ranges of the coefficients: friction μ, normal restitution e, tangential restitution e_t.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranges(pub [[f64; 2]; 3]);

impl Ranges {
    fn is_open(&self, axis: usize) -> bool {
        self.0[axis][1] > self.0[axis][0]
    }

    fn open(&self) -> u32 {
        (0..3).filter(|k| self.is_open(*k)).count() as u32
    }

    /// Trials that a search with so many values of each coefficient on a grid makes at most.
    pub fn most_trials(&self, values: usize) -> usize {
        let grid = values.saturating_pow(self.open());
        let around = HALVINGS * (3_usize.pow(self.open()) - 1);
        grid.saturating_mul(GRIDS).saturating_add(around)
    }
}

/// One set of coefficients and the sum of squares of each throw (m²).
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// μ, e, e_t.
    pub values: [f64; 3],
    /// Of each throw.
    pub squares: Vec<f64>,
}

impl Trial {
    /// The sum of squares with each throw as often as its weight says.
    fn sum(&self, weights: &[u32]) -> f64 {
        let pairs = self.squares.iter().zip(weights);
        pairs
            .filter(|(_, w)| **w > 0)
            .map(|(s, w)| f64::from(*w) * s)
            .sum()
    }
}

/// What is found of a law.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// μ, e, e_t that leave least; the smallest friction where several leave as little.
    pub best: Trial,
    /// 90 % bands of the three, over throws.
    pub bands: [[f64; 2]; 3],
    /// Root of the mean square (m).
    pub rms: f64,
    /// The least sum of squares in each resample, and up to what another is the same (m²).
    pub least: Vec<[f64; 2]>,
}

/// Resamples of throws with replacement: how often each throw is in each of them. The first is the throws themselves.
pub fn resamples(throws: usize, count: usize, seed: u64) -> Vec<Vec<u32>> {
    let streams = Streams::new(seed);
    let own = std::iter::once(vec![1; throws]);
    own.chain((0..count).map(|k| {
        let mut rng = streams.rng(RESAMPLING, k as u64);
        let mut weights = vec![0; throws];
        for _ in 0..throws {
            let which = (open_uniform(&mut rng) * throws as f64) as usize;
            if let Some(weight) = weights.get_mut(which.min(throws.saturating_sub(1))) {
                *weight += 1;
            }
        }
        weights
    }))
    .collect()
}

/// A search on grids, each where the resamples have their best on those before.
///
/// The first grid spans the ranges. The next spans what the best sets of all resamples span on the trials so far, one
/// spacing wider to each side (after the first two also what the best twentieth of them spans), so that it is as fine
/// as the throws can tell. At the end steps that halve follow the best set of all throws, so that what a law leaves is
/// not that of a grid.
#[derive(Debug, Clone)]
pub struct Search {
    ranges: Ranges,
    values: usize,
    /// Samples of each throw.
    samples: Vec<usize>,
    resamples: Vec<Vec<u32>>,
    trials: Vec<Trial>,
    /// Grids so far.
    taken: usize,
    /// The window of the next grid, and the spacing of the last.
    window: [[f64; 2]; 3],
    spacing: [f64; 3],
    /// Steps of the search around the best set.
    step: [f64; 3],
}

impl Search {
    /// A search with so many values of each coefficient on a grid; `samples` of each throw are compared.
    pub fn new(
        ranges: Ranges,
        values: usize,
        samples: Vec<usize>,
        resamples: Vec<Vec<u32>>,
    ) -> Self {
        Self {
            ranges,
            values: values.max(2),
            samples,
            resamples,
            trials: Vec::new(),
            taken: 0,
            window: ranges.0,
            spacing: [0.0; 3],
            step: [0.0; 3],
        }
    }

    /// Sets of a grid; the trials begin with those of all grids, one after the other.
    pub fn sets_of_a_grid(&self) -> usize {
        self.values.pow(self.ranges.open())
    }

    /// Trials a whole search makes at most.
    pub fn most(&self) -> usize {
        self.ranges.most_trials(self.values)
    }

    /// The whole search: `evaluate` makes a trial of each set, in order.
    ///
    /// # Errors
    /// What `evaluate` gives.
    pub fn run<E>(
        &mut self,
        evaluate: impl FnMut(Vec<[f64; 3]>) -> Result<Vec<Trial>, E>,
    ) -> Result<(), E> {
        self.run_while(evaluate, || Ok(()))
    }

    /// As [`Search::run`]; before each resample is gone through, `ask` may end it.
    ///
    /// # Errors
    /// What `evaluate` and `ask` give.
    pub fn run_while<E>(
        &mut self,
        mut evaluate: impl FnMut(Vec<[f64; 3]>) -> Result<Vec<Trial>, E>,
        ask: impl Fn() -> Result<(), E>,
    ) -> Result<(), E> {
        for _ in 0..GRIDS {
            self.take(evaluate(self.grid())?, &ask)?;
        }
        for _ in 0..HALVINGS {
            let sets = self.around();
            self.trials.extend(evaluate(sets)?);
        }
        Ok(())
    }

    /// The sets of the next grid: those of the window.
    fn grid(&self) -> Vec<[f64; 3]> {
        let axis = |k: usize| -> Vec<f64> {
            let [low, high] = self.window[k];
            if !self.ranges.is_open(k) {
                return vec![low];
            }
            let last = (self.values - 1) as f64;
            let at = |i: usize| low + (high - low) * (i as f64 / last);
            (0..self.values).map(at).collect()
        };
        product([axis(0), axis(1), axis(2)])
    }

    /// Takes the trials of a grid in and draws the window of the next.
    fn take<E>(&mut self, trials: Vec<Trial>, ask: &impl Fn() -> Result<(), E>) -> Result<(), E> {
        self.trials.extend(trials);
        for k in 0..3 {
            let [low, high] = self.window[k];
            self.spacing[k] = (high - low) / (self.values - 1) as f64;
        }
        self.step = self.spacing;
        self.taken += 1;
        let mut window = NONE;
        for weights in &self.resamples {
            ask()?;
            widen(&mut window, self.ends(weights));
        }
        if self.taken <= WIDE_GRIDS {
            for values in self.best_part() {
                widen(&mut window, values.map(|v| [v, v]));
            }
        }
        for (k, [low, high]) in window.into_iter().enumerate() {
            let [least, greatest] = self.ranges.0[k];
            self.window[k] = match low <= high {
                true => [
                    (low - self.spacing[k]).max(least),
                    (high + self.spacing[k]).min(greatest),
                ],
                // No set leaves a finite sum.
                false => self.ranges.0[k],
            };
        }
        Ok(())
    }

    /// The best sets of all throws, by whole sums.
    fn best_part(&self) -> Vec<[f64; 3]> {
        let all = self.all();
        let mut order: Vec<(f64, [f64; 3])> = self
            .trials
            .iter()
            .map(|t| (t.sum(&all), t.values))
            .filter(|(sum, _)| sum.is_finite())
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        order.truncate((BEST_PART * self.sets_of_a_grid() as f64).ceil() as usize);
        order.into_iter().map(|(_, values)| values).collect()
    }

    /// Sets at one step around the best of all throws; the steps halve each time.
    fn around(&mut self) -> Vec<[f64; 3]> {
        let Some(best) = self.best(&self.all()) else {
            return Vec::new();
        };
        let centre = best.values;
        let axis = |k: usize| -> Vec<f64> {
            let [least, greatest] = self.ranges.0[k];
            let step = 0.5 * self.step[k];
            let mut values: Vec<f64> = [-1.0, 0.0, 1.0]
                .map(|s| (centre[k] + s * step).clamp(least, greatest))
                .to_vec();
            values.dedup();
            values
        };
        let mut sets = product([axis(0), axis(1), axis(2)]);
        sets.retain(|set| *set != centre);
        self.step = self.step.map(|s| 0.5 * s);
        sets
    }

    /// All trials in their order.
    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    fn all(&self) -> Vec<u32> {
        vec![1; self.samples.len()]
    }

    /// What counts as the same as a least sum.
    fn same(&self, least: f64, weights: &[u32]) -> f64 {
        let samples: f64 = self
            .samples
            .iter()
            .zip(weights)
            .map(|(n, w)| *n as f64 * f64::from(*w))
            .sum();
        least * (1.0 + SAME) + samples * SAME_LENGTH * SAME_LENGTH
    }

    fn least(&self, weights: &[u32]) -> f64 {
        let sums = self.trials.iter().map(|t| t.sum(weights));
        sums.fold(f64::INFINITY, f64::min)
    }

    /// Trials that leave the least sum.
    fn equals(&self, weights: &[u32]) -> Vec<&Trial> {
        let sums: Vec<f64> = self.trials.iter().map(|t| t.sum(weights)).collect();
        let least = sums.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.same(least, weights);
        let pairs = self.trials.iter().zip(sums);
        pairs
            .filter(|(_, sum)| most.is_finite() && *sum <= most)
            .map(|(trial, _)| trial)
            .collect()
    }

    /// The trial that leaves least; the one of the smallest values where several do.
    fn best(&self, weights: &[u32]) -> Option<&Trial> {
        self.equals(weights).into_iter().min_by(|a, b| {
            let pairs = a.values.iter().zip(&b.values);
            pairs
                .map(|(a, b)| a.total_cmp(b))
                .find(|o| o.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        })
    }

    /// Least and greatest values of the trials that leave the least sum.
    fn ends(&self, weights: &[u32]) -> [[f64; 2]; 3] {
        let mut ends = NONE;
        for trial in self.equals(weights) {
            widen(&mut ends, trial.values.map(|v| [v, v]));
        }
        ends
    }

    /// What is found; none where no set leaves a finite sum.
    ///
    /// # Errors
    /// None that a count of throws could have.
    pub fn estimate(&self) -> Result<Option<Estimate>, DistributionError> {
        self.estimate_while(|| Ok(()))
    }

    /// As [`Search::estimate`]; before each resample is gone through, `ask` may end it.
    ///
    /// # Errors
    /// What `ask` gives; none else that a count of throws could have.
    pub fn estimate_while<E: From<DistributionError>>(
        &self,
        ask: impl Fn() -> Result<(), E>,
    ) -> Result<Option<Estimate>, E> {
        let all = self.all();
        let Some(best) = self.best(&all) else {
            return Ok(None);
        };
        let level = level(self.samples.len())?;
        let (mut ends, mut least) = (vec![[Vec::new(), Vec::new()]; 3], Vec::new());
        for weights in self.resamples.iter().skip(1) {
            ask()?;
            let sum = self.least(weights);
            least.push([sum, self.same(sum, weights)]);
            for (own, [low, high]) in ends.iter_mut().zip(self.ends(weights)) {
                own[0].push(low);
                own[1].push(high);
            }
        }
        let mut bands = self.ranges.0;
        if self.samples.len() > 1 {
            for (k, own) in bands.iter_mut().enumerate() {
                let half = 0.5 * self.spacing[k];
                *own = band([&ends[k][0], &ends[k][1]], level, half, self.ranges.0[k]);
            }
        }
        let samples: usize = self.samples.iter().sum();
        Ok(Some(Estimate {
            rms: (best.sum(&all) / samples.max(1) as f64).sqrt(),
            best: best.clone(),
            bands,
            least,
        }))
    }
}

/// Ends of nothing.
const NONE: [[f64; 2]; 3] = [[f64::INFINITY, f64::NEG_INFINITY]; 3];

fn widen(ends: &mut [[f64; 2]; 3], by: [[f64; 2]; 3]) {
    for (own, by) in ends.iter_mut().zip(by) {
        *own = [own[0].min(by[0]), own[1].max(by[1])];
    }
}

/// All combinations, the last changing fastest.
fn product([a, b, c]: [Vec<f64>; 3]) -> Vec<[f64; 3]> {
    let mut sets = Vec::with_capacity(a.len() * b.len() * c.len());
    for &x in &a {
        for &y in &b {
            sets.extend(c.iter().map(|&z| [x, y, z]));
        }
    }
    sets
}

/// In which part of the resamples one law leaves less than another by more than rounding; an infinite sum wins nothing.
pub fn wins(one: &Estimate, other: &Estimate) -> f64 {
    let pairs = one.least.iter().zip(&other.least);
    let won = pairs.filter(|(a, b)| a[1] < b[0]).count();
    won as f64 / one.least.len().max(1) as f64
}
