//! Which number of a scene the engine refused.

use anyhow::Error;
use klast_rockfall::RockfallError;

/// The number that an error of the engine is about.
pub fn refused(error: &Error) -> Option<f64> {
    match error.downcast_ref::<RockfallError>()? {
        RockfallError::OutOfRange { found, .. } => Some(*found),
        RockfallError::Count { found, .. } => Some(*found as f64),
        _ => None,
    }
}
