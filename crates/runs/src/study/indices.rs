//! Sensitivity indices of Sobol (2001), Mathematics and Computers in Simulation 55, 271–280, from a finite number of
//! random sets.

use klast_sampling::{Purpose, Streams, open_uniform};
use rayon::prelude::*;

/// Resamples of the bootstrap.
const RESAMPLES: u64 = 1000;

/// An index with the interval that holds it in 95 of 100 bootstrap resamples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The index.
    pub value: f64,
    /// Lower end of the interval.
    pub lower: f64,
    /// Upper end of the interval.
    pub upper: f64,
}

/// Both indices of a key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Index {
    /// Part of the variance that the key explains alone.
    pub first: Estimate,
    /// Part of the variance that is left if all other keys are known.
    pub total: Estimate,
}

/// The indices of `keys` independent numbers. A set holds the results f(A), f(B), and f(A with number i of B) for each
/// number i, of two independent draws A and B of all numbers.
///
/// With the mean m and the variance V of all f(A) and f(B),
///
/// S_i = ⟨(f(B) − m) (f(AB_i) − f(A))⟩ / V (Saltelli et al. 2010, Computer Physics Communications 181, 259–270, eq. b)
/// and T_i = ⟨(f(A) − f(AB_i))²⟩ / 2V (Jansen 1999, Computer Physics Communications 117, 35–43).
///
/// Intervals are percentiles over resamples of whole sets, which are independent of each other. None where the results
/// do not vary, or a set is not of `keys + 2` finite results.
#[must_use]
pub fn sobol(sets: &[Vec<f64>], keys: usize, seed: u64) -> Option<Vec<Index>> {
    let whole = |set: &Vec<f64>| set.len() == keys + 2 && set.iter().all(|x| x.is_finite());
    if sets.len() < 2 || !sets.iter().all(whole) {
        return None;
    }
    let centre = sets.iter().map(|set| set[0] + set[1]).sum::<f64>() / (2 * sets.len()) as f64;
    let terms: Vec<Vec<f64>> = sets.iter().map(|set| terms(set, centre)).collect();
    let every = indices(terms.iter(), keys)?;
    let resample = |number: u64| {
        let mut rng = Streams::new(seed).rng(Purpose::Custom(1), number);
        let mut one = || (open_uniform(&mut rng) * terms.len() as f64) as usize;
        let picked: Vec<usize> = (0..terms.len()).map(|_| one()).collect();
        indices(picked.iter().filter_map(|k| terms.get(*k)), keys)
    };
    let resamples: Vec<Vec<[f64; 2]>> = (0..RESAMPLES)
        .into_par_iter()
        .filter_map(resample)
        .collect();
    let estimate = |key: usize, which: usize| {
        let mut values: Vec<f64> = resamples.iter().map(|r| r[key][which]).collect();
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values.get((share * (values.len() - 1) as f64).round() as usize);
        Some(Estimate {
            value: every[key][which],
            lower: *at(0.025)?,
            upper: *at(0.975)?,
        })
    };
    let index = |key: usize| {
        Some(Index {
            first: estimate(key, 0)?,
            total: estimate(key, 1)?,
        })
    };
    (0..keys).map(index).collect()
}

/// What a set adds to the sums of the estimators: f(A) + f(B), their squares, and for each key the product of
/// [`sobol`], the difference, and its square.
fn terms(set: &[f64], centre: f64) -> Vec<f64> {
    let (a, b) = (set[0] - centre, set[1] - centre);
    let mut terms = vec![a + b, a * a + b * b];
    for mixed in &set[2..] {
        let change = mixed - centre - a;
        terms.extend([b * change, change, change * change]);
    }
    terms
}

/// First-order and total index of each key from the terms of some sets.
fn indices<'a>(sets: impl Iterator<Item = &'a Vec<f64>>, keys: usize) -> Option<Vec<[f64; 2]>> {
    let (mut sums, mut count) = (vec![0.0; 2 + 3 * keys], 0.0);
    for set in sets {
        count += 1.0;
        for (sum, term) in sums.iter_mut().zip(set) {
            *sum += term;
        }
    }
    let mean = sums[0] / (2.0 * count);
    let variance = sums[1] / (2.0 * count) - mean * mean;
    // Rounding of results that are all the same.
    if variance.is_nan() || variance <= 1e-24 * sums[1] / count {
        return None;
    }
    let of_key = |key: &[f64]| {
        [
            (key[0] - mean * key[1]) / (count * variance),
            key[2] / (2.0 * count * variance),
        ]
    };
    Some(sums[2..].chunks(3).map(of_key).collect())
}
