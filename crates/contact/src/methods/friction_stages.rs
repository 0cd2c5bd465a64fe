//! Friction far above 1 comes in stages.
//!
//! Splitting and Newton's method are badly scaled by `μ`, and impulses at which no contact slips under a smaller
//! friction solve the problem with any larger one, so mostly the first stage is the last.

use super::assembled_system::AssembledSystem;
use glam::DVec3;

/// Friction coefficients of the first stage at most, the factor from each stage to the next, and the bound from which
/// the next stage takes them as they are.
const FIRST: f64 = 10.0;
const FACTOR: f64 = 10.0;
const LAST: f64 = 1e6;
/// A stage ends where it is solved to this part of max‖q‖ and a contact slips, or after so many steps.
const SETTLED: f64 = 1e-10;
const STEPS: usize = 500;

#[derive(Debug, Clone, Default)]
pub(super) struct FrictionStages {
    /// Bound on friction in this stage, and steps done in it.
    limit: f64,
    steps: usize,
}

impl FrictionStages {
    /// The first stage of a problem, from impulses.
    pub fn start(
        &mut self,
        system: &mut AssembledSystem,
        problem: &crate::problem::FrictionContactProblem,
        impulses: &[DVec3],
    ) {
        (self.limit, self.steps) = (FIRST, 0);
        system.start(problem, impulses, self.limit);
    }

    /// Counts a step; after one that is worth a `check` the next stage may begin, from the present impulses: whether it
    /// did.
    pub fn advance(&mut self, system: &mut AssembledSystem, mu: &[f64], check: bool) -> bool {
        self.steps += 1;
        if !check || !self.is_over(system, mu) {
            return false;
        }
        self.limit = match self.limit < LAST {
            true => self.limit * FACTOR,
            false => f64::INFINITY,
        };
        self.steps = 0;
        system.equilibrated.limit_friction(mu, self.limit);
        system.equilibrated.start(&system.r, &mut system.z);
        true
    }

    /// Whether more friction is due: it is held back somewhere, and this stage's has brought what it can.
    fn is_over(&self, system: &AssembledSystem, mu: &[f64]) -> bool {
        let held_back = mu.iter().any(|mu| *mu > self.limit);
        held_back
            && (self.steps >= STEPS
                || system.slips_held_back(mu) && system.equilibrated.residual(&system.r) <= SETTLED)
    }
}
