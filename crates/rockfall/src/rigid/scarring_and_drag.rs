//! Ground laws beyond restitution and friction: Leine et al., Multibody System Dynamics 32 (2014) 241–271.

use crate::RockfallError;
use crate::error::within;
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
    /// Refuses parameters outside of their meaning.
    pub fn validate(&self) -> Result<(), RockfallError> {
        within(
            "scarring minimum friction",
            self.minimum,
            self.minimum >= 0.0,
            "0 or more",
        )?;
        within(
            "scarring maximum friction",
            self.maximum,
            self.maximum >= self.minimum,
            "at least the minimum",
        )?;
        within(
            "scarring growth",
            self.growth,
            self.growth >= 0.0,
            "0 1/m or more",
        )?;
        within(
            "scarring recovery",
            self.recovery,
            self.recovery >= 0.0,
            "0 1/s or more",
        )
    }

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

/// Drag of shrubs and trees, their (10) and (11): F = −c_d v_S while the mass centre is lower than `height` over the
/// ground. c_d in N s/m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VegetationDrag {
    /// c_d (N s/m).
    pub coefficient: f64,
    /// Height of the vegetation over the ground (m).
    pub height: f64,
}

impl VegetationDrag {
    /// Refuses parameters outside of their meaning.
    pub fn validate(&self) -> Result<(), RockfallError> {
        within(
            "drag coefficient",
            self.coefficient,
            self.coefficient >= 0.0,
            "0 N s/m or more",
        )?;
        within(
            "vegetation height",
            self.height,
            self.height >= 0.0,
            "0 m or more",
        )
    }
}
