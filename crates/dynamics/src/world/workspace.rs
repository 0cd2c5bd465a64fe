//! What is kept from step to step for its memory: a run continues with the same bits without it.

use super::broad_phase::BroadPhase;
use super::contacts::WorldContact;
use super::ends::Ends;
use super::energies::Energies;
use super::impact_run::ImpactRun;
use super::islands::Islands;
use super::kept::KeptPoint;
use super::narrow_phase::PairWorkspace;
use super::newton_steps::NewtonSteps;

/// The buffers of a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Workspace {
    pub search: Search,
    /// Contacts of the step before.
    pub old_contacts: Vec<WorldContact>,
    pub old_kept: Vec<KeptPoint>,
    pub islands: Islands,
    pub newton_steps: NewtonSteps,
    pub impacts: ImpactRun,
    pub ends: Ends,
    /// Energies at the start of the step.
    pub start: Energies,
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
