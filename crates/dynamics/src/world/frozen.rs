//! What the islands of a step read.

use super::contacts::WorldContact;
use super::newton_steps::NewtonSteps;
use super::state::WorldState;
use crate::Twist;

/// The start of a step, which no island changes.
pub(super) struct Frozen<'a> {
    pub state: &'a WorldState,
    pub contacts: &'a [WorldContact],
    /// Those of the step before.
    pub old: &'a [WorldContact],
    /// Velocities at the end of the step without contacts.
    pub free: &'a [Twist],
    /// Island of each body, and its place there.
    pub place: &'a [(u32, u32)],
    /// What the solutions before have taken in this step.
    pub newton_steps: &'a NewtonSteps,
}
