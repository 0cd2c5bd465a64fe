//! The default solver: splitting first, then proximal Newton steps, both on sparse factors.
//!
//! 1. Equilibration: each contact scaled to a mean diagonal of 3 (`equilibrated`).
//! 2. Splitting on the normal map `G(z)` (`admm`). Cheap, and enough for most problems.
//! 3. Proximal point iteration with semismooth Newton steps (`semismooth_newton`).
//! 4. Where these stagnate, continuation through smoothed problems with more of 3 after each: homotopies
//!    (`smoothed_system`), and the curve past the folds at which homotopies end (`smoothed_curve`).
//!
//! Friction far above 1 comes in stages (`friction_stages`).

use super::admm::Splitting;
use super::assembled_system::AssembledSystem;
use super::friction_stages::FrictionStages;
use super::semismooth_newton::SemismoothNewton;
use super::smoothed_curve::SmoothedCurve;
use super::smoothed_system::SmoothedSystem;
use super::solver::{ContactSolver, Step};
use crate::problem::FrictionContactProblem;
use glam::DVec3;

/// Steps of the splitting before the Newton phase starts.
const SPLITTING_STEPS: usize = 100;
/// The same where the bodies are factored: a step costs little beside a Newton step, whose matrix is that of the
/// contacts.
const SPLITTING_STEPS_BY_BODIES: usize = 1000;
/// Newton steps on the law itself before the first continuation, and, by the number of continuations done, after them.
const FIRST_NEWTON: usize = 20;
const NEWTON: usize = 100;
/// `ε` of the proximal term at the start of the first Newton phase, and of those after a continuation.
const FIRST_PROXIMAL: f64 = 1e-2;
const PROXIMAL: f64 = 1e-3;
/// Softness of the homotopies in turn.
const SOFTNESS: [f64; 4] = [1e-6, 1e-8, 1e-5, 1e-7];
/// Homotopies before the curve is followed, where there are few contacts and where there are many: the curve of many
/// has fold after fold.
const FEW_CONTACTS: usize = 64;
const HOMOTOPIES_OF_FEW: usize = 1;
const HOMOTOPIES_OF_MANY: usize = 4;

/// The default: ADMM, then proximal Newton. Its lists are used again from problem to problem.
#[derive(Debug, Clone, Default)]
pub struct AdmmThenProximalNewton {
    system: AssembledSystem,
    stages: FrictionStages,
    splitting: Splitting,
    newton: SemismoothNewton,
    homotopy: SmoothedSystem,
    curve: SmoothedCurve,
    phase: Phase,
    /// Continuations done.
    round: usize,
}

/// Which kind of step comes next.
#[derive(Debug, Clone, Copy, Default)]
enum Phase {
    #[default]
    Splitting,
    /// So many more Newton steps on the law itself.
    Newton(usize),
    Homotopy,
    Curve,
}

impl AdmmThenProximalNewton {
    /// A fresh solver.
    pub fn new() -> Self {
        Self::default()
    }

    /// Factorisations so far.
    pub fn factorisations(&self) -> usize {
        let continued = self.homotopy.factored() + self.curve.factored();
        self.system.factored + self.newton.factored() + continued
    }
}

impl ContactSolver for AdmmThenProximalNewton {
    fn name(&self) -> &'static str {
        "admm-newton"
    }

    fn start(&mut self, problem: &FrictionContactProblem, impulses: &[DVec3]) {
        self.stages.start(&mut self.system, problem, impulses);
        self.begin();
    }

    fn iterate(&mut self, problem: &FrictionContactProblem, impulses: &mut [DVec3]) -> Step {
        if self.system.contacts() != impulses.len() {
            return Step::Done;
        }
        let most = match self.system.is_by_bodies() {
            true => SPLITTING_STEPS_BY_BODIES,
            false => SPLITTING_STEPS,
        };
        let step = if self.splitting.taken < most {
            self.splitting.step(&mut self.system)
        } else {
            self.newton_step()
        };
        let system = &mut self.system;
        system.equilibrated.physical(&system.r, impulses);
        if self
            .stages
            .advance(system, problem.mu(), step == Step::Check)
        {
            self.begin();
        }
        step
    }
}

impl AdmmThenProximalNewton {
    /// The first step of a stage comes next, from the present `z`.
    fn begin(&mut self) {
        self.splitting.begin(self.system.contacts());
        self.phase = Phase::Splitting;
        self.round = 0;
    }

    /// One step of the present phase after the splitting, and the change of phase where one is due.
    fn newton_step(&mut self) -> Step {
        let system = &mut self.system;
        match self.phase {
            Phase::Splitting => {
                self.splitting.restore_best(system);
                system.arrange();
                self.newton.start(system.contacts(), FIRST_PROXIMAL);
                self.phase = Phase::Newton(FIRST_NEWTON);
            }
            Phase::Homotopy => {
                let continues = self.homotopy.iterate(system);
                self.homotopy.impulses(&system.equilibrated, &mut system.r);
                if !continues {
                    self.leave_continuation();
                }
                return Step::Check;
            }
            Phase::Curve => {
                let continues = self.curve.iterate(system);
                self.curve.impulses(&system.equilibrated, &mut system.r);
                if !continues {
                    self.leave_continuation();
                }
                return Step::Check;
            }
            Phase::Newton(0) => {
                self.enter_continuation();
                return Step::Continue;
            }
            Phase::Newton(left) => self.phase = Phase::Newton(left - 1),
        }
        self.newton.iterate(system);
        Step::Check
    }

    /// Starts the next homotopy, or the curve.
    fn enter_continuation(&mut self) {
        let system = &self.system;
        let homotopies = if system.contacts() <= FEW_CONTACTS {
            HOMOTOPIES_OF_FEW
        } else {
            HOMOTOPIES_OF_MANY
        };
        self.phase = if self.round == homotopies {
            self.curve.start(&system.equilibrated);
            Phase::Curve
        } else {
            let softness = SOFTNESS[self.round % SOFTNESS.len()];
            self.homotopy.start(system, softness);
            Phase::Homotopy
        };
    }

    /// Newton steps on the law itself, from the end of the continuation.
    fn leave_continuation(&mut self) {
        self.round += 1;
        let system = &mut self.system;
        if !system.r.iter().all(|r| r.is_finite()) {
            system.r.fill(DVec3::ZERO);
        }
        system.equilibrated.start(&system.r, &mut system.z);
        self.newton.start(system.contacts(), PROXIMAL);
        self.phase = Phase::Newton(NEWTON * self.round);
    }
}
