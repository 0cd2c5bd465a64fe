//! Douglas–Rachford splitting (ADMM) on the normal map, with Anderson's acceleration: `z ← z − 1.6 (1 + W)⁻¹ G(z)`.

use super::anderson::Anderson;
use super::assembled_system::AssembledSystem;
use super::friction_stages::FrictionStages;
use super::solver::{ContactSolver, Step};
use crate::linear::vectors::{norm, zeros};
use crate::problem::FrictionContactProblem;
use glam::DVec3;

/// Over-relaxation.
const RELAXATION: f64 = 1.6;
/// Steps that Anderson's acceleration remembers.
const MEMORY: usize = 10;

/// The state of a splitting.
#[derive(Debug, Clone, Default)]
pub(super) struct Splitting {
    anderson: Anderson<MEMORY>,
    /// Steps done, and the shortest with where it started.
    pub taken: usize,
    best: (f64, Vec<DVec3>),
}

impl Splitting {
    /// Starts anew, with so many contacts.
    pub fn begin(&mut self, contacts: usize) {
        self.anderson.forget();
        self.taken = 0;
        self.best.0 = f64::INFINITY;
        zeros(&mut self.best.1, contacts);
    }

    /// One step, accelerated.
    pub fn step(&mut self, system: &mut AssembledSystem) -> Step {
        self.taken += 1;
        system.splitting_step();
        let size = norm(&system.step);
        if size < self.best.0 {
            self.best.0 = size;
            self.best.1.copy_from_slice(&system.z);
        }
        for (z, d) in system.z.iter_mut().zip(&mut system.step) {
            *d = -*d;
            *z += *d * RELAXATION;
        }
        self.anderson.accelerate(&mut system.z, &system.step);
        if self.taken.is_multiple_of(10) || size < 1e-9 * norm(&system.equilibrated.q) {
            Step::Check
        } else {
            Step::Continue
        }
    }

    /// Returns to where the shortest step started.
    pub fn restore_best(&self, system: &mut AssembledSystem) {
        if self.best.0.is_finite() {
            system.z.copy_from_slice(&self.best.1);
        }
    }
}

/// The splitting alone, to its end: ADMM with Anderson's acceleration.
#[derive(Debug, Clone, Default)]
pub struct Admm {
    system: AssembledSystem,
    splitting: Splitting,
    stages: FrictionStages,
}

impl Admm {
    /// A fresh solver.
    pub fn new() -> Self {
        Self::default()
    }

    /// Factorisations so far.
    pub fn factorisations(&self) -> usize {
        self.system.factored
    }
}

impl ContactSolver for Admm {
    fn name(&self) -> &'static str {
        "admm"
    }

    fn start(&mut self, problem: &FrictionContactProblem, impulses: &[DVec3]) {
        self.stages.start(&mut self.system, problem, impulses);
        self.splitting.begin(problem.contacts());
    }

    fn iterate(&mut self, problem: &FrictionContactProblem, impulses: &mut [DVec3]) -> Step {
        let system = &mut self.system;
        if system.contacts() != impulses.len() {
            return Step::Done;
        }
        let step = self.splitting.step(system);
        system.equilibrated.physical(&system.r, impulses);
        if self
            .stages
            .advance(system, problem.mu(), step == Step::Check)
        {
            self.splitting.begin(problem.contacts());
        }
        step
    }
}
