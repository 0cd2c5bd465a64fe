//! Choices of the rigid-body engine.

use crate::RockfallError;
use klast_contact::ImpactLaw;
use klast_dynamics::single::Stepping;
use klast_geometry::ConvexPolyhedron;

/// Choices of the rigid-body engine for all rocks of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RigidOptions {
    /// Longest step in sustained contact (s); none: the tolerance of the engine alone sets it.
    pub contact_step: Option<f64>,
    /// The law of impacts.
    pub impact_law: ImpactLaw,
    /// Whether an impact whose law makes energy is refused ([`klast_dynamics::single::Options::refuse_gains`]).
    pub refuse_gains: bool,
    /// Tangential restitution e_t of the impact law, −1 to 1.
    pub tangential_restitution: f64,
    /// How time goes.
    pub stepping: Stepping,
    /// How far the vertices of a rock may stand out of the hull that moves for it, as a part of the radius of a sphere
    /// of its volume; hulls of up to [`RigidOptions::SMALL_HULL`] vertices move as they are.
    pub hull_tolerance: f64,
}

impl RigidOptions {
    /// Vertices up to which a hull is never reduced.
    pub const SMALL_HULL: usize = 64;

    /// The hull that moves for a rock whose unit shape (1 m³) this is, again of 1 m³.
    pub(crate) fn moving_hull(
        &self,
        unit: ConvexPolyhedron,
    ) -> Result<ConvexPolyhedron, RockfallError> {
        crate::error::within(
            "hull_tolerance",
            self.hull_tolerance,
            (0.0..=0.1).contains(&self.hull_tolerance),
            "0 to 0.1",
        )?;
        if unit.vertices().len() <= Self::SMALL_HULL {
            return Ok(unit);
        }
        let radius = libm::cbrt(0.75 / std::f64::consts::PI);
        let hull = unit.reduced(self.hull_tolerance * radius)?;
        Ok(hull.scaled(libm::cbrt(1.0 / hull.volume()))?)
    }
}

impl Default for RigidOptions {
    fn default() -> Self {
        Self {
            contact_step: None,
            impact_law: ImpactLaw::default(),
            refuse_gains: true,
            tangential_restitution: 0.0,
            stepping: Stepping::default(),
            hull_tolerance: 0.01,
        }
    }
}
