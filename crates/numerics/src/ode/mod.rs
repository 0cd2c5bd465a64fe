//! Ordinary differential equations with events: an adaptive method of high order that knows no physics.
//!
//! A driver owns the loop: it advances to a time or to an [`Event`], resets the state as its impact law says, and goes
//! on. Right-hand sides must be smooth between two calls of [`Dopri853::reset`]; a driver therefore stops at every
//! discontinuity of a load and hands over the law that holds from there on.
//!
//! ```
//! use klast_numerics::ode::{Arrival, Dopri853, OdeOptions, OdeSystem};
//!
//! /// A stone falling from 20 m.
//! struct Fall;
//! impl OdeSystem for Fall {
//!     fn dimension(&self) -> usize {
//!         2
//!     }
//!     fn derivative(&self, _t: f64, y: &[f64], dy: &mut [f64]) {
//!         dy[0] = y[1];
//!         dy[1] = -9.81;
//!     }
//! }
//! let ground = |_t: f64, y: &[f64]| y[0];
//! let mut method = Dopri853::new(2, OdeOptions::default())?;
//! method.reset(0.0, &[20.0, 0.0])?;
//! assert_eq!(method.advance(&Fall, 10.0, &[&ground])?, Arrival::Event { index: 0 });
//! assert!((method.time() - (40.0f64 / 9.81).sqrt()).abs() < 1e-12);
//! # Ok::<(), klast_numerics::ode::OdeError>(())
//! ```

mod dopri853;
mod event;
mod tableau;

pub use dopri853::Dopri853;

use crate::ModelError;
use thiserror::Error;

/// A first-order system y' = f(t, y).
pub trait OdeSystem {
    /// Number of unknowns.
    fn dimension(&self) -> usize;
    /// Writes f(t, y) into `dy`; both slices have [`OdeSystem::dimension`] entries.
    fn derivative(&self, t: f64, y: &[f64], dy: &mut [f64]);
}

/// Which sign changes of an event function count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Crossing {
    /// Both directions.
    #[default]
    Any,
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
}

/// A scalar function of time and state whose zero stops the integration.
///
/// A value of exactly zero at the start (the state just after an impact) is not an event: the function has to leave
/// zero first.
pub trait Event {
    /// The event function.
    fn value(&self, t: f64, y: &[f64]) -> f64;
    /// The sign changes that count.
    fn crossing(&self) -> Crossing {
        Crossing::Any
    }
}

impl<F: Fn(f64, &[f64]) -> f64> Event for F {
    fn value(&self, t: f64, y: &[f64]) -> f64 {
        self(t, y)
    }
}

/// Tolerances and limits of an adaptive method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OdeOptions {
    /// Relative error per step; not below 1e-15.
    pub relative: f64,
    /// Absolute error per step, in the unit of each unknown.
    pub absolute: f64,
    /// Largest step (s); infinite by default.
    pub max_step: f64,
    /// First step (s); chosen from the slopes when absent.
    pub first_step: Option<f64>,
    /// Largest number of accepted and rejected steps between two resets.
    pub max_steps: usize,
}

impl Default for OdeOptions {
    /// Relative and absolute 1e-13, no limit on the step, 10 million steps.
    fn default() -> Self {
        Self {
            relative: 1e-13,
            absolute: 1e-13,
            max_step: f64::INFINITY,
            first_step: None,
            max_steps: 10_000_000,
        }
    }
}

/// Why [`Dopri853::advance`] came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// The wanted time is reached.
    End,
    /// The event with this index in the given list has happened; time and state are those of the event.
    Event {
        /// Index in the list of events.
        index: usize,
    },
}

/// What can go wrong in an integration.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum OdeError {
    /// A tolerance or a limit is not usable.
    #[error("{field} must be {accepted}, found {found}")]
    Option {
        /// Name of the option.
        field: &'static str,
        /// What was found.
        found: f64,
        /// What is accepted.
        accepted: &'static str,
    },
    /// A state of the wrong length.
    #[error("the state must have {needed} entries, found {found}")]
    Dimension {
        /// Entries needed.
        needed: usize,
        /// Entries found.
        found: usize,
    },
    /// Time or state is not finite.
    #[error("time and state must be finite; at t = {time} s they are not")]
    NotFinite {
        /// Time reached (s).
        time: f64,
    },
    /// The step fell below what the floating-point time can resolve.
    #[error(
        "the step fell to {step} s at t = {time} s: the right-hand side is not smooth or grows without bound"
    )]
    StepTooSmall {
        /// Time reached (s).
        time: f64,
        /// Step (s).
        step: f64,
    },
    /// The limit on the number of steps is used up.
    #[error("{limit} steps were not enough; reached t = {time} s")]
    TooManySteps {
        /// Time reached (s).
        time: f64,
        /// The limit.
        limit: usize,
    },
}

impl ModelError for OdeError {}
