//! Free flight as the lumped-mass manual writes it, (1.1) to (1.3).
//!
//! p(t) = p₀ + v₀ t + ½ g t², v(t) = v₀ + g t, and the rotation by the angle |ω| t about ω, applied to the attitude:
//! R(t) = R R₀. Constant ω holds for isotropic inertia only. The literal reading leaves out p₀, as (1.1) does, and
//! turns the attitude by the similarity R R₀ Rᵀ of (1.3).

use super::Reading;
use glam::{DMat3, DQuat, DVec3};

/// Position (m), velocity (m/s) and attitude after a flight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projectile {
    /// Position (m).
    pub position: DVec3,
    /// Velocity (m/s).
    pub velocity: DVec3,
    /// Attitude.
    pub rotation: DMat3,
}

impl Projectile {
    /// The projectile after `t` seconds with spin `w` (rad/s).
    pub fn after(&self, t: f64, w: DVec3, gravity: DVec3, reading: Reading) -> Projectile {
        let turned = self.velocity * t + gravity * (0.5 * t * t);
        let angle = w.length() * t;
        let (s, c) = libm::sincos(0.5 * angle);
        // No spin has no axis: nothing turns.
        let axis = w.normalize_or_zero() * s;
        let r = DMat3::from_quat(DQuat::from_xyzw(
            axis.x,
            axis.y,
            axis.z,
            if axis == DVec3::ZERO { 1.0 } else { c },
        ));
        let (position, rotation) = match reading {
            Reading::Corrected => (self.position + turned, r * self.rotation),
            Reading::Literal => (turned, r * self.rotation * r.transpose()),
        };
        Projectile {
            position,
            velocity: self.velocity + gravity * t,
            rotation,
        }
    }
}
