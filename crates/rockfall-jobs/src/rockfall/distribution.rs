//! Numbers and distributions of a scene.

use klast_dynamics::{Distribution, Family};
use klast_runs::error::Result;

use super::scene::{self, Drawn, Number};

/// A number of the scene in the units of the library.
pub fn distribution(number: Number, factor: f64) -> Result<Distribution> {
    if factor != 1.0 {
        // What is wrong with it is told in the unit of the scene.
        distribution(number, 1.0)?;
    }
    let Drawn { family, min, max } = match number {
        Number::Constant(value) => return Ok(Distribution::new(Family::Constant(value * factor))?),
        Number::Drawn(drawn) => drawn,
    };
    let family = match family {
        scene::Family::Normal([mean, sd]) => Family::Normal {
            mean: mean * factor,
            sd: sd * factor,
        },
        scene::Family::Uniform([lower, upper]) => Family::Uniform {
            lower: lower * factor,
            upper: upper * factor,
        },
        scene::Family::Triangular([lower, mode, upper]) => Family::Triangular {
            lower: lower * factor,
            mode: mode * factor,
            upper: upper * factor,
        },
        scene::Family::Lognormal([mean, sd]) => Family::Lognormal {
            mean: mean * factor,
            sd: sd * factor,
        },
        scene::Family::Exponential(mean) => Family::Exponential {
            mean: mean * factor,
        },
        scene::Family::Beta([alpha, beta, lower, upper]) => Family::Beta {
            alpha,
            beta,
            lower: lower * factor,
            upper: upper * factor,
        },
        scene::Family::Gamma([shape, scale]) => Family::Gamma {
            shape,
            scale: scale * factor,
        },
    };
    let (low, high) = (
        min.map_or(f64::NEG_INFINITY, |v| v * factor),
        max.map_or(f64::INFINITY, |v| v * factor),
    );
    Ok(Distribution::truncated(family, low, high)?)
}
