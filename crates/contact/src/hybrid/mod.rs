//! The default solver: splitting first, then proximal Newton steps, both on sparse factors.
//!
//! 1. Scaling of each contact to a mean diagonal of 3 ([`scaled`]).
//! 2. Douglas–Rachford splitting (ADMM) on the normal map `G(z)`: `z ← z − 1.6 (1 + W)⁻¹ G(z)`, with Anderson's
//!    acceleration. Cheap, and enough for most problems.
//! 3. Proximal point iteration `G(z) + ε (r − r_c) = 0`, each solved inexactly by semismooth Newton steps with a
//!    non-monotone line search on `‖(1 + W + ε)⁻¹ G_ε‖`, falling back on splitting steps where they fail. The centre
//!    `r_c` moves, so `ε` leaves no bias, and a rank-deficient `W` (self-stress in a stack) does no harm.

mod block_lu;

mod proximal;
mod scaled;

use crate::anderson::{Anderson, norm};
use crate::ordering::Pattern;
use crate::problem::FrictionContactProblem;
use crate::solve::{ContactSolver, Step};
use block_lu::BlockLu;
use glam::DVec3;
use proximal::Proximal;
use scaled::Scaled;

/// Steps of the splitting before the proximal phase starts.
const SPLITTING_STEPS: usize = 100;
/// Over-relaxation of the splitting.
const RELAXATION: f64 = 1.6;
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
    proximal: Option<Proximal>,
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
            proximal: None,
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
            work.proximal_step()
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

    fn proximal_step(&mut self) -> Step {
        let mut proximal = match self.proximal.take() {
            Some(p) => p,
            None => {
                if self.best.0.is_finite() {
                    self.z.copy_from_slice(&self.best.1);
                }
                Proximal::new(self.scaled.contacts())
            }
        };
        let step = proximal.iterate(self);
        self.proximal = Some(proximal);
        step
    }
}
