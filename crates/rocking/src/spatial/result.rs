//! What a run in space gives: of one body, and of a column.

use glam::{DVec2, DVec3};

/// A sample of the history.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialSample {
    /// Time (s).
    pub time: f64,
    /// Tilt of the axis (rad).
    pub tilt: f64,
    /// Direction of the lean, from x to y (rad); 0 when upright.
    pub azimuth: f64,
    /// Turn about the axis (rad), by the split of the attitude into a tilt and a turn.
    pub turn: f64,
    /// Angular velocity (rad/s), world axes.
    pub angular_velocity: DVec3,
    /// Way of the centre of the base along the base since the start (m).
    pub slip: DVec2,
}

/// What became of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpatialOutcome {
    /// It never tilted by more than a part in 10⁶ of its critical tilt.
    Rest,
    /// It rocked and stands at the end with less energy than a part in 10⁶ of what overturns it.
    Settled,
    /// It stands alone and still rocks or rolls at the end, on a base that has come to rest and with less energy than
    /// it takes to overturn, which nothing adds to any more.
    Wobbling,
    /// It still rocks at the end.
    Rocking,
    /// It overturned.
    Overturned {
        /// Time (s).
        time: f64,
        /// Direction it fell to, from x to y (rad).
        azimuth: f64,
    },
}

/// The energy of a run (J), relative to the ground.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SpatialEnergy {
    /// Kinetic and potential energy at the start.
    pub start: f64,
    /// At the end.
    pub end: f64,
    /// Work of the moving base.
    pub base_work: f64,
    /// Lost in contacts: friction and impacts.
    pub contacts: f64,
    /// Lost by the scheme.
    pub scheme: f64,
    /// Added by taking overlap away.
    pub overlap: f64,
    /// Made in steps that gained energy.
    pub gained: f64,
    /// What is left of the balance.
    pub imbalance: f64,
}

/// Result of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct SpatialRun {
    /// What became of the body.
    pub outcome: SpatialOutcome,
    /// Largest tilt (rad).
    pub largest_tilt: f64,
    /// Largest ratio of the tilt to the critical tilt of its direction.
    pub largest_ratio: f64,
    /// Tilt at the end (rad).
    pub residual_tilt: f64,
    /// Turn about the axis at the end (rad).
    pub residual_turn: f64,
    /// Way of the centre of the base at the end (m).
    pub residual_slip: DVec2,
    /// Largest way of the centre of the base, over all steps (m).
    pub largest_slip: f64,
    /// End (s) of the first step in which the base carried nothing.
    pub first_jump: Option<f64>,
    /// Where the energy went.
    pub energy: SpatialEnergy,
    /// Steps whose contacts were not solved to the tolerance.
    pub unconverged: usize,
    /// History at the sample interval.
    pub samples: Vec<SpatialSample>,
    /// Time reached (s).
    pub end_time: f64,
}

/// What one body of a column did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DrumMotion {
    /// Largest tilt of its axis to the vertical (rad).
    pub largest_tilt: f64,
    /// Largest ratio of the tilt to the critical tilt, that way, of the body with all that it carries.
    pub largest_ratio: f64,
    /// Tilt at the end (rad).
    pub residual_tilt: f64,
    /// Turn about its axis at the end (rad).
    pub residual_turn: f64,
    /// Way of the centre of its base since the start on what it stands on (m): in the axes of the body below, or of the
    /// moving base.
    pub residual_offset: DVec2,
    /// Largest length of that way (m).
    pub largest_offset: f64,
}

/// Result of a simulation of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct SpatialColumnRun {
    /// What became of the column; it has overturned when one of its bodies has.
    pub outcome: SpatialOutcome,
    /// The body that overturned or came off, from 0 at the base.
    pub fallen: Option<usize>,
    /// The bodies, from the base upwards.
    pub drums: Vec<DrumMotion>,
    /// End (s) of the first step in which an interface carried nothing.
    pub first_jump: Option<f64>,
    /// Where the energy went.
    pub energy: SpatialEnergy,
    /// Steps whose contacts were not solved to the tolerance.
    pub unconverged: usize,
    /// History at the sample interval: the bodies from the base upwards.
    pub samples: Vec<Vec<SpatialSample>>,
    /// Time reached (s).
    pub end_time: f64,
}

impl From<SpatialColumnRun> for SpatialRun {
    /// Of a column of one.
    fn from(run: SpatialColumnRun) -> Self {
        let body = run.drums.first().copied().unwrap_or_default();
        Self {
            outcome: run.outcome,
            largest_tilt: body.largest_tilt,
            largest_ratio: body.largest_ratio,
            residual_tilt: body.residual_tilt,
            residual_turn: body.residual_turn,
            residual_slip: body.residual_offset,
            largest_slip: body.largest_offset,
            first_jump: run.first_jump,
            energy: run.energy,
            unconverged: run.unconverged,
            samples: run.samples.into_iter().flatten().collect(),
            end_time: run.end_time,
        }
    }
}
