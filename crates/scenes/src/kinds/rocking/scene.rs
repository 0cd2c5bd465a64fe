//! The scene of one rocking block.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::block::Block;
use crate::common::duration::Duration;
use crate::common::foundation::Base;
use crate::common::gravity::Gravity;
use crate::common::motion::Motion;
use crate::common::restitution::{Equation, Restitution};
use crate::common::restraint::Restrainer;
use crate::common::slip::Engine;

/// A scene of kind `rocking`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The block, by its shape and size.
    pub block: Block,
    /// Gravity (m/s²).
    #[serde(default)]
    pub gravity_m_s2: Gravity,
    /// Restitution; Housner's unless stated.
    #[serde(default)]
    pub restitution: Option<Restitution>,
    /// Horizontal motion of the base, positive to the right.
    #[serde(default)]
    pub horizontal: Motion,
    /// Vertical motion of the base, positive upwards.
    #[serde(default)]
    pub vertical: Motion,
    /// Duration (s).
    pub duration_s: Duration,
    /// Rotation at the start (rad), clockwise positive.
    #[serde(default)]
    pub tilt_rad: f64,
    /// Angular velocity at the start (rad/s).
    #[serde(default)]
    pub angular_velocity_rad_s: f64,
    /// Equation of motion.
    #[serde(default)]
    pub equation: Equation,
    /// Step of Newmark's method (s), for comparison; the adaptive method with exact events without it.
    #[serde(default)]
    pub newmark_step_s: Option<f64>,
    /// Interval of the history (s).
    #[serde(default = "interval")]
    pub sample_s: f64,
    /// Friction coefficient: with it the block may slide and jump; not with `newmark_step_s`.
    #[serde(default)]
    pub friction: Option<f64>,
    /// Friction coefficient of a foot at rest, where it is higher.
    #[serde(default)]
    pub friction_at_rest: Option<f64>,
    /// The model: `slide_rock` where a friction is given and the equation is the nonlinear one, else `no_slip`, which
    /// says when the block would slide or jump.
    #[serde(default)]
    pub engine: Option<Engine>,
    /// Restrainers, up to four: anchors, bolts, cables that pull and break. With them the engine is `no_slip`.
    #[serde(default)]
    pub restrainers: Vec<Restrainer>,
    /// A base that gives, in place of a rigid one and of restitution. With it the engine is `compliant_base`, without
    /// slip.
    #[serde(default)]
    pub base: Option<Base>,
    /// Mass (kg), which restrainers hold and a base carries; only with one of them.
    #[serde(default)]
    pub mass_kg: Option<f64>,
}

fn interval() -> f64 {
    0.005
}
