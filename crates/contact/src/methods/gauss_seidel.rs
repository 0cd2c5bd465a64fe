//! Non-smooth Gauss–Seidel: contact after contact, each solved exactly with the others held.

use super::solver::{ContactSolver, Step};
use crate::local::one_contact::solve_from;
use crate::problem::FrictionContactProblem;
use glam::DVec3;

/// Jourdan, Alart & Jean (1998), "A Gauss-Seidel like algorithm to solve frictional contact problems".
///
/// Needs a diagonal block of full rank at each contact. Crawls on over-constrained problems (stacks, towers).
/// The sweep goes by contact index, so the answer depends on no thread.
#[derive(Debug, Clone, Default)]
pub struct GaussSeidel;

impl GaussSeidel {
    /// A fresh solver.
    pub fn new() -> Self {
        Self
    }
}

impl ContactSolver for GaussSeidel {
    fn name(&self) -> &'static str {
        "gauss-seidel"
    }

    fn start(&mut self, _: &FrictionContactProblem, _: &[DVec3]) {}

    fn iterate(&mut self, problem: &FrictionContactProblem, r: &mut [DVec3]) -> Step {
        if r.len() != problem.contacts() {
            return Step::Done;
        }
        for i in 0..problem.contacts() {
            let d = problem.w().diagonal(i);
            let free = problem.velocity(i, r) - d * r[i];
            r[i] = solve_from(&d, free, problem.mu()[i], r[i]);
        }
        Step::Check
    }
}
