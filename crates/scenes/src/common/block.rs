//! A rocking block.

use anyhow::Result;
use klast_rocking as rocking;
use schemars::JsonSchema;
use serde::Deserialize;

/// The block.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
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
