//! A hazard curve, and the annual frequency that a fragility makes of it.

use klast_numerics::check::require;

use super::line::Line;
use super::probit::normal;
use crate::error::RockingError;

/// Annual frequency with which an intensity is exceeded, given at points and a power law between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Hazard {
    /// ln(intensity) and ln(frequency).
    points: Vec<(f64, f64)>,
}

/// Annual frequency with which a state is reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnnualFrequency {
    /// Of the motions of the table; those above its last point count with the probability there.
    pub frequency: f64,
    /// What motions beyond the table may add: below the first point by its power law, above the last one at most.
    pub outside: f64,
}

impl Hazard {
    /// From intensities that rise and annual frequencies (1/year) that fall.
    ///
    /// # Errors
    /// Fewer than two points, as many of one as of the other, a number not above 0, an order that is another.
    pub fn new(intensities: &[f64], frequencies: &[f64]) -> Result<Self, RockingError> {
        let count = intensities.len();
        require(
            "points of a hazard curve",
            count as f64,
            count >= 2,
            "at least 2",
        )?;
        let equal = frequencies.len() == count;
        let accepted = "as many as intensities";
        require(
            "annual frequencies",
            frequencies.len() as f64,
            equal,
            accepted,
        )?;
        let mut points: Vec<(f64, f64)> = Vec::with_capacity(count);
        for (intensity, frequency) in intensities.iter().zip(frequencies) {
            require("intensity", *intensity, *intensity > 0.0, "above 0")?;
            require("annual frequency", *frequency, *frequency > 0.0, "above 0")?;
            let next = (libm::log(*intensity), libm::log(*frequency));
            if let Some(last) = points.last() {
                require(
                    "intensity",
                    *intensity,
                    next.0 > last.0,
                    "above the one before",
                )?;
                require(
                    "annual frequency",
                    *frequency,
                    next.1 < last.1,
                    "below the one before",
                )?;
            }
            points.push(next);
        }
        Ok(Self { points })
    }

    /// Annual frequency at an intensity; none outside of the table.
    pub fn frequency(&self, intensity: f64) -> Option<f64> {
        let x = libm::log(intensity);
        let pair = self
            .points
            .windows(2)
            .find(|p| p[0].0 <= x && x <= p[1].0)?;
        let slope = (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0);
        Some(libm::exp(pair[0].1 + slope * (x - pair[0].0)))
    }

    /// λ = ∫ P |dH| for P = max over `lognormals` of Φ((ln x − m)/β), each as (m, β).
    ///
    /// By parts, λ = H₁ P₁ + ∫ H dP over the table. Between two points H = K x^(−k), and for one lognormal
    /// ∫ K e^(−ky) φ((y − m)/β)/β dy = K e^(−km + k²β²/2) [Φ((y − m)/β + kβ)], in closed form; where lognormals cross,
    /// the interval is divided.
    pub fn annual(&self, lognormals: &[(f64, f64)]) -> AnnualFrequency {
        let top = |y: f64| {
            let of = |(m, beta): &(f64, f64)| (y - m) / beta;
            lognormals.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
        };
        let (Some(first), Some(last)) = (self.points.first(), self.points.last()) else {
            return AnnualFrequency {
                frequency: 0.0,
                outside: 0.0,
            };
        };
        let probability = |y: f64| normal(top(y)).0;
        let mut sum = libm::exp(first.1) * probability(first.0);
        let mut below = 0.0;
        for (n, pair) in self.points.windows(2).enumerate() {
            let k = (pair[0].1 - pair[1].1) / (pair[1].0 - pair[0].0);
            // ln K of H = K x^(−k).
            let level = pair[0].1 + k * pair[0].0;
            sum += within((level, k), (pair[0].0, pair[1].0), lognormals);
            if n == 0 {
                let far =
                    first.0 - FAR_DEVIATIONS * lognormals.iter().fold(0.0, |m: f64, l| m.max(l.1));
                let missed = within((level, k), (far, first.0), lognormals);
                // ∫ P |dH| = ∫ H dP − H P at the upper end, for P is 0 at the lower one.
                below = (missed - libm::exp(first.1) * probability(first.0)).max(0.0);
            }
        }
        AnnualFrequency {
            frequency: sum,
            outside: below + libm::exp(last.1) * (1.0 - probability(last.0)),
        }
    }
}

/// Standard deviations below the table up to which its first power law is followed.
const FAR_DEVIATIONS: f64 = 40.0;

/// ∫ H dP of the upper envelope of lognormals between two values of y = ln x, with H = e^(level − k y).
fn within((level, k): (f64, f64), (from, to): (f64, f64), lognormals: &[(f64, f64)]) -> f64 {
    let mut ends = vec![from, to];
    for (n, a) in lognormals.iter().enumerate() {
        for b in &lognormals[n + 1..] {
            // (y − a)/β_a = (y − b)/β_b.
            let crossing = (a.0 * b.1 - b.0 * a.1) / (b.1 - a.1);
            if crossing.is_finite() && from < crossing && crossing < to {
                ends.push(crossing);
            }
        }
    }
    ends.sort_by(f64::total_cmp);
    let part = |pair: &[f64]| {
        let middle = 0.5 * (pair[0] + pair[1]);
        let higher = |a: &(f64, f64), b: &(f64, f64)| {
            ((middle - a.0) / a.1).total_cmp(&((middle - b.0) / b.1))
        };
        let Some((m, beta)) = lognormals.iter().copied().max_by(higher) else {
            return 0.0;
        };
        let at = |y: f64| (y - m) / beta + k * beta;
        let (low, high) = (at(pair[0]), at(pair[1]));
        // The difference of the smaller tails.
        let share = match low > 0.0 {
            true => normal(-low).0 - normal(-high).0,
            false => normal(high).0 - normal(low).0,
        };
        libm::exp(level - k * m + 0.5 * k * k * beta * beta) * share
    };
    ends.windows(2).map(part).sum()
}

/// The lognormal of a line, its median shifted by `shift` and its dispersion widened by `spread`, both of the
/// logarithm.
pub(super) fn lognormal(line: &Line, shift: f64, spread: f64) -> (f64, f64) {
    (line.median() + shift, libm::hypot(1.0 / line.slope, spread))
}
