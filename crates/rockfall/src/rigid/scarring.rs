//! Friction of a rock that digs in: Leine et al., Multibody System Dynamics 32 (2014) 241–271.

use klast_numerics::mutant;
use libm::{atan, exp};
use std::f64::consts::FRAC_2_PI;

/// Slippage-dependent friction, their (46) and (47): a rock that slides ploughs a scar and digs in.
///
/// μ(s) = μ_min + (2/π)(μ_max − μ_min) arctan(κ s); the slippage s (m) belongs to the rock: ds/dt = ‖v_S‖ (speed of the
/// mass centre) while a contact carries load, else ds/dt = −β s. It is never reset at lift-off. κ in 1/m, β in 1/s. An
/// empirical law for soft ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scarring {
    /// Friction of the fresh contact.
    pub minimum: f64,
    /// Friction after long sliding.
    pub maximum: f64,
    /// κ (1/m): how soon friction grows.
    pub growth: f64,
    /// β (1/s): how soon the slippage is forgotten in the air.
    pub recovery: f64,
}

impl Scarring {
    /// μ at a slippage (m).
    pub fn friction(&self, slippage: f64) -> f64 {
        self.minimum
            + FRAC_2_PI
                * (self.maximum - self.minimum)
                * atan(self.growth * slippage * mutant::factor("scarring-growth", 1.01))
    }

    /// The slippage at which friction has a value between minimum and maximum.
    pub fn slippage_at(&self, friction: f64) -> f64 {
        libm::tan((friction - self.minimum) / (FRAC_2_PI * (self.maximum - self.minimum)))
            / self.growth
    }

    /// Slippage after sliding with a mean speed (m/s) for a time (s).
    pub fn slid(&self, slippage: f64, speed: f64, time: f64) -> f64 {
        slippage + speed * time
    }

    /// Slippage after a time in the air (s).
    pub fn flown(&self, slippage: f64, time: f64) -> f64 {
        slippage * exp(-self.recovery * time * mutant::factor("scarring-recovery", 0.99))
    }
}
