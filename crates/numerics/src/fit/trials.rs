//! Sets of parameters, their losses on each run, and which of them leave least.

/// One set of parameters and what it leaves on each run.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial<const N: usize> {
    /// The parameters.
    pub values: [f64; N],
    /// The loss on each run: a sum of squares over its samples, in the unit of the square.
    pub losses: Vec<f64>,
}

/// Which sums of squares are the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Alike {
    /// Those that differ by a smaller part of the least (–).
    pub relative: f64,
    /// Those that differ by less than the square of this for each sample.
    pub of_a_sample: f64,
    /// Number of samples of each run.
    pub samples: Vec<usize>,
}

/// All trials of a search, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Trials<const N: usize> {
    pub(super) list: Vec<Trial<N>>,
    alike: Alike,
}

/// The sum of losses with each run as often as its weight says; one with the weight 0 is not looked at.
#[must_use]
pub fn weighted(losses: &[f64], weights: &[u32]) -> f64 {
    let pairs = losses.iter().zip(weights);
    pairs
        .filter(|(_, w)| **w > 0)
        .map(|(loss, w)| f64::from(*w) * loss)
        .sum()
}

/// The `count` candidates with the least weighted sum of losses, the best first; of equals those that come first.
#[must_use]
pub fn best_of(losses: &[Vec<f64>], weights: &[u32], count: usize) -> Vec<usize> {
    let sums = losses.iter().map(|own| weighted(own, weights));
    let mut order: Vec<(usize, f64)> = sums.enumerate().collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    order.into_iter().take(count).map(|(k, _)| k).collect()
}

impl<const N: usize> Trials<N> {
    pub(super) fn new(alike: Alike) -> Self {
        Self {
            list: Vec::new(),
            alike,
        }
    }

    /// The trials.
    #[must_use]
    pub fn list(&self) -> &[Trial<N>] {
        &self.list
    }

    /// Number of runs.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.alike.samples.len()
    }

    /// Each run once.
    #[must_use]
    pub fn all(&self) -> Vec<u32> {
        vec![1; self.runs()]
    }

    /// Samples of all runs with their weights.
    #[must_use]
    pub fn samples(&self, weights: &[u32]) -> f64 {
        let pairs = self.alike.samples.iter().zip(weights);
        pairs.map(|(n, w)| *n as f64 * f64::from(*w)).sum()
    }

    /// The least sum, and up to what another is the same.
    #[must_use]
    pub fn least(&self, weights: &[u32]) -> [f64; 2] {
        let sums = self.list.iter().map(|t| weighted(&t.losses, weights));
        let least = sums.fold(f64::INFINITY, f64::min);
        [least, self.same(least, weights)]
    }

    fn same(&self, least: f64, weights: &[u32]) -> f64 {
        let length = self.alike.of_a_sample;
        least * (1.0 + self.alike.relative) + self.samples(weights) * length * length
    }

    /// Trials that leave the least sum; none where no sum is finite.
    fn equals(&self, weights: &[u32]) -> Vec<&Trial<N>> {
        let sums = self.list.iter().map(|t| weighted(&t.losses, weights));
        let sums: Vec<f64> = sums.collect();
        let least = sums.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.same(least, weights);
        let pairs = self.list.iter().zip(sums);
        pairs
            .filter(|(_, sum)| most.is_finite() && *sum <= most)
            .map(|(trial, _)| trial)
            .collect()
    }

    /// The trial that leaves least; the one of the smallest values where several leave the same.
    #[must_use]
    pub fn best(&self, weights: &[u32]) -> Option<&Trial<N>> {
        self.equals(weights).into_iter().min_by(|a, b| {
            let pairs = a.values.iter().zip(&b.values);
            pairs
                .map(|(a, b)| a.total_cmp(b))
                .find(|o| o.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        })
    }

    /// Least and greatest values of the trials that leave the least sum.
    #[must_use]
    pub fn ends(&self, weights: &[u32]) -> [[f64; 2]; N] {
        let mut ends = nothing();
        for trial in self.equals(weights) {
            widen(&mut ends, trial.values.map(|v| [v, v]));
        }
        ends
    }

    /// The loss of each run by the trial that is best on the others; none below two runs, or where no trial leaves a
    /// finite sum.
    #[must_use]
    pub fn held_out(&self) -> Option<Vec<f64>> {
        let of_run = |run: usize| {
            let mut weights = self.all();
            *weights.get_mut(run)? = 0;
            self.best(&weights)?.losses.get(run).copied()
        };
        let several = self.runs() > 1;
        several.then(|| (0..self.runs()).map(of_run).collect())?
    }
}

/// Ends of nothing.
pub(super) fn nothing<const N: usize>() -> [[f64; 2]; N] {
    [[f64::INFINITY, f64::NEG_INFINITY]; N]
}

pub(super) fn widen<const N: usize>(ends: &mut [[f64; 2]; N], by: [[f64; 2]; N]) {
    for (own, by) in ends.iter_mut().zip(by) {
        *own = [own[0].min(by[0]), own[1].max(by[1])];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trials(list: &[(f64, [f64; 3])]) -> Trials<1> {
        let of = |&(value, losses): &(f64, [f64; 3])| Trial {
            values: [value],
            losses: losses.to_vec(),
        };
        let alike = Alike {
            relative: 1e-6,
            of_a_sample: 1e-3,
            samples: vec![10, 10, 20],
        };
        let mut trials = Trials::new(alike);
        trials.list.extend(list.iter().map(of));
        trials
    }

    #[test]
    fn weights_say_how_often_a_run_counts() {
        let trials = trials(&[
            (1.0, [1.0, 5.0, 5.0]),
            (2.0, [9.0, 1.0, 4.0]),
            (3.0, [f64::INFINITY, 0.0, 0.0]),
        ]);
        let best = |weights: [u32; 3]| trials.best(&weights).map(|t| t.values[0]);
        assert_eq!(best([1, 1, 1]), Some(1.0));
        // An infinite loss on a run that does not count is none.
        assert_eq!(best([0, 1, 1]), Some(3.0));
        assert_eq!(best([1, 3, 0]), Some(2.0));
        // Each run by what is best on the two others.
        assert_eq!(trials.held_out(), Some(vec![f64::INFINITY, 5.0, 5.0]));
        let losses: Vec<Vec<f64>> = trials.list().iter().map(|t| t.losses.clone()).collect();
        assert_eq!(best_of(&losses, &[1, 1, 1], 2), [0, 1]);
        assert_eq!(best_of(&losses, &[0, 1, 1], 9), [2, 1, 0]);
    }

    #[test]
    fn sums_within_the_resolution_are_the_same_and_the_smallest_value_is_taken() {
        // Forty samples of (1e-3)² are 4e-5.
        let trials = trials(&[
            (4.0, [1.0, 0.0, 0.0]),
            (3.0, [1.0, 0.0, 3.9e-5]),
            (2.0, [1.0, 0.0, 4.3e-5]),
        ]);
        assert_eq!(trials.best(&[1, 1, 1]).unwrap().values, [3.0]);
        assert_eq!(trials.ends(&[1, 1, 1]), [[3.0, 4.0]]);
    }
}
