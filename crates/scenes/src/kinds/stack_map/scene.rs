//! The scene of an overturning map.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::gravity::Gravity;
use crate::common::one;
use crate::common::stack::{Block, Restitution};

/// A scene of kind `stack_map`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The blocks, from the base upwards: one to ten.
    pub blocks: Vec<Block>,
    /// Gravity (m/s²).
    #[serde(default)]
    pub gravity_m_s2: Gravity,
    /// Restitution on the base.
    #[serde(default)]
    pub base_restitution: Restitution,
    /// Restitution between blocks.
    #[serde(default)]
    pub restitution: Restitution,
    /// Lowest and highest amplitude over g tan α of the whole.
    pub amplitude_over_lift_off: [f64; 2],
    /// Lowest and highest circular frequency over p of the whole.
    pub frequency_over_p: [f64; 2],
    /// Cells along the frequency and along the amplitude.
    pub cells: [usize; 2],
    /// Phase of the wave (rad): 0 a sine, π/2 a cosine.
    #[serde(default)]
    pub phase_rad: f64,
    /// Number of waves.
    #[serde(default = "one")]
    pub waves: f64,
    /// Time after the wave, in 1/p.
    #[serde(default = "after")]
    pub time_after_over_p: f64,
    /// Run every so-manieth cell (a power of two) and refine where the outcome changes; 1 runs all.
    #[serde(default = "stride")]
    pub adaptive_stride: usize,
    /// Largest neglected acceleration over g/H.
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
