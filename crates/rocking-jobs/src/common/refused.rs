//! Which number of a scene the engine refused.

use anyhow::Error;
use klast_rocking::RockingError;
use klast_runs::faults::number;

/// The number that an error of the engine is about.
#[must_use]
pub fn refused(error: &Error) -> Option<f64> {
    match error.downcast_ref::<RockingError>()? {
        RockingError::OutOfRange(out) => number(out),
        _ => None,
    }
}
