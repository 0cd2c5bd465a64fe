//! One contact problem of one body, and what a solution says of itself.

use super::super::ground_law::Coefficients;
use crate::{Body, Twist};
use klast_geometry::{ContactPoint, Pose};

/// How well a problem is to be solved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    /// Residual relative to the largest velocity.
    pub(super) tolerance: f64,
    /// What impulses grow with (s), so that those of one step start those of the next; 0 for an impact.
    pub(super) step: f64,
}

impl Effort {
    /// Of an impact: 1e-12 of 10 m/s moves a body by less than rounding of its position until its next impact.
    pub(crate) const IMPACT: Self = Self {
        tolerance: 1e-12,
        step: 0.0,
    };

    /// Of a step in sustained contact, whose own error is of the order of the step cubed.
    pub(crate) fn step(step: f64) -> Self {
        Self {
            tolerance: 1e-9,
            step,
        }
    }
}

/// The data of one problem.
#[derive(Clone, Copy)]
pub(crate) struct ContactProblem<'a> {
    pub(crate) body: &'a Body,
    pub(crate) pose: &'a Pose,
    pub(crate) contacts: &'a [ContactPoint],
    /// Velocities without impulses.
    pub(crate) free: Twist,
    /// Of each contact.
    pub(crate) coefficients: &'a [Coefficients],
    pub(crate) effort: Effort,
}

/// Velocities after, and how well they solve the problem.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Solved {
    pub(crate) twist: Twist,
    /// Residual (m/s).
    pub(crate) residual: f64,
    pub(crate) converged: bool,
    /// Whether any contact carries load.
    pub(crate) loaded: bool,
}
