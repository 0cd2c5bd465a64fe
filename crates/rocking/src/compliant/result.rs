//! What a run on a compliant base gives.

use crate::block::Side;
use crate::force::ContactDemand;
use crate::planar::SlideRockEnergy;
use crate::restraint::RestrainerReport;

/// What became of a block on a compliant base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CompliantOutcome {
    /// No part of its base was ever lifted.
    Held,
    /// Its base was lifted; at the end its energy is too small to lift it again.
    Settled,
    /// At the end it has the energy to lift its base but, on a base at rest, not to overturn.
    Rocking,
    /// At the end it may still overturn: the base moves or the energy is enough.
    Undecided,
    /// It overturned to the side.
    Overturned(Side),
}

/// A sample of the history.
pub type CompliantSample = crate::planar::SlideRockSample;

/// Result of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct CompliantRun {
    /// Outcome of the block.
    pub outcome: CompliantOutcome,
    /// When an edge is first lifted (s).
    pub first_uplift: Option<f64>,
    /// Number of times an edge is lifted.
    pub uplifts: usize,
    /// Largest rotation in either direction (rad).
    pub largest_rotation: f64,
    /// Largest angular velocity in either direction (rad/s), at ends of steps.
    pub largest_velocity: f64,
    /// Largest settlement (m) of an edge.
    pub largest_settlement: f64,
    /// What the motion needs of the contact, and when the model ends.
    pub contact: ContactDemand,
    /// What each restrainer did, in the order given.
    pub restrainers: Vec<RestrainerReport>,
    /// Where the energy went; 0 is the block upright on springs without load.
    pub energy: SlideRockEnergy,
    /// History at the sample interval.
    pub samples: Vec<CompliantSample>,
    /// State at the end: time, rotation, angular velocity.
    pub end: (f64, f64, f64),
    /// Steps of the integration.
    pub steps: usize,
}
