//! Which number of a scene the engine refused.

use anyhow::Error;
use klast_assembly::AssemblyError;
use klast_runs::faults::number;

/// The number that an error of the engine is about.
pub fn refused(error: &Error) -> Option<f64> {
    match error.downcast_ref::<AssemblyError>()? {
        AssemblyError::OutOfRange(out) => number(out),
        _ => None,
    }
}
