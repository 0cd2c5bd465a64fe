//! How far the contact problem of an island is solved, and that no contact makes energy then.

use super::contact_problem::ContactProblem;
use super::settings::{Effort, WorldSettings};
use super::squeezed::{SQUEEZING, SQUEEZING_MORE, is_squeezed};
use super::target::Target;
use crate::DynamicsError;
use glam::DVec3;
use klast_contact::bodies::{PassBounds, Solver, Tolerance, TwoSolvers};

/// Residual of a start, in tolerances, beyond which loads or geometry change from step to step: what leans over or is
/// shaken. Digits beyond the tolerance hold for no later step there, and a wall that overturns spends three of four
/// Newton steps on them.
const CHANGING: f64 = 5.0;
/// Margins of the dissipation pass, after sweeps and near a solution: less takes more passes and changes less.
const MARGIN_OF_SWEEPS: f64 = 0.5;
const MARGIN: f64 = 0.1;
/// What a refinement round tightens by when the dissipation pass exceeds the tolerance.
const MORE: f64 = 0.85;
/// Part of the tolerance up to which a pass of shortening that was cut short is brought to its end.
const NEARLY: f64 = 0.8;
/// Automatic effort: contacts up to which an island is always solved, sweeps before Newton's method, and sweeps where
/// much is moving.
const SMALL: usize = 200;
const SWEEPS_OF_AUTO: usize = 100;
const SWEEPS_OF_MOVING: usize = 20;
/// Bound on the work of automatic effort on an island in all solutions of a step, of which there are several where
/// contacts enter, spheres resist rolling or the step is divided: Newton steps times contacts, and the least and most
/// Newton steps.
const WORK: usize = 8_000_000;
const STEPS: (usize, usize) = (100, 2000);
/// Relative residual up to which a fixed number of sweeps counts as having solved a problem: contacts with more give
/// way visibly.
pub const SOLVED_BY_SWEEPS: f64 = 1e-3;

/// How well an island was solved.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Solved {
    pub sweeps: usize,
    /// Newton steps of this solution and of those before it in the step, and whether their bound was met before the
    /// tolerance.
    pub newton_steps: usize,
    pub over_budget: bool,
    /// Factorisations of any kind, of this island's solution.
    pub factorisations: usize,
    pub relative: f64,
    /// The same as a speed (m/s).
    pub residual: f64,
    pub converged: bool,
    /// Sweeps for the displacements that take out overlap, where their number is fixed.
    pub sweeps_on_overlap: Option<usize>,
}

/// The solvers of an island, kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct IslandSolver {
    two: TwoSolvers,
    /// Impulses to come back to, and those of the best round.
    kept: Vec<DVec3>,
    best: Vec<DVec3>,
}

impl IslandSolver {
    /// Factorisations of any kind since the solvers were made.
    pub fn factorisations(&self) -> usize {
        self.two.factorisations()
    }

    /// The solver of bodies, which has seen the island's problem last.
    pub fn of_bodies(&mut self) -> &mut Solver {
        &mut self.two.solver
    }

    /// Works on a contact problem as far as the effort says; `spent` are the Newton steps of the step's solutions
    /// before.
    pub fn work(
        &mut self,
        p: &mut ContactProblem,
        settings: &WorldSettings,
        spent: usize,
    ) -> Result<Solved, DynamicsError> {
        let budget = match settings.effort {
            Effort::Auto { .. } => {
                let stated = settings.max_newton_steps;
                Some(stated.unwrap_or(newton_steps_of_auto(p.links.len())))
            }
            Effort::Sweeps(_) | Effort::Residual { .. } => None,
        };
        self.two.solver.set_budget(budget);
        self.two.solver.spend(spent);
        let solved = self.solve(p, settings)?;
        let solver = &self.two.solver;
        Ok(Solved {
            newton_steps: solver.spent(),
            over_budget: !solved.converged && solver.left() == 0,
            ..solved
        })
    }

    fn solve(
        &mut self,
        p: &mut ContactProblem,
        settings: &WorldSettings,
    ) -> Result<Solved, DynamicsError> {
        match settings.effort {
            Effort::Sweeps(count) => Ok(self.sweep(p, count, SOLVED_BY_SWEEPS)),
            Effort::Residual { tolerance, sweeps } => {
                self.run_to(p, Target::of(settings, tolerance), sweeps, settings)
            }
            Effort::Auto { tolerance } => {
                // A small island is solved, and a large one of which little moves: what stands does so by its friction,
                // which sweeps find last.
                let rests = p.rests(settings);
                if rests || p.links.len() <= SMALL || settings.stiffness.is_some() {
                    let mut target = Target::automatic(settings, tolerance, rests);
                    if rests && p.system.relative_residual() > CHANGING * tolerance {
                        target = target.for_one_step(settings);
                    }
                    self.run_to(p, target, SWEEPS_OF_AUTO, settings)
                } else {
                    Ok(self.sweep(p, SWEEPS_OF_MOVING, tolerance))
                }
            }
        }
    }

    /// A fixed number of sweeps, three tenths of them on overlap.
    fn sweep(&mut self, p: &mut ContactProblem, all: usize, tolerance: f64) -> Solved {
        let on_overlap = 3 * all / 10;
        let count = all - on_overlap;
        let solver = &mut self.two.solver;
        solver.sweep(&mut p.system, count);
        solver.enforce_dissipation(&mut p.system, MARGIN_OF_SWEEPS, PassBounds::Long);
        Solved {
            sweeps_on_overlap: Some(on_overlap),
            ..graded(p, count, tolerance)
        }
    }

    /// Solves to the tolerance, also after the dissipation pass. Of rounds that do not converge the best one stands.
    fn run_to(
        &mut self,
        p: &mut ContactProblem,
        mut target: Target,
        sweeps: usize,
        settings: &WorldSettings,
    ) -> Result<Solved, DynamicsError> {
        let Target {
            tolerance, rounds, ..
        } = target;
        if p.system.relative_residual() > TwoSolvers::NEAR {
            let buffers = [&mut self.kept, &mut self.best];
            if is_squeezed(p, &mut self.two.solver, buffers)? {
                return Ok(self.squeezed(p));
            }
        }
        let mut turns = TwoSolvers::TURNS;
        let mut closing = target.closing * tolerance * p.system.q_max();
        let (mut asked, mut done, mut best) = (target.share * tolerance, 0, f64::INFINITY);
        for round in 0..=rounds {
            let mut reached = true;
            let mut before = p.system.relative_residual();
            // What still holds from the last step is left alone.
            if round > 0 || !target.is_met_by(p) {
                if round == 0 {
                    asked *= target.tighter;
                }
                // Solved for a law that closes a little: what residual is left then makes few contacts generate energy.
                p.system.set_normal_bias(closing);
                let fine = target.fine.map(|fine| fine * tolerance);
                let goal = Tolerance {
                    target: asked,
                    acceptable: target.acceptable * asked,
                    standing: target.brief,
                };
                let swept;
                (swept, reached) = self
                    .two
                    .approach(&mut p.system, (goal, fine), sweeps, turns)?;
                done += swept;
                before = p.system.relative_residual();
                p.system.set_normal_bias(0.0);
                if reached && round < rounds && target.is_missed(before, asked) {
                    target = target.for_one_step(settings);
                    closing = target.closing * tolerance * p.system.q_max();
                    asked = target.share * tolerance;
                    continue;
                }
            }
            turns = 1;
            p.copy_impulses(&mut self.kept);
            let last = round == rounds || self.two.solver.left() == 0;
            // Where much would have to be shortened another solution is the better one, if it is to hold for many
            // steps.
            let bounds = match target.brief && !last {
                true => PassBounds::Short,
                false => PassBounds::Long,
            };
            let (all, passes) = self.shorten(p, bounds, tolerance);
            let relative = p.system.relative_residual();
            if all && relative < best {
                best = relative;
                p.copy_impulses(&mut self.best);
            }
            let holds = all && relative <= tolerance;
            if holds || passes == 0 || last {
                break;
            }
            p.system.set_impulses(&self.kept)?;
            // What was not reached is not made harder.
            if reached {
                asked = MORE * asked.min(before);
            }
        }
        if p.system.relative_residual() > best {
            p.system.set_impulses(&self.best)?;
            // Rounding of the restored velocities may make one generate energy.
            let solver = &mut self.two.solver;
            solver.enforce_dissipation(&mut p.system, MARGIN, PassBounds::Long);
        }
        Ok(graded(p, done, tolerance))
    }

    /// Shortens the impulses that make energy, near a solution. Whether none is left, and the passes of that.
    fn shorten(
        &mut self,
        p: &mut ContactProblem,
        bounds: PassBounds,
        tolerance: f64,
    ) -> (bool, usize) {
        let solver = &mut self.two.solver;
        let mut shortened = solver.enforce_dissipation(&mut p.system, MARGIN, bounds);
        // What is shortened costs little so far: its end is nearer than another solution.
        if !shortened.all
            && bounds == PassBounds::Short
            && p.system.relative_residual() <= NEARLY * tolerance
        {
            shortened = solver.enforce_dissipation(&mut p.system, MARGIN, PassBounds::Long);
        }
        (shortened.all, shortened.passes)
    }

    /// What sweeps leave of a problem without a solution.
    fn squeezed(&mut self, p: &mut ContactProblem) -> Solved {
        let solver = &mut self.two.solver;
        solver.enforce_dissipation(&mut p.system, MARGIN_OF_SWEEPS, PassBounds::Short);
        Solved {
            converged: false,
            ..graded(p, SQUEEZING + SQUEEZING_MORE, 0.0)
        }
    }
}

/// Newton steps that automatic effort may spend in a step on an island of so many contacts.
fn newton_steps_of_auto(contacts: usize) -> usize {
    (WORK / contacts.max(1)).clamp(STEPS.0, STEPS.1)
}

/// How well a problem is solved now.
fn graded(p: &ContactProblem, sweeps: usize, tolerance: f64) -> Solved {
    let relative = p.system.relative_residual();
    let residual = match p.system.q_max() {
        q if q > 0.0 => relative * q,
        _ => relative,
    };
    Solved {
        sweeps,
        relative,
        residual,
        converged: relative <= tolerance,
        ..Solved::default()
    }
}
