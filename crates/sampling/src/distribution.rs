//! Probability distributions, sampled by their inverse distribution function.
//!
//! One uniform number gives one sample, truncated or not, so a stream never loses step; and a sample is a function of
//! bits that do not change with the version of a library.

use crate::special::{beta_tail, gamma_tail, normal_cdf, normal_quantile};
use crate::streams::open_uniform;
use klast_numerics::check::{finite, non_negative, positive, require, within};
use klast_numerics::roots::bisect;
use klast_numerics::{ModelError, OutOfRange};
use libm::{exp, log, sqrt};
use rand::Rng;
use thiserror::Error;

/// The family and its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Family {
    /// Always the same value.
    Constant(f64),
    /// Gaussian.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation, ≥ 0.
        sd: f64,
    },
    /// Constant density.
    Uniform {
        /// Lower end.
        lower: f64,
        /// Upper end.
        upper: f64,
    },
    /// Density linear up to the mode and down again.
    Triangular {
        /// Lower end.
        lower: f64,
        /// Most probable value.
        mode: f64,
        /// Upper end.
        upper: f64,
    },
    /// The logarithm is Gaussian; the parameters are those of the variable itself.
    Lognormal {
        /// Mean of the variable, > 0.
        mean: f64,
        /// Standard deviation of the variable, > 0.
        sd: f64,
    },
    /// Density exp(−x/mean)/mean.
    Exponential {
        /// Mean, > 0.
        mean: f64,
    },
    /// Beta distribution stretched over an interval.
    Beta {
        /// First shape parameter, > 0.
        alpha: f64,
        /// Second shape parameter, > 0.
        beta: f64,
        /// Lower end.
        lower: f64,
        /// Upper end.
        upper: f64,
    },
    /// Gamma distribution.
    Gamma {
        /// Shape parameter, > 0.
        shape: f64,
        /// Scale parameter, > 0; the mean is shape × scale.
        scale: f64,
    },
}

/// Why a distribution was refused.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DistributionError {
    /// A parameter outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// Truncation leaves nothing.
    #[error(
        "the interval [{lower}, {upper}] holds no probability; accepted: an interval the distribution reaches"
    )]
    EmptyInterval {
        /// Lower end of the truncation.
        lower: f64,
        /// Upper end of the truncation.
        upper: f64,
    },
}

impl ModelError for DistributionError {
    fn number(&self) -> Option<f64> {
        match self {
            Self::OutOfRange(out) => out.number(),
            _ => None,
        }
    }
}

/// A distribution, possibly truncated to an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distribution {
    family: Family,
    lower: f64,
    upper: f64,
    // Which tail is counted (so that far upper tails keep their digits), and its value at the two ends.
    upper_tail: bool,
    tail_at_lower: f64,
    tail_at_upper: f64,
}

impl Distribution {
    /// A distribution over its whole range.
    pub fn new(family: Family) -> Result<Self, DistributionError> {
        Self::truncated(family, f64::NEG_INFINITY, f64::INFINITY)
    }

    /// A distribution restricted to an interval (renormalised, not clamped).
    pub fn truncated(family: Family, lower: f64, upper: f64) -> Result<Self, DistributionError> {
        family.validate()?;
        let empty = DistributionError::EmptyInterval { lower, upper };
        if lower.is_nan() || upper.is_nan() || lower > upper {
            return Err(empty);
        }
        if let Some(value) = family.single_value() {
            return if value < lower || value > upper {
                Err(empty)
            } else {
                Ok(Self::at(family, value))
            };
        }
        let upper_tail = family.tail(lower, false) > 0.5;
        let tail_at_lower = family.tail(lower, upper_tail);
        let tail_at_upper = family.tail(upper, upper_tail);
        if tail_at_lower == tail_at_upper {
            return Err(empty);
        }
        Ok(Distribution {
            family,
            lower,
            upper,
            upper_tail,
            tail_at_lower,
            tail_at_upper,
        })
    }

    /// The distribution that is always `value`; a value that is not finite is taken as zero probability mass elsewhere,
    /// so check it before.
    pub fn constant(value: f64) -> Self {
        Self::at(Family::Constant(value), value)
    }

    fn at(family: Family, value: f64) -> Self {
        Distribution {
            family,
            lower: value,
            upper: value,
            upper_tail: false,
            tail_at_lower: 0.0,
            tail_at_upper: 1.0,
        }
    }

    /// The family and its parameters.
    pub fn family(&self) -> Family {
        self.family
    }

    /// The smallest and the largest value a sample can take.
    pub fn support(&self) -> (f64, f64) {
        let (a, b) = self.family.support();
        (a.max(self.lower), b.min(self.upper))
    }

    /// The value below which a sample falls with probability `p`, 0 < p < 1.
    pub fn quantile(&self, p: f64) -> f64 {
        if let Some(value) = self.family.single_value() {
            return value;
        }
        let tail = self.tail_at_lower + p * (self.tail_at_upper - self.tail_at_lower);
        self.family
            .quantile(tail, self.upper_tail)
            .clamp(self.lower, self.upper)
    }

    /// The probability of a sample ≤ x.
    pub fn cdf(&self, x: f64) -> f64 {
        if let Some(value) = self.family.single_value() {
            return if x >= value { 1.0 } else { 0.0 };
        }
        let tail = self
            .family
            .tail(x.clamp(self.lower, self.upper), self.upper_tail);
        (tail - self.tail_at_lower) / (self.tail_at_upper - self.tail_at_lower)
    }

    /// One sample; always takes exactly one number from the generator.
    pub fn sample(&self, rng: &mut impl Rng) -> f64 {
        self.quantile(open_uniform(rng))
    }
}

/// Student's quantile of p > 1/2 for so many degrees of freedom: t² = ν x/(1 − x) with x the quantile of 2p − 1 of a
/// beta distribution (1/2, ν/2).
///
/// # Errors
/// Degrees of freedom that are not above 0.
pub fn student_quantile(p: f64, freedom: f64) -> Result<f64, DistributionError> {
    let beta = Distribution::new(Family::Beta {
        alpha: 0.5,
        beta: 0.5 * freedom,
        lower: 0.0,
        upper: 1.0,
    })?;
    let x = beta.quantile(2.0 * p - 1.0);
    Ok(sqrt(freedom * x / (1.0 - x)))
}

impl Family {
    fn validate(&self) -> Result<(), OutOfRange> {
        const FROM_LOWER: &str = "at least the lower end";
        match *self {
            Family::Constant(value) => finite("value", value)?,
            Family::Normal { mean, sd } => finite("mean", mean).and(non_negative("sd", sd))?,
            Family::Uniform { lower, upper } => {
                finite("lower", lower)?;
                require("upper", upper, upper >= lower, FROM_LOWER)?
            }
            Family::Triangular { lower, mode, upper } => {
                finite("lower", lower)?;
                require("upper", upper, upper >= lower, FROM_LOWER)?;
                within("mode", mode, (lower, upper), "between the ends")?
            }
            Family::Lognormal { mean, sd } => positive("mean", mean).and(positive("sd", sd))?,
            Family::Exponential { mean } => positive("mean", mean)?,
            Family::Beta {
                alpha,
                beta,
                lower,
                upper,
            } => {
                positive("alpha", alpha).and(positive("beta", beta))?;
                finite("lower", lower)?;
                require("upper", upper, upper > lower, "above the lower end")?
            }
            Family::Gamma { shape, scale } => {
                positive("shape", shape).and(positive("scale", scale))?
            }
        };
        Ok(())
    }

    fn single_value(&self) -> Option<f64> {
        match *self {
            Family::Constant(value) => Some(value),
            Family::Normal { mean, sd: 0.0 } => Some(mean),
            Family::Uniform { lower, upper } | Family::Triangular { lower, upper, .. }
                if lower == upper =>
            {
                Some(lower)
            }
            _ => None,
        }
    }

    fn support(&self) -> (f64, f64) {
        match *self {
            Family::Constant(value) => (value, value),
            Family::Normal { .. } => (f64::NEG_INFINITY, f64::INFINITY),
            Family::Uniform { lower, upper }
            | Family::Triangular { lower, upper, .. }
            | Family::Beta { lower, upper, .. } => (lower, upper),
            Family::Lognormal { .. } | Family::Exponential { .. } | Family::Gamma { .. } => {
                (0.0, f64::INFINITY)
            }
        }
    }

    /// Probability below x (or above it, when `upper`).
    fn tail(&self, x: f64, upper: bool) -> f64 {
        let (a, b) = self.support();
        if x <= a || x >= b {
            return if (x >= b) != upper { 1.0 } else { 0.0 };
        }
        let sign = if upper { -1.0 } else { 1.0 };
        let pick = |below: f64, above: f64| if upper { above } else { below };
        match *self {
            Family::Constant(_) => 0.0,
            Family::Normal { mean, sd } => normal_cdf(sign * (x - mean) / sd),
            Family::Uniform { lower, upper: end } => pick(x - lower, end - x) / (end - lower),
            Family::Triangular {
                lower,
                mode,
                upper: end,
            } => {
                let span = end - lower;
                if x < mode {
                    let below = (x - lower) * (x - lower) / (span * (mode - lower));
                    pick(below, 1.0 - below)
                } else {
                    let above = (end - x) * (end - x) / (span * (end - mode));
                    pick(1.0 - above, above)
                }
            }
            Family::Lognormal { mean, sd } => {
                let (mu, sigma) = lognormal_parameters(mean, sd);
                normal_cdf(sign * (log(x) - mu) / sigma)
            }
            Family::Exponential { mean } => pick(-libm::expm1(-x / mean), exp(-x / mean)),
            Family::Beta {
                alpha,
                beta,
                lower,
                upper: end,
            } => beta_tail(alpha, beta, (x - lower) / (end - lower), upper),
            Family::Gamma { shape, scale } => gamma_tail(shape, x / scale, upper),
        }
    }

    /// The value whose tail is `p`.
    fn quantile(&self, p: f64, upper: bool) -> f64 {
        let sign = if upper { -1.0 } else { 1.0 };
        match *self {
            Family::Constant(value) => value,
            Family::Normal { mean, sd } => mean + sign * sd * normal_quantile(p),
            Family::Uniform { lower, upper: end } => {
                if upper {
                    end - p * (end - lower)
                } else {
                    lower + p * (end - lower)
                }
            }
            Family::Triangular {
                lower,
                mode,
                upper: end,
            } => {
                let below = if upper { 1.0 - p } else { p };
                let above = if upper { p } else { 1.0 - p };
                let span = end - lower;
                if below * span < mode - lower {
                    lower + sqrt(below * span * (mode - lower))
                } else {
                    end - sqrt(above * span * (end - mode))
                }
            }
            Family::Lognormal { mean, sd } => {
                let (mu, sigma) = lognormal_parameters(mean, sd);
                exp(mu + sign * sigma * normal_quantile(p))
            }
            Family::Exponential { mean } => -mean * if upper { log(p) } else { libm::log1p(-p) },
            Family::Beta {
                alpha,
                beta,
                lower,
                upper: end,
            } => {
                lower
                    + (end - lower)
                        * crossing(1.0, |x| sign * (beta_tail(alpha, beta, x, upper) - p))
            }
            Family::Gamma { shape, scale } => {
                let mut end = shape + 1.0;
                while sign * (gamma_tail(shape, end, upper) - p) < 0.0 && end < 1e300 {
                    end *= 2.0;
                }
                scale * crossing(end, |x| sign * (gamma_tail(shape, x, upper) - p))
            }
        }
    }
}

/// Where in [0, `end`] an increasing function crosses zero, between two neighbouring doubles.
fn crossing(end: f64, increasing: impl Fn(f64) -> f64) -> f64 {
    let below = |x: f64| increasing(x) < 0.0;
    let (before, after) = bisect(0.0, end, 1100, |x| !below(x));
    0.5 * (before + after)
}

/// Mean and standard deviation of the logarithm.
fn lognormal_parameters(mean: f64, sd: f64) -> (f64, f64) {
    let variance = libm::log1p((sd / mean) * (sd / mean));
    (log(mean) - 0.5 * variance, sqrt(variance))
}
