//! The scene of an overturning map.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::stack::{Block, Restitution};
use klast_runs::common::gravity::Gravity;
use klast_runs::common::one;

/// A scene of kind `stack_map`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The blocks, from the base upwards: one to a hundred.
    pub blocks: Vec<Block>,
    /// Acceleration of gravity (m/s²), above 0; 9.81 unless stated.
    #[serde(default)]
    pub gravity_m_s2: Gravity,
    /// Restitution at impacts on the base; `housner` unless stated.
    #[serde(default)]
    pub base_restitution: Restitution,
    /// Restitution at impacts between blocks; `housner` unless stated.
    #[serde(default)]
    pub restitution: Restitution,
    /// Lowest and highest amplitude of the acceleration, above 0, over g tan α of one block of the size of the stack.
    pub amplitude_over_lift_off: [f64; 2],
    /// Lowest and highest angular frequency, above 0, over the frequency parameter p of one block of the size of the
    /// stack.
    pub frequency_over_p: [f64; 2],
    /// Number of cells along the frequency and along the amplitude, 1 or more each, up to 100 million in all.
    pub cells: [usize; 2],
    /// Phase of the wave (rad); 0 is a sine, π/2 a cosine.
    #[serde(default)]
    pub phase_rad: f64,
    /// Number of waves, above 0; fractions are allowed.
    #[serde(default = "one")]
    pub waves: f64,
    /// Time after the wave until the end of each simulation, in units of 1/p, 0 or more.
    #[serde(default = "after")]
    pub time_after_over_p: f64,
    /// A power of two n, 1 to 64. Every n-th cell is run first, and then the other cells where the outcome changes
    /// between these cells. With 1, every cell is run.
    #[serde(default = "stride")]
    pub adaptive_stride: usize,
    /// Tolerance, above 0 and up to 1e-3: largest angular acceleration that is neglected, over g/H with the height H of
    /// the whole stack.
    #[serde(default = "tolerance")]
    pub tolerance: f64,
}

fn after() -> f64 {
    40.0
}

fn stride() -> usize {
    4
}

fn tolerance() -> f64 {
    1e-11
}
