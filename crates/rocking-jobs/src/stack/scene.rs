//! The scene of one motion of a stack.

use klast_runs::bail;
use klast_runs::error::Result;
use klast_stacks::{ContactOptions, StackOptions};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::stack::{Block, Restitution};
use klast_runs::common::duration::Duration;
use klast_runs::common::gravity::Gravity;
use klast_runs::common::motion::Motion;
use klast_runs::faults::Fault;

/// A scene of kind `stack`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The blocks, from the base upwards: one to a hundred.
    pub blocks: Vec<Block>,
    /// Acceleration of gravity (m/s²), above 0; 9.81 unless stated.
    #[serde(default)]
    pub gravity_m_s2: Gravity,
    /// Restitution at impacts on the base, for the engine `no_slip`; `housner` unless stated.
    #[serde(default)]
    pub base_restitution: Restitution,
    /// Restitution at impacts between blocks, for the engine `no_slip`; `housner` unless stated.
    #[serde(default)]
    pub restitution: Restitution,
    /// Horizontal motion of the base, positive to the right; no motion unless stated.
    #[serde(default)]
    pub horizontal: Motion,
    /// Vertical motion of the base, positive upwards; no motion unless stated.
    #[serde(default)]
    pub vertical: Motion,
    /// Duration of the motion (s), above 0.
    pub duration_s: Duration,
    /// Rotation of each block at the start, relative to the block or base below (rad), clockwise positive, below 4 in
    /// size. It is 0 unless stated: the interface is closed.
    #[serde(default)]
    pub relative_rotation_rad: Vec<f64>,
    /// Angular velocity of each block at the start, relative to the block or base below (rad/s), clockwise positive; 0
    /// unless stated.
    #[serde(default)]
    pub relative_rate_rad_s: Vec<f64>,
    /// Engine; `no_slip` unless stated.
    #[serde(default)]
    pub engine: Engine,
    /// Time between two rows of the history (s), above 0.
    #[serde(default = "interval")]
    pub sample_s: f64,
    /// Friction coefficient, 0 or more; only with the engine `no_slip`. It does not change the motion: the result
    /// compares it with the friction that the motion needs. Without this key there is no comparison.
    #[serde(default)]
    pub friction: Option<f64>,
}

fn interval() -> f64 {
    0.005
}

/// Engine that integrates the motion.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Engine {
    /// Blocks neither slide nor jump. The times of events are exact.
    NoSlip {
        /// Tolerance, above 0 and up to 1e-3: largest angular acceleration that is neglected, over g/H with the height
        /// H of the whole stack.
        #[serde(default = "tolerance")]
        tolerance: f64,
    },
    /// Blocks are polyhedra in space with Coulomb friction. They can slide and jump.
    Contact(Contact),
}

/// Parameters of the engine with friction.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// Time step (s), above 0.
    pub step_s: f64,
    /// Depth of the blocks across the motion (m), above 0.
    pub depth_m: f64,
    /// Friction coefficient between the lowest block and the base, 0 or more.
    pub base_friction: f64,
    /// Friction coefficient between two blocks, 0 or more.
    pub friction: f64,
    /// Coefficient of restitution on the base, 0 to 1.
    #[serde(default)]
    pub base_restitution: f64,
    /// Coefficient of restitution between two blocks, 0 to 1.
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
            Self::Contact(_) => bail!(
                Fault::new(
                    "friction",
                    "beside the engine contact, which has engine.friction and engine.base_friction"
                )
                .accepted("those, or friction with no_slip")
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
