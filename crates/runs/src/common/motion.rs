//! Base motions of a scene.

use crate::bail;
use crate::error::{Context as _, Result};
use klast_ground_motion::{AccelerationUnit, Baseline, Component, DoublePulse, Frequency, Record};
use schemars::JsonSchema;
use serde::Deserialize;

use super::gravity::gravity;
use super::one;
use super::vertical::vertical_caution;
use crate::faults::Fault;
use crate::text::SceneText;
use klast_files::record::{ReadOptions, RecordComponent, RecordFile, RecordFormat};

/// One component of the motion of the base.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Motion {
    /// No motion.
    #[default]
    Rest,
    /// A constant acceleration for some time.
    Constant {
        /// Constant acceleration (m/s²), up to 1e8 in size; negative for the other direction.
        acceleration_m_s2: f64,
        /// Duration of the motion (s), above 0.
        duration_s: f64,
    },
    /// Sine waves of acceleration; with a phase of π/2 they are cosine waves.
    Waves {
        /// Amplitude of the acceleration (m/s²), up to 1e8.
        amplitude_m_s2: f64,
        /// Frequency (Hz), above 0.
        frequency_hz: f64,
        /// Phase at the start (rad); 0 is a sine, π/2 a cosine.
        #[serde(default)]
        phase_rad: f64,
        /// Number of waves, above 0; fractions are allowed.
        #[serde(default = "one")]
        waves: f64,
    },
    /// A harmonic acceleration that lasts as long as the simulation.
    Lasting {
        /// Amplitude of the acceleration (m/s²), up to 1e8.
        amplitude_m_s2: f64,
        /// Frequency (Hz), above 0.
        frequency_hz: f64,
        /// Phase at the start (rad); 0 is a sine, π/2 a cosine.
        #[serde(default)]
        phase_rad: f64,
    },
    /// Motion of a base on a track: an impact starts the motion, friction brakes it, and the base hits a stopper and
    /// slides back.
    DoublePulse {
        /// Velocity of the base after the first impact (m/s), above 0.
        peak_velocity_m_s: f64,
        /// Duration of each impact (s), above 0.
        rise_time_s: f64,
        /// Distance from the base to the stopper (m), above 0.
        gap_m: f64,
        /// Velocity after the impact on the stopper over the velocity before, 0 to 1.
        restitution: f64,
        /// Friction coefficient of the base on its track, above 0.
        friction: f64,
        /// Acceleration of gravity (m/s²), above 0; 9.81 unless stated.
        #[serde(default = "gravity")]
        gravity_m_s2: f64,
    },
    /// A record. Accepted formats are PEER AT2, two columns of time and acceleration, values at equal steps,
    /// K-NET/KiK-net, ESM/ITACA, CSMIP/CESMD V1 and V2, COSMOS, GeoNet V1A/V2A, ObsPy SLIST and TSPAIR. klast
    /// recognises the format by the content of the file. Of any other table the keys `acceleration_column` and
    /// `time_column` read the columns.
    Record {
        /// Path of the file, relative to the folder of the scene.
        file: String,
        /// Unit of the record. It is required if the file does not state its unit.
        #[serde(default)]
        unit: Option<Unit>,
        /// Value of g (m/s²) for a record whose unit is g, above 0; the standard value 9.80665 unless stated.
        #[serde(default)]
        gravity_m_s2: Option<f64>,
        /// Time step of the record (s), above 0. It is required if the file has values but no times.
        #[serde(default)]
        step_s: Option<f64>,
        /// Column of the times of a table that klast does not recognise: its name above the numbers, or its number
        /// from 1.
        #[serde(default)]
        time_column: Option<String>,
        /// Column of the accelerations of such a table: its name above the numbers, or its number from 1.
        #[serde(default)]
        acceleration_column: Option<String>,
        /// Name of the component in the file. It is required for a file with several components.
        #[serde(default)]
        component: Option<String>,
        /// Factor by which the record is multiplied. The peak of the product is at most 1e8 m/s². A negative factor
        /// reverses the sign of the record (its polarity).
        #[serde(default = "one")]
        scale: f64,
    },
}

/// Largest acceleration (m/s²) that is one: a million times that of the strongest records.
const MAX_ACCELERATION: f64 = 1e8;

/// Unit of a record.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub enum Unit {
    /// Multiples of g: 9.80665 m/s² unless the key `gravity_m_s2` beside `unit` states another value.
    #[serde(rename = "g")]
    StandardGravity,
    /// m/s².
    #[serde(rename = "m_s2")]
    Metre,
    /// cm/s².
    #[serde(rename = "cm_s2")]
    Centimetre,
    /// mm/s².
    #[serde(rename = "mm_s2")]
    Millimetre,
}

impl From<Unit> for AccelerationUnit {
    fn from(unit: Unit) -> Self {
        match unit {
            Unit::StandardGravity => Self::StandardGravity,
            Unit::Metre => Self::MetrePerSecondSquared,
            Unit::Centimetre => Self::CentimetrePerSecondSquared,
            Unit::Millimetre => Self::MillimetrePerSecondSquared,
        }
    }
}

impl Motion {
    /// The component; files are read from the folder of the scene.
    pub fn build(&self, scene: &SceneText) -> Result<Component> {
        let component = self.component(scene)?;
        let peak = component.peak_acceleration();
        crate::ensure!(
            peak <= MAX_ACCELERATION,
            "a motion of {peak:e} m/s² at its peak; accepted: up to {MAX_ACCELERATION:e}"
        );
        Ok(component)
    }

    fn component(&self, scene: &SceneText) -> Result<Component> {
        let tau = std::f64::consts::TAU;
        Ok(match self {
            Self::Rest => Component::at_rest(),
            Self::Constant {
                acceleration_m_s2,
                duration_s,
            } => Component::constant(*acceleration_m_s2, *duration_s)?,
            Self::Waves {
                amplitude_m_s2,
                frequency_hz,
                phase_rad,
                waves,
            } => Component::waves(
                *amplitude_m_s2,
                Frequency::rad_per_s(tau * frequency_hz),
                *phase_rad,
                *waves,
            )?,
            Self::Lasting {
                amplitude_m_s2,
                frequency_hz,
                phase_rad,
            } => Component::harmonic(
                *amplitude_m_s2,
                Frequency::rad_per_s(tau * frequency_hz),
                *phase_rad,
                f64::INFINITY,
            )?,
            Self::DoublePulse {
                peak_velocity_m_s,
                rise_time_s,
                gap_m,
                restitution,
                friction,
                gravity_m_s2,
            } => DoublePulse {
                peak_velocity: *peak_velocity_m_s,
                rise_time: *rise_time_s,
                gap: *gap_m,
                restitution: *restitution,
                friction: *friction,
                gravity: *gravity_m_s2,
            }
            .component()?,
            Self::Record {
                file,
                unit,
                gravity_m_s2,
                step_s,
                time_column,
                acceleration_column,
                component,
                scale,
            } => {
                let options = ReadOptions {
                    time_column: time_column.clone(),
                    acceleration_column: acceleration_column.clone(),
                    ..reading(file, *unit, *gravity_m_s2, *step_s)?
                };
                let read = record_file(scene, file, &options)?;
                let found = read
                    .component(component.as_deref())
                    .with_context(|| file.clone())?;
                scene.note(told(file, read.format, found)?);
                for remark in record_remarks(file, &read, &found.record)? {
                    scene.note(remark);
                }
                found.record.component(*scale)?
            }
        })
    }

    /// What the reader has to know of a record: what was assumed, and its baseline.
    pub fn remarks(&self, scene: &SceneText) -> Result<Vec<String>> {
        let Self::Record {
            file,
            unit,
            gravity_m_s2,
            step_s,
            time_column,
            acceleration_column,
            component,
            ..
        } = self
        else {
            return Ok(Vec::new());
        };
        let options = ReadOptions {
            time_column: time_column.clone(),
            acceleration_column: acceleration_column.clone(),
            ..reading(file, *unit, *gravity_m_s2, *step_s)?
        };
        let read = record_file(scene, file, &options)?;
        let found = read
            .component(component.as_deref())
            .with_context(|| file.clone())?;
        record_remarks(file, &read, &found.record)
    }
}

impl Motion {
    /// What a reader has to know of a record that moves the base horizontally and is vertical by its name; a component
    /// that the scene names is meant.
    pub fn vertical_caution(&self) -> Option<String> {
        match self {
            Self::Record {
                file,
                component: None,
                ..
            } => vertical_caution(file, ""),
            _ => None,
        }
    }
}

/// What a reader has to know of the velocity that is left at the end of a record, if it is too much.
#[must_use]
pub fn baseline_remark(baseline: &Baseline) -> Option<String> {
    (!baseline.is_acceptable()).then(|| {
        format!(
            "velocity at the end {:.3} m/s, {:.0} % of its peak: the record was cut or its baseline not corrected",
            baseline.final_velocity,
            100.0 * baseline.velocity_ratio
        )
    })
}

/// What a reader has to know of a component of a file: the remarks of its reader, and a baseline that is left.
pub fn record_remarks(file: &str, read: &RecordFile, record: &Record) -> Result<Vec<String>> {
    let mut remarks: Vec<String> = read
        .remarks
        .iter()
        .map(|remark| format!("{file}: {remark}"))
        .collect();
    let told = baseline_remark(&record.baseline()?);
    remarks.extend(told.map(|told| format!("{file}: {told}")));
    Ok(remarks)
}

/// One line of what was understood of a component.
pub fn told(file: &str, format: RecordFormat, component: &RecordComponent) -> Result<String> {
    let summary = component.record.summary_at(&[])?;
    let name = if component.name.is_empty() {
        String::new()
    } else {
        format!(", {}", component.name)
    };
    Ok(format!(
        "{file} ({}{name}): {} samples, {:.3} s, step {:.6} s, PGA {:.4} m/s², PGV {:.4} m/s, PGD {:.4} m, Arias {:.4} m/s, D5-95 {:.2} s",
        format.name(),
        summary.samples,
        summary.length,
        summary.step.0,
        summary.pga,
        summary.pgv,
        summary.pgd,
        summary.arias,
        summary.significant_duration()
    ))
}

/// What the reader has to know of several motions.
pub fn remarks<'a>(
    scene: &SceneText,
    motions: impl IntoIterator<Item = &'a Motion>,
) -> Result<Vec<String>> {
    let told = motions.into_iter().map(|motion| motion.remarks(scene));
    Ok(told
        .collect::<Result<Vec<_>>>()?
        .into_iter()
        .flatten()
        .collect())
}

/// What is known beside a file.
pub fn reading(
    file: &str,
    unit: Option<Unit>,
    gravity: Option<f64>,
    step: Option<f64>,
) -> Result<ReadOptions> {
    let unit = match (unit, gravity) {
        (None | Some(Unit::StandardGravity), Some(g)) if g > 0.0 && g.is_finite() => {
            Some(AccelerationUnit::Gravity(g))
        }
        (_, Some(g)) => {
            let fault = Fault::new("gravity_m_s2", format!("{g} of {file}"));
            bail!(fault.accepted("above 0, for a record in g"))
        }
        (unit, None) => unit.map(AccelerationUnit::from),
    };
    Ok(ReadOptions {
        unit,
        step,
        ..ReadOptions::default()
    })
}

/// A file of records that a scene names.
pub fn record_file(scene: &SceneText, file: &str, options: &ReadOptions) -> Result<RecordFile> {
    let name = scene.path(file).display().to_string();
    RecordFile::read(&scene.read_bytes(file)?, options).with_context(|| name)
}
