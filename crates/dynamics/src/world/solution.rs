//! How far the contact problem of an island is solved, and that no contact makes energy then.

use super::island::{Frozen, General, Island, Solved};
use super::settings::{Effort, WorldSettings};
use crate::DynamicsError;
use glam::DVec3;
use klast_contact::SolveOptions;
use klast_contact::bodies::{PassBounds, Tolerance};

/// Contacts beyond which an island is left to the solver of bodies alone: with 4,000 an iteration of the assembled form
/// takes some 20 ms, twice the time of a Newton step of the other.
const LARGEST_ASSEMBLED: usize = 6000;
/// Iterations of the solver for over-constrained problems in each turn of the two. The first turn leaves it out: other
/// continuations of the solver of bodies are the better hope then. Of cubes that pour it solves most of what is left to
/// it in 40 to 160; towers that fall take more.
const ITERATIONS: [usize; 4] = [0, 160, 160, 1000];
/// Parts of the tolerance for the speed at which contacts may close, and for the residual that a solver may leave:
/// their sum bounds the residual of the law itself. Where a heap is locked it can close only by giving way somewhere,
/// however slowly: at 0.4 of the tolerance that takes hundreds of Newton steps. Compliant contacts close at no cost,
/// and with a smaller residual none is shortened.
const RIGID: (f64, f64) = (0.1, 0.8);
const SPRINGS: (f64, f64) = (0.4, 0.2);
/// The same for what rests, the residual that is worked for there, and the one up to which a start is left alone. A
/// solution to that many digits is an equilibrium, which holds for many steps: in each only the residual is looked at.
/// Velocities of the closing speed that the last step left are in the residual of the next one.
const AT_REST: (f64, f64) = (0.02, 0.8);
const FINE: f64 = 1e-3;
const HOLDS: f64 = 1.5 * AT_REST.0;
/// The residual up to which an equilibrium is left alone, and what it may grow by in a step: where it grows by more the
/// impulses still bear the motion of the step before.
const EQUILIBRIUM: (f64, f64) = (5.0 * AT_REST.0, 0.25 * AT_REST.0);
/// Residual of a start, in tolerances, beyond which loads or geometry change from step to step: what leans over or is
/// shaken. Digits beyond the tolerance hold for no later step there, and a wall that overturns spends three of four
/// Newton steps on them.
const CHANGING: f64 = 5.0;
/// Closing and residual there: contacts that close faster than the residual make no energy, so nothing is shortened.
/// With [`RIGID`] the pass takes 5 of 6 seconds of a tower of 200 planks that leans over.
const CHANGED: (f64, f64) = (0.4, 0.3);
/// Relative residual from which Newton's method alone is tried, its steps there, and the contacts beyond which it is
/// not: a wall of ten thousand bricks spends them all and does not come to that many digits.
const NEAR: f64 = 1e-2;
const REFINEMENT: usize = 12;
const LARGEST_REFINED: usize = 20_000;
/// Margins of the dissipation pass, after sweeps and near a solution: less takes more passes and changes less.
const MARGIN_OF_SWEEPS: f64 = 0.5;
const MARGIN: f64 = 0.1;
/// Maximum refinement rounds: restart on stagnation, tighten by MORE when the dissipation pass exceeds the tolerance.
/// Of some thousand heaps of a thousand hulls nearly all need none, the hardest 12.
const ROUNDS: usize = 24;
const MORE: f64 = 0.85;
/// Part of the tolerance up to which a pass of shortening that was cut short is brought to its end.
const NEARLY: f64 = 0.8;
/// What is enough of what is asked for: it may do, and another round costs less than the last digit here. With the
/// share of closing it stays under the tolerance.
const ACCEPTABLE: f64 = 1.1;
const _: () = assert!(
    ACCEPTABLE * RIGID.1 + RIGID.0 <= 1.0
        && ACCEPTABLE * SPRINGS.1 + SPRINGS.0 <= 1.0
        && ACCEPTABLE * CHANGED.1 + CHANGED.0 <= 1.0
);
/// Automatic effort: contacts up to which an island is always solved; the speed of a contact that is moving, in √(g r)
/// of the smallest body; the part of them that may move where the others stand.
const SMALL: usize = 200;
const SLOW: f64 = 0.05;
const MOVING: f64 = 0.1;
/// Its rounds, its sweeps before Newton's method, its sweeps where much is moving, and the part of the tolerance that
/// is solved for where a start is not good enough: the solution then holds for many steps.
const ROUNDS_OF_AUTO: usize = 4;
const SWEEPS_OF_AUTO: usize = 100;
const SWEEPS_OF_MOVING: usize = 20;
const TIGHTER: f64 = 0.1;
/// Relative residual up to which a fixed number of sweeps counts as having solved a problem: contacts with more give
/// way visibly.
pub const SOLVED_BY_SWEEPS: f64 = 1e-3;

/// Sweeps to the direction in which impulses of a problem without a solution grow, those that show it, and the speed in
/// approaches at which bodies are not squeezed out: a wedge of one degree gives way at 57.
const SQUEEZING: usize = 30;
const SQUEEZING_MORE: usize = 10;
const SQUEEZED_OUT: f64 = 100.0;

/// What a solution has to reach.
#[derive(Debug, Clone, Copy)]
struct Target {
    tolerance: f64,
    /// Parts of the tolerance: the speed at which contacts may close, the residual that a solver may leave, and the one
    /// up to which a start is left alone.
    closing: f64,
    share: f64,
    holds: f64,
    /// Part of the share that is solved for where a start exceeds it.
    tighter: f64,
    /// Part of the tolerance that Newton's method works for in the end, where the solution is to hold.
    fine: Option<f64>,
    /// Whether another solution is sooner found than a long pass of shortening comes to its end.
    brief: bool,
    /// Refinement rounds at most.
    rounds: usize,
}

impl Target {
    /// Of an effort to a residual.
    fn of(settings: &WorldSettings, tolerance: f64) -> Self {
        let (closing, share) = settings.stiffness.map_or(RIGID, |_| SPRINGS);
        Self {
            tolerance,
            closing,
            share,
            holds: share,
            tighter: 1.0,
            fine: None,
            brief: false,
            rounds: ROUNDS,
        }
    }

    /// Of automatic effort.
    fn automatic(settings: &WorldSettings, tolerance: f64, rests: bool) -> Self {
        let plain = Self {
            tighter: TIGHTER,
            rounds: ROUNDS_OF_AUTO,
            ..Self::of(settings, tolerance)
        };
        if !rests || settings.stiffness.is_some() {
            return plain;
        }
        let (closing, share) = AT_REST;
        Self {
            closing,
            share,
            holds: HOLDS,
            fine: Some(FINE),
            brief: true,
            ..plain
        }
    }

    /// The same where the solution holds for one step only.
    fn for_one_step(self, settings: &WorldSettings) -> Self {
        let (closing, share) = settings.stiffness.map_or(CHANGED, |_| SPRINGS);
        Self {
            closing,
            share,
            holds: share,
            brief: self.brief,
            rounds: self.rounds,
            ..Self::of(settings, self.tolerance)
        }
    }
}

impl Island {
    /// Works on the contact problem as far as the effort says.
    pub(super) fn work(&mut self, frozen: &Frozen) -> Result<Solved, DynamicsError> {
        let settings = &frozen.state.settings;
        match settings.effort {
            Effort::Sweeps(count) => Ok(self.sweep(count, SOLVED_BY_SWEEPS)),
            Effort::Residual { tolerance, sweeps } => {
                self.run_to(Target::of(settings, tolerance), sweeps)
            }
            Effort::Auto { tolerance } => {
                // A small island is solved, and a large one of which little moves: what stands does so by its friction,
                // which sweeps find last.
                let rests = self.rests(frozen);
                if rests || self.links.len() <= SMALL || settings.stiffness.is_some() {
                    let mut target = Target::automatic(settings, tolerance, rests);
                    if rests && self.problem.relative_residual() > CHANGING * tolerance {
                        target = target.for_one_step(settings);
                    }
                    self.run_to(target, SWEEPS_OF_AUTO)
                } else {
                    Ok(self.sweep(SWEEPS_OF_MOVING, tolerance))
                }
            }
        }
    }

    /// Whether hardly a contact is moving.
    pub(super) fn rests(&self, frozen: &Frozen) -> bool {
        let s = &frozen.state.settings;
        let smallest = self
            .bodies
            .iter()
            .filter_map(|&i| frozen.state.members.get(i as usize));
        let radius = smallest.map(|m| m.radius).fold(f64::INFINITY, f64::min);
        let slow = SLOW * (s.gravity.length() * radius).sqrt();
        let moving = self.speeds.iter().filter(|speed| **speed > slow).count();
        moving as f64 <= MOVING * self.speeds.len() as f64
    }

    /// A fixed number of sweeps, a quarter of them on overlap.
    fn sweep(&mut self, all: usize, tolerance: f64) -> Solved {
        let count = all - all / 4;
        self.solver.sweep(&mut self.problem, count);
        self.solver
            .enforce_dissipation(&mut self.problem, MARGIN_OF_SWEEPS, PassBounds::Long);
        let relative = self.problem.relative_residual();
        Solved {
            sweeps: count,
            relative,
            residual: self.speed_of(relative),
            converged: relative <= tolerance,
            sweeps_on_overlap: Some(all / 4),
        }
    }

    /// Solves to the tolerance, also after the dissipation pass. Of rounds that do not converge the best one stands.
    fn run_to(&mut self, target: Target, sweeps: usize) -> Result<Solved, DynamicsError> {
        let Target {
            tolerance, rounds, ..
        } = target;
        if self.problem.relative_residual() > NEAR && self.is_squeezed()? {
            return Ok(self.squeezed());
        }
        let closing = target.closing * tolerance * self.problem.q_max();
        let (mut asked, mut done, mut best) = (target.share * tolerance, 0, f64::INFINITY);
        for round in 0..=rounds {
            let mut reached = true;
            let mut before = self.problem.relative_residual();
            // What still holds from the last step is left alone.
            if round > 0 || !self.still_holds(&target) {
                if round == 0 {
                    asked *= target.tighter;
                }
                // Solved for a law that closes a little: what residual is left then makes few contacts generate energy.
                self.problem.set_normal_bias(closing);
                let turns = if round == 0 { ITERATIONS.len() } else { 1 };
                let fine = target.fine.map(|fine| fine * tolerance);
                let swept;
                (swept, reached) = self.approach(asked, fine, sweeps, &ITERATIONS[..turns])?;
                done += swept;
                before = self.problem.relative_residual();
                self.problem.set_normal_bias(0.0);
            }
            self.keep_impulses();
            // Where much would have to be shortened another solution is the better one, if it is to hold for many
            // steps.
            let bounds = match target.brief && round < rounds {
                true => PassBounds::Short,
                false => PassBounds::Long,
            };
            let mut shortened = self
                .solver
                .enforce_dissipation(&mut self.problem, MARGIN, bounds);
            let mut relative = self.problem.relative_residual();
            // What is shortened costs little so far: its end is nearer than another solution.
            if !shortened.all && bounds == PassBounds::Short && relative <= NEARLY * tolerance {
                let (solver, problem) = (&mut self.solver, &mut self.problem);
                shortened = solver.enforce_dissipation(problem, MARGIN, PassBounds::Long);
                relative = self.problem.relative_residual();
            }
            if shortened.all && relative < best {
                best = relative;
                self.best.clear();
                self.best.extend(self.problem.impulses());
            }
            let holds = shortened.all && relative <= tolerance;
            if holds || shortened.passes == 0 || round == rounds {
                break;
            }
            self.problem.set_impulses(&self.kept)?;
            // What was not reached is not made harder.
            if reached {
                asked = MORE * asked.min(before);
            }
        }
        if self.problem.relative_residual() > best {
            self.problem.set_impulses(&self.best)?;
            // Rounding of the restored velocities may make one generate energy.
            self.solver
                .enforce_dissipation(&mut self.problem, MARGIN, PassBounds::Long);
        }
        let relative = self.problem.relative_residual();
        Ok(Solved {
            sweeps: done,
            relative,
            residual: self.speed_of(relative),
            converged: relative <= tolerance,
            sweeps_on_overlap: None,
        })
    }

    /// Whether the impulses that the last step left are good enough.
    fn still_holds(&self, target: &Target) -> bool {
        let relative = self.problem.relative_residual();
        if target.fine.is_none() || relative <= target.holds * target.tolerance {
            return relative <= target.holds * target.tolerance;
        }
        let before = self.speeds.iter().copied().fold(0.0, f64::max) / self.problem.q_max();
        let (most, growth) = EQUILIBRIUM;
        relative <= most * target.tolerance && relative - before <= growth * target.tolerance
    }

    /// Solves to what is asked, and to fine digits where Newton's method finds them in a few steps. Returns sweeps and
    /// convergence.
    fn approach(
        &mut self,
        asked: f64,
        fine: Option<f64>,
        sweeps: usize,
        turns: &[usize],
    ) -> Result<(usize, bool), DynamicsError> {
        let Some(fine) = fine.filter(|_| self.links.len() <= LARGEST_REFINED) else {
            return self.alternate(asked, sweeps, turns);
        };
        if self.problem.relative_residual() <= NEAR {
            self.solver.refine(&mut self.problem, fine, REFINEMENT);
            if self.problem.relative_residual() <= asked {
                return Ok((0, true));
            }
        }
        let (swept, reached) = self.alternate(asked, sweeps, turns)?;
        if reached {
            self.solver.refine(&mut self.problem, fine, REFINEMENT);
        }
        Ok((swept, reached))
    }

    /// Alternates the two solvers, each warm-started by the other. Returns sweeps and convergence.
    fn alternate(
        &mut self,
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
            let report = self.solver.solve(&mut self.problem, asked, sweeps);
            done += report.sweeps;
            if report.converged()
                || (iterations > 0 && self.over_constrained(tolerance, iterations)?)
            {
                return Ok((done, true));
            }
        }
        Ok((done, false))
    }

    /// The solver for over-constrained problems, from the present impulses. Whether it converged.
    fn over_constrained(
        &mut self,
        tolerance: f64,
        max_iterations: usize,
    ) -> Result<bool, DynamicsError> {
        if self.problem.contacts() > LARGEST_ASSEMBLED {
            return Ok(false);
        }
        let before = self.problem.relative_residual();
        self.keep_impulses();
        let General {
            assembler,
            workspace,
        } = &mut **self.general.get_or_insert_default();
        let Ok(assembled) = assembler.assemble(&self.problem) else {
            return Ok(false);
        };
        let options = SolveOptions {
            tolerance,
            max_iterations,
            ..SolveOptions::default()
        };
        let solution = workspace.solve(&assembled, &options, Some(&self.kept));
        self.problem.set_impulses(&solution.impulses)?;
        assembler.recycle(assembled);
        if self.problem.relative_residual() > before {
            self.problem.set_impulses(&self.kept)?;
        }
        Ok(self.problem.relative_residual() <= tolerance)
    }

    fn keep_impulses(&mut self) {
        self.kept.clear();
        self.kept.extend(self.problem.impulses());
    }
}

impl Island {
    /// Whether what is driven closes on bodies that cannot give way: whether normal impulses d ≥ 0 exist that leave all
    /// free bodies in balance, `Hₙᵀ d = 0`, and resist the approach that is left then, `d·q < 0`. No velocities with
    /// `Hₙ v + q ≥ 0` exist in that case (Farkas), and impulses grow without end, in a direction that sweeps find.
    /// Balance is asked up to what speeds of [`SQUEEZED_OUT`] times the approach could make up for. Where it is not so
    /// the impulses are left as they were.
    fn is_squeezed(&mut self) -> Result<bool, DynamicsError> {
        let driven = self.velocities.iter().skip(self.bodies.len());
        if driven
            .clone()
            .all(|v| v.linear == DVec3::ZERO && v.angular == DVec3::ZERO)
        {
            return Ok(false);
        }
        self.keep_impulses();
        self.solver.sweep(&mut self.problem, SQUEEZING);
        self.best.clear();
        self.best.extend(self.problem.impulses());
        self.solver.sweep(&mut self.problem, SQUEEZING_MORE);
        let mut balance = vec![(DVec3::ZERO, DVec3::ZERO); self.nodes.len()];
        let (mut work, mut longest) = (0.0, 0.0f64);
        let grown = self.problem.impulses().zip(&self.best);
        for (link, (now, before)) in self.links.iter().zip(grown) {
            let p = link.normal * (now.x - before.x).max(0.0);
            let ends = [
                (Some(link.first), link.arm_first, p),
                (link.second, link.arm_second, -p),
            ];
            for (node, arm, p) in ends {
                let Some(node) = node else { continue };
                let (sum, v) = (&mut balance[node], &self.velocities[node]);
                sum.0 += p;
                sum.1 += arm.cross(p);
                work += p.dot(v.linear + v.angular.cross(arm));
                longest = longest.max(if node < self.bodies.len() {
                    arm.length()
                } else {
                    0.0
                });
            }
            work += link.normal.dot(p) * link.bias.x;
        }
        let fastest = SQUEEZED_OUT * self.problem.q_max();
        let free = balance.iter().take(self.bodies.len());
        let left: f64 = free
            .map(|(p, l)| p.length() + l.length() / longest.max(f64::MIN_POSITIVE))
            .sum();
        let squeezed = work + left * fastest < 0.0;
        if !squeezed {
            self.problem.set_impulses(&self.kept)?;
        }
        Ok(squeezed)
    }

    /// A relative residual as a speed (m/s).
    fn speed_of(&self, relative: f64) -> f64 {
        match self.problem.q_max() {
            q if q > 0.0 => relative * q,
            _ => relative,
        }
    }

    /// What sweeps leave of a problem without a solution.
    fn squeezed(&mut self) -> Solved {
        self.solver
            .enforce_dissipation(&mut self.problem, MARGIN_OF_SWEEPS, PassBounds::Short);
        let relative = self.problem.relative_residual();
        Solved {
            sweeps: SQUEEZING + SQUEEZING_MORE,
            relative,
            residual: self.speed_of(relative),
            converged: false,
            sweeps_on_overlap: None,
        }
    }
}
