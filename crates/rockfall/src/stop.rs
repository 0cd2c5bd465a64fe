//! When a rock is done, and how it ended.

use crate::RockfallError;
use crate::error::within;

/// Stop conditions, with the names RocFall gives them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StopConditions {
    /// Longest time a rock is followed (s).
    pub maximum_time: f64,
    /// Most events (impacts, changes of motion) or steps on the ground a rock may have.
    pub maximum_steps: u32,
    /// A rock on the ground slower than this, which friction holds, has stopped (m/s). A lumped mass that slides to
    /// rest within a facet does so exactly: for it this counts at edges.
    pub stopped_velocity_cutoff: f64,
    /// A rebound slower than this along the normal is no flight: the rock stays on the ground (m/s).
    pub normal_velocity_cutoff: f64,
}

impl Default for StopConditions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl StopConditions {
    /// Five minutes, 200,000 steps, 0.1 m/s and 0.1 m/s.
    pub const DEFAULT: Self = StopConditions {
        maximum_time: 300.0,
        maximum_steps: 200_000,
        stopped_velocity_cutoff: 0.1,
        normal_velocity_cutoff: 0.1,
    };

    /// Checks that every limit is a number that can be reached.
    pub fn validate(&self) -> Result<(), RockfallError> {
        within(
            "maximum_time",
            self.maximum_time,
            self.maximum_time > 0.0,
            "a finite time above 0 s",
        )?;
        within(
            "maximum_steps",
            f64::from(self.maximum_steps),
            self.maximum_steps > 0,
            "1 or more",
        )?;
        within(
            "stopped_velocity_cutoff",
            self.stopped_velocity_cutoff,
            self.stopped_velocity_cutoff >= 0.0,
            "0 m/s or more",
        )?;
        within(
            "normal_velocity_cutoff",
            self.normal_velocity_cutoff,
            self.normal_velocity_cutoff >= 0.0,
            "0 m/s or more",
        )
    }
}

/// How a rock ended. Every seeded rock has exactly one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// It came to rest on the ground.
    Stopped,
    /// It crossed the rim of the terrain, fell into missing data, or was released there.
    LeftMap,
    /// The time or the steps ran out.
    TimedOut,
    /// It stayed in one place on the ground, held up by what taking it out of the ground cost: its steps in contact are
    /// too long to say where it goes.
    Unresolved,
    /// A barrier holds it.
    Caught {
        /// Number of the barrier.
        barrier: u32,
    },
}
