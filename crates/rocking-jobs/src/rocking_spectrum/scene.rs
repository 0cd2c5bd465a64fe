//! The scene of a rocking spectrum.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::restitution::Restitution;
use crate::common::steps::Steps;
use klast_runs::common::duration::Duration;
use klast_runs::common::gravity::Gravity;
use klast_runs::common::motion::Motion;

/// A scene of kind `rocking_spectrum`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Slenderness of each rectangle (rad), between 0 and π/2. Each value gives one curve.
    pub slenderness_rad: Vec<f64>,
    /// Acceleration of gravity (m/s²), above 0; 9.81 unless stated.
    #[serde(default)]
    pub gravity_m_s2: Gravity,
    /// Restitution at impacts on the base; `housner` unless stated.
    #[serde(default)]
    pub restitution: Restitution,
    /// Horizontal motion of the base.
    pub horizontal: Motion,
    /// Vertical motion of the base.
    #[serde(default)]
    pub vertical: Motion,
    /// Values of 2π/p (s), above 0, with the frequency parameter p of the block. Each value is a size of the block.
    pub period_s: Steps,
    /// Duration of each simulation (s).
    pub duration_s: Duration,
    /// Friction coefficient between block and base, above 0. If it is stated, the block can slide and jump; if it is
    /// not stated, the block does neither.
    #[serde(default)]
    pub friction: Option<f64>,
    /// Friction coefficient of a foot at rest, at least `friction`; equal to `friction` unless stated.
    #[serde(default)]
    pub friction_at_rest: Option<f64>,
}
