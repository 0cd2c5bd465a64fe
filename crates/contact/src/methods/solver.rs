//! What a strategy for the frictional contact problem is.

use crate::problem::FrictionContactProblem;
use glam::DVec3;

/// What a solver says after one iteration. It does not grade itself: [`crate::solve_with`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Continue; the residual need not be looked at yet.
    Continue,
    /// Continue; the impulses are worth a look at the residual.
    Check,
    /// The solver has nothing more to offer; the residual decides.
    Done,
}

/// A strategy for the frictional contact problem.
pub trait ContactSolver {
    /// Name in tables and on the command line.
    fn name(&self) -> &'static str;
    /// Prepares for a problem and a start; called once before [`ContactSolver::iterate`].
    fn start(&mut self, problem: &FrictionContactProblem, impulses: &[DVec3]);
    /// One iteration: improves `impulses` in place.
    fn iterate(&mut self, problem: &FrictionContactProblem, impulses: &mut [DVec3]) -> Step;
}
