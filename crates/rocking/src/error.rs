//! What can go wrong when rocking is posed or solved.

use klast_dynamics::ground_motion::GroundMotionError;
use thiserror::Error;

/// Error of this crate.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RockingError {
    /// A number outside its range.
    #[error("{field} must be {accepted}, found {found}")]
    Value {
        /// Name of the quantity.
        field: &'static str,
        /// What was found.
        found: f64,
        /// What is accepted.
        accepted: &'static str,
    },
    /// A list with the wrong number of entries.
    #[error("{field}: {found} entries, accepted: {accepted}")]
    Count {
        /// What the list holds.
        field: &'static str,
        /// Number found.
        found: usize,
        /// Numbers accepted.
        accepted: &'static str,
    },
    /// A base motion that cannot be used.
    #[error(transparent)]
    Motion(#[from] GroundMotionError),
    /// A body or a world that cannot be made.
    #[error(transparent)]
    Dynamics(#[from] klast_dynamics::DynamicsError),
    /// A shape or a pose that cannot be made.
    #[error(transparent)]
    Geometry(#[from] klast_geometry::GeometryError),
    /// A measured history that cannot be read.
    #[error("history, line {line}: {needed}; found \"{found}\"")]
    History {
        /// Line number from 1.
        line: usize,
        /// What is needed there.
        needed: &'static str,
        /// What was found.
        found: String,
    },
    /// The caller of a long computation asked it to stop.
    #[error("stopped by the caller")]
    Stopped,
    /// An iteration that should have converged has not.
    #[error("{of}: not found within {rounds} rounds")]
    NoConvergence {
        /// What was sought.
        of: &'static str,
        /// Rounds made.
        rounds: usize,
    },
    /// A state that left the numbers.
    #[error("the state at t = {time} s leads to none that is finite")]
    NotFinite {
        /// Time reached (s).
        time: f64,
    },
    /// A limit on the number of steps is used up.
    #[error("{limit} steps were not enough; reached t = {time} s")]
    TooManySteps {
        /// Time reached (s).
        time: f64,
        /// The limit.
        limit: usize,
    },
}

/// `found` if it is finite and `good`, else an error that says what is accepted.
pub(crate) fn require(
    field: &'static str,
    found: f64,
    good: bool,
    accepted: &'static str,
) -> Result<f64, RockingError> {
    if good && found.is_finite() {
        Ok(found)
    } else {
        Err(RockingError::Value {
            field,
            found,
            accepted,
        })
    }
}
