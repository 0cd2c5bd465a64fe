//! Durations and intervals of a scene.

use anyhow::{Result, ensure};
use schemars::JsonSchema;
use serde::Deserialize;

/// Duration (s): finite and above 0.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "f64")]
#[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
pub struct Duration(f64);

impl Duration {
    /// In seconds.
    #[must_use]
    pub fn seconds(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Duration {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        match value.is_finite() && value > 0.0 {
            true => Ok(Self(value)),
            false => Err(format!("found {value}; accepted: a time above 0 s")),
        }
    }
}

/// An interval above 0 of which at most so many are in a duration (s).
///
/// # Errors
/// Any other number, with the key.
pub fn interval(key: &str, value: f64, duration: Duration, most: f64) -> Result<f64> {
    ensure!(value > 0.0, "{key} {value}; accepted: above 0 s");
    let duration = duration.seconds();
    let count = duration / value;
    ensure!(
        count <= most,
        "{key} {value}: {count:.3e} in {duration} s; accepted: above 0, up to {most:e} of them"
    );
    Ok(value)
}
