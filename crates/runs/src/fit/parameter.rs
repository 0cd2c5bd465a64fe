//! What is found of a parameter: its value, its interval from the scatter between runs, and where both lie in the range
//! in which it was sought.

use klast_numerics::quantile;
use klast_sampling::{Distribution, DistributionError, Family, student_quantile};
use schemars::JsonSchema;
use serde::Serialize;

/// Confidence of an interval.
const CONFIDENCE: f64 = 0.9;

/// Where the best value of a parameter lies in the range in which it was sought.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Optimum {
    /// Inside of the range.
    #[default]
    Inside,
    /// At its lower end: a smaller value may fit better.
    AtLowerEnd,
    /// At its upper end: a larger value may fit better.
    AtUpperEnd,
}

/// What the confidence interval of a parameter is worth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Interval {
    /// Both ends lie inside of the range in which the parameter was sought.
    Closed,
    /// Only the lower end follows from the runs; the upper end is that of the range.
    LowerEndOnly,
    /// Only the upper end follows from the runs; the lower end is that of the range.
    UpperEndOnly,
    /// The interval is at least as wide as the range: the runs do not decide this parameter.
    AsWideAsRange,
    /// A single run has no scatter, and thus no interval.
    #[default]
    None,
}

/// A fitted parameter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
pub struct Parameter {
    /// Best value.
    pub value: f64,
    /// Lower end of the 90 % confidence interval; the lower end of the range if there is no interval.
    pub low: f64,
    /// Upper end of the 90 % confidence interval; the upper end of the range if there is no interval.
    pub high: f64,
    /// Range in which the parameter was sought.
    pub range: [f64; 2],
    /// Where the best value lies in this range.
    pub optimum: Optimum,
    /// What the confidence interval is worth.
    pub interval: Interval,
}

/// A parameter by its best value and by its least and greatest best value in each resample of `runs` runs.
///
/// The interval is the expanded percentile interval of a bootstrap over whole runs: the percentile interval itself is
/// too narrow for few runs (Hesterberg 2015, The American Statistician 69, 371–386). It is half of the `spacing` of the
/// trials wider to each side, and within the range. An optimum within `resolution` of an end of the range lies at it.
///
/// # Errors
/// None that a count of runs could have.
pub fn parameter(
    (value, spacing, resolution): (f64, f64, f64),
    ends: [&[f64]; 2],
    range: [f64; 2],
    runs: usize,
) -> Result<Parameter, DistributionError> {
    let [least, greatest] = range;
    let [low, high] = match runs {
        0 | 1 => range,
        _ => band(ends, level(runs)?, 0.5 * spacing, range),
    };
    let interval = match (runs > 1, low <= least, high >= greatest) {
        (false, _, _) => Interval::None,
        (true, true, true) => Interval::AsWideAsRange,
        (true, false, true) => Interval::LowerEndOnly,
        (true, true, false) => Interval::UpperEndOnly,
        (true, false, false) => Interval::Closed,
    };
    let optimum = match () {
        () if value - resolution <= least => Optimum::AtLowerEnd,
        () if value + resolution >= greatest => Optimum::AtUpperEnd,
        () => Optimum::Inside,
    };
    Ok(Parameter {
        value,
        low,
        high,
        range,
        optimum,
        interval,
    })
}

/// The level of the lower end of the expanded percentile interval of n runs: Φ(−√(n/(n − 1)) t), with t Student's
/// quantile of n − 1 degrees of freedom.
fn level(runs: usize) -> Result<f64, DistributionError> {
    let freedom = runs.saturating_sub(1) as f64;
    let t = student_quantile(0.5 + 0.5 * CONFIDENCE, freedom)?;
    let normal = Distribution::new(Family::Normal { mean: 0.0, sd: 1.0 })?;
    Ok(normal.cdf(-t * (runs as f64 / freedom).sqrt()))
}

/// The band of a number whose least and greatest value in each resample are given, `half` wider to each side and within
/// a range.
fn band(ends: [&[f64]; 2], level: f64, half: f64, range: [f64; 2]) -> [f64; 2] {
    let [least, greatest] = ends;
    let low = quantile(least, level).unwrap_or(range[0]) - half;
    let high = quantile(greatest, 1.0 - level).unwrap_or(range[1]) + half;
    [low.max(range[0]), high.min(range[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand from Student's tables: for 5 runs t(0.95, 4) = 2.1318, times √(5/4) = 2.3834, Φ(−2.3834) = 0.00858;
    /// for 20, 1.7291 · 1.02598 = 1.7740, 0.03803. Of very many the level is that of the percentile interval.
    #[test]
    fn few_runs_have_wide_intervals() {
        for (runs, expected, digits) in [
            (5, 0.008_58, 2e-5),
            (20, 0.038_03, 2e-5),
            (100_000, 0.05, 1e-4),
        ] {
            assert!((level(runs).unwrap() - expected).abs() < digits, "{runs}");
        }
    }

    #[test]
    fn what_ends_where_the_range_ends_is_told() {
        let of = |value: f64, low: f64, high: f64, runs: usize| {
            let ends = [vec![low; 3], vec![high; 3]];
            let ends = [ends[0].as_slice(), ends[1].as_slice()];
            let found = parameter((value, 0.0, 0.0), ends, [0.0, 1.0], runs).unwrap();
            (found.optimum, found.interval)
        };
        for (given, expected) in [
            ((0.5, 0.4, 0.6, 5), (Optimum::Inside, Interval::Closed)),
            (
                (0.0, 0.0, 0.6, 5),
                (Optimum::AtLowerEnd, Interval::UpperEndOnly),
            ),
            (
                (0.5, 0.4, 1.0, 5),
                (Optimum::Inside, Interval::LowerEndOnly),
            ),
            (
                (1.0, 0.0, 1.0, 5),
                (Optimum::AtUpperEnd, Interval::AsWideAsRange),
            ),
            ((0.5, 0.4, 0.6, 1), (Optimum::Inside, Interval::None)),
        ] {
            let (value, low, high, runs) = given;
            assert_eq!(of(value, low, high, runs), expected);
        }
    }

    #[test]
    fn an_interval_is_half_a_spacing_wider() {
        let (least, greatest) = ([0.4, 0.4, 0.4], [0.6, 0.6, 0.6]);
        let found = parameter((0.5, 0.1, 0.0), [&least, &greatest], [0.0, 0.62], 5).unwrap();
        // 0.4 − 0.05, and 0.6 + 0.05 within the range.
        assert!((found.low - 0.35).abs() < 1e-15);
        assert_eq!(found.high, 0.62);
    }
}
