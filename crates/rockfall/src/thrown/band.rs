//! Bands of numbers that a bootstrap over whole throws gives.

use klast_dynamics::{Distribution, DistributionError, Family};

use crate::score::quantile;

/// Confidence of a band.
const CONFIDENCE: f64 = 0.9;

/// The level of the lower end of the expanded percentile interval of n things: Φ(−√(n/(n − 1)) t), with t Student's
/// quantile of n − 1 degrees of freedom. The percentile interval itself is too narrow for few things (Hesterberg 2015,
/// The American Statistician 69, 371–386).
pub(super) fn level(things: usize) -> Result<f64, DistributionError> {
    let Some(freedom) = things.checked_sub(1).filter(|f| *f > 0) else {
        return Ok(0.0);
    };
    let freedom = freedom as f64;
    // t² = ν x/(1 − x) with x the quantile of a beta distribution (1/2, ν/2).
    let beta = Distribution::new(Family::Beta {
        alpha: 0.5,
        beta: 0.5 * freedom,
        lower: 0.0,
        upper: 1.0,
    })?;
    let x = beta.quantile(CONFIDENCE);
    let t = (freedom * x / (1.0 - x)).sqrt();
    let normal = Distribution::new(Family::Normal { mean: 0.0, sd: 1.0 })?;
    Ok(normal.cdf(-t * (things as f64 / freedom).sqrt()))
}

/// The band of a number whose least and greatest value in each resample are given, `half` wider to each side and within
/// a range.
pub(super) fn band(ends: [&[f64]; 2], level: f64, half: f64, range: [f64; 2]) -> [f64; 2] {
    let [least, greatest] = ends;
    let low = quantile(least, level).unwrap_or(range[0]) - half;
    let high = quantile(greatest, 1.0 - level).unwrap_or(range[1]) + half;
    [low.max(range[0]), high.min(range[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand from Student's tables: for 5 things t(0.95, 4) = 2.1318, times √(5/4) = 2.3834, Φ(−2.3834) = 0.00858;
    /// for 20, 1.7291 · 1.02598 = 1.7740, 0.03803.
    #[test]
    fn few_things_have_wide_bands() {
        approx::assert_abs_diff_eq!(level(5).unwrap(), 0.008_58, epsilon = 2e-5);
        approx::assert_abs_diff_eq!(level(20).unwrap(), 0.038_03, epsilon = 2e-5);
        // Of very many the level is that of the percentile interval; of one there is no band.
        approx::assert_abs_diff_eq!(level(100_000).unwrap(), 0.05, epsilon = 1e-4);
        assert_eq!(level(1).unwrap(), 0.0);
    }
}
