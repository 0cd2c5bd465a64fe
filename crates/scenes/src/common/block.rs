//! What the scenes of a rocking block share: block, restitution, equation.

use anyhow::Result;
use klast_rocking as rocking;
use schemars::JsonSchema;
use serde::Deserialize;

/// The block.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "snake_case", deny_unknown_fields)]
pub enum Block {
    /// A homogeneous rectangle.
    Rectangle {
        /// Width (m).
        width_m: f64,
        /// Height (m).
        height_m: f64,
    },
    /// A homogeneous rectangle by its slenderness angle and half diagonal.
    Slenderness {
        /// Slenderness angle, atan(width/height) (rad).
        slenderness_rad: f64,
        /// Half of the diagonal (m).
        half_diagonal_m: f64,
    },
    /// Any block with a flat base.
    Unsymmetric {
        /// From the mass centre to the left corner, horizontally (m).
        to_left_m: f64,
        /// From the mass centre to the right corner, horizontally (m).
        to_right_m: f64,
        /// Height of the mass centre (m).
        centre_height_m: f64,
        /// Radius of gyration about the mass centre (m).
        gyration_radius_m: f64,
    },
}

impl Block {
    /// The block under a gravity (m/s²).
    pub fn build(&self, gravity: f64) -> Result<rocking::RockingBlock> {
        Ok(match *self {
            Self::Rectangle { width_m, height_m } => {
                rocking::RockingBlock::rectangle(width_m, height_m, gravity)?
            }
            Self::Slenderness {
                slenderness_rad,
                half_diagonal_m,
            } => {
                rocking::RockingBlock::from_slenderness(slenderness_rad, half_diagonal_m, gravity)?
            }
            Self::Unsymmetric {
                to_left_m,
                to_right_m,
                centre_height_m,
                gyration_radius_m,
            } => rocking::RockingBlock::unsymmetric(
                to_left_m,
                to_right_m,
                centre_height_m,
                gyration_radius_m * gyration_radius_m,
                gravity,
            )?,
        })
    }
}

/// Model of the restitution; `material` (at most 1) is an additional factor for material dissipation.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(tag = "model", rename_all = "snake_case", deny_unknown_fields)]
pub enum Restitution {
    /// Impulse at the new corner (Housner 1963).
    Housner {
        /// Material dissipation.
        #[serde(default = "one")]
        material: f64,
    },
    /// Impulse at k b/2, the formula with k² as printed.
    Improved {
        /// Position of the impulse over half the width.
        k: f64,
        /// Material dissipation.
        #[serde(default = "one")]
        material: f64,
    },
    /// Impulse at k b/2 with the pivots at the corners: linear in k.
    ImprovedLinear {
        /// Position of the impulse over half the width.
        k: f64,
        /// Material dissipation.
        #[serde(default = "one")]
        material: f64,
    },
    /// A given coefficient.
    Given {
        /// Ratio of the angular velocities after and before an impact, 0 to 1.
        eta: f64,
    },
}

impl Default for Restitution {
    fn default() -> Self {
        Self::Housner { material: 1.0 }
    }
}

impl Restitution {
    /// The validated model.
    pub fn build(&self) -> Result<rocking::Restitution> {
        let (model, material) = match *self {
            Self::Housner { material } => (rocking::RestitutionModel::Housner, material),
            Self::Improved { k, material } => (rocking::RestitutionModel::Improved { k }, material),
            Self::ImprovedLinear { k, material } => {
                (rocking::RestitutionModel::ImprovedLinear { k }, material)
            }
            Self::Given { eta } => (rocking::RestitutionModel::Given { eta }, 1.0),
        };
        Ok(rocking::Restitution::with_material(model, material)?)
    }
}

/// Equation of motion.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Equation {
    /// Any rotation of any block.
    #[default]
    Nonlinear,
    /// Small rotations of any block.
    QuasiLinear,
    /// Small rotations of a slender block.
    Linearised,
}

impl From<Equation> for rocking::Equation {
    fn from(equation: Equation) -> Self {
        match equation {
            Equation::Nonlinear => Self::Nonlinear,
            Equation::QuasiLinear => Self::QuasiLinear,
            Equation::Linearised => Self::Linearised,
        }
    }
}

/// The model of a block: with slip where a friction coefficient is given.
pub fn engine(friction: Option<f64>) -> Result<rocking::Engine> {
    Ok(match friction {
        Some(friction) => rocking::Engine::SlideRock(rocking::Friction::new(friction)?),
        None => rocking::Engine::NoSlip,
    })
}

/// 1, a default of serde.
pub fn one() -> f64 {
    1.0
}

/// Gravity of a scene that does not state it (m/s²).
pub fn gravity() -> f64 {
    9.81
}
