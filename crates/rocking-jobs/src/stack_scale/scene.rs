//! The scene of outcomes over a scale.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::stack::{Block, Restitution};
use klast_runs::common::duration::Duration;
use klast_runs::common::gravity::Gravity;
use klast_runs::common::motion::Motion;

/// A scene of kind `stack_scale`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The blocks, from the base upwards: one to ten.
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
    /// Horizontal motion of the base, positive to the right; no motion unless stated.
    #[serde(default)]
    pub horizontal: Motion,
    /// Vertical motion of the base, positive upwards. It is multiplied by the same factor as the horizontal motion; no
    /// motion unless stated.
    #[serde(default)]
    pub vertical: Motion,
    /// Duration of each simulation (s), above 0.
    pub duration_s: Duration,
    /// Lowest and highest scale factor of the motion, above 0.
    pub factors: [f64; 2],
    /// Number of scale factors in equal steps, 2 to 10 million. klast then bisects the interval before the first factor
    /// at which blocks fall.
    pub count: usize,
}
