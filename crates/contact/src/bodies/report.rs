//! What a solver of body problems is asked for, and what it reports.

use crate::problem::Status;

/// Residuals relative to `max‖q‖` that a solver works for and that it accepts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// What every method works for.
    pub target: f64,
    /// What is enough once Newton's method has taken some steps or a continuation has ended, at or above the target:
    /// the last digit may cost as much as all before.
    pub acceptable: f64,
    /// Whether the bodies stand, near a limit or not: proximal terms then fall faster. One avalanche of slips follows
    /// the other while they do, and in towers a few refused steps cost less. Heaps that settle take 1.3 times the
    /// time with it.
    pub standing: bool,
}

impl Tolerance {
    /// The target alone.
    pub fn of(target: f64) -> Self {
        Self {
            target,
            acceptable: target,
            standing: false,
        }
    }
}

/// What a run did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Report {
    /// Whether `relative` met the tolerance, and if not what ended the run: the sweeps, or stagnation of all that was
    /// tried.
    pub status: Status,
    /// Sweeps done.
    pub sweeps: usize,
    /// Newton steps done.
    pub newton_steps: usize,
    /// Residual in m/s, as [`crate::Residual::absolute`].
    pub residual: f64,
    /// The residual relative to `max‖q‖`, as [`super::Problem::relative_residual`].
    pub relative: f64,
}

impl Report {
    /// Whether the residual met the tolerance.
    pub fn converged(&self) -> bool {
        self.status == Status::Converged
    }
}
