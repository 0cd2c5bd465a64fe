//! Overturning fragility: the probability of overturning over an intensity of the motion, from records at several scales.

use crate::batch::{BatchOptions, Case, Fate, simulate_batch};
use crate::block::RockingBlock;
use crate::error::{RockingError, require};
use crate::restitution::Restitution;
use klast_dynamics::ground_motion::Component;
use rayon::prelude::*;

/// Number of records under which a fragility says more about the records than about the block.
pub const ENOUGH_RECORDS: usize = 20;

/// Result of one record at one scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// Index of the record.
    pub record: usize,
    /// Factor on its ordinates; negative for the other polarity.
    pub scale: f64,
    /// Intensity of the scaled motion.
    pub intensity: f64,
    /// Whether the block overturned.
    pub overturned: bool,
}

/// Runs every record at every scale. `intensity` gives the measure of an unscaled record (PGA, PGV, PGV/PGA, Sa); it is
/// multiplied by |scale|, so PGV/PGA should not be scaled by its caller's choice of measure.
pub fn trials(
    block: &RockingBlock,
    restitution: &Restitution,
    records: &[Component],
    scales: &[f64],
    intensity: impl Fn(&Component) -> f64 + Sync,
    options: &BatchOptions,
) -> Result<Vec<Trial>, RockingError> {
    let rows: Result<Vec<Vec<Trial>>, RockingError> = records
        .par_iter()
        .enumerate()
        .map(|(record, motion)| {
            let measure = intensity(motion);
            let cases: Vec<Case> = scales
                .iter()
                .map(|scale| Case {
                    block: *block,
                    restitution: *restitution,
                    motion: motion.scaled(*scale),
                    rotation: 0.0,
                })
                .collect();
            let results = simulate_batch(&cases, options)?;
            let trials = scales.iter().zip(results).map(|(scale, result)| Trial {
                record,
                scale: *scale,
                intensity: measure * scale.abs(),
                overturned: matches!(result.fate, Fate::Overturned(_)),
            });
            Ok(trials.collect())
        })
        .collect();
    Ok(rows?.into_iter().flatten().collect())
}

/// A lognormal fragility P = Φ(ln(intensity/median)/dispersion), fitted by maximum likelihood of the binomial outcomes (Baker
/// 2015, Earthquake Spectra 31, 579), with the covariance of a = −ln(median)/dispersion and b = 1/dispersion from the Fisher
/// information. Scales of one record are not independent, so the band is the narrower the fewer records stand behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fragility {
    intercept: f64,
    slope: f64,
    covariance: [f64; 3],
    records: usize,
    trials: usize,
}

impl Fragility {
    /// Fits the curve. Needs outcomes of both kinds that overlap: with a clean cut between them there is no largest likelihood.
    /// Trials of intensity 0 are left out.
    pub fn fit(trials: &[Trial]) -> Result<Self, RockingError> {
        for trial in trials {
            let found = trial.intensity;
            require("intensity of a trial", found, found >= 0.0, "at least 0")?;
        }
        let good: Vec<&Trial> = trials.iter().filter(|t| t.intensity > 0.0).collect();
        let fallen = good.iter().filter(|t| t.overturned).count();
        require("overturned trials", fallen as f64, fallen > 0, "at least 1")?;
        let standing = good.len() - fallen;
        require(
            "standing trials",
            standing as f64,
            standing > 0,
            "at least 1",
        )?;
        let lowest = good
            .iter()
            .filter(|t| t.overturned)
            .fold(f64::INFINITY, |m, t| m.min(t.intensity));
        let highest = good
            .iter()
            .filter(|t| !t.overturned)
            .fold(0.0f64, |m, t| m.max(t.intensity));
        let accepted = "above the lowest that overturned: otherwise the outcomes are cleanly cut and have no dispersion";
        require(
            "highest intensity that left the block standing",
            highest,
            highest > lowest,
            accepted,
        )?;
        let x: Vec<f64> = good.iter().map(|t| libm::log(t.intensity)).collect();
        let mean = x.iter().sum::<f64>() / x.len() as f64;
        let outcomes = good.iter().zip(&x).map(|(t, x)| (x - mean, t.overturned));
        let ((a, b), information) = most_likely(&outcomes.collect::<Vec<_>>())?;
        require(
            "slope of the fragility",
            b,
            b > 0.0,
            "above 0: overturning must grow with the intensity",
        )?;
        let determinant = information[0] * information[2] - information[1] * information[1];
        let (va, cab, vb) = (
            information[2] / determinant,
            -information[1] / determinant,
            information[0] / determinant,
        );
        // Back from the centred variable: a' = a − b mean.
        let records = good
            .iter()
            .map(|t| t.record)
            .collect::<std::collections::BTreeSet<_>>()
            .len();
        Ok(Self {
            intercept: a - b * mean,
            slope: b,
            covariance: [
                va - 2.0 * mean * cab + mean * mean * vb,
                cab - mean * vb,
                vb,
            ],
            records,
            trials: good.len(),
        })
    }

    /// Intensity with a probability of one half.
    pub fn median(&self) -> f64 {
        libm::exp(-self.intercept / self.slope)
    }

    /// Standard deviation of the logarithm.
    pub fn dispersion(&self) -> f64 {
        1.0 / self.slope
    }

    /// Number of records and of trials behind the curve.
    pub fn size(&self) -> (usize, usize) {
        (self.records, self.trials)
    }

    /// Probability of overturning at `intensity`.
    pub fn probability(&self, intensity: f64) -> f64 {
        normal(self.intercept + self.slope * libm::log(intensity)).0
    }

    /// Band of the probability at `intensity`, `width` standard errors to each side (1.96 for 95 %).
    pub fn band(&self, intensity: f64, width: f64) -> (f64, f64) {
        let x = libm::log(intensity);
        let [va, cab, vb] = self.covariance;
        let error = (va + 2.0 * x * cab + x * x * vb).max(0.0).sqrt();
        let centre = self.intercept + self.slope * x;
        (
            normal(centre - width * error).0,
            normal(centre + width * error).0,
        )
    }

    /// What the reader has to be warned of.
    pub fn warning(&self) -> Option<String> {
        (self.records < ENOUGH_RECORDS).then(|| {
            format!(
                "{} records; at least {ENOUGH_RECORDS} are needed for a fragility that holds for other records",
                self.records
            )
        })
    }
}

/// Rounds of Fisher scoring; a handful suffices.
const MOST_ROUNDS: usize = 200;

/// The parameters (a, b) of P = Φ(a + b z) under which the `outcomes` (z, overturned) are most likely, and the Fisher
/// information (Σ w, Σ w z, Σ w z²).
///
/// Fisher scoring from a = b = 0; a step is halved until the likelihood, which is concave, does not fall.
fn most_likely(outcomes: &[(f64, bool)]) -> Result<((f64, f64), [f64; 3]), RockingError> {
    let (mut a, mut b) = (0.0, 0.0);
    let mut likelihood = log_likelihood(outcomes, a, b);
    for _ in 0..MOST_ROUNDS {
        let (mut score, mut sums) = ([0.0; 2], [0.0; 3]);
        for &(z, overturned) in outcomes {
            // With φ the density: φ/Φ for an overturned trial, −φ/(1 − Φ) for a standing one; their product is the weight.
            let (up, down) = (hazard(-a - b * z), hazard(a + b * z));
            let residual = if overturned { up } else { -down };
            let weight = up * down;
            score[0] += residual;
            score[1] += residual * z;
            sums[0] += weight;
            sums[1] += weight * z;
            sums[2] += weight * z * z;
        }
        let determinant = sums[0] * sums[2] - sums[1] * sums[1];
        require(
            "Fisher information",
            determinant,
            determinant > 0.0,
            "above 0",
        )?;
        let da = (sums[2] * score[0] - sums[1] * score[1]) / determinant;
        let db = (sums[0] * score[1] - sums[1] * score[0]) / determinant;
        if da.abs().max(db.abs()) < 1e-12 * (1.0 + a.abs().max(b.abs())) {
            return Ok(((a, b), sums));
        }
        // Rounding of the sum must not halve the last steps away.
        let least = likelihood - 1e-13 * likelihood.abs();
        let mut part = 1.0;
        while log_likelihood(outcomes, a + part * da, b + part * db) < least && part > 1e-9 {
            part *= 0.5;
        }
        (a, b) = (a + part * da, b + part * db);
        likelihood = log_likelihood(outcomes, a, b);
    }
    Err(RockingError::NoConvergence {
        of: "the maximum of the likelihood of the fragility",
        rounds: MOST_ROUNDS,
    })
}

/// ln of the probability of the outcomes.
fn log_likelihood(outcomes: &[(f64, bool)], a: f64, b: f64) -> f64 {
    let terms = outcomes.iter().map(|&(z, overturned)| {
        let x = a + b * z;
        log_tail(if overturned { -x } else { x })
    });
    terms.sum()
}

/// Argument from which the tail of the normal distribution is taken from its continued fraction.
const FAR: f64 = 10.0;

/// Density over upper tail of the standard normal distribution, φ(x)/Q(x): for large x, where both underflow, from Laplace's
/// continued fraction Q/φ = 1/(x + 1/(x + 2/(x + 3/(x + …)))).
fn hazard(x: f64) -> f64 {
    if x < FAR {
        let (tail, density) = normal(-x);
        return density / tail;
    }
    // Thirty terms leave less than 1e-16 at x = 10.
    (1..=30).rev().fold(x, |below, k| x + f64::from(k) / below)
}

/// ln Q(x) of the standard normal distribution.
fn log_tail(x: f64) -> f64 {
    if x < FAR {
        return libm::log(normal(-x).0);
    }
    -0.5 * (x * x + libm::log(std::f64::consts::TAU)) - libm::log(hazard(x))
}

/// Standard normal distribution function and density.
fn normal(z: f64) -> (f64, f64) {
    let p = 0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2);
    let density = libm::exp(-0.5 * z * z) / (std::f64::consts::TAU).sqrt();
    (p, density)
}
