//! Two solvers that take turns: the one of bodies, by sweeps and Newton's method, and that for over-constrained
//! problems.

use super::contact_problem::ContactProblem;
use super::target::ACCEPTABLE;
use crate::DynamicsError;
use glam::DVec3;
use klast_contact::bodies::{Assembler, Solver, Tolerance};
use klast_contact::{SolveOptions, Workspace};

/// Contacts beyond which an island is left to the solver of bodies alone: with 4,000 an iteration of the assembled form
/// takes some 20 ms, twice the time of a Newton step of the other.
const LARGEST_ASSEMBLED: usize = 6000;
/// Iterations of the solver for over-constrained problems in each turn of the two. The first turn leaves it out: other
/// continuations of the solver of bodies are the better hope then. Of cubes that pour it solves most of what is left to
/// it in 40 to 160; towers that fall take more.
pub(super) const ITERATIONS: [usize; 4] = [0, 160, 160, 1000];
/// Relative residual from which Newton's method alone is tried, its steps there, and the contacts beyond which it is
/// not: a wall of ten thousand bricks spends them all and does not come to that many digits.
pub(super) const NEAR: f64 = 1e-2;
const REFINEMENT: usize = 12;
const LARGEST_REFINED: usize = 20_000;

/// Both solvers, kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct TwoSolvers {
    pub solver: Solver,
    /// Only where it was needed.
    general: Option<Box<General>>,
    /// Impulses to come back to.
    kept: Vec<DVec3>,
}

/// The solver for over-constrained problems.
#[derive(Debug, Clone, Default)]
struct General {
    assembler: Assembler,
    workspace: Workspace,
}

impl TwoSolvers {
    /// Solves to what is asked, and to fine digits where Newton's method finds them in a few steps. Returns sweeps and
    /// convergence.
    pub fn approach(
        &mut self,
        p: &mut ContactProblem,
        (asked, fine): (f64, Option<f64>),
        sweeps: usize,
        turns: &[usize],
    ) -> Result<(usize, bool), DynamicsError> {
        let Some(fine) = fine.filter(|_| p.links.len() <= LARGEST_REFINED) else {
            return self.alternate(p, asked, sweeps, turns);
        };
        if p.system.relative_residual() <= NEAR {
            self.solver.refine(&mut p.system, fine, REFINEMENT);
            if p.system.relative_residual() <= asked {
                return Ok((0, true));
            }
        }
        let (swept, reached) = self.alternate(p, asked, sweeps, turns)?;
        if reached {
            self.solver.refine(&mut p.system, fine, REFINEMENT);
        }
        Ok((swept, reached))
    }

    /// Alternates the two solvers, each warm-started by the other. Returns sweeps and convergence.
    fn alternate(
        &mut self,
        p: &mut ContactProblem,
        tolerance: f64,
        sweeps: usize,
        turns: &[usize],
    ) -> Result<(usize, bool), DynamicsError> {
        let mut done = 0;
        for &iterations in turns {
            let asked = Tolerance {
                target: tolerance,
                acceptable: ACCEPTABLE * tolerance,
            };
            let report = self.solver.solve(&mut p.system, asked, sweeps);
            done += report.sweeps;
            let iterations = iterations.min(self.solver.left());
            if report.converged()
                || (iterations > 0 && self.over_constrained(p, tolerance, iterations)?)
            {
                return Ok((done, true));
            }
            if self.solver.left() == 0 {
                break;
            }
        }
        Ok((done, false))
    }

    /// The solver for over-constrained problems, from the present impulses. Whether it converged.
    fn over_constrained(
        &mut self,
        p: &mut ContactProblem,
        tolerance: f64,
        max_iterations: usize,
    ) -> Result<bool, DynamicsError> {
        if p.system.contacts() > LARGEST_ASSEMBLED {
            return Ok(false);
        }
        let before = p.system.relative_residual();
        p.copy_impulses(&mut self.kept);
        let General {
            assembler,
            workspace,
        } = &mut **self.general.get_or_insert_default();
        let Ok(assembled) = assembler.assemble(&p.system) else {
            return Ok(false);
        };
        let options = SolveOptions {
            tolerance,
            max_iterations,
            ..SolveOptions::default()
        };
        let solution = workspace.solve(&assembled, &options, Some(&self.kept));
        self.solver.spend(solution.iterations);
        p.system.set_impulses(&solution.impulses)?;
        assembler.recycle(assembled);
        if p.system.relative_residual() > before {
            p.system.set_impulses(&self.kept)?;
        }
        Ok(p.system.relative_residual() <= tolerance)
    }
}
