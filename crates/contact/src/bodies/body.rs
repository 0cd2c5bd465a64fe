//! Bodies as a contact problem sees them.

use glam::{DMat3, DVec3};

/// Inertia of a body; both inverses zero for one that impulses do not move (its velocity may still be prescribed).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyInertia {
    /// 1/m in 1/kg.
    pub inverse_mass: f64,
    /// I⁻¹ about the mass centre in world axes, 1/(kg m²), symmetric.
    pub inverse_inertia: DMat3,
}

impl BodyInertia {
    /// A body that no impulse moves.
    pub const FIXED: Self = Self {
        inverse_mass: 0.0,
        inverse_inertia: DMat3::ZERO,
    };

    pub(super) fn is_fixed(&self) -> bool {
        *self == Self::FIXED
    }
}

/// Velocity of a body in world axes, m/s and rad/s.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BodyVelocity {
    /// Velocity of the mass centre.
    pub linear: DVec3,
    /// Angular velocity.
    pub angular: DVec3,
}
