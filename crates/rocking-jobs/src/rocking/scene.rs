//! The scene of one rocking block.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::block::Block;
use crate::common::foundation::Base;
use crate::common::restitution::{Equation, Restitution};
use crate::common::restraint::Restrainer;
use crate::common::slip::Engine;
use klast_runs::common::duration::Duration;
use klast_runs::common::gravity::Gravity;
use klast_runs::common::motion::Motion;

/// Keys of a scene of kind `rocking`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The block, by its shape and size.
    pub block: Block,
    /// Acceleration of gravity (m/s²), above 0; 9.81 unless stated.
    #[serde(default)]
    pub gravity_m_s2: Gravity,
    /// Restitution at impacts on the base; `housner` unless stated.
    #[serde(default)]
    pub restitution: Option<Restitution>,
    /// Horizontal motion of the base, positive to the right; no motion unless stated.
    #[serde(default)]
    pub horizontal: Motion,
    /// Vertical motion of the base, positive upwards; no motion unless stated.
    #[serde(default)]
    pub vertical: Motion,
    /// Duration of the motion (s), above 0.
    pub duration_s: Duration,
    /// Tilt: rotation at the start (rad), clockwise positive, in size below the rotation of overturning; 0 unless
    /// stated.
    #[serde(default)]
    pub tilt_rad: f64,
    /// Angular velocity at the start (rad/s), clockwise positive; 0 unless stated.
    #[serde(default)]
    pub angular_velocity_rad_s: f64,
    /// Equation of motion; `nonlinear` unless stated.
    #[serde(default)]
    pub equation: Equation,
    /// Time between two rows of the history (s), above 0.
    #[serde(default = "interval")]
    pub sample_s: f64,
    /// Friction coefficient between block and base, above 0. If it is stated, the block can slide and jump; if it is
    /// not stated, the block does neither.
    #[serde(default)]
    pub friction: Option<f64>,
    /// Friction coefficient of a foot at rest, at least `friction`; equal to `friction` unless stated.
    #[serde(default)]
    pub friction_at_rest: Option<f64>,
    /// Engine. Unless stated, it is `slide_rock` if `friction` is stated and the equation is nonlinear, and otherwise
    /// `no_slip`. The results of `no_slip` state when the block would slide or jump.
    #[serde(default)]
    pub engine: Option<Engine>,
    /// Restrainers, up to four: anchors, bolts, cables or bars. They need the nonlinear equation. Without this key
    /// there are no restrainers.
    #[serde(default)]
    pub restrainers: Vec<Restrainer>,
    /// A compliant base in place of a rigid base. It needs the nonlinear equation, and there is no restitution; the
    /// result names this model `compliant_base` unless the block can slide. Without this key the base is rigid.
    #[serde(default)]
    pub base: Option<Base>,
    /// Angle by which the base falls to the right (rad), between -π/2 and π/2; 0 unless stated. On a tilted base
    /// rotation, slip and restrainers are those relative to the base, and the motions of the base stay horizontal and
    /// vertical. A tilted base requires `friction` and the engine `slide_rock`, and no `base`.
    #[serde(default)]
    pub base_tilt_rad: f64,
    /// Mass (kg), above 0. It is required with `restrainers` or `base`. In a scene without these two keys the mass is
    /// refused, because the motion does not depend on the mass.
    #[serde(default)]
    pub mass_kg: Option<f64>,
}

fn interval() -> f64 {
    0.005
}
