//! Numbers and distributions of a scene.

use klast_sampling::{Distribution, DistributionError, Family as Law};
use schemars::JsonSchema;
use serde::Deserialize;

/// A number, or a distribution.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "accepted: a number, or an object with one of `normal` [mean, sd], `uniform` [lower, upper], `triangular` [lower, mode, upper], `lognormal` [mean, sd], `exponential` mean, `beta` [alpha, beta, lower, upper], `gamma` [shape, scale], and with `min` and `max` where they truncate it"
)]
pub enum Number {
    /// One value for all rocks.
    Constant(f64),
    /// A value drawn at random from a distribution.
    Drawn(Drawn),
}

/// A distribution with optional truncation.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// The family.
    #[serde(flatten)]
    pub family: Family,
    /// Lower end of the truncation, in the unit of the key; no truncation below unless stated.
    pub min: Option<f64>,
    /// Upper end of the truncation, in the unit of the key; no truncation above unless stated.
    pub max: Option<f64>,
}

/// A family of distributions, in the unit of the key it stands under.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Mean and standard deviation.
    Normal([f64; 2]),
    /// Lower and upper end.
    Uniform([f64; 2]),
    /// Lower end, mode, upper end.
    Triangular([f64; 3]),
    /// Mean and standard deviation of the value, not of its logarithm.
    Lognormal([f64; 2]),
    /// Mean value of the distribution.
    Exponential(f64),
    /// Alpha, beta, lower end, upper end.
    Beta([f64; 4]),
    /// Shape and scale.
    Gamma([f64; 2]),
}

/// A number of the scene in the units of the library: that of the scene times `factor`.
///
/// # Errors
/// Parameters out of their ranges; a truncation that leaves nothing.
pub fn distribution(number: Number, factor: f64) -> Result<Distribution, DistributionError> {
    if factor != 1.0 {
        // What is wrong with it is told in the unit of the scene.
        distribution(number, 1.0)?;
    }
    let Drawn { family, min, max } = match number {
        Number::Constant(value) => return Distribution::new(Law::Constant(value * factor)),
        Number::Drawn(drawn) => drawn,
    };
    let family = match family {
        Family::Normal([mean, sd]) => Law::Normal {
            mean: mean * factor,
            sd: sd * factor,
        },
        Family::Uniform([lower, upper]) => Law::Uniform {
            lower: lower * factor,
            upper: upper * factor,
        },
        Family::Triangular([lower, mode, upper]) => Law::Triangular {
            lower: lower * factor,
            mode: mode * factor,
            upper: upper * factor,
        },
        Family::Lognormal([mean, sd]) => Law::Lognormal {
            mean: mean * factor,
            sd: sd * factor,
        },
        Family::Exponential(mean) => Law::Exponential {
            mean: mean * factor,
        },
        Family::Beta([alpha, beta, lower, upper]) => Law::Beta {
            alpha,
            beta,
            lower: lower * factor,
            upper: upper * factor,
        },
        Family::Gamma([shape, scale]) => Law::Gamma {
            shape,
            scale: scale * factor,
        },
    };
    let (low, high) = (
        min.map_or(f64::NEG_INFINITY, |v| v * factor),
        max.map_or(f64::INFINITY, |v| v * factor),
    );
    Distribution::truncated(family, low, high)
}
