//! The scene of a sweep.

use klast_assembly::analysis::Parameter;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::row::Row;
use klast_runs::faults::{Fault, Faults};

/// A scene of kind `assembly_sweep`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Basin, drive, blocks and start. The drive is `harmonic`, or `waves` with a single wave: other drives are
    /// refused.
    pub row: Row,
    /// One or two parameters; in the table of the sweep the last parameter varies fastest.
    pub axes: Vec<AxisScene>,
    /// Number of drive periods at the start that the results leave out (the transient), 0 or more.
    pub transient_periods: u64,
    /// Number of drive periods in which klast searches for a period of the motion, 0 or more.
    pub search_periods: u64,
    /// Longest period that klast searches for, as a number of drive periods, 0 or more.
    pub maximum_period: u64,
}

/// Evenly spaced values of one parameter.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AxisScene {
    /// Name of the parameter.
    pub parameter: ParameterScene,
    /// First value, 0 or more, in the unit of the parameter.
    pub from: f64,
    /// Last value, above `from`.
    pub to: f64,
    /// Number of values, both ends included, 1 to 100,000.
    pub values: usize,
}

impl AxisScene {
    /// From one value to the next.
    pub fn step(&self) -> f64 {
        (self.to - self.from) / (self.values.max(2) - 1) as f64
    }

    /// The values.
    ///
    /// # Errors
    /// None, or too many; ends that are not finite.
    pub fn values(&self) -> Result<Vec<f64>, Faults> {
        let Self {
            from, to, values, ..
        } = *self;
        if !(1..=100_000).contains(&values) || !from.is_finite() || !to.is_finite() {
            let found = format!("{values} values from {from} to {to}");
            return Err(Fault::new("", found)
                .accepted("1 to 100,000 values between finite ends")
                .into());
        }
        let step = self.step();
        Ok((0..values).map(|k| from + step * k as f64).collect())
    }
}

/// Parameter that can be swept.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ParameterScene {
    /// Amplitude u0 of the drive (m).
    AmplitudeM,
    /// Frequency f of the drive (Hz).
    FrequencyHz,
    /// Length d of the basin (m).
    LengthM,
    /// Restitution at the walls.
    RestitutionWall,
    /// Restitution between blocks.
    RestitutionBlock,
    /// Friction of all blocks.
    Friction,
    /// Number N of blocks.
    Count,
}

impl ParameterScene {
    /// As an axis says it.
    pub fn label(self) -> &'static str {
        match self {
            Self::AmplitudeM => "u0 [m]",
            Self::FrequencyHz => "f [Hz]",
            Self::LengthM => "length of the basin [m]",
            Self::RestitutionWall => "restitution at the walls [-]",
            Self::RestitutionBlock => "restitution between blocks [-]",
            Self::Friction => "friction [-]",
            Self::Count => "blocks",
        }
    }

    /// As a scene says it.
    pub fn name(self) -> &'static str {
        match self {
            Self::AmplitudeM => "amplitude_m",
            Self::FrequencyHz => "frequency_hz",
            Self::LengthM => "length_m",
            Self::RestitutionWall => "restitution_wall",
            Self::RestitutionBlock => "restitution_block",
            Self::Friction => "friction",
            Self::Count => "count",
        }
    }

    /// As the library says it.
    pub fn build(self) -> Parameter {
        match self {
            Self::AmplitudeM => Parameter::Amplitude,
            Self::FrequencyHz => Parameter::Frequency,
            Self::LengthM => Parameter::BasinLength,
            Self::RestitutionWall => Parameter::WallRestitution,
            Self::RestitutionBlock => Parameter::BlockRestitution,
            Self::Friction => Parameter::Friction,
            Self::Count => Parameter::Count,
        }
    }
}
