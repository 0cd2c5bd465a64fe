//! What a search over parameters found, with intervals from a bootstrap over whole runs.

use klast_numerics::fit::{Search, Trial, best_of, weighted};
use klast_sampling::{DistributionError, Purpose, Streams, open_uniform};
use rayon::prelude::*;

use super::parameter::{Parameter, parameter};

/// The stream of the resamples.
const RESAMPLING: Purpose = Purpose::Custom(37);

/// What is found of the parameters of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate<const N: usize> {
    /// The set that leaves least; the one of the smallest values where several leave as little.
    pub best: Trial<N>,
    /// Each parameter.
    pub parameters: [Parameter; N],
    /// Root of the mean square of what the best set leaves at a sample.
    pub rms: f64,
    /// The least sum of squares in each resample, and up to what another is the same.
    pub least: Vec<[f64; 2]>,
    /// The loss of each run by the set that is best on the others; none of a single run.
    pub held_out: Option<Vec<f64>>,
}

/// Resamples of runs with replacement: how often each run is in each of them. The first is the runs themselves.
#[must_use]
pub fn resamples(runs: usize, count: usize, seed: u64) -> Vec<Vec<u32>> {
    let streams = Streams::new(seed);
    let own = std::iter::once(vec![1; runs]);
    own.chain((0..count).map(|k| {
        let mut rng = streams.rng(RESAMPLING, k as u64);
        let mut weights = vec![0; runs];
        for _ in 0..runs {
            let which = (open_uniform(&mut rng) * runs as f64) as usize;
            if let Some(weight) = weights.get_mut(which.min(runs.saturating_sub(1))) {
                *weight += 1;
            }
        }
        weights
    }))
    .collect()
}

/// What a search found; none where no set leaves a finite sum. Before each resample is gone through, `ask` may end it.
///
/// # Errors
/// What `ask` gives; none else that a count of runs could have.
pub fn estimate<const N: usize, E: From<DistributionError>>(
    search: &Search<N>,
    ask: impl Fn() -> Result<(), E>,
) -> Result<Option<Estimate<N>>, E> {
    let trials = search.trials();
    let all = trials.all();
    let Some(best) = trials.best(&all) else {
        return Ok(None);
    };
    let mut ends = vec![[Vec::new(), Vec::new()]; N];
    let mut least = Vec::new();
    for weights in search.resamples().iter().skip(1) {
        ask()?;
        least.push(trials.least(weights));
        for (own, [low, high]) in ends.iter_mut().zip(trials.ends(weights)) {
            own[0].push(low);
            own[1].push(high);
        }
    }
    let mut parameters = [Parameter::default(); N];
    let spacing = search.spacing();
    for (k, own) in parameters.iter_mut().enumerate() {
        let [low, high] = &ends[k];
        // Steps finer than any scatter follow the best set to the end.
        let value = (best.values[k], spacing[k], 0.0);
        *own = parameter(value, [low, high], search.ranges()[k], trials.runs())?;
    }
    Ok(Some(Estimate {
        rms: (weighted(&best.losses, &all) / trials.samples(&all).max(1.0)).sqrt(),
        best: best.clone(),
        parameters,
        least,
        held_out: trials.held_out(),
    }))
}

/// The parameters of candidates that are spread over ranges, by their losses on each run: the best candidate, with
/// intervals from `count` resamples. Candidates stand a range over their number apart. Empty without a candidate.
///
/// # Errors
/// None that a count of runs could have.
pub fn of_candidates(
    values: &[Vec<f64>],
    losses: &[Vec<f64>],
    ranges: &[[f64; 2]],
    (count, seed): (usize, u64),
) -> Result<Vec<Parameter>, DistributionError> {
    let runs = losses.first().map_or(0, Vec::len);
    let best = |weights: &Vec<u32>| best_of(losses, weights, 1).first().copied();
    let drawn = resamples(runs, count, seed);
    let drawn: Vec<usize> = drawn.par_iter().filter_map(best).collect();
    let Some((first, others)) = drawn.split_first() else {
        return Ok(Vec::new());
    };
    let of = |(k, range): (usize, &[f64; 2])| {
        let value = |candidate: &usize| values[*candidate][k];
        let ends: Vec<f64> = others.iter().map(value).collect();
        let spacing = (range[1] - range[0]) / values.len() as f64;
        parameter(
            (value(first), spacing, 0.5 * spacing),
            [&ends, &ends],
            *range,
            runs,
        )
    };
    ranges.iter().enumerate().map(of).collect()
}

/// In which part of the resamples one model leaves less than another by more than rounding; an infinite sum wins
/// nothing.
#[must_use]
pub fn wins<const N: usize>(one: &Estimate<N>, other: &Estimate<N>) -> f64 {
    let pairs = one.least.iter().zip(&other.least);
    let won = pairs.filter(|(a, b)| a[1] < b[0]).count();
    won as f64 / one.least.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::{Interval, Optimum};

    /// Nine candidates over 0 to 1; each of six runs is best at 0.5 but two, which are at 0.625. Four of them in a
    /// resample (probability 0.1) make 0.625 the best, so that the interval holds it. A second parameter
    /// decides nothing.
    #[test]
    fn candidates_give_intervals_that_hold_what_the_runs_ask_for() {
        let values: Vec<Vec<f64>> = (0..9).map(|k| vec![0.125 * f64::from(k), 3.0]).collect();
        let asked = [0.5, 0.5, 0.5, 0.5, 0.625, 0.625];
        let losses: Vec<Vec<f64>> = values
            .iter()
            .map(|v| asked.iter().map(|a| (v[0] - a) * (v[0] - a)).collect())
            .collect();
        let ranges = [[0.0, 1.0], [3.0, 3.0]];
        let found = of_candidates(&values, &losses, &ranges, (500, 7)).unwrap();
        assert_eq!((found[0].value, found[0].optimum), (0.5, Optimum::Inside));
        assert_eq!(found[0].interval, Interval::Closed);
        // Half a spacing, 1/18, around 0.5 to 0.625.
        assert!((found[0].low - (0.5 - 1.0 / 18.0)).abs() < 1e-15);
        assert!((found[0].high - (0.625 + 1.0 / 18.0)).abs() < 1e-15);
        assert_eq!(found[1].interval, Interval::AsWideAsRange);
        assert!(
            of_candidates(&[], &[], &ranges, (500, 7))
                .unwrap()
                .is_empty()
        );
    }

    #[test]
    fn resamples_draw_as_many_runs_as_there_are() {
        let drawn = resamples(7, 200, 3);
        assert_eq!((drawn.len(), drawn[0].as_slice()), (201, &[1; 7][..]));
        assert!(drawn.iter().all(|w| w.iter().sum::<u32>() == 7));
        assert_eq!(drawn, resamples(7, 200, 3));
        assert_ne!(drawn, resamples(7, 200, 4));
    }
}
