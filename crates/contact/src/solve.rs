//! The free function that owns the loop, the start and the residual; solvers only step.

use crate::methods::{Admm, AdmmThenProximalNewton, ContactSolver, GaussSeidel, Step};
use crate::problem::{FrictionContactProblem, Residual, Status};
use glam::DVec3;

/// The solvers that are on offer by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Splitting, then proximal Newton. Chosen by measurement, see the theory chapter: the one to use when nothing is
    /// known of the problem.
    #[default]
    AdmmThenProximalNewton,
    /// Non-smooth Gauss–Seidel with the exact one-contact solver.
    GaussSeidel,
    /// Splitting with Anderson's acceleration.
    Admm,
}

impl Method {
    /// Every method, the default first.
    pub const ALL: [Self; 3] = [Self::AdmmThenProximalNewton, Self::GaussSeidel, Self::Admm];

    /// Name in tables and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::AdmmThenProximalNewton => "admm-newton",
            Self::GaussSeidel => "gauss-seidel",
            Self::Admm => "admm",
        }
    }

    /// The method of a name. `default` is the default, and so is `hybrid`, as it was once called.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "default" | "hybrid" => Some(Self::default()),
            _ => Self::ALL.into_iter().find(|m| m.name() == name),
        }
    }

    /// A fresh solver.
    pub fn solver(self) -> Box<dyn ContactSolver> {
        match self {
            Self::AdmmThenProximalNewton => Box::new(AdmmThenProximalNewton::new()),
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
    /// Both the relative residual and the natural map, where that is not its rounding, must be at or under it. Default
    /// 1e-10.
    pub tolerance: f64,
    /// Bound on the iterations of the strategy. Default 20 000.
    pub max_iterations: usize,
}

impl Default for SolveOptions {
    fn default() -> Self {
        Self {
            method: Method::default(),
            tolerance: 1e-10,
            max_iterations: 20_000,
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

/// Solvers and the solution of the last problem, used again from problem to problem.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    admm_newton: AdmmThenProximalNewton,
    admm: Admm,
    trial: Vec<DVec3>,
    solution: Solution,
}

impl Workspace {
    /// A workspace that has solved nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Solves with the strategy that the options name, from `start` if it is given and fits, else from zero.
    ///
    /// Nothing is allocated once the lists are as long as they get, except for velocities so extreme that their squares
    /// overflow or vanish, and for the bodies of more than 6,000 contacts.
    pub fn solve(
        &mut self,
        problem: &FrictionContactProblem,
        options: &SolveOptions,
        start: Option<&[DVec3]>,
    ) -> &Solution {
        let solver: &mut dyn ContactSolver = match options.method {
            Method::AdmmThenProximalNewton => &mut self.admm_newton,
            Method::GaussSeidel => &mut GaussSeidel,
            Method::Admm => &mut self.admm,
        };
        let answer = (&mut self.trial, &mut self.solution);
        run(problem, solver, options, start, answer);
        &self.solution
    }

    /// Factorisations of any kind since the workspace was made.
    pub fn factorisations(&self) -> usize {
        self.admm_newton.factorisations() + self.admm.factorisations()
    }

    /// The solution of the last problem.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }
}

/// Solves from zero impulses with the strategy that the options name, in a workspace of its own: [`Workspace::solve`].
pub fn solve(problem: &FrictionContactProblem, options: &SolveOptions) -> Solution {
    let mut workspace = Workspace::new();
    workspace.solve(problem, options, None);
    workspace.solution
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

fn run(
    problem: &FrictionContactProblem,
    solver: &mut dyn ContactSolver,
    options: &SolveOptions,
    start: Option<&[DVec3]>,
    (r, best): (&mut Vec<DVec3>, &mut Solution),
) {
    iterate(problem, solver, options, start, (r, best));
    #[cfg(feature = "tracing")]
    tracing::debug!(
        contacts = problem.contacts(),
        iterations = best.iterations,
        residual = best.residual.worst(),
        status = ?best.status,
        "contact problem"
    );
}

/// The loop. `r` is what the strategy works on, `best` the best that was seen.
fn iterate(
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
