//! What the reader of a format is told, and what it hands over.

use crate::refusal::Result;
use klast_ground_motion::{AccelerationUnit, Record};

/// What is known beside a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadOptions {
    /// Unit of a file that does not state it; one that a file states must be the same.
    pub unit: Option<AccelerationUnit>,
    /// Time step (s) of values without times; one that a file states must be the same.
    pub step: Option<f64>,
    /// The column of the times, by its name or its number from 1.
    pub time_column: Option<String>,
    /// The column of the accelerations, by its name or its number from 1.
    pub acceleration_column: Option<String>,
}

impl ReadOptions {
    /// Whether columns are named.
    pub(super) fn has_columns(&self) -> bool {
        self.time_column.is_some() || self.acceleration_column.is_some()
    }
}

/// The remark on an uncorrected record.
pub(super) fn uncorrected() -> String {
    "an uncorrected accelerogram: its baseline is as recorded".to_owned()
}

/// A component as the readers of the formats hand it over: equal steps (s), samples in m/s².
pub(super) struct Channel {
    pub(super) name: String,
    pub(super) step: f64,
    pub(super) samples: Vec<f64>,
    /// Peak (m/s²) that the header states.
    pub(super) stated_peak: Option<f64>,
    pub(super) remarks: Vec<String>,
}

impl Channel {
    pub(super) fn new(name: &str, step: f64, samples: Vec<f64>) -> Self {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        Self {
            name,
            step,
            samples,
            stated_peak: None,
            remarks: Vec::new(),
        }
    }

    /// As times and accelerations.
    pub(super) fn record(&self) -> Result<Record> {
        let unit = AccelerationUnit::MetrePerSecondSquared;
        Ok(Record::uniform(self.step, &self.samples, unit)?)
    }
}
