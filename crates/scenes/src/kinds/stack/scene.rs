//! The scene of one motion of a stack.

use anyhow::{Result, bail};
use klast_rocking::stack::{ContactOptions, StackOptions};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::duration::Duration;
use crate::common::gravity::Gravity;
use crate::common::motion::Motion;
use crate::common::stack::{Block, Restitution};

/// A scene of kind `stack`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The blocks, from the base upwards: one to ten.
    pub blocks: Vec<Block>,
    /// Gravity (m/s²).
    #[serde(default)]
    pub gravity_m_s2: Gravity,
    /// Restitution on the base (no slip and Newmark).
    #[serde(default)]
    pub base_restitution: Restitution,
    /// Restitution between blocks (no slip and Newmark).
    #[serde(default)]
    pub restitution: Restitution,
    /// Horizontal motion of the base, positive to the right.
    #[serde(default)]
    pub horizontal: Motion,
    /// Vertical motion of the base, positive upwards.
    #[serde(default)]
    pub vertical: Motion,
    /// Duration (s).
    pub duration_s: Duration,
    /// Rotation of each block against the body below at the start (rad), clockwise positive; zero is a shut interface.
    #[serde(default)]
    pub relative_rotation_rad: Vec<f64>,
    /// Rates of the same (rad/s).
    #[serde(default)]
    pub relative_rate_rad_s: Vec<f64>,
    /// Engine; exact events without slip unless stated.
    #[serde(default)]
    pub engine: Engine,
    /// Interval of the history (s).
    #[serde(default = "interval")]
    pub sample_s: f64,
    /// Friction coefficient: the result says when the motion without slip would need more; only with that engine.
    #[serde(default)]
    pub friction: Option<f64>,
}

fn interval() -> f64 {
    0.005
}

/// What integrates the motion.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Engine {
    /// No sliding, no jumping, exact events.
    NoSlip {
        /// Largest neglected acceleration over g/H.
        #[serde(default = "tolerance")]
        tolerance: f64,
    },
    /// The same model by Newmark's scheme of a fixed step.
    Newmark {
        /// Time step (s).
        step_s: f64,
    },
    /// Polyhedra in space with Coulomb friction: sliding and jumping allowed.
    Contact(Contact),
}

/// Numbers of the engine with friction.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// Time step (s).
    pub step_s: f64,
    /// Depth of the blocks across the motion (m).
    pub depth_m: f64,
    /// Friction coefficient on the base.
    pub base_friction: f64,
    /// Friction coefficient between blocks.
    pub friction: f64,
    /// Newton's restitution on the base.
    #[serde(default)]
    pub base_restitution: f64,
    /// Newton's restitution between blocks.
    #[serde(default)]
    pub restitution: f64,
}

impl Contact {
    /// What the engine is told.
    #[must_use]
    pub fn options(self, run: &StackOptions) -> ContactOptions {
        ContactOptions {
            step: self.step_s,
            base_friction: self.base_friction,
            base_restitution: self.base_restitution,
            restitution: self.restitution,
            sampling: run.sampling,
            ..ContactOptions::new(run.end, self.friction, self.depth_m)
        }
    }
}

impl Engine {
    /// The friction of the scene asks for the forces of a motion without slip: another engine would take no notice.
    ///
    /// # Errors
    /// A friction beside an engine that has no use for it.
    pub fn check_friction(&self, of_scene: Option<f64>) -> Result<()> {
        match self {
            _ if of_scene.is_none() => Ok(()),
            Self::NoSlip { .. } => Ok(()),
            Self::Newmark { .. } => {
                bail!(
                    "friction beside the engine newmark, which asks for no forces; accepted: with no_slip"
                )
            }
            Self::Contact(_) => bail!(
                "friction beside the engine contact, which has engine.friction and engine.base_friction; \
                 accepted: those, or friction with no_slip"
            ),
        }
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::NoSlip {
            tolerance: tolerance(),
        }
    }
}

/// Largest neglected acceleration over g/H unless stated.
pub fn tolerance() -> f64 {
    1e-11
}
