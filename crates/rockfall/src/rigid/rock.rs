//! One rock as a rigid body, from release to its end.

use super::options::RigidOptions;
use crate::RockfallError;
use crate::ground::Ground;
use crate::stop::StopConditions;
use glam::DVec3;
use klast_contact::{Friction, ImpactLaw};
use klast_dynamics::single::Stepping;
use klast_geometry::terrain::Terrain;

/// The rigid-body engine: everything that is the same for all rocks of a run.
#[derive(Clone, Copy)]
pub struct RigidRock<'a> {
    /// The ground's shape.
    pub terrain: &'a dyn Terrain,
    /// Its materials.
    pub ground: &'a Ground,
    /// Stop conditions.
    pub stop: &'a StopConditions,
    /// Gravity (m/s²).
    pub gravity: DVec3,
    /// Longest step in sustained contact (s); none: the tolerance of the engine alone sets it.
    pub contact_step: Option<f64>,
    /// The law of impacts.
    pub impact_law: &'a ImpactLaw,
    /// Whether an impact whose law makes energy is refused.
    pub refuse_gains: bool,
    /// Tangential restitution e_t of the impact law, −1 to 1. R_t of a slope material is a law of lumped masses and has
    /// no part here.
    pub tangential_restitution: f64,
    /// How time goes.
    pub stepping: Stepping,
}

static NEWTON: ImpactLaw = ImpactLaw::Newton {
    friction: Friction::MaximumDissipation,
};

impl<'a> RigidRock<'a> {
    /// The engine on a ground, everything else as by default: stop conditions, gravity of 9.81 m/s², Newton's law on
    /// the exact cone, no
    /// tangential restitution.
    pub fn new(terrain: &'a dyn Terrain, ground: &'a Ground) -> Self {
        Self {
            terrain,
            ground,
            stop: &StopConditions::DEFAULT,
            gravity: DVec3::new(0.0, 0.0, -9.81),
            contact_step: None,
            impact_law: &NEWTON,
            refuse_gains: true,
            tangential_restitution: 0.0,
            stepping: Stepping::default(),
        }
    }

    /// The same with the choices of a run.
    pub fn with_options(self, options: &'a RigidOptions) -> Self {
        Self {
            contact_step: options.contact_step,
            impact_law: &options.impact_law,
            refuse_gains: options.refuse_gains,
            tangential_restitution: options.tangential_restitution,
            stepping: options.stepping,
            ..self
        }
    }

    /// Checks the numbers of the engine.
    pub fn validate(&self) -> Result<(), RockfallError> {
        self.stop.validate()?;
        self.contact_step
            .map_or(Ok(()), crate::error::contact_step)?;
        let known = matches!(
            self.impact_law,
            ImpactLaw::Newton { .. } | ImpactLaw::Sequential { .. }
        );
        let e = self.tangential_restitution;
        let accepted = match known {
            true => "-1 to 1",
            false => "0 with the laws of Poisson and Stronge",
        };
        let holds = if known { e.abs() <= 1.0 } else { e == 0.0 };
        crate::error::within("tangential_restitution", e, holds, accepted)
    }
}
