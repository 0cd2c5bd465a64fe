//! What every run of a block must meet, and how its block overturns.

use crate::block::Side;
use crate::error::RockingError;
use klast_numerics::check::require;

/// How a block overturned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OverturningMode {
    /// Side it fell to.
    pub side: Side,
    /// Number of impacts before.
    pub impacts: usize,
}

/// A run must last, and end somewhere between upright and upside down.
pub(crate) fn check_limits(duration: f64, overturned_at: f64) -> Result<(), RockingError> {
    require("duration", duration, duration > 0.0, "above 0 s")?;
    require(
        "rotation of overturning",
        overturned_at,
        overturned_at > 0.0 && overturned_at <= std::f64::consts::PI,
        "above 0 and at most π rad",
    )?;
    Ok(())
}

/// More samples than any reader wants, and what a mistyped interval would fill the memory with.
const MOST_SAMPLES: f64 = 1e8;

/// A history must not fill the memory: `length` and `interval` in s.
///
/// # Errors
/// More than 100 million samples.
pub fn check_samples(length: f64, interval: f64) -> Result<(), RockingError> {
    let samples = length / interval;
    let few = samples <= MOST_SAMPLES;
    require("samples of a run", samples, few, "up to 100 million")?;
    Ok(())
}

/// A block must not be overturned from the start.
pub(crate) fn check_rotation(rotation: f64, overturned_at: f64) -> Result<(), RockingError> {
    require(
        "rotation",
        rotation,
        rotation.abs() < overturned_at,
        "under the rotation of overturning",
    )?;
    Ok(())
}
