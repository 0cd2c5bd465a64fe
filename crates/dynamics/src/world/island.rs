//! The contact problem of one island: solved as far as asked, and left so that no contact makes energy.

use super::islands::Frozen;
use super::settings::{Effort, WorldSettings};
use crate::DynamicsError;
use glam::DVec3;
use klast_contact::bodies::{
    Assembler, BodyInertia, BodyVelocity, ContactPair, Problem, Solver, Tolerance,
};
use klast_contact::{SolveOptions, Workspace, project};

/// Contacts beyond which an island is left to the solver of bodies alone: with 4,000 an iteration of the assembled form takes
/// some 20 ms, twice the time of a Newton step of the other.
const LARGEST_ASSEMBLED: usize = 6000;
/// Iterations of the solver for over-constrained problems in each turn of the two. The first turn leaves it out: other
/// continuations of the solver of bodies are the better hope then. Of cubes that pour it solves most of what is left to it in 40
/// to 160; towers that fall take more.
const ITERATIONS: [usize; 4] = [0, 160, 160, 1000];
/// Parts of the tolerance for the speed at which contacts may close, and for the residual that a solver may leave: their sum
/// bounds the residual of the law itself. Where a heap is locked it can close only by giving way somewhere, however slowly: at
/// 0.4 of the tolerance that takes hundreds of Newton steps. Compliant contacts close at no cost, and with a smaller residual
/// none is shortened.
const RIGID: (f64, f64) = (0.1, 0.8);
const SPRINGS: (f64, f64) = (0.4, 0.2);
/// Margins of the dissipation pass, after sweeps and near a solution: less takes more passes and changes less.
const MARGIN_OF_SWEEPS: f64 = 0.5;
const MARGIN: f64 = 0.1;
/// Maximum refinement rounds: restart on stagnation, tighten by MORE when the dissipation pass exceeds the tolerance. Of some
/// thousand heaps of a thousand hulls nearly all need none, the hardest 12.
const ROUNDS: usize = 24;
const MORE: f64 = 0.85;
/// What is enough of what is asked for: it may do, and another round costs less than the last digit here. With the share of
/// closing it stays under the tolerance.
const ACCEPTABLE: f64 = 1.1;
const _: () =
    assert!(ACCEPTABLE * RIGID.1 + RIGID.0 <= 1.0 && ACCEPTABLE * SPRINGS.1 + SPRINGS.0 <= 1.0);
/// Automatic effort: contacts up to which an island is always solved; the speed of a contact that is moving, in √(g r) of the
/// smallest body; the part of them that may move where the others stand.
const SMALL: usize = 200;
const SLOW: f64 = 0.05;
const MOVING: f64 = 0.1;
/// Its rounds, its sweeps before Newton's method, its sweeps where much is moving, and the part of the tolerance that is solved for
/// where a start is not good enough: the solution then holds for many steps.
const ROUNDS_OF_AUTO: usize = 4;
const SWEEPS_OF_AUTO: usize = 100;
const SWEEPS_OF_MOVING: usize = 20;
const TIGHTER: f64 = 0.1;
/// Work of a contact under this part of impulse times speeds is rounding of its sums.
const ROUNDING: f64 = 1e-14;

/// An island with its problems and their solvers, kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct Island {
    /// Free bodies, in their order.
    pub bodies: Vec<u32>,
    /// Positions in the world's list of contacts, in order.
    pub contacts: Vec<u32>,
    pub(super) nodes: Vec<BodyInertia>,
    pub(super) velocities: Vec<BodyVelocity>,
    pub(super) links: Vec<ContactPair>,
    /// Relative speed of the bodies at each contact before the step (m/s).
    pub(super) speeds: Vec<f64>,
    pub(super) problem: Problem,
    solver: Solver,
    /// Impulses to come back to, and those of the best round.
    kept: Vec<DVec3>,
    best: Vec<DVec3>,
    /// Only where it was needed.
    general: Option<Box<General>>,
    pub(super) shifts: Problem,
    pub(super) shift_solver: Solver,
    /// Links of `problem` that the displacements are asked of.
    pub(super) near: Vec<u32>,
    pub solved: Solved,
    /// Nothing is solved while all its bodies sleep.
    pub asleep: bool,
    /// Velocity of each body, after impulses.
    pub after: Vec<BodyVelocity>,
    /// Displacement velocity of each body that takes out overlap; empty if there is none to take out.
    pub shift: Vec<BodyVelocity>,
    /// Bodies whose overlap no displacement takes out.
    pub wedged: Vec<u32>,
    /// What acts at each contact.
    pub reactions: Vec<Reaction>,
}

/// The solver for over-constrained problems.
#[derive(Debug, Clone, Default)]
struct General {
    assembler: Assembler,
    workspace: Workspace,
}

/// What acts at a contact, world axes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reaction {
    pub impulse: DVec3,
    /// Relative velocity at the end of the step.
    pub velocity: DVec3,
    /// Energy that a spring has stored (J).
    pub stored: f64,
    /// Work of a bounce on its way back, `r_n e |u_n⁻|` (J).
    pub returned: f64,
    /// Size of what rounding leaves of the work (J).
    pub rounding: f64,
}

impl Reaction {
    /// Energy that the law takes at the contact, `−r·u` with the return of a bounce and what a spring stores left out:
    /// `μ r_n ‖u_T‖`, and for a gap that closes its impulse times the speed of closing.
    pub fn loss(&self) -> f64 {
        self.returned - self.impulse.dot(self.velocity) - self.stored
    }
}

/// What a solution has to reach.
#[derive(Debug, Clone, Copy)]
struct Target {
    tolerance: f64,
    /// Parts of the tolerance: the speed at which contacts may close, and the residual that a solver may leave.
    closing: f64,
    share: f64,
    /// Part of the share that is solved for where a start exceeds it.
    tighter: f64,
    /// Refinement rounds at most.
    rounds: usize,
}

impl Target {
    fn of(settings: &WorldSettings, tolerance: f64) -> Self {
        let (closing, share) = settings.stiffness.map_or(RIGID, |_| SPRINGS);
        let auto = matches!(settings.effort, Effort::Auto { .. });
        Self {
            tolerance,
            closing,
            share,
            tighter: if auto { TIGHTER } else { 1.0 },
            rounds: if auto { ROUNDS_OF_AUTO } else { ROUNDS },
        }
    }
}

/// How well an island was solved.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Solved {
    pub sweeps: usize,
    pub relative: f64,
    pub converged: bool,
    /// Sweeps for the displacements that take out overlap, where their number is fixed.
    pub sweeps_on_overlap: Option<usize>,
}

impl Island {
    /// Drops the answers of another step: a sleeping island has none.
    pub fn forget(&mut self) {
        self.after.clear();
        self.shift.clear();
        self.wedged.clear();
        self.reactions.clear();
        self.solved = Solved {
            sweeps: 0,
            relative: 0.0,
            converged: true,
            sweeps_on_overlap: None,
        };
    }

    /// Solves the island for velocities, then for displacements.
    pub fn solve(&mut self, frozen: &Frozen, place: &[(u32, u32)]) -> Result<(), DynamicsError> {
        self.collect(frozen, place);
        let compliance = frozen.settings.compliance();
        self.problem
            .load_compliant(&self.nodes, &self.velocities, &self.links, compliance)?;
        self.solved = match frozen.settings.effort {
            Effort::Sweeps(count) => Solved {
                converged: true,
                ..self.sweep(count)
            },
            Effort::Residual { tolerance, sweeps } => {
                self.run_to(Target::of(frozen.settings, tolerance), sweeps)?
            }
            Effort::Auto { tolerance } if self.deserves_solution(frozen) => {
                self.run_to(Target::of(frozen.settings, tolerance), SWEEPS_OF_AUTO)?
            }
            Effort::Auto { tolerance } => {
                let swept = self.sweep(SWEEPS_OF_MOVING);
                Solved {
                    converged: swept.relative <= tolerance,
                    ..swept
                }
            }
        };
        self.take_answer(compliance);
        self.take_out_overlap(frozen)
    }

    /// Whether an island of automatic effort is solved to the tolerance: a small one is, and a large one of which little moves, since
    /// what stands does so by its friction, which sweeps find last.
    fn deserves_solution(&self, frozen: &Frozen) -> bool {
        let stiffness = frozen.settings.stiffness;
        self.links.len() <= SMALL || stiffness.is_some() || self.rests(frozen)
    }

    /// Whether hardly a contact is moving.
    pub(super) fn rests(&self, frozen: &Frozen) -> bool {
        let s = frozen.settings;
        let smallest = self
            .bodies
            .iter()
            .filter_map(|&i| frozen.members.get(i as usize));
        let radius = smallest.map(|m| m.radius).fold(f64::INFINITY, f64::min);
        let slow = SLOW * (s.gravity.length() * radius).sqrt();
        let moving = self.speeds.iter().filter(|speed| **speed > slow).count();
        moving as f64 <= MOVING * self.speeds.len() as f64
    }

    /// A fixed number of sweeps, a quarter of them on overlap.
    fn sweep(&mut self, all: usize) -> Solved {
        let count = all - all / 4;
        self.solver.sweep(&mut self.problem, count);
        self.solver
            .enforce_dissipation(&mut self.problem, MARGIN_OF_SWEEPS);
        Solved {
            sweeps: count,
            relative: self.problem.relative_residual(),
            converged: false,
            sweeps_on_overlap: Some(all / 4),
        }
    }

    /// Solves to the tolerance, also after the dissipation pass. Of rounds that do not converge the best one stands.
    fn run_to(&mut self, target: Target, sweeps: usize) -> Result<Solved, DynamicsError> {
        let Target {
            tolerance, rounds, ..
        } = target;
        let closing = target.closing * tolerance * self.problem.q_max();
        let (mut asked, mut done, mut best) = (target.share * tolerance, 0, f64::INFINITY);
        for round in 0..=rounds {
            let mut reached = true;
            // What still holds from the last step is left alone.
            if round > 0 || self.problem.relative_residual() > asked {
                if round == 0 {
                    asked *= target.tighter;
                }
                // Solved for a law that closes a little: what residual is left then makes few contacts generate energy.
                self.problem.set_normal_bias(closing);
                let turns = if round == 0 { ITERATIONS.len() } else { 1 };
                let swept;
                (swept, reached) = self.alternate(asked, sweeps, &ITERATIONS[..turns])?;
                done += swept;
                self.problem.set_normal_bias(0.0);
            }
            self.keep_impulses();
            let before = self.problem.relative_residual();
            let passes = self.solver.enforce_dissipation(&mut self.problem, MARGIN);
            let relative = self.problem.relative_residual();
            if relative < best {
                best = relative;
                self.best.clear();
                self.best.extend(self.problem.impulses());
            }
            if relative <= tolerance || passes == 0 || round == rounds {
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
            self.solver.enforce_dissipation(&mut self.problem, MARGIN);
        }
        let relative = self.problem.relative_residual();
        Ok(Solved {
            sweeps: done,
            relative,
            converged: relative <= tolerance,
            sweeps_on_overlap: None,
        })
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

    /// Velocities, impulses and relative velocities from the solved problem.
    fn take_answer(&mut self, compliance: f64) {
        let count = self.bodies.len();
        self.after.clear();
        self.after
            .extend_from_slice(&self.problem.velocities()[..count]);
        self.velocities[..count].copy_from_slice(&self.after);
        self.reactions.clear();
        let q = self.problem.q_max();
        let impulses = self.problem.impulses().zip(self.problem.frames());
        for ((r, frame), l) in impulses.zip(&self.links) {
            let (first, speed) = at(&self.velocities[l.first], l.arm_first);
            let (second, other) = l.second.map_or((DVec3::ZERO, 0.0), |k| {
                at(&self.velocities[k], l.arm_second)
            });
            let carried = match compliance > 0.0 {
                true => project(l.impulse, l.mu),
                false => r,
            };
            self.reactions.push(Reaction {
                impulse: frame.to_world(r),
                velocity: first - second,
                returned: r.x * (-l.bias.x).max(0.0),
                stored: 0.5 * compliance * (r - carried).dot(r + carried),
                rounding: ROUNDING
                    * r.length()
                    * (q + speed + other + compliance * (r.length() + carried.length())),
            });
        }
    }
}

/// Velocity of a point of a node, and the size of its terms.
fn at(v: &BodyVelocity, arm: DVec3) -> (DVec3, f64) {
    let turning = v.angular.cross(arm);
    (v.linear + turning, v.linear.length() + turning.length())
}
