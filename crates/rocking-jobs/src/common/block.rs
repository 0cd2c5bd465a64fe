//! A rocking block.

use klast_rocking as rocking;
use klast_runs::error::Result;
use klast_runs::{bail, ensure};
use schemars::JsonSchema;
use serde::Deserialize;

use klast_runs::faults::Fault;

/// Shape and size of the block.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Block {
    /// A homogeneous rectangle.
    Rectangle {
        /// Width (m), above 0.
        width_m: f64,
        /// Height (m), above 0.
        height_m: f64,
    },
    /// A homogeneous rectangle, given by its slenderness and its size: the half diagonal, or the period of its
    /// frequency parameter.
    Slenderness {
        /// Slenderness (rad), between 0 and π/2: the angle whose tangent is width over height.
        slenderness_rad: f64,
        /// Half of the diagonal (m), above 0. A block has either this key or `period_s`.
        #[serde(default)]
        half_diagonal_m: Option<f64>,
        /// Period 2π/p (s), above 0, with the frequency parameter p = √(3g/(4R)) of a half diagonal R.
        #[serde(default)]
        period_s: Option<f64>,
    },
    /// A homogeneous body of revolution about a vertical axis (a drum, a frustum or a column), given by its outline. It
    /// rocks in one plane on the edge of its circular base.
    Revolved {
        /// Points (radius, height) of the outline in m, from the base upwards. Straight lines join the points. The
        /// radius of the base is above 0.
        outline_m: Vec<[f64; 2]>,
    },
    /// Any block with a flat base, given by its mass centre and radius of gyration.
    Unsymmetric {
        /// Horizontal distance from the mass centre to the left corner (m), above 0.
        to_left_m: f64,
        /// Horizontal distance from the mass centre to the right corner (m), above 0.
        to_right_m: f64,
        /// Height of the mass centre (m), above 0.
        centre_height_m: f64,
        /// Radius of gyration about the mass centre (m), above 0.
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
                period_s,
            } => {
                let radius = half_diagonal(half_diagonal_m, period_s, gravity)?;
                rocking::RockingBlock::from_slenderness(slenderness_rad, radius, gravity)?
            }
            Self::Revolved { ref outline_m } => {
                let outline: Vec<(f64, f64)> = outline_m.iter().map(|[r, z]| (*r, *z)).collect();
                rocking::RockingBlock::revolved(&outline, gravity)?
            }
            Self::Unsymmetric {
                to_left_m,
                to_right_m,
                centre_height_m,
                gyration_radius_m,
            } => {
                // Its square alone enters, which would hide a sign.
                ensure!(
                    gyration_radius_m > 0.0,
                    Fault::new("gyration_radius_m", gyration_radius_m).accepted("above 0 m")
                );
                rocking::RockingBlock::unsymmetric(
                    to_left_m,
                    to_right_m,
                    centre_height_m,
                    gyration_radius_m * gyration_radius_m,
                    gravity,
                )?
            }
        })
    }
}

/// The half diagonal (m) of a block whose size is given in one of two ways.
fn half_diagonal(radius: Option<f64>, period: Option<f64>, gravity: f64) -> Result<f64> {
    match (radius, period) {
        (Some(radius), None) => Ok(radius),
        (None, Some(period)) => {
            ensure!(
                period > 0.0,
                Fault::new("period_s", period).accepted("above 0 s")
            );
            let p = std::f64::consts::TAU / period;
            Ok(0.75 * gravity / (p * p))
        }
        _ => bail!(
            Fault::new("", "the size of the block: none, or two of them")
                .accepted("half_diagonal_m or period_s")
        ),
    }
}
