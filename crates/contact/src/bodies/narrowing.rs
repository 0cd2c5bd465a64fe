//! Which groups have blocks in the matrix of a smoothed problem: all of them at first, and where τ is small only those
//! whose stiffness counts, which saves fill.

use super::newton_system::NewtonSystem;
use super::problem::Problem;
use super::wide::smoothed_laws::WideSmoothedContact;

/// τ, in units of max‖q‖, from which on groups that stay open are left out of the matrix, and the normal stiffness, in
/// units of 1/ρ, under which they are: Newton's method loses no more than that part of its speed.
const NARROW: f64 = 1e-3;
const NEGLIGIBLE: f64 = 1e-3;

/// Groups whose stiffness is not negligible, and whether the others have been left out of the matrix.
#[derive(Debug, Clone, Default)]
pub(super) struct Narrowing {
    closing: Vec<bool>,
    narrowed: bool,
}

impl Narrowing {
    /// All groups take part.
    pub fn begin(&mut self) {
        self.narrowed = false;
    }

    /// Leaves groups of negligible stiffness out of the matrix where τ (m/s) is small.
    pub fn restrict_pattern(
        &mut self,
        system: &mut NewtonSystem,
        problem: &Problem,
        contacts: &[WideSmoothedContact],
        tau: f64,
    ) {
        let narrow = !self.narrowed && tau < NARROW * problem.q_max;
        self.narrowed |= narrow;
        let stiffness = |s: usize| contacts[s].normal_stiffness();
        system.groups.mark(&mut self.closing, stiffness, NEGLIGIBLE);
        system.restrict_pattern(&self.closing, narrow);
    }

    /// Whether each group takes part; all do without a list.
    pub fn takes_part(&self) -> Option<&Vec<bool>> {
        self.narrowed.then_some(&self.closing)
    }
}
