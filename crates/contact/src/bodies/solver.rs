//! The solver of problems of bodies: sweeps, then continuation and Newton's method, by a schedule.

use super::accelerated_sweeps::{AcceleratedSweeps, Run};
use super::body::BodyVelocity;
use super::curve_follower::CurveFollower;
use super::dissipation::{DissipationPass, PassBounds, Shortened};
use super::newton_budget::NewtonBudget;
use super::newton_system::NewtonSystem;
use super::problem::Problem;
use super::report::{Report, Tolerance};
use super::revision::Revision;
use super::schedule::{self, Continuation};
use super::semismooth_newton::{Patience, SemismoothNewton};
use super::smoothed_system::{SmoothedState, SmoothedSystem, settings};
use crate::continuation::homotopy::SmoothingHomotopy;
use crate::problem::Status;
use glam::DVec3;

/// Sweeps before Newton's method: enough for a warm start that hardly changed, and where contacts are hardly coupled.
const OPENING: usize = 100;
/// Relative residuals up to which a start is near enough for Newton's method on the problem itself, and its steps then.
/// It converges to the solution that the last step's impulses lead to, where a homotopy may find another.
const NEAR: [(f64, usize); 2] = [(1e-5, NEWTON_STEPS), (1e-2, 40)];
/// Newton steps on the problem itself after a homotopy: what takes more is sooner solved by the next one.
const NEWTON_STEPS: usize = 100;
/// A refinement ends where it does not gain digits.
const REFINEMENT: Patience = Patience {
    centres: 2,
    part: 0.5,
};
const UNBOUNDED: Patience = Patience {
    centres: usize::MAX,
    part: 0.5,
};
/// Where another start is to come, Newton's method ends on a plateau: few contacts leave it within some centres or not
/// at all (of a body on another some 8 contacts that did not spent 60 % of all steps); in a heap one avalanche of slips
/// follows the other.
const PLATEAU: (usize, f64) = (4, 0.9);
const CONTACTS_PER_CENTRE: usize = 4;
/// Where the curve begins, at the end of a homotopy from `CURVE_FROM`, and its ends; in units of max‖q‖.
const CURVE_FROM: f64 = 0.1;
const CURVE_START: f64 = 0.03;
const CURVE_ENDS: [f64; 3] = [1e-6, 1e-7, 1e-8];

/// Solves problems of bodies, and owns all that this needs. Its lists are used again from problem to problem: nothing
/// is allocated once they have grown to the size of the scene.
///
/// It recognises a problem that was loaded anew and starts its schedule from the first entry; for one that it has seen
/// last it continues with the next.
#[derive(Debug, Clone, Default)]
pub struct Solver {
    /// The problem that it has seen last, and the continuations that it has tried on it.
    revision: Revision,
    attempt: usize,
    sweeps: AcceleratedSweeps,
    system: NewtonSystem,
    newton: SemismoothNewton,
    homotopy: SmoothingHomotopy,
    smoothed: SmoothedState,
    curve: CurveFollower,
    dissipation: DissipationPass,
    budget: NewtonBudget,
    /// Impulses to restore where sweeps or the curve led nowhere, and where all of a run did.
    start: Vec<DVec3>,
    before: Vec<DVec3>,
}

impl Solver {
    /// A solver that has seen no problem yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How often continuation was tried on the problem since it was loaded: the attempts of the schedule.
    pub fn attempts(&self) -> usize {
        self.attempt
    }

    /// Factorisations since the solver was made.
    pub fn factorisations(&self) -> usize {
        self.system.factored()
    }

    /// Bounds the Newton steps of all calls from now on, until the next bound; none is without one. A step is one
    /// factorisation, or the dissipation passes that count as one; short dissipation passes may go beyond the bound.
    /// Where the bound is met a call ends with the best state so far, as if nothing more had helped.
    pub fn set_budget(&mut self, newton_steps: Option<usize>) {
        self.budget = NewtonBudget::of(newton_steps);
    }

    /// Newton steps since the last bound was set.
    pub fn spent(&self) -> usize {
        self.budget.spent()
    }

    /// Newton steps that are left of the bound.
    pub fn left(&self) -> usize {
        self.budget.left()
    }

    /// Counts steps that were done elsewhere for the same problem.
    pub fn spend(&mut self, steps: usize) {
        self.budget.spend(steps);
    }

    /// `count` projected Gauss–Seidel sweeps: Signorini's normal step, then the tangential step on the disc
    /// `‖r_T‖ ≤ μ r_n`. Its fixed points are the solutions of the problem with the exact cone.
    pub fn sweep(&mut self, problem: &mut Problem, count: usize) {
        self.sweeps.plain(problem, count);
    }

    /// `count` sweeps on the bodies and contacts of a problem at rest, without impulses and friction, whose normals
    /// have these biases (m/s, in the order of the contacts); the velocities after that, the ground's at the end.
    pub fn sweep_from_rest(
        &mut self,
        problem: &Problem,
        biases: &[f64],
        count: usize,
        velocities: &mut Vec<BodyVelocity>,
    ) {
        self.sweeps
            .sweep_from_rest(problem, biases, count, velocities);
    }

    /// Works until the relative residual is at most the target: accelerated sweeps first, or Newton's method from a
    /// start that is near, then the next continuation of the schedule, then what is left of `max_sweeps`. After a
    /// continuation the acceptable residual is enough. Never leaves a worse state.
    ///
    /// A repeated call continues from the present impulses, whoever set them, with the next continuation.
    pub fn solve(
        &mut self,
        problem: &mut Problem,
        tolerance: Tolerance,
        max_sweeps: usize,
    ) -> Report {
        self.recognise(problem);
        let residual = problem.residual();
        let near = NEAR.iter().find(|n| residual <= problem.allowed(n.0));
        let first = match near {
            Some(&(_, steps)) => self.refine_to(problem, tolerance, steps, plateau(problem)),
            None if problem.is_compliant() => {
                self.refine_to(problem, tolerance, NEWTON_STEPS, plateau(problem))
            }
            None if self.attempt == 0 => self.opening(problem, tolerance, max_sweeps),
            None => self.report(problem, residual, tolerance),
        };
        if first.converged() {
            return first;
        }
        if first.newton_steps > 0 && first.relative <= tolerance.acceptable {
            return Report {
                status: Status::Converged,
                ..first
            };
        }
        problem.store_impulses(&mut self.before);
        let newton_steps = first.newton_steps + self.continuation(problem, tolerance);
        let run = Run {
            tolerance: self.asked(tolerance),
            max_sweeps: max_sweeps - first.sweeps,
            opening: None,
        };
        let swept = self.sweeps.run(problem, run);
        let mut residual = swept.residual;
        if residual > first.residual {
            problem.restore(&self.before);
            residual = problem.residual();
        }
        let sweeps = first.sweeps + swept.sweeps;
        let mut report = Report {
            sweeps,
            newton_steps,
            ..self.report(problem, residual, tolerance)
        };
        if !report.converged() && swept.sweeps > 0 && sweeps == max_sweeps {
            report.status = Status::IterationLimit;
        }
        report
    }

    /// More digits for impulses that are nearly a solution, by at most so many Newton steps from their velocities, and
    /// no more where they stop gaining digits.
    pub fn refine(&mut self, problem: &mut Problem, tolerance: f64, max_steps: usize) -> Report {
        self.recognise(problem);
        self.refine_to(problem, Tolerance::of(tolerance), max_steps, REFINEMENT)
    }

    /// Shortens impulses until no contact generates energy: `r·u ≤ 0` beyond rounding at each, with what an open gap
    /// adds to `u` left out, or until the bounds are met. Compliant contacts may give back what they store: of them
    /// `r·u′ ≤ 0` is asked.
    ///
    /// A contact that generates energy at a speed `r·u / r_n` is left to take energy at the `margin` part of it. It is
    /// the same each time that it is shortened; from the second time on it is shortened by half as much again. Without
    /// a margin the end is approached as slowly as by Gauss and Seidel, and never quite reached; the more there is, the
    /// more it changes what was solved: 0.5 suits impulses after few sweeps, where a tower at rest comes out 100 times
    /// less quiet with 1, and 0.1 what is nearly a solution.
    ///
    /// What it takes beyond a few passes counts as Newton steps. With none left it may do what the short bounds allow:
    /// of n groups with an impulse 20 n + 20,000 visits, which are 1 + 1,000/n Newton steps beyond the bound.
    pub fn enforce_dissipation(
        &mut self,
        problem: &mut Problem,
        margin: f64,
        bounds: PassBounds,
    ) -> Shortened {
        let left = self.left();
        let shortened = self.dissipation.enforce(problem, margin, bounds, left);
        self.budget.spend(shortened.newton_steps);
        shortened
    }

    /// Starts the schedule anew for a problem that was loaded since.
    fn recognise(&mut self, problem: &Problem) {
        if self.revision != problem.revision {
            (self.revision, self.attempt) = (problem.revision, 0);
        }
    }

    /// The relative residual that is enough at this stage.
    fn asked(&self, tolerance: Tolerance) -> f64 {
        match self.attempt > 0 {
            true => tolerance.acceptable.max(tolerance.target),
            false => tolerance.target,
        }
    }

    fn report(&self, problem: &Problem, residual: f64, tolerance: Tolerance) -> Report {
        let relative = problem.relative(residual);
        Report {
            status: match relative <= self.asked(tolerance) {
                true => Status::Converged,
                false => Status::Stalled,
            },
            sweeps: 0,
            newton_steps: 0,
            residual,
            relative,
        }
    }

    /// A few sweeps, for contacts that are hardly coupled. Where they converge slowly the start is the better one for
    /// Newton's method.
    fn opening(
        &mut self,
        problem: &mut Problem,
        tolerance: Tolerance,
        max_sweeps: usize,
    ) -> Report {
        problem.store_impulses(&mut self.start);
        let run = Run {
            tolerance: self.asked(tolerance),
            max_sweeps: max_sweeps.min(OPENING),
            opening: Some(tolerance.target),
        };
        let swept = self.sweeps.run(problem, run);
        let mut report = self.report(problem, swept.residual, tolerance);
        if !report.converged() {
            problem.restore(&self.start);
            report = self.report(problem, problem.residual(), tolerance);
        }
        report.sweeps = swept.sweeps;
        report
    }

    fn refine_to(
        &mut self,
        problem: &mut Problem,
        tolerance: Tolerance,
        max_steps: usize,
        patience: Patience,
    ) -> Report {
        let mut newton_steps = 0;
        let max_steps = max_steps.min(self.left());
        if max_steps > 0 && self.system.prepare(problem) {
            let (newton, system) = (&mut self.newton, &mut self.system);
            newton.kept.clone_from(&problem.velocities);
            newton.narrow = true;
            newton_steps = if problem.is_compliant() {
                let run = (tolerance.target, max_steps);
                newton.run_compliant(system, problem, run, 1.0).0
            } else {
                let run = (tolerance, max_steps);
                newton.run(system, problem, run, patience).0
            };
            // Without a step it was not taken back.
            newton.narrow = false;
            self.budget.spend(newton_steps);
        }
        Report {
            newton_steps,
            ..self.report(problem, problem.residual(), tolerance)
        }
    }

    /// The next continuation of the schedule, then Newton's method on the problem itself. The steps done.
    fn continuation(&mut self, problem: &mut Problem, tolerance: Tolerance) -> usize {
        if self.left() == 0 || !self.system.prepare(problem) {
            return 0;
        }
        let (next, growth) = schedule::entry(self.attempt, problem.springs > 0);
        self.attempt += 1;
        match next {
            Continuation::Homotopies(starts, end) => {
                let starts = starts.iter().map(|start| start * growth);
                self.along_homotopies(problem, starts, end, tolerance)
            }
            Continuation::Arclength => self.along_curve(problem, tolerance),
        }
    }

    fn along_homotopies(
        &mut self,
        problem: &mut Problem,
        starts: impl ExactSizeIterator<Item = f64>,
        end: f64,
        tolerance: Tolerance,
    ) -> usize {
        let mut steps = 0;
        let mut to_come = starts.len();
        for start in starts {
            to_come -= 1;
            let patience = match to_come {
                0 => UNBOUNDED,
                _ => plateau(problem),
            };
            steps += self.along_homotopy(problem, start, end);
            steps += self.newton(problem, tolerance, patience).0;
            if problem.residual() <= problem.allowed(tolerance.acceptable) || self.left() == 0 {
                break;
            }
        }
        steps
    }

    /// Newton's method on the problem itself, from the velocities at the end of a continuation. The steps done, and
    /// whether it has met the target.
    fn newton(
        &mut self,
        problem: &mut Problem,
        tolerance: Tolerance,
        patience: Patience,
    ) -> (usize, bool) {
        let run = (tolerance, NEWTON_STEPS.min(self.left()));
        let done = self.newton.run(&mut self.system, problem, run, patience);
        self.budget.spend(done.0);
        done
    }

    /// A homotopy from τ = `start` to `end`, in units of max‖q‖; the Newton steps done. Leaves impulses within their
    /// cones and velocities that belong to them, and the velocities of its end to Newton's method.
    fn along_homotopy(&mut self, problem: &mut Problem, start: f64, end: f64) -> usize {
        let (mut settings, speed) = (settings(problem, start, end), problem.q_max);
        settings.steps = settings.steps.min(self.left());
        let mut system = SmoothedSystem {
            state: &mut self.smoothed,
            problem,
            system: &mut self.system,
            sweeps: &mut self.sweeps,
        };
        system.start();
        self.homotopy.begin(settings, speed, &mut system);
        while self.homotopy.continues() && self.homotopy.step(&mut system) {}
        if self.homotopy.is_finite() {
            self.newton.kept.clone_from(&system.problem.velocities);
            system.hand_over();
        } else {
            system.problem.update_velocities();
            self.newton.kept.clone_from(&system.problem.velocities);
        }
        self.budget.spend(self.homotopy.steps());
        self.homotopy.steps()
    }

    /// Where the curve is left before its end it may be far from anything: then the start is the better point.
    fn along_curve(&mut self, problem: &mut Problem, tolerance: Tolerance) -> usize {
        let residual = problem.residual();
        problem.store_impulses(&mut self.start);
        let mut steps = self.along_homotopy(problem, CURVE_FROM, CURVE_START);
        let from = (&self.smoothed.contacts[..], self.homotopy.tau());
        let left = self.budget.left();
        let approach = self.curve.approach(problem, &mut self.system, from, left);
        self.budget.spend(approach);
        steps += approach;
        for end in CURVE_ENDS {
            if !self.curve.is_on_curve() {
                break;
            }
            let left = self.budget.left();
            let kept = &mut self.newton.kept;
            let (done, arrived) = self
                .curve
                .follow(problem, &mut self.system, end, left, kept);
            self.budget.spend(done);
            steps += done;
            let (done, converged) = self.newton(problem, tolerance, UNBOUNDED);
            steps += done;
            if !arrived || converged {
                break;
            }
        }
        if problem.residual() > residual {
            problem.restore(&self.start);
        }
        steps
    }
}

/// After what plateau Newton's method ends on a problem.
fn plateau(problem: &Problem) -> Patience {
    let (centres, part) = PLATEAU;
    Patience {
        centres: centres + problem.contacts() / CONTACTS_PER_CENTRE,
        part,
    }
}
