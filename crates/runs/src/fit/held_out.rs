//! What runs say that the fit has not seen: its losses on them beside those of a reference.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Standard errors beyond which a mean of paired differences is no longer taken for chance.
const BEYOND: f64 = 2.0;

/// A fit on runs that it has not seen, beside a reference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Beside {
    /// It is better by more than chance.
    Better,
    /// The difference is within what chance can do.
    Undecided,
    /// It is worse by more than chance.
    Worse,
    /// Nothing was held out: fewer than two runs.
    #[default]
    NotTested,
}

/// The judgement on runs that were held out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
pub struct HeldOut {
    /// The fit beside the reference.
    pub beside_reference: Beside,
    /// Mean over the runs of the loss of the reference less that of the fit; null if nothing was held out.
    pub mean_difference: Option<f64>,
    /// Standard error of this mean; null if nothing was held out.
    pub standard_error: Option<f64>,
}

impl HeldOut {
    /// The judgement by the loss of the reference less that of the fit on each run. A difference within two of its
    /// standard errors decides nothing.
    #[must_use]
    pub fn of(differences: &[f64]) -> Self {
        if differences.len() < 2 {
            return Self::default();
        }
        let n = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / n;
        let squares = differences.iter().map(|x| (x - mean) * (x - mean));
        let error = (squares.sum::<f64>() / (n * (n - 1.0))).sqrt();
        let beside_reference = match mean.abs() > BEYOND * error {
            true if mean > 0.0 => Beside::Better,
            true => Beside::Worse,
            false => Beside::Undecided,
        };
        Self {
            beside_reference,
            mean_difference: Some(mean),
            standard_error: Some(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 1, 2, 3 the mean is 2 and its standard error 1/√3; of -1, 2, 3 they are 4/3 and 1.2.
    #[test]
    fn a_difference_within_two_standard_errors_decides_nothing() {
        for (differences, expected) in [
            (&[1.0, 2.0, 3.0][..], Beside::Better),
            (&[-1.0, -2.0, -3.0], Beside::Worse),
            (&[-1.0, 2.0, 3.0], Beside::Undecided),
            (&[f64::INFINITY, 1.0], Beside::Undecided),
            (&[5.0], Beside::NotTested),
            (&[], Beside::NotTested),
        ] {
            assert_eq!(HeldOut::of(differences).beside_reference, expected);
        }
        let found = HeldOut::of(&[-1.0, 2.0, 3.0]);
        assert_eq!(found.mean_difference, Some(4.0 / 3.0));
        assert!((found.standard_error.unwrap() - 1.2019).abs() < 1e-4);
    }
}
