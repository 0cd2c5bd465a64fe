//! What can go wrong when rocking is posed or solved.

use klast_ground_motion::GroundMotionError;
use klast_numerics::{ModelError, OutOfRange};
use thiserror::Error;

/// Error of this crate.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RockingError {
    /// A number or a count outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A base motion that cannot be used.
    #[error(transparent)]
    Motion(#[from] GroundMotionError),
    /// A body or a world that cannot be made.
    #[cfg(feature = "contact")]
    #[error(transparent)]
    Dynamics(#[from] klast_dynamics::DynamicsError),
    /// A shape or a pose that cannot be made.
    #[cfg(feature = "contact")]
    #[error(transparent)]
    Geometry(#[from] klast_geometry::GeometryError),
    /// Restrainers beside a model that does not know them.
    #[error("restrainers are not known to {by}; accepted: the nonlinear equation")]
    NotRestrained {
        /// That model.
        by: &'static str,
    },
    /// A compliant base beside a model that does not know it.
    #[error("a compliant base is not known to {by}; accepted: the nonlinear equation")]
    NotCompliant {
        /// That model.
        by: &'static str,
    },
    /// An integration that fails.
    #[error(transparent)]
    Integration(#[from] klast_numerics::ode::OdeError),
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

impl ModelError for RockingError {
    fn number(&self) -> Option<f64> {
        match self {
            Self::OutOfRange(out) => out.number(),
            _ => None,
        }
    }
}
