//! What one motion of a rocking block gives.

use anyhow::Result;
use klast_rocking::{Event, Run, Side};
use schemars::JsonSchema;
use serde::Serialize;

use crate::files::{Files, FilesExt as _};

/// The results of a scene of kind `rocking`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// `result.json`.
    pub summary: Summary,
    /// `history.csv`.
    pub history: Vec<Sample>,
    /// `events.csv`.
    pub events: Vec<EventRow>,
}

/// What became of the block.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// What became of the block.
    pub outcome: Outcome,
    /// Impacts.
    pub impacts: usize,
    /// Time at the end of the run (s).
    pub end_time_s: f64,
    /// Time from which the block rests (s).
    pub rest_time_s: Option<f64>,
    /// Largest absolute rotation (rad).
    pub max_rotation_rad: f64,
    /// Largest absolute angular velocity (rad/s).
    pub max_angular_velocity_rad_s: f64,
    /// Peak acceleration of the horizontal motion (m/s²).
    pub pga_m_s2: f64,
    /// Peak velocity of the horizontal motion (m/s).
    pub pgv_m_s: f64,
    /// Their ratio (s).
    pub pgv_over_pga_s: Option<f64>,
    /// Whether the motion without slip holds, where it was asked for.
    pub no_slip: Option<NoSlip>,
    /// What the reader has to know of the motions.
    pub remarks: Vec<String>,
}

/// What became of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum Outcome {
    /// It never moved.
    #[serde(rename = "rest")]
    Rest,
    /// It came to rest.
    #[serde(rename = "settled")]
    Settled,
    /// It rocks at the end.
    #[serde(rename = "rocking")]
    Rocking,
    /// It fell to the right.
    #[serde(rename = "overturned right")]
    OverturnedRight,
    /// It fell to the left.
    #[serde(rename = "overturned left")]
    OverturnedLeft,
}

impl From<klast_rocking::Outcome> for Outcome {
    fn from(outcome: klast_rocking::Outcome) -> Self {
        match outcome {
            klast_rocking::Outcome::Rest => Self::Rest,
            klast_rocking::Outcome::Settled => Self::Settled,
            klast_rocking::Outcome::Rocking => Self::Rocking,
            klast_rocking::Outcome::Overturned(mode) if mode.side == Side::Right => {
                Self::OverturnedRight
            }
            klast_rocking::Outcome::Overturned(_) => Self::OverturnedLeft,
        }
    }
}

/// What the motion without slip needs of the ground.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct NoSlip {
    /// Friction coefficient of the scene.
    pub friction: Option<f64>,
    /// Friction coefficient that the motion needs; none where the ground would have to pull.
    pub needed_friction: Option<f64>,
    /// Least normal force over the weight.
    pub min_normal_over_weight: Option<f64>,
    /// Whether friction and weight are enough.
    pub holds: bool,
    /// When they first are not (s).
    pub first_violation_s: Option<f64>,
}

/// The state at one time.
#[derive(Debug, Clone, Copy, Default, Serialize, JsonSchema)]
pub struct Sample {
    /// Time (s).
    pub time_s: f64,
    /// Rotation, clockwise positive (rad).
    pub rotation_rad: f64,
    /// Angular velocity (rad/s).
    pub angular_velocity_rad_s: f64,
    /// Angular acceleration (rad/s²).
    pub angular_acceleration_rad_s2: f64,
}

/// One event.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct EventRow {
    /// Time (s).
    pub time_s: f64,
    /// `lift-off`, `impact`, `rest` or `overturned`.
    pub event: &'static str,
    /// Corner: `left` or `right`.
    pub corner: Option<&'static str>,
    /// Angular velocity before an impact (rad/s).
    pub velocity_before_rad_s: Option<f64>,
    /// Angular velocity after it (rad/s).
    pub velocity_after_rad_s: Option<f64>,
}

fn side_name(side: Side) -> Option<&'static str> {
    Some(match side {
        Side::Right => "right",
        Side::Left => "left",
    })
}

impl From<&Event> for EventRow {
    fn from(event: &Event) -> Self {
        match *event {
            Event::LiftOff { time, side } => Self {
                time_s: time,
                event: "lift-off",
                corner: side_name(side),
                ..Self::default()
            },
            Event::Impact {
                time,
                side,
                before,
                after,
            } => Self {
                time_s: time,
                event: "impact",
                corner: side_name(side),
                velocity_before_rad_s: Some(before),
                velocity_after_rad_s: Some(after),
            },
            Event::Rest { time } => Self {
                time_s: time,
                event: "rest",
                ..Self::default()
            },
            Event::Overturned { time, side } => Self {
                time_s: time,
                event: "overturned",
                corner: side_name(side),
                ..Self::default()
            },
        }
    }
}

impl Results {
    /// The tables of a run and its summary.
    #[must_use]
    pub fn of(run: &Run, summary: Summary) -> Self {
        let sample = |s: &klast_rocking::Sample| Sample {
            time_s: s.time,
            rotation_rad: s.rotation,
            angular_velocity_rad_s: s.angular_velocity,
            angular_acceleration_rad_s2: s.angular_acceleration,
        };
        Self {
            summary,
            history: run.samples.iter().map(sample).collect(),
            events: run.events.iter().map(EventRow::from).collect(),
        }
    }

    /// Writes the summary and the tables.
    ///
    /// # Errors
    /// If one cannot be written.
    pub fn write(&self, files: &mut dyn Files) -> Result<()> {
        files.json("result.json", &self.summary)?;
        files.table("history.csv", &self.history)?;
        files.table("events.csv", &self.events)
    }
}
