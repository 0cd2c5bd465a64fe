//! The default solver: splitting first, then proximal Newton steps, both on sparse factors.
//!
//! 1. Scaling of each contact to a mean diagonal of 3 ([`scaled`]).
//! 2. Douglas–Rachford splitting (ADMM) on the normal map `G(z)`: `z ← z − 1.6 (1 + W)⁻¹ G(z)`, with Anderson's
//!    acceleration. Cheap, and enough for most problems.
//! 3. Proximal point iteration `G(z) + ε (r − r_c) = 0`, each solved inexactly by semismooth Newton steps with a
//!    non-monotone line search on `‖(1 + W + ε)⁻¹ G_ε‖`, falling back on splitting steps where they fail. The centre
//!    `r_c` moves, so `ε` leaves no bias, and a rank-deficient `W` (self-stress in a stack) does no harm.
//! 4. Where these creep, ways through smoothed problems in turn with more of 3: paths with falling smoothing ([`path`]),
//!    and the curve that passes the folds at which paths end ([`curve`]).
//!
//! Friction far above 1 comes in stages: all of this is badly scaled by `μ`, and impulses at which no contact slips under
//! a smaller friction solve the problem with any larger one, so mostly the first stage is the last.

mod curve;
mod path;
mod proximal;
mod scaled;
mod three;

use crate::anderson::{Anderson, norm};
use crate::cone::tangential;
use crate::minimum_degree::MinimumDegree;
use crate::ordering::Pattern;
use crate::problem::FrictionContactProblem;
use crate::solve::{ContactSolver, Step};
use curve::Curve;
use glam::DVec3;
use path::Path;
use proximal::Proximal;
use scaled::Scaled;
use three::Factors;

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
/// Paths before the curve is followed, where there are few contacts and where there are many: the curve of many has fold
/// after fold.
const FEW: usize = 64;
const PATHS_OF_FEW: usize = 1;
const PATHS_OF_MANY: usize = 4;
/// Friction coefficients of the first stage at most, how much steeper each of the next is, and that from which the next
/// takes them as they are.
const GENTLE: f64 = 10.0;
const STEEPER: f64 = 10.0;
const STEEPEST: f64 = 1e6;
/// A stage ends where it is solved to this part of max‖q‖ and a contact slips, or after so many steps.
const SETTLED: f64 = 1e-10;
const STAGE: usize = 500;
/// Steps that Anderson's acceleration remembers.
const MEMORY: usize = 10;

/// The default: splitting, then proximal Newton. Its lists go from problem to problem.
#[derive(Debug, Clone, Default)]
pub struct Hybrid {
    work: Work,
    anderson: Anderson<MEMORY>,
    /// Steps of the splitting, and the shortest with where it started.
    taken: usize,
    best: (f64, Vec<DVec3>),
    phase: Phase,
    proximal: Proximal,
    path: Path,
    curve: Curve,
    /// Paths that have been followed, and curves.
    round: usize,
    splitting_only: bool,
    /// Bound on friction in this stage, and steps done in it.
    limit: f64,
    stage: usize,
}

/// The splitting of [`Hybrid`] alone, to its end: ADMM with Anderson's acceleration.
#[derive(Debug, Clone)]
pub struct Admm(Hybrid);

/// Which kind of step comes next.
#[derive(Debug, Clone, Copy, Default)]
enum Phase {
    #[default]
    Splitting,
    /// So many more Newton steps on the law itself.
    Proximal(usize),
    Path,
    Curve,
}

/// The scaled problem, and where the solution stands.
#[derive(Debug, Clone, Default)]
struct Work {
    scaled: Scaled,
    pattern: Pattern,
    search: MinimumDegree,
    /// Factors of `1 + W`, later of `1 + W + ε`.
    splitting: Factors,
    z: Vec<DVec3>,
    g: Vec<DVec3>,
    r: Vec<DVec3>,
    step: Vec<DVec3>,
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
            splitting_only: true,
            ..Hybrid::default()
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
        self.limit = GENTLE;
        self.work.start(problem, impulses, self.limit);
        self.begin();
    }

    fn iterate(&mut self, problem: &FrictionContactProblem, impulses: &mut [DVec3]) -> Step {
        if self.work.scaled.contacts() != impulses.len() {
            return Step::Done;
        }
        let step = if self.splitting_only || self.taken < SPLITTING_STEPS {
            self.split()
        } else {
            self.newton_step()
        };
        self.work.scaled.physical(&self.work.r, impulses);
        self.stage += 1;
        if step == Step::Check && self.is_stage_over(problem) {
            self.limit = match self.limit < STEEPEST {
                true => self.limit * STEEPER,
                false => f64::INFINITY,
            };
            let work = &mut self.work;
            work.scaled.limit_friction(problem.mu(), self.limit);
            work.scaled.start(&work.r, &mut work.z);
            self.begin();
        }
        step
    }
}

impl Work {
    /// Takes another problem, and starts from impulses.
    fn start(&mut self, problem: &FrictionContactProblem, impulses: &[DVec3], limit: f64) {
        let scaled = &mut self.scaled;
        scaled.load(problem);
        scaled.limit_friction(problem.mu(), limit);
        self.pattern
            .arrange(&scaled.row_start, &scaled.column, &mut self.search);
        for list in [&mut self.z, &mut self.g, &mut self.r, &mut self.step] {
            zeros(list, problem.contacts());
        }
        self.refactor(0.0);
        if impulses.iter().any(|r| *r != DVec3::ZERO) {
            self.scaled.scaled(impulses, &mut self.r);
            self.scaled.start(&self.r, &mut self.z);
        }
    }

    /// Whether a contact slips that would not with its own friction.
    fn slips_held_back(&self, mu: &[f64]) -> bool {
        let contacts = self.r.iter().zip(mu).zip(&self.scaled.mu);
        contacts
            .filter(|((_, own), mu)| own > mu)
            .any(|((r, _), mu)| tangential(*r) > (1.0 - 1e-6) * mu * r.x)
    }

    /// Factors `1 + ε + W`.
    fn refactor(&mut self, eps: f64) -> bool {
        let scaled = &self.scaled;
        let shift = glam::DMat3::IDENTITY * (1.0 + eps);
        let mut diagonal = scaled.diagonal.iter().copied().peekable();
        let block = |e: usize| match diagonal.next_if_eq(&e) {
            None => scaled.block[e],
            Some(_) => scaled.block[e] + shift,
        };
        self.splitting.factor(&self.pattern, block, |_| false)
    }
}

impl Hybrid {
    /// The first step of a stage comes next, from the present `z`.
    fn begin(&mut self) {
        self.anderson.forget();
        self.taken = 0;
        self.best.0 = f64::INFINITY;
        zeros(&mut self.best.1, self.work.scaled.contacts());
        self.phase = Phase::Splitting;
        self.round = 0;
        self.stage = 0;
    }

    /// Whether steeper friction is due: it is held back somewhere, and this stage's has brought what it can.
    fn is_stage_over(&self, problem: &FrictionContactProblem) -> bool {
        let held_back = problem.mu().iter().any(|mu| *mu > self.limit);
        held_back
            && (self.stage >= STAGE
                || self.work.slips_held_back(problem.mu())
                    && self.work.scaled.residual(&self.work.r) <= SETTLED)
    }

    /// One step of the splitting, accelerated.
    fn split(&mut self) -> Step {
        self.taken += 1;
        let work = &mut self.work;
        work.scaled
            .normal_map(&work.z, None, &mut work.g, &mut work.r);
        work.splitting.solve(&work.pattern, &work.g, &mut work.step);
        let size = norm(&work.step);
        if size < self.best.0 {
            self.best.0 = size;
            self.best.1.copy_from_slice(&work.z);
        }
        for (z, d) in work.z.iter_mut().zip(&mut work.step) {
            *d = -*d;
            *z += *d * RELAXATION;
        }
        self.anderson.accelerate(&mut work.z, &work.step);
        if self.taken.is_multiple_of(10) || size < 1e-9 * norm(&work.scaled.q) {
            Step::Check
        } else {
            Step::Continue
        }
    }

    /// One Newton step of the phase that is on, and the change of phase where one is due.
    fn newton_step(&mut self) -> Step {
        let work = &mut self.work;
        match self.phase {
            Phase::Splitting => {
                if self.best.0.is_finite() {
                    work.z.copy_from_slice(&self.best.1);
                }
                self.proximal.start(work.scaled.contacts(), 1e-2);
                self.phase = Phase::Proximal(FIRST_NEWTON);
            }
            Phase::Path => {
                let goes_on = self.path.iterate(&work.scaled, &work.pattern);
                self.path.impulses(&work.scaled, &mut work.r);
                if !goes_on {
                    self.leave_smoothed();
                }
                return Step::Check;
            }
            Phase::Curve => {
                let goes_on = self.curve.iterate(&work.scaled, &work.pattern);
                self.curve.impulses(&work.scaled, &mut work.r);
                if !goes_on {
                    self.leave_smoothed();
                }
                return Step::Check;
            }
            Phase::Proximal(0) => {
                self.enter_smoothed();
                return Step::Continue;
            }
            Phase::Proximal(left) => self.phase = Phase::Proximal(left - 1),
        }
        self.proximal.iterate(work);
        Step::Check
    }

    /// Off to the next path, or along the curve.
    fn enter_smoothed(&mut self) {
        let scaled = &self.work.scaled;
        let paths = if scaled.contacts() <= FEW {
            PATHS_OF_FEW
        } else {
            PATHS_OF_MANY
        };
        self.phase = if self.round == paths {
            self.curve.start(scaled);
            Phase::Curve
        } else {
            let softness = SOFTNESS[self.round % SOFTNESS.len()];
            self.path.start(scaled, &self.work.r, softness);
            Phase::Path
        };
    }

    /// Newton steps on the law itself, from where the path or the curve has led.
    fn leave_smoothed(&mut self) {
        self.round += 1;
        let work = &mut self.work;
        if !work.r.iter().all(|r| r.is_finite()) {
            work.r.fill(DVec3::ZERO);
        }
        work.scaled.start(&work.r, &mut work.z);
        self.proximal.start(work.scaled.contacts(), 1e-3);
        self.phase = Phase::Proximal(NEWTON * self.round);
    }
}

/// So many zeros, in the room of what was there.
fn zeros(list: &mut Vec<DVec3>, count: usize) {
    list.clear();
    list.resize(count, DVec3::ZERO);
}
