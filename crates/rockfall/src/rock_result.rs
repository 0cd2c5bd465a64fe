//! What is known of one rock at its end.

use super::cell_statistics::CellVisit;
use super::collector::Passage;
use super::stop::Outcome;
use glam::{DQuat, DVec3};

/// The result of one rock.
#[derive(Debug, Clone, PartialEq)]
pub struct RockResult {
    /// How it ended.
    pub outcome: Outcome,
    /// Number of its source.
    pub source: usize,
    /// Its rank in the run, with all sources taken in step: what "the first hundred rocks" means.
    pub rank: u64,
    /// Annual frequency it stands for (1/a).
    pub weight: f64,
    /// Number of its group of shapes in the source.
    pub group: usize,
    /// Mass (kg).
    pub mass: f64,
    /// Volume (m³).
    pub volume: f64,
    /// Attitude at release.
    pub attitude: DQuat,
    /// Number of the set of ground parameters that it ran on; 0 where the ground has one.
    pub set: u32,
    /// Greatest speed of the mass centre on the way (m/s).
    pub greatest_speed: f64,
    /// Greatest kinetic energy (J).
    pub greatest_energy: f64,
    /// Greatest height of the mass centre over the ground in flight (m).
    pub greatest_height: f64,
    /// Mass centre at release (m), local coordinates.
    pub start: DVec3,
    /// Mass centre at the end (m), local coordinates.
    pub end: DVec3,
    /// Time from release to end (s).
    pub time: f64,
    /// Collectors met, in order.
    pub passages: Vec<Passage>,
    /// Cells met.
    pub visits: Vec<CellVisit>,
    /// Whether it was released where there is no ground.
    pub off_map: bool,
    /// Whether it was released below the ground.
    pub below_ground: bool,
    /// Whether it would have started in the ground and was raised to stand on it.
    pub raised: bool,
    /// Contact problems that missed their tolerance (rigid engine).
    pub unconverged: u32,
    /// Impacts whose law makes energy, refused or not (rigid engine).
    pub energy_gains: u32,
    /// Stretches of sustained contact in which energy rose, as [`crate::rigid::RigidTally`] counts them (rigid engine).
    pub energy_rises: u32,
    /// Potential energy given by taking it out of ground into which a step had put it (J; rigid engine).
    pub lifted: f64,
    /// Part that this is of its largest kinetic energy (rigid engine).
    pub lifted_part: f64,
    /// Energy taken by impacts in which the ground yielded (J; rigid engine).
    pub dug: f64,
    /// Greatest depth to which such an impact went (m; rigid engine).
    pub depth: f64,
    /// Steps taken without a load because nothing else moved the rock on (rigid engine).
    pub forced: u32,
    /// Whether it stopped because it only swung in place (rigid engine).
    pub swinging: bool,
    /// Edges passed as smooth ground because their kink is below the vertical resolution of the ground (lumped mass).
    pub unresolved_edges: u32,
    /// Kinetic energy lost in impacts (J; lumped mass).
    pub impact_loss: f64,
    /// Of this, in impacts whose normal speed the vertical resolution leaves open by a tenth or more (J).
    pub unresolved_loss: f64,
}

impl RockResult {
    /// Whether it came to rest or is held.
    pub(crate) fn settles(&self) -> bool {
        matches!(self.outcome, Outcome::Stopped | Outcome::Caught { .. })
    }

    /// Distance in plan from release to end (m).
    pub fn runout(&self) -> f64 {
        (self.end - self.start).truncate().length()
    }
}

/// The lists of a result, which go on to a later one once it has been added up.
pub(crate) type Lists = (Vec<Passage>, Vec<CellVisit>);
