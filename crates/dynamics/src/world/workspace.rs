//! What is kept from step to step for its memory, and no answer depends on.

use super::broad_phase::BroadPhase;
use super::contacts::{PairWorkspace, WorldContact};
use super::impact_run::ImpactRun;
use super::islands::Islands;
use crate::Twist;
use klast_geometry::Pose;

/// The buffers of a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Workspace {
    pub search: Search,
    /// Contacts of the step before.
    pub old_contacts: Vec<WorldContact>,
    pub islands: Islands,
    pub impacts: ImpactRun,
    pub ends: Ends,
}

/// What looks for contacts.
#[derive(Debug, Clone, Default)]
pub(super) struct Search {
    pub broad: BroadPhase,
    /// One for each task of the narrow phase.
    pub tasks: Vec<PairWorkspace>,
    /// Largest overlap of each member in the last step (m).
    pub overlap: Vec<f64>,
}

/// Velocities and poses at the end of a step, of all members.
#[derive(Debug, Clone, Default)]
pub(super) struct Ends {
    /// Velocities if there were no contacts; given ones of what is driven.
    pub free: Vec<Twist>,
    pub after: Vec<Twist>,
    /// Poses before overlap is taken out.
    pub poses: Vec<Pose>,
}
