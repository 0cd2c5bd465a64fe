//! The default solver: splitting first, then proximal Newton steps, both on sparse factors.
//!
//! 1. Scaling of each contact to a mean diagonal of 3 ([`scaled`]).
//! 2. Douglas–Rachford splitting (ADMM) on the normal map `G(z)`: `z ← z − 1.6 (1 + W)⁻¹ G(z)`, with Anderson's
//!    acceleration. Cheap, and enough for most problems.
//! 3. Proximal point iteration `G(z) + ε (r − r_c) = 0`, each solved inexactly by semismooth Newton steps with a
//!    non-monotone line search on `‖(1 + W + ε)⁻¹ G_ε‖`, falling back on splitting steps where they fail. The centre
//!    `r_c` moves, so `ε` leaves no bias, and a rank-deficient `W` (self-stress in a stack) does no harm.

mod block_lu;
mod path;
mod proximal;
mod scaled;

use crate::anderson::{Anderson, norm};
use crate::ordering::Pattern;
use crate::problem::FrictionContactProblem;
use crate::solve::{ContactSolver, Step};
use block_lu::BlockLu;
use glam::DVec3;
use path::Path;
use proximal::Proximal;
use scaled::Scaled;

/// Steps of the splitting before the proximal phase starts.
const SPLITTING_STEPS: usize = 100;
/// Over-relaxation of the splitting.
const RELAXATION: f64 = 1.6;
/// Newton steps on the law itself before the first path through smoothed problems, and, by the number of paths that have
/// been followed, after them.
const FIRST_NEWTON: usize = 20;
const NEWTON: usize = 100;
/// Softness of the paths in turn.
const SOFTNESS: [f64; 4] = [1e-6, 1e-8, 1e-5, 1e-7];
/// Steps that Anderson's acceleration remembers.
const MEMORY: usize = 10;

/// The default: splitting, then proximal Newton.
#[derive(Debug, Clone, Default)]
pub struct Hybrid {
    work: Option<Work>,
    splitting_only: bool,
}

/// The splitting of [`Hybrid`] alone, to its end: ADMM with Anderson's acceleration.
#[derive(Debug, Clone)]
pub struct Admm(Hybrid);

/// Which kind of step comes next.
#[derive(Debug, Clone, Default)]
enum Phase {
    #[default]
    Splitting,
    /// So many more Newton steps on the law itself.
    Proximal(Box<Proximal>, usize),
    Path(Box<Path>),
}

#[derive(Debug, Clone)]
struct Work {
    scaled: Scaled,
    pattern: Pattern,
    /// Factors of `1 + W`, later of `1 + W + ε`.
    splitting: BlockLu,
    z: Vec<DVec3>,
    g: Vec<DVec3>,
    r: Vec<DVec3>,
    step: Vec<DVec3>,
    anderson: Anderson,
    taken: usize,
    best: (f64, Vec<DVec3>),
    phase: Phase,
    /// Paths that have been followed.
    round: usize,
}

impl Hybrid {
    /// A fresh solver.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Admm {
    /// A fresh solver.
    pub fn new() -> Self {
        Self(Hybrid {
            work: None,
            splitting_only: true,
        })
    }
}

impl Default for Admm {
    fn default() -> Self {
        Self::new()
    }
}

impl ContactSolver for Admm {
    fn name(&self) -> &'static str {
        "admm"
    }

    fn start(&mut self, problem: &FrictionContactProblem, impulses: &[DVec3]) {
        self.0.start(problem, impulses);
    }

    fn iterate(&mut self, problem: &FrictionContactProblem, impulses: &mut [DVec3]) -> Step {
        self.0.iterate(problem, impulses)
    }
}

impl ContactSolver for Hybrid {
    fn name(&self) -> &'static str {
        "hybrid"
    }

    fn start(&mut self, problem: &FrictionContactProblem, impulses: &[DVec3]) {
        let scaled = Scaled::new(problem);
        let pattern = Pattern::new(&scaled.row_start, &scaled.column);
        let zero = vec![DVec3::ZERO; scaled.contacts()];
        let mut work = Work {
            splitting: BlockLu::default(),
            z: zero.clone(),
            g: zero.clone(),
            r: zero.clone(),
            step: zero.clone(),
            anderson: Anderson::new(MEMORY),
            taken: 0,
            best: (f64::INFINITY, zero),
            phase: Phase::Splitting,
            round: 0,
            scaled,
            pattern,
        };
        work.refactor(0.0);
        if impulses.iter().any(|r| *r != DVec3::ZERO) {
            work.scaled.start(impulses, &mut work.z);
        }
        self.work = Some(work);
    }

    fn iterate(&mut self, _: &FrictionContactProblem, impulses: &mut [DVec3]) -> Step {
        let Some(work) = &mut self.work else {
            return Step::Done;
        };
        let step = if self.splitting_only || work.taken < SPLITTING_STEPS {
            work.split()
        } else {
            work.newton_step()
        };
        work.scaled.physical(&work.r, impulses);
        step
    }
}

impl Work {
    /// Factors `1 + ε + W`.
    fn refactor(&mut self, eps: f64) -> bool {
        let (scaled, pattern) = (&self.scaled, &self.pattern);
        let mut diagonal = vec![false; scaled.block.len()];
        for &e in &scaled.diagonal {
            diagonal[e] = true;
        }
        let shift = glam::DMat3::IDENTITY * (1.0 + eps);
        self.splitting.factor(
            pattern,
            |e| {
                if diagonal[e] {
                    scaled.block[e] + shift
                } else {
                    scaled.block[e]
                }
            },
            |_| false,
        )
    }

    /// One step of the splitting, accelerated.
    fn split(&mut self) -> Step {
        self.taken += 1;
        self.scaled
            .normal_map(&self.z, None, &mut self.g, &mut self.r);
        self.splitting.solve(&self.pattern, &self.g, &mut self.step);
        let size = norm(&self.step);
        if size < self.best.0 {
            self.best.0 = size;
            self.best.1.copy_from_slice(&self.z);
        }
        for (z, d) in self.z.iter_mut().zip(&mut self.step) {
            *d = -*d;
            *z += *d * RELAXATION;
        }
        self.anderson.accelerate(&mut self.z, &self.step);
        if self.taken.is_multiple_of(10) || size < 1e-9 * norm(&self.scaled.q) {
            Step::Check
        } else {
            Step::Continue
        }
    }

    /// One Newton step of the phase that is on, and the change of phase where one is due.
    fn newton_step(&mut self) -> Step {
        match &mut self.phase {
            Phase::Splitting => {
                if self.best.0.is_finite() {
                    self.z.copy_from_slice(&self.best.1);
                }
                self.phase = Phase::of(&self.scaled, FIRST_NEWTON, 1e-2);
            }
            Phase::Path(path) => {
                let goes_on = path.iterate(&self.scaled, &self.pattern);
                path.impulses(&self.scaled, &mut self.r);
                if !goes_on {
                    self.round += 1;
                    if !self.r.iter().all(|r| r.is_finite()) {
                        self.r.fill(DVec3::ZERO);
                    }
                    self.scaled.start_scaled(&self.r, &mut self.z);
                    self.phase = Phase::of(&self.scaled, NEWTON * self.round, 1e-3);
                }
                return Step::Check;
            }
            Phase::Proximal(_, 0) => {
                let softness = SOFTNESS[self.round % SOFTNESS.len()];
                self.phase = Phase::Path(Box::new(Path::new(&self.scaled, &self.r, softness)));
                return Step::Continue;
            }
            Phase::Proximal(_, left) => *left -= 1,
        }
        let mut phase = std::mem::take(&mut self.phase);
        if let Phase::Proximal(proximal, _) = &mut phase {
            proximal.iterate(self);
        }
        self.phase = phase;
        Step::Check
    }
}

impl Phase {
    /// The proximal phase for so many steps.
    fn of(scaled: &Scaled, steps: usize, eps: f64) -> Self {
        Self::Proximal(Box::new(Proximal::new(scaled.contacts(), eps)), steps)
    }
}
