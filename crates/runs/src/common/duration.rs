//! Durations and intervals of a scene.

use crate::error::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::faults::{Fault, Faults};

/// Duration (s): finite and above 0.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
pub struct Duration(f64);

impl Duration {
    /// In seconds. Its key is `duration_s` in every scene.
    ///
    /// # Errors
    /// A number that is not above 0.
    pub fn seconds(self) -> Result<f64, Faults> {
        let Self(value) = self;
        let good = value.is_finite() && value > 0.0;
        let fault = || {
            Fault::new("duration_s", value)
                .accepted("a time above 0 s")
                .into()
        };
        good.then_some(value).ok_or_else(fault)
    }
}

/// An interval above 0 of which at most so many are in a duration (s), if that is known.
///
/// # Errors
/// Any other number, with the key.
pub fn interval(key: &str, value: f64, duration: Option<f64>, most: f64) -> Result<f64, Faults> {
    if value <= 0.0 || value.is_nan() {
        return Err(Fault::new(key, value).accepted("above 0 s").into());
    }
    match duration.map(|duration| (duration, duration / value)) {
        Some((duration, count)) if count > most => {
            let found = format!("{value}: {count:.3e} in {duration} s");
            let accepted = format!("above 0, up to {most:e} of them");
            Err(Fault::new(key, found).accepted(accepted).into())
        }
        _ => Ok(value),
    }
}
