//! The lognormal fragility curve, or the answer that takes its place.

use super::probit::{most_likely, shifted};
use klast_numerics::OutOfRange;
use std::collections::BTreeSet;

use super::ENOUGH_RECORDS;
use super::bootstrap::{BandOptions, RecordBand, record_band};
use super::fraction::exact_bounds;
use super::line::{Line, upper};
use super::state::DamageState;
use super::trial::Trial;
use super::warning::{FragilityWarning, WIDE};
use crate::error::RockingError;
use klast_numerics::check::require;

/// A lognormal fragility P = Φ(ln(intensity/median)/dispersion), fitted by maximum likelihood of the binomial outcomes
/// (Baker 2015, Earthquake Spectra 31, 579).
///
/// A state that others imply ([`Answer::nested`]) is reached at least as probably as each of them: its probability and
/// the ends of its bands are the largest of its own and of theirs (Porter et al. 2007, Earthquake Spectra 23, 471, on
/// curves that cross), so that curves of nested states never cross.
///
/// [`Fragility::band`] is the band over records, the default; [`Fragility::binomial_band`] comes from the Fisher
/// information of the trials and holds only where all trials are independent, as with one scale a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Fragility {
    /// Of the state itself.
    own: Line,
    /// Of the states that imply it.
    implying: Vec<Line>,
    records: usize,
    trials: usize,
}

/// What outcomes say of a fragility.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Both outcomes overlap: a curve.
    Curve(Box<Fragility>),
    /// No trial reached the state: the probability is at most `upper` up to the largest intensity that every record
    /// has.
    NoneReached {
        /// Largest intensity that every record was run at.
        up_to: f64,
        /// Upper end of the exact two-sided 95 % interval for 0 of the records.
        upper: f64,
        /// Number of records.
        records: usize,
    },
    /// Every trial reached the state: the probability is at least `lower` from the smallest intensity that every record
    /// has.
    AllReached {
        /// Smallest intensity that every record was run at.
        from: f64,
        /// Lower end of the exact two-sided 95 % interval for all of the records.
        lower: f64,
        /// Number of records.
        records: usize,
    },
    /// No trial up to `below` reached the state, every one from `above` on did: a step somewhere between, of no
    /// dispersion.
    CleanlyCut {
        /// Highest intensity at which the state was not reached.
        below: f64,
        /// Lowest intensity at which it was.
        above: f64,
        /// Number of records.
        records: usize,
    },
    /// Reaching the state does not grow with the intensity: the measure does not order these motions.
    NotIncreasing {
        /// Slope of the most likely probit line.
        slope: f64,
        /// Number of records.
        records: usize,
    },
}

impl Answer {
    /// The answer of `trials`; those of intensity 0 are left out.
    ///
    /// # Errors
    /// An intensity that is negative or not finite, no trial at all, or a likelihood without a maximum that is found.
    pub fn of(trials: &[Trial], options: &BandOptions) -> Result<Self, RockingError> {
        for trial in trials {
            let found = trial.intensity;
            require("intensity of a trial", found, found >= 0.0, "at least 0")?;
        }
        let good: Vec<Trial> = trials
            .iter()
            .filter(|t| t.intensity > 0.0)
            .copied()
            .collect();
        require(
            "trials of an intensity above 0",
            good.len() as f64,
            !good.is_empty(),
            "at least 1",
        )?;
        let names: BTreeSet<usize> = good.iter().map(|t| t.record).collect();
        let records = names.len();
        let of_each = |pick: fn(f64, f64) -> f64, start: f64| -> Vec<f64> {
            let own = |name: &usize| {
                good.iter()
                    .filter(|t| t.record == *name)
                    .fold(start, |m, t| pick(m, t.intensity))
            };
            names.iter().map(own).collect()
        };
        let highest_standing = extreme(&good, false, f64::NEG_INFINITY, f64::max);
        let lowest_reached = extreme(&good, true, f64::INFINITY, f64::min);
        if lowest_reached == f64::INFINITY {
            let up_to = of_each(f64::max, 0.0)
                .into_iter()
                .fold(f64::INFINITY, f64::min);
            let upper = exact_bounds(0.0, records).1;
            return Ok(Self::NoneReached {
                up_to,
                upper,
                records,
            });
        }
        if highest_standing == f64::NEG_INFINITY {
            let from = of_each(f64::min, f64::INFINITY)
                .into_iter()
                .fold(0.0, f64::max);
            let lower = exact_bounds(records as f64, records).0;
            return Ok(Self::AllReached {
                from,
                lower,
                records,
            });
        }
        if highest_standing <= lowest_reached {
            let (below, above) = (highest_standing, lowest_reached);
            return Ok(Self::CleanlyCut {
                below,
                above,
                records,
            });
        }
        fit(&good, &names, options)
    }

    /// The answers of states of the same trials, with the curve of each held above the curves of the states that imply
    /// it.
    pub fn nested(answers: Vec<(DamageState, Self)>) -> Vec<(DamageState, Self)> {
        let own = |(state, answer): &(DamageState, Self)| Some((*state, answer.curve()?.own));
        let lines: Vec<(DamageState, Line)> = answers.iter().filter_map(own).collect();
        let mut nested = answers;
        for (state, answer) in &mut nested {
            if let Self::Curve(curve) = answer {
                let implying = lines
                    .iter()
                    .filter(|(other, line)| other.implies(*state) && *line != curve.own);
                curve.implying = implying.map(|(_, line)| *line).collect();
            }
        }
        nested
    }

    /// The curve, if there is one.
    pub fn curve(&self) -> Option<&Fragility> {
        match self {
            Self::Curve(curve) => Some(curve),
            _ => None,
        }
    }

    /// What it says, in a sentence; intensities are shown with `unit`.
    pub fn sentence(&self, unit: &str) -> String {
        let unit = if unit.is_empty() {
            String::new()
        } else {
            format!(" {unit}")
        };
        match self {
            Self::Curve(curve) => {
                format!(
                    "median {:.4}{unit}, dispersion {:.3}",
                    curve.median(),
                    curve.dispersion()
                )
            }
            Self::NoneReached {
                up_to,
                upper,
                records,
            } => format!(
                "none of {records} records reaches it up to {up_to:.4}{unit}: probability 0, at most {upper:.3} with 95 % confidence (exact, counted in records)"
            ),
            Self::AllReached {
                from,
                lower,
                records,
            } => format!(
                "all {records} records reach it from {from:.4}{unit} on: probability 1, at least {lower:.3} with 95 % confidence (exact, counted in records)"
            ),
            Self::CleanlyCut {
                below,
                above,
                records,
            } => match (format!("{below:.4}"), format!("{above:.4}")) {
                // All of one intensity but for its rounding.
                (below, above) if below == above => format!(
                    "cleanly cut at {above}{unit} in all {records} records: the median is there, no dispersion seen"
                ),
                (below, above) => format!(
                    "cleanly cut between {below} and {above}{unit} in all {records} records: the median is between them, no dispersion seen"
                ),
            },
            Self::NotIncreasing { slope, records } => format!(
                "reaching it does not grow with this intensity over {records} records (slope {slope:.3}): choose another measure"
            ),
        }
    }
}

fn extreme(trials: &[Trial], reached: bool, start: f64, pick: fn(f64, f64) -> f64) -> f64 {
    trials
        .iter()
        .filter(|t| t.reached == reached)
        .fold(start, |m, t| pick(m, t.intensity))
}

fn fit(
    trials: &[Trial],
    names: &BTreeSet<usize>,
    options: &BandOptions,
) -> Result<Answer, RockingError> {
    let x: Vec<f64> = trials.iter().map(|t| libm::log(t.intensity)).collect();
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let outcomes: Vec<(f64, bool)> = trials
        .iter()
        .zip(&x)
        .map(|(t, x)| (x - mean, t.reached))
        .collect();
    let ((a, b), information) = most_likely(&outcomes)?;
    if b <= 0.0 {
        return Ok(Answer::NotIncreasing {
            slope: b,
            records: names.len(),
        });
    }
    let by_record: Vec<Vec<(f64, bool)>> = names
        .iter()
        .map(|name| {
            trials
                .iter()
                .zip(&outcomes)
                .filter(|(t, _)| t.record == *name)
                .map(|(_, o)| *o)
                .collect()
        })
        .collect();
    let band = record_band(&by_record, (a, b), options)?.shifted(mean);
    let determinant = information[0] * information[2] - information[1] * information[1];
    let inverse = [
        information[2] / determinant,
        -information[1] / determinant,
        information[0] / determinant,
    ];
    let ends = |range: (f64, f64), x: &f64| (range.0.min(*x), range.1.max(*x));
    let own = Line {
        intercept: a - b * mean,
        slope: b,
        covariance: shifted(inverse, mean),
        band,
        range: x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), ends),
    };
    Ok(Answer::Curve(Box::new(Fragility {
        own,
        implying: Vec::new(),
        records: names.len(),
        trials: trials.len(),
    })))
}

impl Fragility {
    /// Fits the curve with the default band; the answers that are none are errors here. See [`Answer::of`].
    pub fn fit(trials: &[Trial]) -> Result<Self, RockingError> {
        let answer = Answer::of(trials, &BandOptions::default())?;
        let found = match &answer {
            Answer::Curve(curve) => return Ok(curve.as_ref().clone()),
            Answer::NoneReached { .. } => 0.0,
            Answer::AllReached { .. } => 1.0,
            Answer::CleanlyCut { above, .. } => *above,
            Answer::NotIncreasing { slope, .. } => *slope,
        };
        let accepted = "outcomes of both kinds that overlap and grow with the intensity";
        Err(OutOfRange::new("outcomes of a fragility", found, accepted).into())
    }

    /// Its own line and those of the states that imply it.
    pub(super) fn lines(&self) -> impl Iterator<Item = &Line> {
        std::iter::once(&self.own).chain(&self.implying)
    }

    /// The least and the largest logarithm of an intensity that was run.
    pub(super) fn run(&self) -> (f64, f64) {
        self.own.range
    }

    /// The line that gives the median.
    pub(super) fn middle(&self) -> &Line {
        let earlier = |a, b| {
            if Line::median(b) < Line::median(a) {
                b
            } else {
                a
            }
        };
        self.implying.iter().fold(&self.own, earlier)
    }

    /// Intensity with a probability of one half.
    pub fn median(&self) -> f64 {
        libm::exp(self.middle().median())
    }

    /// Standard deviation of the logarithm, at the median.
    pub fn dispersion(&self) -> f64 {
        1.0 / self.middle().slope
    }

    /// Number of records and of trials behind the curve.
    pub fn size(&self) -> (usize, usize) {
        (self.records, self.trials)
    }

    /// Probability of reaching the state at `intensity`.
    pub fn probability(&self, intensity: f64) -> f64 {
        let x = libm::log(intensity);
        self.lines()
            .fold(0.0, |most, line| line.probability(x).max(most))
    }

    /// 95 % band of the probability at `intensity` over records: see [`RecordBand`]. Both ends grow with the intensity.
    pub fn band(&self, intensity: f64) -> (f64, f64) {
        let x = libm::log(intensity);
        let bands = self.lines().map(|line| line.record_band(x));
        bands.fold((0.0, 0.0), upper)
    }

    /// How the band over records was found.
    pub fn record_band(&self) -> &RecordBand {
        &self.own.band
    }

    /// Band of the probability at `intensity` as if all trials were independent, `width` standard errors to each side
    /// (1.96 for 95 %). With several scales a record it is too narrow.
    pub fn binomial_band(&self, intensity: f64, width: f64) -> (f64, f64) {
        let x = libm::log(intensity);
        let bands = self.lines().map(|line| line.binomial_band(x, width));
        bands.fold((0.0, 0.0), upper)
    }

    /// What the reader has to be warned of.
    pub fn warnings(&self) -> Vec<FragilityWarning> {
        let records = self.records;
        let few = (records < ENOUGH_RECORDS).then_some(FragilityWarning::FewRecords { records });
        let (low, high) = self.band(self.median());
        let wide = low < WIDE && high > 1.0 - WIDE;
        let wide = wide.then_some(FragilityWarning::WideBand { low, high });
        let band = &self.own.band;
        let thin = band
            .is_thin()
            .then_some(FragilityWarning::CleanlyCutReplicates {
                without_line: band.without_line,
                replicates: band.used + band.without_line,
            });
        [few, wide, thin].into_iter().flatten().collect()
    }
}
