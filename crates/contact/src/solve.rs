//! The free function that owns the loop, the start and the residual; solvers only step.

use crate::gauss_seidel::GaussSeidel;
use crate::hybrid::{Admm, Hybrid};
use crate::problem::FrictionContactProblem;
use crate::residual::Residual;
use glam::DVec3;

/// What a solver says after one iteration. It does not grade itself: [`solve_with`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Go on; the residual need not be looked at yet.
    Continue,
    /// Go on; the impulses are worth a look at the residual.
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

/// The solvers that are on offer by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Chosen by measurement, see the theory chapter: the one to use when nothing is known of the problem.
    #[default]
    Default,
    /// Non-smooth Gauss–Seidel with the exact one-contact solver.
    GaussSeidel,
    /// Splitting with Anderson's acceleration.
    Admm,
    /// Splitting, then proximal Newton.
    Hybrid,
}

impl Method {
    /// Every method, the default first.
    pub const ALL: [Self; 4] = [Self::Default, Self::Hybrid, Self::GaussSeidel, Self::Admm];

    /// Name in tables and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::GaussSeidel => "gauss-seidel",
            Self::Admm => "admm",
            Self::Hybrid => "hybrid",
        }
    }

    /// A fresh solver.
    pub fn solver(self) -> Box<dyn ContactSolver> {
        match self {
            Self::Default | Self::Hybrid => Box::new(Hybrid::new()),
            Self::GaussSeidel => Box::new(GaussSeidel::new()),
            Self::Admm => Box::new(Admm::new()),
        }
    }
}

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveOptions {
    /// The strategy.
    pub method: Method,
    /// Both the relative residual and the natural map, where that is not its rounding, must be at or under it. Default 1e-10.
    pub tolerance: f64,
    /// Bound on the iterations of the strategy. Default 20 000.
    pub max_iterations: usize,
}

impl Default for SolveOptions {
    fn default() -> Self {
        Self {
            method: Method::Default,
            tolerance: 1e-10,
            max_iterations: 20_000,
        }
    }
}

/// Why a solve came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The residual is at or under the tolerance.
    Converged,
    /// The iterations are used up; the impulses are the best that were seen.
    IterationLimit,
    /// The strategy stopped by itself above the tolerance; the impulses are the best that were seen.
    Stalled,
}

impl Status {
    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::IterationLimit => "iteration limit",
            Self::Stalled => "stalled",
        }
    }
}

/// Impulses and how good they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// `r` in N s, `(n, t1, t2)` per contact.
    pub impulses: Vec<DVec3>,
    /// Why the loop ended.
    pub status: Status,
    /// Iterations of the strategy.
    pub iterations: usize,
    /// The residual of `impulses`.
    pub residual: Residual,
}

impl Default for Solution {
    /// Of no problem: no impulses, and no residual that is good enough.
    fn default() -> Self {
        Self {
            impulses: Vec::new(),
            status: Status::IterationLimit,
            iterations: 0,
            residual: Residual::WORST,
        }
    }
}

impl Solution {
    /// Whether the residual met the tolerance.
    pub fn converged(&self) -> bool {
        self.status == Status::Converged
    }
}

/// Solvers and the answer of the last problem, handed on from problem to problem: [`solve_in`].
#[derive(Debug, Clone, Default)]
pub struct SolveRoom {
    hybrid: Hybrid,
    admm: Admm,
    trial: Vec<DVec3>,
    solution: Solution,
}

impl SolveRoom {
    /// The answer to the last problem.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }
}

/// Solves from zero impulses with the strategy that the options name.
pub fn solve(problem: &FrictionContactProblem, options: &SolveOptions) -> Solution {
    let mut room = SolveRoom::default();
    solve_in(problem, options, None, &mut room);
    room.solution
}

/// As [`solve`], from `start` if it is given and fits, in room that goes from problem to problem: nothing is allocated
/// once its lists are as long as they get, except for velocities so extreme that their squares overflow or vanish.
pub fn solve_in<'a>(
    problem: &FrictionContactProblem,
    options: &SolveOptions,
    start: Option<&[DVec3]>,
    room: &'a mut SolveRoom,
) -> &'a Solution {
    let solver: &mut dyn ContactSolver = match options.method {
        Method::Default | Method::Hybrid => &mut room.hybrid,
        Method::GaussSeidel => &mut GaussSeidel,
        Method::Admm => &mut room.admm,
    };
    let answer = (&mut room.trial, &mut room.solution);
    run(problem, solver, options, start, answer);
    &room.solution
}

/// Solves with a given strategy, from `start` if it is given and fits, else from zero.
pub fn solve_with(
    problem: &FrictionContactProblem,
    solver: &mut dyn ContactSolver,
    options: &SolveOptions,
    start: Option<&[DVec3]>,
) -> Solution {
    let mut solution = Solution::default();
    let answer = (&mut Vec::new(), &mut solution);
    run(problem, solver, options, start, answer);
    solution
}

/// The loop. `r` is what the strategy works on, `best` the best that was seen.
fn run(
    problem: &FrictionContactProblem,
    solver: &mut dyn ContactSolver,
    options: &SolveOptions,
    start: Option<&[DVec3]>,
    (r, best): (&mut Vec<DVec3>, &mut Solution),
) {
    r.clear();
    match start {
        Some(s) if s.len() == problem.contacts() && s.iter().all(|v| v.is_finite()) => {
            r.extend_from_slice(s);
        }
        _ => r.resize(problem.contacts(), DVec3::ZERO),
    }
    best.impulses.clone_from(r);
    best.residual = Residual::of(problem, r);
    best.iterations = 0;
    best.status = Status::Converged;
    if best.residual.worst() <= options.tolerance {
        return;
    }
    solver.start(problem, r);
    for iteration in 1..=options.max_iterations {
        best.iterations = iteration;
        let step = solver.iterate(problem, r);
        if step == Step::Continue && iteration < options.max_iterations {
            continue;
        }
        let residual = Residual::of(problem, r);
        if residual.worst() < best.residual.worst() {
            best.residual = residual;
            best.impulses.copy_from_slice(r);
        }
        if best.residual.worst() <= options.tolerance {
            return;
        }
        if step == Step::Done {
            best.status = Status::Stalled;
            return;
        }
    }
    best.status = Status::IterationLimit;
}
