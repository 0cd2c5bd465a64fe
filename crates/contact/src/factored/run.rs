//! Runs to a residual: sweeps, then the ways of Newton's method, one each time.

use super::eta::Largest;
use super::nodal::Nodal;
use super::{FactoredProblem, SweepReport};
use glam::DVec3;
use pulp::Arch;

/// Sweeps before Newton's method takes over: enough for a warm start that hardly changed, and where contacts hardly feel
/// each other.
const OPENING: usize = 100;
/// Relative residuals up to which a start is near enough for Newton's method on the problem itself, and the steps that it gets.
/// It goes to the solution that the last step's impulses lead to, where a path may find another.
const NEAR: [(f64, usize); 2] = [(1e-5, LIMIT), (1e-2, 40)];
/// Ways through smoothed problems, one each time that a problem is solved again: the first solves nearly all. From 0.003 a path
/// leads to where Newton's method has the least to do. Where it jams, a short one from 0.001 and from where Newton's method came to
/// most often goes through; others in between are other chances.
const WAYS: [Way; 4] = [
    Way::Paths(&[0.003, 0.001, 0.1, 0.001, 0.03, 0.001, 0.3, 0.001], 5e-6),
    Way::Paths(&[0.001, 0.01, 0.001, 0.3, 0.001], 2e-6),
    Way::Paths(&[0.05, 0.001, 0.2, 0.001, 0.005, 0.001], 2e-6),
    Way::Curve,
];
/// The same of springs, which need no curve and can begin nearer to the end: from 0.1 the first takes 1.5 times the steps.
const WAYS_OF_SPRINGS: [Way; 2] = [
    Way::Paths(&[1e-3, 0.1], 5e-6),
    Way::Paths(&[0.01, 0.03, 0.3, 0.003, 1e-4], 1e-6),
];
/// By what factor farther out paths begin each time that all ways have been gone, and how often at most: from the same place the
/// same path leads nowhere else.
const FARTHER: f64 = 1.3;
const FARTHEST: usize = 16;
/// Newton steps on the problem itself after a path: what takes more is sooner solved by the next one.
const LIMIT: usize = 100;
/// Where the curve begins, which a path from `CURVE_FROM` leads to, and its ends.
const CURVE_FROM: f64 = 0.1;
const CURVE_START: f64 = 0.03;
const CURVE_ENDS: [f64; 3] = [1e-6, 1e-7, 1e-8];
/// Factorisations along the curve, after which it is given up: most take 500 to 1,000.
const CURVE_STEPS: usize = 3000;

/// What is worked for, and what is enough once a way has been followed, both relative to `max‖q‖`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    pub aim: f64,
    pub enough: f64,
}

impl Goal {
    pub fn only(tolerance: f64) -> Self {
        Goal {
            aim: tolerance,
            enough: tolerance,
        }
    }
}

/// A way through smoothed problems.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// Paths from these τ (in units of max‖q‖), farther out each time, one after the other if need be, and where each ends.
    Paths(&'static [f64], f64),
    /// The curve of all of them, past its folds.
    Curve,
}

impl FactoredProblem {
    /// `count` projected Gauss–Seidel sweeps: Signorini's normal step, then the tangential step on the disc
    /// `‖r_T‖ ≤ μ r_n`. Its fixed points are the solutions of the problem with the exact cone.
    pub fn sweep(&mut self, count: usize) {
        if count > 0 && self.lanes_pay() {
            self.sweep_in_lanes(count);
        } else {
            self.sweep_in_turn(count);
        }
    }

    /// Sweeps over one group after the other.
    pub(super) fn sweep_in_turn(&mut self, count: usize) {
        for _ in 0..count {
            for group in &self.groups {
                let rows = &mut self.rows[group.start as usize..group.end as usize];
                group.sweep(rows, &self.nodes, &mut self.velocities, self.compliance);
            }
        }
    }

    /// Works until `η / max‖q‖ ≤ tolerance`: accelerated sweeps first, or Newton's method from a start that is near, then ways
    /// through smoothed problems, then what is left of `max_sweeps`. Where that was not enough it may be called again: from
    /// where it came to (or another solver did), it goes other ways. Never leaves a worse state.
    pub fn solve(&mut self, tolerance: f64, max_sweeps: usize) -> SweepReport {
        self.solve_for(Goal::only(tolerance), max_sweeps)
    }

    /// The same for a tolerance to aim at, and another one that is enough where a way has ended in between: the last digit may cost as
    /// much as all before.
    pub fn solve_towards(&mut self, (aim, enough): (f64, f64), max_sweeps: usize) -> SweepReport {
        self.solve_for(Goal { aim, enough }, max_sweeps)
    }

    fn solve_for(&mut self, goal: Goal, max_sweeps: usize) -> SweepReport {
        let eta = self.eta();
        let near = NEAR.iter().find(|near| eta <= self.allowed(near.0));
        let first = match near {
            Some(&(_, steps)) => self.refine_for(goal, steps),
            None if self.compliance > 0.0 => self.refine_for(goal, LIMIT),
            None if self.turn == 0 => self.opening(goal, max_sweeps),
            None => self.report(0, goal),
        };
        if first.converged {
            return first;
        }
        self.before.clear();
        self.before.extend(self.rows.iter().map(|row| row.r));
        let newton_steps = first.newton_steps + self.newton(goal);
        let mut rest = self.accelerated(goal, max_sweeps - first.sweeps, false);
        if rest.eta > first.eta {
            let before = std::mem::take(&mut self.before);
            self.put_back(&before);
            self.before = before;
            rest = self.report(rest.sweeps, goal);
        }
        SweepReport {
            sweeps: first.sweeps + rest.sweeps,
            newton_steps,
            ..rest
        }
    }

    /// A few sweeps, for contacts that hardly feel each other. Where they crawl the start is the better one for Newton's method.
    fn opening(&mut self, goal: Goal, max_sweeps: usize) -> SweepReport {
        self.keep_start();
        let report = self.accelerated(goal, max_sweeps.min(OPENING), true);
        if report.converged {
            return report;
        }
        self.back_to_start();
        self.report(report.sweeps, goal)
    }

    /// More digits for impulses that are nearly a solution, by at most so many Newton steps from their velocities.
    pub fn refine(&mut self, tolerance: f64, max_steps: usize) -> SweepReport {
        self.refine_for(Goal::only(tolerance), max_steps)
    }

    fn refine_for(&mut self, goal: Goal, max_steps: usize) -> SweepReport {
        let mut nodal = std::mem::take(&mut self.nodal);
        let mut newton = std::mem::take(&mut self.newton);
        let mut newton_steps = 0;
        if nodal.prepare(self) {
            newton.kept.clone_from(&self.velocities);
            newton.narrow = true;
            newton_steps = if self.compliance > 0.0 {
                newton
                    .yielding(&mut nodal, self, (goal.aim, max_steps), 1.0)
                    .0
            } else {
                newton.run(&mut nodal, self, (goal.aim, max_steps)).0
            };
            // Without a step it was not taken back.
            newton.narrow = false;
        }
        (self.nodal, self.newton) = (nodal, newton);
        SweepReport {
            newton_steps,
            ..self.report(0, goal)
        }
    }

    /// Newton's method: by the next way through smoothed problems, then on the problem itself. The steps done.
    fn newton(&mut self, goal: Goal) -> usize {
        let mut nodal = std::mem::take(&mut self.nodal);
        let mut steps = 0;
        if nodal.prepare(self) {
            let (way, farther) = self.way();
            self.turn += 1;
            steps = match way {
                Way::Paths(starts, end) => {
                    let starts = starts.iter().map(|start| start * farther);
                    self.along_paths(&mut nodal, starts, end, goal)
                }
                Way::Curve => self.along_curve(&mut nodal, goal),
            };
        }
        self.nodal = nodal;
        steps
    }

    /// The way of this turn, and how much farther out its paths begin.
    fn way(&self) -> (Way, f64) {
        let ways: &[Way] = match self.compliance > 0.0 {
            true => &WAYS_OF_SPRINGS,
            false => &WAYS,
        };
        let times = (self.turn / ways.len()).min(FARTHEST);
        let farther = std::iter::repeat_n(FARTHER, times).product();
        (ways[self.turn % ways.len()], farther)
    }

    fn along_paths(
        &mut self,
        nodal: &mut Nodal,
        starts: impl Iterator<Item = f64>,
        end: f64,
        goal: Goal,
    ) -> usize {
        let mut path = std::mem::take(&mut self.path);
        let mut newton = std::mem::take(&mut self.newton);
        let mut steps = 0;
        for start in starts {
            path.begin(self, start);
            steps += path.run(nodal, self, end, &mut newton.kept);
            let (done, _) = newton.run(nodal, self, (goal.aim, LIMIT));
            steps += done;
            if self.eta() <= self.allowed(goal.enough) {
                break;
            }
        }
        (self.path, self.newton) = (path, newton);
        steps
    }

    /// Where the curve is left before its end it may be far from anywhere: then the start is the better place.
    fn along_curve(&mut self, nodal: &mut Nodal, goal: Goal) -> usize {
        let eta = self.eta();
        self.keep_start();
        let mut path = std::mem::take(&mut self.path);
        let mut curve = std::mem::take(&mut self.curve);
        let mut newton = std::mem::take(&mut self.newton);
        path.begin(self, CURVE_FROM);
        let mut steps = path.run(nodal, self, CURVE_START, &mut newton.kept);
        let (done, mut goes_on) = curve.begin(nodal, self, path.place());
        steps += done;
        for end in CURVE_ENDS {
            if !goes_on {
                break;
            }
            let (done, arrived) = curve.run(nodal, self, (end, CURVE_STEPS), &mut newton.kept);
            steps += done;
            let (done, converged) = newton.run(nodal, self, (goal.aim, LIMIT));
            steps += done;
            goes_on = arrived && !converged;
        }
        if self.eta() > eta {
            self.back_to_start();
        }
        (self.path, self.curve, self.newton) = (path, curve, newton);
        steps
    }

    fn keep_start(&mut self) {
        self.start.clear();
        self.start.extend(self.rows.iter().map(|row| row.r));
    }

    fn back_to_start(&mut self) {
        let start = std::mem::take(&mut self.start);
        self.put_back(&start);
        self.start = start;
    }

    /// Gives the rows these impulses, and the nodes the velocities that belong to them.
    pub(super) fn put_back(&mut self, impulses: &[DVec3]) {
        for (row, r) in self.rows.iter_mut().zip(impulses) {
            row.r = *r;
        }
        self.consistent();
    }

    /// Velocities that belong to the impulses of the rows.
    pub(super) fn consistent(&mut self) {
        self.velocities.copy_from_slice(&self.free);
        self.apply_all();
    }

    pub(super) fn report(&self, sweeps: usize, goal: Goal) -> SweepReport {
        let eta = self.eta();
        let relative = self.relative_of(eta);
        let asked = match self.turn > 0 {
            true => goal.enough.max(goal.aim),
            false => goal.aim,
        };
        SweepReport {
            sweeps,
            newton_steps: 0,
            eta,
            relative,
            converged: relative <= asked,
        }
    }

    /// `η / max‖q‖` at the present impulses, `η` itself where no contact has a `q`; 0 where `η` is no more than the rounding of the
    /// velocities, as where bodies that touch go on together.
    pub fn relative(&self) -> f64 {
        self.relative_of(self.eta())
    }

    fn relative_of(&self, eta: f64) -> f64 {
        match eta <= self.rounding {
            true => 0.0,
            false => eta / self.unit(),
        }
    }

    /// The residual (m/s) that a tolerance allows.
    pub(super) fn allowed(&self, tolerance: f64) -> f64 {
        (tolerance * self.unit()).max(self.rounding)
    }

    fn unit(&self) -> f64 {
        match self.q_max > 0.0 {
            true => self.q_max,
            false => 1.0,
        }
    }

    /// The residual `η` in m/s at the present impulses.
    pub fn eta(&self) -> f64 {
        Arch::new().dispatch(Largest {
            groups: &self.groups,
            rows: &self.rows,
            velocities: &self.velocities,
            compliance: self.compliance,
        })
    }
}
