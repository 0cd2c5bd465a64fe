//! The probit line of one state with its bands, and the envelope of the lines of nested states.

use super::bootstrap::RecordBand;
use super::probit::{normal, standard_error};

/// The line η = a + b x over x = ln(intensity), of a probability Φ(η).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    pub intercept: f64,
    pub slope: f64,
    /// Covariance of a and b from the Fisher information.
    pub covariance: [f64; 3],
    /// Band over records.
    pub band: RecordBand,
    /// The least and the largest x that was run.
    pub range: (f64, f64),
}

impl Line {
    fn at(&self, x: f64) -> f64 {
        self.intercept + self.slope * x
    }

    pub fn probability(&self, x: f64) -> f64 {
        normal(self.at(x)).0
    }

    /// x at a probability of one half.
    pub fn median(&self) -> f64 {
        -self.intercept / self.slope
    }

    /// The band over records.
    pub fn record_band(&self, x: f64) -> (f64, f64) {
        self.rising(x, self.band.steepest(), |x| self.band.half_width(x))
    }

    /// The band of so many standard errors of the Fisher information.
    pub fn binomial_band(&self, x: f64, width: f64) -> (f64, f64) {
        let steepest = width * self.covariance[2].max(0.0).sqrt();
        self.rising(x, steepest, |x| width * standard_error(self.covariance, x))
    }

    /// The band η ± `half`(x), made to rise. Its ends are convex and concave; the slopes of `half` stay within
    /// ±`steepest`, so where the slope of the line is above that both ends rise. Where it is not, the data do not tell
    /// that the probability grows, and an end turns back: each point then takes the widest band that is met on the way
    /// from the end of the intensities that were run, beyond which nothing is told.
    fn rising(&self, x: f64, steepest: f64, half: impl Fn(f64) -> f64) -> (f64, f64) {
        let low = |x: f64| self.at(x) - half(x);
        let high = |x: f64| self.at(x) + half(x);
        let (least, largest) = self.range;
        let (low, high) = match self.slope > steepest {
            true => (low(x), high(x)),
            false => (
                low(x.min(largest)).min(low(largest)),
                high(x.max(least)).max(high(least)),
            ),
        };
        (normal(low).0, normal(high).0)
    }
}

/// The larger of two ranges, end by end.
pub(super) fn upper((a, b): (f64, f64), (c, d): (f64, f64)) -> (f64, f64) {
    (a.max(c), b.max(d))
}
