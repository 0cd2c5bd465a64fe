//! A rock as a point with the inertia of a sphere.

use crate::RockfallError;
use crate::error::within;
use glam::DVec3;

/// A lumped mass: point, mass, and the sphere of its volume.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LumpedMass {
    /// Mass (kg).
    pub mass: f64,
    /// Radius of the sphere of equal volume (m).
    pub radius: f64,
}

/// Where it is and how it moves.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LumpedState {
    /// Position (m), local coordinates.
    pub position: DVec3,
    /// Velocity (m/s).
    pub velocity: DVec3,
    /// Spin (rad/s).
    pub spin: DVec3,
}

impl Default for LumpedMass {
    /// One cubic metre of rock, 2700 kg.
    fn default() -> Self {
        LumpedMass {
            mass: LumpedMass::DENSITY,
            radius: radius(1.0),
        }
    }
}

impl LumpedMass {
    /// Density where none is given (kg/m³).
    pub const DENSITY: f64 = 2700.0;

    /// A rock of a volume (m³) and 2700 kg/m³, with the radius of the sphere of its volume, r = (3V/4π)^⅓.
    pub fn of_volume(volume: f64) -> Result<Self, RockfallError> {
        within("volume", volume, volume > 0.0, "a finite volume above 0 m³")?;
        LumpedMass {
            mass: 0.0,
            radius: radius(volume),
        }
        .with_mass(volume * LumpedMass::DENSITY)
    }

    /// The same rock with another mass (kg).
    pub fn with_mass(self, mass: f64) -> Result<Self, RockfallError> {
        within("mass", mass, mass > 0.0, "a finite mass above 0 kg")?;
        Ok(LumpedMass { mass, ..self })
    }

    /// Kinetic energy of rotation at a spin, ½ (2/5) m r² ω² (J).
    pub fn rotational_energy(&self, spin: DVec3) -> f64 {
        0.2 * self.mass * self.radius * self.radius * spin.length_squared()
    }

    /// Kinetic energy of translation and rotation (J).
    pub fn kinetic_energy(&self, state: &LumpedState) -> f64 {
        0.5 * self.mass * state.velocity.length_squared() + self.rotational_energy(state.spin)
    }
}

fn radius(volume: f64) -> f64 {
    libm::cbrt(3.0 * volume / (4.0 * std::f64::consts::PI))
}
