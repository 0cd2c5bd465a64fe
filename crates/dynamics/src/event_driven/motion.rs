//! Where a run stands, and when it ends.

use crate::{EnergyLedger, State};

/// When to stop, and below which speeds motion is simplified.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Maximum time (s); may be infinite.
    pub time: f64,
    /// Maximum number of steps: flights, impacts and contact phases together.
    pub steps: usize,
    /// Normal-velocity cutoff (m/s): a slower impact does not rebound.
    pub normal_velocity: f64,
    /// Stopped-velocity cutoff (m/s): a body whose contacts can hold it is at rest once all its points are slower.
    pub stopped_velocity: f64,
}

impl Default for Limits {
    /// One hour, a million steps, 1e-4 m/s and 1e-6 m/s.
    fn default() -> Self {
        Self {
            time: 3600.0,
            steps: 1_000_000,
            normal_velocity: 1e-4,
            stopped_velocity: 1e-6,
        }
    }
}

/// A body on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Time since the start (s).
    pub time: f64,
    /// State now.
    pub state: State,
    /// Sums of the energy audits.
    pub energy: EnergyLedger,
    /// Flights, impacts and contact phases so far.
    pub steps: usize,
    /// Impacts whose contact problem missed its tolerance.
    pub unconverged: usize,
    /// Short steps of the velocity-level scheme where the acceleration problem had no usable answer.
    pub jams: usize,
    /// Contact phases in a row that went nowhere.
    pub(super) stalled: usize,
}

impl Motion {
    /// A motion that begins with `state` at time 0.
    pub fn new(state: State) -> Self {
        Self {
            time: 0.0,
            state,
            energy: EnergyLedger::default(),
            steps: 0,
            unconverged: 0,
            jams: 0,
            stalled: 0,
        }
    }
}
