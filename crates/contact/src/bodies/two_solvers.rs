//! Two solvers that take turns: the one of bodies, by sweeps and Newton's method, and that for over-constrained
//! problems.

use super::assemble::Assembler;
use super::problem::Problem;
use super::report::Tolerance;
use super::solver::Solver;
use crate::error::ContactError;
use crate::solve::{SolveOptions, Workspace};
use glam::DVec3;

/// Contacts beyond which an island is left to the solver of bodies alone: with 4,000 an iteration of the assembled form
/// takes some 20 ms, twice the time of a Newton step of the other.
const LARGEST_ASSEMBLED: usize = 6000;
/// Iterations of the solver for over-constrained problems in each turn of the two. The first turn leaves it out: other
/// continuations of the solver of bodies are the better hope then. Of cubes that pour it solves most of what is left to
/// it in 40 to 160; towers that fall take more.
const ITERATIONS: [usize; 4] = [0, 160, 160, 1000];
/// Newton steps to fine digits, and the contacts beyond which they are not tried: a wall of ten thousand bricks spends
/// them all and does not come to that many digits.
const REFINEMENT: usize = 12;
const LARGEST_REFINED: usize = 20_000;

/// Both solvers, to be kept from step to step.
#[derive(Debug, Clone, Default)]
pub struct TwoSolvers {
    /// The solver of bodies.
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
    /// Relative residual of a start up to which Newton's method alone is tried.
    pub const NEAR: f64 = 1e-2;
    /// Turns of the two at most.
    pub const TURNS: usize = ITERATIONS.len();

    /// Factorisations of any kind since these solvers were made.
    pub fn factorisations(&self) -> usize {
        let general = self.general.as_deref();
        let general = general.map_or(0, |general| general.workspace.factorisations());
        self.solver.factorisations() + general
    }

    /// Solves to the relative residual that is asked, in so many turns, and to fine digits where Newton's method finds
    /// them in a few steps. Returns sweeps and convergence.
    ///
    /// # Errors
    /// Where an impulse overflows.
    pub fn approach(
        &mut self,
        problem: &mut Problem,
        (asked, fine): (Tolerance, Option<f64>),
        sweeps: usize,
        turns: usize,
    ) -> Result<(usize, bool), ContactError> {
        let turns = &ITERATIONS[..turns.min(Self::TURNS)];
        let Some(fine) = fine.filter(|_| problem.contacts() <= LARGEST_REFINED) else {
            return self.alternate(problem, asked, sweeps, turns);
        };
        if problem.relative_residual() <= Self::NEAR {
            self.solver.refine(problem, fine, REFINEMENT);
            if problem.relative_residual() <= asked.target {
                return Ok((0, true));
            }
        }
        let (swept, reached) = self.alternate(problem, asked, sweeps, turns)?;
        if reached {
            self.solver.refine(problem, fine, REFINEMENT);
        }
        Ok((swept, reached))
    }

    /// Alternates the two solvers, each warm-started by the other. Returns sweeps and convergence.
    fn alternate(
        &mut self,
        problem: &mut Problem,
        asked: Tolerance,
        sweeps: usize,
        turns: &[usize],
    ) -> Result<(usize, bool), ContactError> {
        let mut done = 0;
        for &iterations in turns {
            let report = self.solver.solve(problem, asked, sweeps);
            done += report.sweeps;
            let iterations = iterations.min(self.solver.left());
            if report.converged()
                || (iterations > 0 && self.over_constrained(problem, asked.target, iterations)?)
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
        problem: &mut Problem,
        tolerance: f64,
        max_iterations: usize,
    ) -> Result<bool, ContactError> {
        if problem.contacts() > LARGEST_ASSEMBLED {
            return Ok(false);
        }
        let before = problem.relative_residual();
        self.kept.clear();
        self.kept.extend(problem.impulses());
        let General {
            assembler,
            workspace,
        } = &mut **self.general.get_or_insert_default();
        let Ok(assembled) = assembler.assemble(problem) else {
            return Ok(false);
        };
        let options = SolveOptions {
            tolerance,
            max_iterations,
            ..SolveOptions::default()
        };
        let solution = workspace.solve(&assembled, &options, Some(&self.kept));
        self.solver.spend(solution.iterations);
        problem.set_impulses(&solution.impulses)?;
        assembler.recycle(assembled);
        if problem.relative_residual() > before {
            problem.set_impulses(&self.kept)?;
        }
        Ok(problem.relative_residual() <= tolerance)
    }
}
