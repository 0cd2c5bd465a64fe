//! The band over records: bootstrap of whole records with a small-sample correction.

use klast_numerics::OutOfRange;
use klast_sampling::{Purpose, Streams, open_uniform, student_quantile};
use rayon::prelude::*;

use super::probit::{Outcome, Sums, shifted, standard_error, sums};
use crate::error::RockingError;
use klast_numerics::check::require;

/// How the band over records is found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BandOptions {
    /// Number of bootstrap replicates.
    pub replicates: usize,
    /// Seed of the draws.
    pub seed: u64,
    /// Probability that the band is meant to cover the truth with.
    pub confidence: f64,
}

impl Default for BandOptions {
    fn default() -> Self {
        Self {
            replicates: 500,
            seed: 0,
            confidence: 0.95,
        }
    }
}

/// Band of the probit line η = a + b ln(intensity) over records.
///
/// Each replicate draws as many records as there are, with replacement and all their scales together, and fits the line
/// anew. The band is η ± t √(n/(n−1)) s, with s the standard deviation of η over the replicates and t Student's
/// quantile of n − 1 degrees of freedom for n records: the small-sample correction, without which the plain percentile
/// interval covers 84 to 90 % in place of 95 % in the tails of 24 records. n/(n−1) undoes the bias of the resampled
/// variance, t the spread of s itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecordBand {
    covariance: [f64; 3],
    factor: f64,
    /// Number of replicates that gave a line.
    pub used: usize,
    /// Number of replicates whose outcomes were cleanly cut or of one kind, and gave none.
    pub without_line: usize,
    /// Number of records.
    pub records: usize,
}

/// Rounds of Fisher scoring of a replicate, from the line of all records.
const MOST_ROUNDS: usize = 50;
/// Change of the parameters at which a replicate is found: far below its own spread.
const FOUND: f64 = 1e-7;
/// Slope in multiples of that of all records from which a replicate counts as cleanly cut.
const STEEPEST: f64 = 50.0;

impl RecordBand {
    /// Half width of the band of η at x = ln(intensity); infinite where the records are too few to tell.
    pub fn half_width(&self, x: f64) -> f64 {
        if self.records < 2 || self.used < 2 {
            return f64::INFINITY;
        }
        self.factor * standard_error(self.covariance, x)
    }

    /// Standard error of η over records at x: that of the replicates, n/(n − 1) times its variance.
    pub(super) fn standard_error(&self, x: f64) -> f64 {
        let n = self.records as f64;
        (n / (n - 1.0).max(1.0)).sqrt() * standard_error(self.covariance, x)
    }

    /// Bound of the slope of the half width.
    pub(super) fn steepest(&self) -> f64 {
        match self.half_width(0.0).is_finite() {
            true => self.factor * self.covariance[2].max(0.0).sqrt(),
            false => 0.0,
        }
    }

    /// The band of a line over x + `mean`.
    pub(super) fn shifted(self, mean: f64) -> Self {
        let covariance = shifted(self.covariance, mean);
        Self { covariance, ..self }
    }

    /// Whether more replicates say nothing than the quantile bears: one in twenty is where it would feel it.
    pub(super) fn is_thin(&self) -> bool {
        20 * self.without_line > self.used + self.without_line
    }
}

/// The band around the line (a, b) of `records`, each with its outcomes. The same bits on any number of threads.
pub(super) fn record_band(
    records: &[Vec<Outcome>],
    (a, b): (f64, f64),
    options: &BandOptions,
) -> Result<RecordBand, RockingError> {
    let confidence = options.confidence;
    require(
        "confidence",
        confidence,
        confidence > 0.0 && confidence < 1.0,
        "between 0 and 1",
    )?;
    require(
        "replicates",
        options.replicates as f64,
        options.replicates >= 2,
        "at least 2",
    )?;
    let n = records.len();
    let first: Vec<Sums> = records
        .iter()
        .map(|outcomes| sums(outcomes, a, b))
        .collect();
    let streams = Streams::new(options.seed);
    let lines: Vec<Option<(f64, f64)>> = (0..options.replicates)
        .into_par_iter()
        .map(|replicate| {
            let mut rng = streams.rng(Purpose::Custom(0xF4A6), replicate as u64);
            let mut drawn = vec![0.0; n];
            for _ in 0..n {
                let at = (open_uniform(&mut rng) * n as f64) as usize;
                drawn[at.min(n - 1)] += 1.0;
            }
            line(records, &first, &drawn, (a, b))
        })
        .collect();
    let found: Vec<(f64, f64)> = lines.into_iter().flatten().collect();
    let used = found.len();
    let freedom = (n as f64 - 1.0).max(1.0);
    let correction = (n as f64 / freedom).sqrt();
    let student = student_quantile(0.5 + 0.5 * confidence, freedom)
        .map_err(|_| OutOfRange::new("degrees of freedom", freedom, "above 0"))?;
    Ok(RecordBand {
        covariance: covariance(&found),
        factor: correction * student,
        used,
        without_line: options.replicates - used,
        records: n,
    })
}

/// The most likely line of the `drawn` records, if there is one.
fn line(
    records: &[Vec<Outcome>],
    first: &[Sums],
    drawn: &[f64],
    start: (f64, f64),
) -> Option<(f64, f64)> {
    let (mut a, mut b) = start;
    for round in 0..MOST_ROUNDS {
        let mut all = Sums::default();
        for ((outcomes, first), weight) in records.iter().zip(first).zip(drawn) {
            if *weight > 0.0 {
                let own = if round == 0 {
                    *first
                } else {
                    sums(outcomes, a, b)
                };
                all.add(*weight, &own);
            }
        }
        let (da, db) = all.step()?;
        let length = da.abs().max(db.abs());
        if !length.is_finite() {
            return None;
        }
        // A full step overshoots where the outcomes are nearly cut.
        let most = 0.5 * start.1.abs();
        let part = if length > most {
            (most / length).max(f64::MIN_POSITIVE)
        } else {
            1.0
        };
        (a, b) = (a + part * da, b + part * db);
        if b.abs() > STEEPEST * start.1.abs() {
            return None;
        }
        if length < FOUND * (1.0 + a.abs().max(b.abs())) {
            return Some((a, b));
        }
    }
    None
}

fn covariance(lines: &[(f64, f64)]) -> [f64; 3] {
    let n = lines.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| lines.iter().map(of).sum::<f64>() / n;
    let (ma, mb) = (mean(|l| l.0), mean(|l| l.1));
    let mut sums = [0.0; 3];
    for (a, b) in lines {
        sums[0] += (a - ma) * (a - ma);
        sums[1] += (a - ma) * (b - mb);
        sums[2] += (b - mb) * (b - mb);
    }
    sums.map(|sum| sum / (n - 1.0))
}
