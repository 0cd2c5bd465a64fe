//! The impact laws by name.

use super::energy::ImpactEnergy;
use super::friction::Friction;
use super::problem::ImpactProblem;
use super::{cascade, newton, sequential};
use crate::error::ContactError;
use crate::local::slip_path::Hypothesis;
use crate::solve::SolveOptions;
use glam::DVec3;

/// From relative velocities before an impact to impulses.
#[derive(Debug, Clone, PartialEq)]
pub enum ImpactLaw {
    /// Newton's kinematic restitution with normal and tangential solved together (Moreau 1988, "Unilateral contact and
    /// dry friction in finite freedom dynamics"): `0 ≤ u_n⁺ + e u_n⁻ ⟂ r_n ≥ 0`, friction on `u_t⁺ + e_t u_t⁻`.
    ///
    /// Without friction and with one `e` for all contacts it never gains energy. With friction it can (Kane 1984); the
    /// audit of [`Impact`] says so. `u_n⁻ > 0` is taken as it stands, as Moreau does.
    Newton {
        /// Direction of friction.
        friction: Friction,
    },
    /// Normal first, as if without friction; then friction, with the normal impulses held, that leaves least energy.
    Sequential {
        /// Direction of friction.
        friction: Friction,
    },
    /// Poisson's hypothesis: normal impulse of restitution is `e` times that of compression, slip followed on its way.
    Poisson,
    /// Stronge's hypothesis (1990, "Rigid body collisions with friction"): work of the normal force in restitution is
    /// `−e²` times that in compression, slip followed on its way. A single contact cannot gain energy.
    Stronge,
}

impl Default for ImpactLaw {
    fn default() -> Self {
        Self::Newton {
            friction: Friction::MaximumDissipation,
        }
    }
}

/// What an impact did.
#[derive(Debug, Clone, PartialEq)]
pub struct Impact {
    /// Impulses `(n, t1, t2)`, N s.
    pub impulses: Vec<DVec3>,
    /// Relative velocities after, m/s.
    pub velocities: Vec<DVec3>,
    /// The audit.
    pub energy: ImpactEnergy,
    /// Residual of what was solved, m/s.
    pub residual: f64,
    /// Whether that residual met the tolerance; an impact that did not is still the best that was found.
    pub converged: bool,
}

impl ImpactLaw {
    /// Name in tables and on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Newton { .. } => "newton",
            Self::Sequential { .. } => "sequential",
            Self::Poisson => "poisson",
            Self::Stronge => "stronge",
        }
    }

    /// The impulses of an impact. `options` bound the solver; tolerances are relative to the largest velocity.
    ///
    /// Several contacts under Poisson and Stronge: those of one group that close act first, as one contact at their
    /// mean point (exact where the motion keeps them equal, as planar motion does for the ends of an edge); then each
    /// contact that still closes, worst first; what is left of a long cascade ends plastically.
    ///
    /// # Errors
    /// When facet directions do not fit the contacts, or a tangential restitution is set for Poisson or Stronge.
    pub fn resolve(
        &self,
        problem: &ImpactProblem,
        options: &SolveOptions,
    ) -> Result<Impact, ContactError> {
        let (impulses, residual, converged) = match self {
            Self::Newton { friction } => newton::resolve(problem, friction, options)?,
            Self::Sequential { friction } => sequential::resolve(problem, friction, options)?,
            Self::Poisson => cascade::resolve(problem, Hypothesis::Poisson, options)?,
            Self::Stronge => cascade::resolve(problem, Hypothesis::Stronge, options)?,
        };
        let before = problem.velocities_before();
        let velocities: Vec<DVec3> = before
            .iter()
            .enumerate()
            .map(|(i, u)| *u + problem.w().row_times(i, &impulses))
            .collect();
        let energy = ImpactEnergy::of(&impulses, &before, &velocities);
        Ok(Impact {
            impulses,
            velocities,
            energy,
            residual,
            converged,
        })
    }
}
