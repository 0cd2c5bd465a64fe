//! The fraction of records that reach a state, with exact bounds.

use klast_sampling::{Distribution, Family};

/// The records that reach a state at one scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fraction {
    /// Scale, without sign.
    pub scale: f64,
    /// Records that reach it; with both polarities, each counts for half a record.
    pub reached: f64,
    /// Number of records.
    pub records: usize,
    /// Exact 95 % bounds of the probability, counted in records.
    pub bounds: (f64, f64),
}

impl Fraction {
    /// Reached over records.
    pub fn fraction(&self) -> f64 {
        self.reached / self.records as f64
    }
}

/// Two-sided 95 % bounds of a probability of which `reached` of `records` independent records were seen (Clopper and
/// Pearson 1934, Biometrika 26, 404): quantiles of beta distributions, with 0 and 1 at the ends. A broken number of
/// records, as two polarities give it, varies less than a whole one, so the bounds then cover more.
pub fn exact_bounds(reached: f64, records: usize) -> (f64, f64) {
    let n = records as f64;
    let quantile = |alpha: f64, beta: f64, p: f64| {
        let family = Family::Beta {
            alpha,
            beta,
            lower: 0.0,
            upper: 1.0,
        };
        Distribution::new(family).ok().map(|beta| beta.quantile(p))
    };
    let lower = quantile(reached, n - reached + 1.0, 0.025).filter(|_| reached > 0.0);
    let upper = quantile(reached + 1.0, n - reached, 0.975).filter(|_| reached < n);
    (lower.unwrap_or(0.0), upper.unwrap_or(1.0))
}

#[cfg(test)]
mod tests {
    use super::exact_bounds;

    /// The ends in closed form: at 0 of n the upper bound is 1 − 0.025^(1/n); the bounds of 5 of 10 are tabulated as
    /// 0.1871 and 0.8129.
    #[test]
    fn bounds_are_those_of_closed_forms_and_tables() {
        for n in [1usize, 5, 24, 100] {
            let upper = 1.0 - 0.025f64.powf(1.0 / n as f64);
            let (low, high) = exact_bounds(0.0, n);
            assert!(
                low == 0.0 && (high - upper).abs() < 1e-12,
                "{n}: {high} {upper}"
            );
            let (low, high) = exact_bounds(n as f64, n);
            assert!(
                high == 1.0 && (low - (1.0 - upper)).abs() < 1e-12,
                "{n}: {low}"
            );
        }
        let (low, high) = exact_bounds(5.0, 10);
        assert!(
            (low - 0.1871).abs() < 5e-5 && (high - 0.8129).abs() < 5e-5,
            "{low} {high}"
        );
    }
}
