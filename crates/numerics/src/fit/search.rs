//! A search on grids that become finer where the fit and its resamples have their best.

use super::trials::{Alike, Trial, Trials, nothing, weighted, widen};

/// Grids of a search.
pub const GRIDS: usize = 4;
/// After the first grids the next spans the best part of the trials as well: a valley that is narrower than their
/// spacing shows only as a neighbourhood of good sets.
const WIDE_GRIDS: usize = 2;
const BEST_PART: f64 = 0.05;
/// How often it halves its steps around the best set afterwards.
const HALVINGS: usize = 8;

/// Trials that a search over these ranges with so many values of each parameter on a grid makes at most.
#[must_use]
pub fn most_trials<const N: usize>(ranges: &[[f64; 2]; N], values: usize) -> usize {
    let open = open(ranges);
    let around = HALVINGS * (3_usize.pow(open) - 1);
    let grid = values.saturating_pow(open);
    grid.saturating_mul(GRIDS).saturating_add(around)
}

/// Parameters that are sought: those whose range is not a single value.
fn open<const N: usize>(ranges: &[[f64; 2]; N]) -> u32 {
    ranges.iter().filter(|[low, high]| high > low).count() as u32
}

/// A search on grids, each where the resamples have their best on those before.
///
/// The first grid spans the ranges. The next spans what the best sets of all resamples span on the trials so far, one
/// spacing wider to each side (after the first two also what the best twentieth of them spans), so that it is as fine
/// as the runs can tell. At the end steps that halve follow the best set of all runs, so that what the model leaves is
/// not that of a grid.
#[derive(Debug, Clone)]
pub struct Search<const N: usize> {
    ranges: [[f64; 2]; N],
    values: usize,
    resamples: Vec<Vec<u32>>,
    trials: Trials<N>,
    /// Grids so far.
    taken: usize,
    /// The window of the next grid, and the spacing of the last.
    window: [[f64; 2]; N],
    spacing: [f64; N],
    /// Steps of the search around the best set.
    step: [f64; N],
}

impl<const N: usize> Search<N> {
    /// A search with so many values of each parameter on a grid. A range of one value is a parameter that is not
    /// sought. The first of the resamples is each run once.
    #[must_use]
    pub fn new(
        ranges: [[f64; 2]; N],
        values: usize,
        alike: Alike,
        resamples: Vec<Vec<u32>>,
    ) -> Self {
        Self {
            ranges,
            values: values.max(2),
            resamples,
            trials: Trials::new(alike),
            taken: 0,
            window: ranges,
            spacing: [0.0; N],
            step: [0.0; N],
        }
    }

    /// Where each parameter is sought.
    #[must_use]
    pub fn ranges(&self) -> &[[f64; 2]; N] {
        &self.ranges
    }

    /// How often each run is in each of the resamples.
    #[must_use]
    pub fn resamples(&self) -> &[Vec<u32>] {
        &self.resamples
    }

    /// All trials in their order.
    #[must_use]
    pub fn trials(&self) -> &Trials<N> {
        &self.trials
    }

    /// Spacing of the last grid in each parameter.
    #[must_use]
    pub fn spacing(&self) -> [f64; N] {
        self.spacing
    }

    /// Sets of a grid; the trials begin with those of all grids, one after the other.
    #[must_use]
    pub fn sets_of_a_grid(&self) -> usize {
        self.values.pow(open(&self.ranges))
    }

    /// Trials a whole search makes at most.
    #[must_use]
    pub fn most(&self) -> usize {
        most_trials(&self.ranges, self.values)
    }

    /// The whole search: `evaluate` gives the losses of each set on each run, in order. Before each resample is gone
    /// through, `ask` may end it.
    ///
    /// # Errors
    /// What `evaluate` and `ask` give.
    pub fn run<E>(
        &mut self,
        mut evaluate: impl FnMut(&[[f64; N]]) -> Result<Vec<Vec<f64>>, E>,
        ask: impl Fn() -> Result<(), E>,
    ) -> Result<(), E> {
        for _ in 0..GRIDS {
            let sets = self.grid();
            let losses = evaluate(&sets)?;
            self.enter(sets, losses);
            self.narrow(&ask)?;
        }
        for _ in 0..HALVINGS {
            let sets = self.around();
            let losses = evaluate(&sets)?;
            self.enter(sets, losses);
        }
        Ok(())
    }

    fn enter(&mut self, sets: Vec<[f64; N]>, losses: Vec<Vec<f64>>) {
        let pairs = sets.into_iter().zip(losses);
        let trials = pairs.map(|(values, losses)| Trial { values, losses });
        self.trials.list.extend(trials);
    }

    /// The sets of the next grid: those of the window.
    fn grid(&self) -> Vec<[f64; N]> {
        let axis = |k: usize| -> Vec<f64> {
            let ([low, high], [least, greatest]) = (self.window[k], self.ranges[k]);
            if least >= greatest {
                return vec![low];
            }
            let last = (self.values - 1) as f64;
            let at = |i: usize| low + (high - low) * (i as f64 / last);
            (0..self.values).map(at).collect()
        };
        product(std::array::from_fn(axis))
    }

    /// Draws the window of the next grid.
    fn narrow<E>(&mut self, ask: &impl Fn() -> Result<(), E>) -> Result<(), E> {
        for (spacing, [low, high]) in self.spacing.iter_mut().zip(self.window) {
            *spacing = (high - low) / (self.values - 1) as f64;
        }
        self.step = self.spacing;
        self.taken += 1;
        let mut window = nothing();
        for weights in &self.resamples {
            ask()?;
            widen(&mut window, self.trials.ends(weights));
        }
        if self.taken <= WIDE_GRIDS {
            for values in self.best_part() {
                widen(&mut window, values.map(|v| [v, v]));
            }
        }
        for (k, [low, high]) in window.into_iter().enumerate() {
            let [least, greatest] = self.ranges[k];
            self.window[k] = match low <= high {
                true => [
                    (low - self.spacing[k]).max(least),
                    (high + self.spacing[k]).min(greatest),
                ],
                // No set leaves a finite sum.
                false => self.ranges[k],
            };
        }
        Ok(())
    }

    /// The best sets of all runs, by whole sums.
    fn best_part(&self) -> Vec<[f64; N]> {
        let all = self.trials.all();
        let sums = self.trials.list.iter();
        let mut order: Vec<(f64, [f64; N])> = sums
            .map(|t| (weighted(&t.losses, &all), t.values))
            .filter(|(sum, _)| sum.is_finite())
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        order.truncate((BEST_PART * self.sets_of_a_grid() as f64).ceil() as usize);
        order.into_iter().map(|(_, values)| values).collect()
    }

    /// Sets at one step around the best of all runs; the steps halve each time.
    fn around(&mut self) -> Vec<[f64; N]> {
        let Some(best) = self.trials.best(&self.trials.all()) else {
            return Vec::new();
        };
        let centre = best.values;
        let axis = |k: usize| -> Vec<f64> {
            let [least, greatest] = self.ranges[k];
            let step = 0.5 * self.step[k];
            let mut values: Vec<f64> = [-1.0, 0.0, 1.0]
                .map(|s| (centre[k] + s * step).clamp(least, greatest))
                .to_vec();
            values.dedup();
            values
        };
        let mut sets = product(std::array::from_fn(axis));
        sets.retain(|set| *set != centre);
        self.step = self.step.map(|s| 0.5 * s);
        sets
    }
}

/// All combinations, the last changing fastest.
fn product<const N: usize>(axes: [Vec<f64>; N]) -> Vec<[f64; N]> {
    let mut sets = vec![[0.0; N]];
    for (k, axis) in axes.iter().enumerate() {
        let with = |set: [f64; N]| {
            axis.iter().map(move |&value| {
                let mut set = set;
                set[k] = value;
                set
            })
        };
        sets = sets.into_iter().flat_map(with).collect();
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// f(x, y) = (x − 0.3)² + 3 (y − 0.6 − 0.5 (x − 0.3))² has its least, 0, at (0.3, 0.6); a third parameter is not
    /// sought.
    fn bowl(sets: &[[f64; 3]]) -> Result<Vec<Vec<f64>>, ()> {
        let loss = |[x, y, _]: [f64; 3]| {
            let (x, y) = (x - 0.3, y - 0.6);
            x * x + 3.0 * (y - 0.5 * x) * (y - 0.5 * x)
        };
        Ok(sets.iter().map(|set| vec![loss(*set)]).collect())
    }

    fn alike() -> Alike {
        Alike {
            relative: 0.0,
            of_a_sample: 0.0,
            samples: vec![1],
        }
    }

    #[test]
    fn a_bowl_is_found_to_the_last_step() {
        let ranges = [[0.0, 1.0], [0.0, 1.0], [0.25, 0.25]];
        let mut search = Search::new(ranges, 7, alike(), vec![vec![1]]);
        search.run(bowl, || Ok(())).unwrap();
        let best = search.trials().best(&[1]).unwrap();
        // Four grids of seven values and eight halvings: each window is at most two thirds of the one before, and the
        // last step is at most (2/3)³/6/2⁸ = 2e-4.
        assert!((best.values[0] - 0.3).abs() < 2e-4, "{:?}", best.values);
        assert!((best.values[1] - 0.6).abs() < 2e-4, "{:?}", best.values);
        assert_eq!(best.values[2], 0.25);
        assert_eq!(most_trials(&ranges, 7), GRIDS * 49 + 8 * 8);
        assert!(search.trials().list().len() <= search.most());
    }

    #[test]
    fn of_two_valleys_the_deeper_is_taken_and_an_optimum_may_lie_at_the_end() {
        // Valleys at 0.2 and 0.8, and at the end where it falls throughout.
        let two = |x: f64| ((x - 0.2) * (x - 0.2)).min((x - 0.8) * (x - 0.8) + 1e-3);
        type Loss = fn(f64) -> f64;
        for (loss, expected) in [(two as Loss, 0.2), (|x| 2.0 - x, 1.0), (|x| x, 0.0)] {
            let mut search = Search::new([[0.0, 1.0]], 21, alike(), vec![vec![1]]);
            let evaluate =
                |sets: &[[f64; 1]]| Ok::<_, ()>(sets.iter().map(|[x]| vec![loss(*x)]).collect());
            search.run(evaluate, || Ok(())).unwrap();
            let best = search.trials().best(&[1]).unwrap();
            assert!((best.values[0] - expected).abs() < 1e-5, "{expected}");
        }
    }

    #[test]
    fn where_nothing_is_finite_nothing_is_found() {
        let mut search = Search::new([[0.0, 1.0]], 5, alike(), vec![vec![1]]);
        let never = |sets: &[[f64; 1]]| Ok::<_, ()>(vec![vec![f64::INFINITY]; sets.len()]);
        search.run(never, || Ok(())).unwrap();
        assert!(search.trials().best(&[1]).is_none());
    }

    #[test]
    fn a_search_ends_between_resamples_when_it_is_asked_to() {
        let ranges = [[0.0, 1.0], [0.0, 1.0], [0.0, 0.0]];
        let count = 50;
        let resamples = || vec![vec![1]; count + 1];
        let asked = Cell::new(0);
        let until = |most: usize| {
            asked.set(0);
            let asked = &asked;
            move || {
                asked.set(asked.get() + 1);
                if asked.get() < most { Ok(()) } else { Err(()) }
            }
        };
        // Four grids, each with the runs themselves and all resamples.
        let all = GRIDS * (count + 1);
        for most in [1, 2, count, all] {
            let mut search = Search::new(ranges, 5, alike(), resamples());
            assert!(search.run(bowl, until(most)).is_err());
            assert_eq!(asked.get(), most);
        }
        let mut whole = Search::new(ranges, 5, alike(), resamples());
        whole.run(bowl, until(all + 1)).unwrap();
        assert_eq!(whole.trials().list().len(), whole.most());
    }
}
