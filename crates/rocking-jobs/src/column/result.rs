//! What the motion of a column gives.

use klast_rocking::spatial::{
    SpatialColumn, SpatialColumnRun, SpatialMotion, SpatialOutcome, SpatialSample,
};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Serialize;

use klast_runs::answer::Answer;
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;

/// The results of a scene of kind `column`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// State of the drums over time: the rows of `history.csv`.
    pub history: Vec<Sample>,
}

/// Outcome of a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// No drum tilted or slid by more than a millionth of its critical tilt or of its height.
    #[default]
    Rest,
    /// The drums rocked or slid; at the end they stand at rest.
    Settled,
    /// The one body still rocks or rolls at the end, on a base that has come to rest and with less energy than it takes
    /// to overturn: it stands.
    Wobbling,
    /// The drums still move at the end.
    Rocking,
    /// A drum overturned or came off the drum below.
    Overturned,
}

impl Outcome {
    /// Its name in `result.json`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Settled => "settled",
            Self::Wobbling => "wobbling",
            Self::Rocking => "rocking",
            Self::Overturned => "overturned",
        }
    }
}

impl From<SpatialOutcome> for Outcome {
    fn from(outcome: SpatialOutcome) -> Self {
        match outcome {
            SpatialOutcome::Rest => Self::Rest,
            SpatialOutcome::Settled => Self::Settled,
            SpatialOutcome::Wobbling => Self::Wobbling,
            SpatialOutcome::Rocking => Self::Rocking,
            SpatialOutcome::Overturned { .. } => Self::Overturned,
        }
    }
}

/// Outcome of the column.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Summary {
    /// Outcome of the column.
    pub outcome: Outcome,
    /// Number of the lowest drum that overturned or came off the drum below, from 1 at the base; null if all drums
    /// stand.
    pub fallen_drum: Option<usize>,
    /// Time at which the drum `fallen_drum` overturned or came off the drum below (s); null if all drums stand.
    pub overturned_time_s: Option<f64>,
    /// Direction of the fall, measured from x towards y (rad); null if all drums stand.
    pub overturned_azimuth_rad: Option<f64>,
    /// Largest tilt of a drum (rad).
    pub largest_tilt_rad: f64,
    /// Largest ratio, over all drums and times, of the tilt of a drum to its critical tilt in the direction of the
    /// tilt. The critical tilt is that of the drum together with all drums above it.
    pub largest_tilt_over_critical: f64,
    /// Largest offset of a drum at the end, relative to the drum or base below (m).
    pub largest_residual_offset_m: f64,
    /// Largest rotation of a drum about its axis at the end, without its sign (rad).
    pub largest_residual_rotation_rad: f64,
    /// The drums, from the base upwards.
    pub drums: Vec<DrumRow>,
    /// End of the first time step in which no force acted at an interface (s); null if there is none.
    pub first_jump_s: Option<f64>,
    /// Time at the end (s).
    pub end_time_s: f64,
    /// Time step (s).
    pub step_s: f64,
    /// Results of the same motion with half of the time step; null if the scene switches this second simulation off.
    pub half_step: Option<FinerRun>,
    /// Results of the same motion with twice as many points of each circle; null if there is no round drum, or if the
    /// scene switches the second simulations off with `half_step`.
    pub twice_the_sides: Option<FinerRun>,
    /// Terms of the energy balance.
    pub energy: Energy,
    /// Number of unconverged steps.
    pub steps_not_converged: usize,
    /// Remarks on the motions.
    pub remarks: Vec<String>,
}

/// Results of the same motion, computed with half of the time step or with twice as many points.
#[derive(Debug, Clone, Copy, Default, Serialize, JsonSchema)]
pub struct FinerRun {
    /// Outcome of the column.
    pub outcome: Outcome,
    /// Time at which the column overturned (s); null if it did not.
    pub overturned_time_s: Option<f64>,
    /// Largest tilt of a drum (rad).
    pub largest_tilt_rad: f64,
    /// Largest ratio of the tilt of a drum to the critical tilt.
    pub largest_tilt_over_critical: f64,
    /// Largest offset of a drum at the end, relative to the drum or base below (m).
    pub largest_residual_offset_m: f64,
    /// Number of unconverged steps.
    pub steps_not_converged: usize,
    /// Number of time steps.
    #[serde(skip)]
    pub steps: f64,
}

impl FinerRun {
    /// Of a run with steps of so many seconds.
    fn of(run: &SpatialColumnRun, step: f64) -> Self {
        Self {
            outcome: run.outcome.into(),
            overturned_time_s: overturned(run.outcome).map(|(time, _)| time),
            largest_tilt_rad: largest(run, |d| d.largest_tilt),
            largest_tilt_over_critical: largest(run, |d| d.largest_ratio),
            largest_residual_offset_m: largest(run, |d| d.residual_offset.length()),
            steps_not_converged: run.unconverged,
            steps: run.end_time / step,
        }
    }
}

/// Terms of the energy balance from start to end.
#[derive(Debug, Clone, Copy, Default, Serialize, JsonSchema)]
pub struct Energy {
    /// Boundary work: work of the base (J).
    pub base_work_j: f64,
    /// Energy dissipated by contacts: friction and impacts (J).
    pub contact_loss_j: f64,
    /// Energy dissipated by the time steps (J).
    pub scheme_loss_j: f64,
    /// Stabilisation work (J): work of the removal of overlaps.
    pub overlap_j: f64,
    /// Kinetic and potential energy at the end, less the same energy at the start (J).
    pub change_j: f64,
    /// Energy residual (J): the change of energy, less boundary work and stabilisation work, plus both dissipated
    /// energies. It is zero up to rounding and the tolerance of the solver.
    pub imbalance_j: f64,
}

/// Results of one drum.
#[derive(Debug, Clone, Copy, Default, Serialize, JsonSchema)]
pub struct DrumRow {
    /// Number of the drum, from 1 at the base.
    pub drum: usize,
    /// Critical tilt (rad): tilt at which the drum, together with all drums above it, overturns about the nearest edge.
    /// This is an edge or the circle of the base of the drum, or of the top of the drum below if that top is narrower.
    pub critical_tilt_rad: f64,
    /// Largest tilt (rad).
    pub largest_tilt_rad: f64,
    /// Largest ratio of the tilt to the critical tilt in the direction of the tilt.
    pub largest_tilt_over_critical: f64,
    /// Tilt at the end (rad).
    pub residual_tilt_rad: f64,
    /// Rotation about its axis at the end (rad).
    pub residual_rotation_rad: f64,
    /// Offset at the end along x, relative to the drum or base below (m).
    pub residual_offset_x_m: f64,
    /// Offset at the end along y, relative to the drum or base below (m).
    pub residual_offset_y_m: f64,
    /// Largest offset relative to the drum or base below (m).
    pub largest_offset_m: f64,
}

/// The drums at one time, from the base upwards.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Sample {
    /// Time t (s).
    pub time_s: f64,
    /// Tilt of each drum (rad).
    pub tilt_rad: Vec<f64>,
    /// Direction of the tilt of each drum, from x towards y (rad).
    pub azimuth_rad: Vec<f64>,
    /// Rotation of each drum about its axis (rad).
    pub rotation_rad: Vec<f64>,
    /// Offset of each drum along x, relative to the drum or base below (m).
    pub offset_x_m: Vec<f64>,
    /// Offset of each drum along y, relative to the drum or base below (m).
    pub offset_y_m: Vec<f64>,
    /// Acceleration of the base along x, y and z (m/s²).
    pub base_acceleration_m_s2: Vec<f64>,
}

/// When and to which direction it overturned.
fn overturned(outcome: SpatialOutcome) -> Option<(f64, f64)> {
    match outcome {
        SpatialOutcome::Overturned { time, azimuth } => Some((time, azimuth)),
        _ => None,
    }
}

/// The largest of a quantity over the drums.
fn largest(run: &SpatialColumnRun, of: impl Fn(&klast_rocking::spatial::DrumMotion) -> f64) -> f64 {
    run.drums.iter().map(of).fold(0.0, f64::max)
}

impl Results {
    /// The results of a run at a step (s), and of one at half of it and one with twice the points.
    #[must_use]
    pub fn of(
        (column, motion): (&SpatialColumn, &SpatialMotion),
        (run, step): (&SpatialColumnRun, f64),
        half: Option<&SpatialColumnRun>,
        rounder: Option<&SpatialColumnRun>,
    ) -> Self {
        let (time, azimuth) = overturned(run.outcome).unzip();
        let drums = run.drums.iter().enumerate().map(|(k, drum)| DrumRow {
            drum: k + 1,
            critical_tilt_rad: column.least_critical_tilt(k),
            largest_tilt_rad: drum.largest_tilt,
            largest_tilt_over_critical: drum.largest_ratio,
            residual_tilt_rad: drum.residual_tilt,
            residual_rotation_rad: drum.residual_turn,
            residual_offset_x_m: drum.residual_offset.x,
            residual_offset_y_m: drum.residual_offset.y,
            largest_offset_m: drum.largest_offset,
        });
        let energy = run.energy;
        let summary = Summary {
            outcome: run.outcome.into(),
            fallen_drum: run.fallen.map(|k| k + 1),
            overturned_time_s: time,
            overturned_azimuth_rad: azimuth,
            largest_tilt_rad: largest(run, |d| d.largest_tilt),
            largest_tilt_over_critical: largest(run, |d| d.largest_ratio),
            largest_residual_offset_m: largest(run, |d| d.residual_offset.length()),
            largest_residual_rotation_rad: largest(run, |d| d.residual_turn.abs()),
            drums: drums.collect(),
            first_jump_s: run.first_jump,
            end_time_s: run.end_time,
            step_s: step,
            half_step: half.map(|half| FinerRun::of(half, 0.5 * step)),
            twice_the_sides: rounder.map(|rounder| FinerRun::of(rounder, step)),
            energy: Energy {
                base_work_j: energy.base_work,
                contact_loss_j: energy.contacts,
                scheme_loss_j: energy.scheme,
                overlap_j: energy.overlap,
                change_j: energy.end - energy.start,
                imbalance_j: energy.imbalance,
            },
            steps_not_converged: run.unconverged,
            remarks: Vec::new(),
        };
        let history = run.samples.iter().map(|drums| sample(drums, motion));
        Self {
            summary,
            history: history.collect(),
        }
    }

    /// The same with remarks on the motions.
    #[must_use]
    pub fn with(mut self, remarks: &[String]) -> Self {
        self.summary.remarks = remarks.to_vec();
        self
    }
}

fn sample(drums: &[SpatialSample], motion: &SpatialMotion) -> Sample {
    let time = drums.first().map_or(0.0, |drum| drum.time);
    let of = |value: fn(&SpatialSample) -> f64| drums.iter().map(value).collect();
    let components = motion.components.iter();
    Sample {
        time_s: time,
        tilt_rad: of(|d| d.tilt),
        azimuth_rad: of(|d| d.azimuth),
        rotation_rad: of(|d| d.turn),
        offset_x_m: of(|d| d.slip.x),
        offset_y_m: of(|d| d.slip.y),
        base_acceleration_m_s2: components.map(|c| c.acceleration(time)).collect(),
    }
}

impl KindResults for Results {
    type Summary = Summary;

    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn verdict(&self) -> Answer {
        self.answer()
    }

    fn write_tables(&self, files: &mut dyn Files) -> Result<()> {
        let none = vec![0.0; self.summary.drums.len()];
        let like = Sample {
            tilt_rad: none.clone(),
            azimuth_rad: none.clone(),
            rotation_rad: none.clone(),
            offset_x_m: none.clone(),
            offset_y_m: none,
            base_acceleration_m_s2: vec![0.0; 3],
            ..Sample::default()
        };
        files.table_like("history.csv", &like, &self.history)
    }
}
