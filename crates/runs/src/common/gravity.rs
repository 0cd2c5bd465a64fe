//! Gravity of a scene.

use schemars::JsonSchema;
use serde::Deserialize;

/// Acceleration of gravity (m/s²): finite and above 0; 9.81 unless stated.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "f64")]
#[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
pub struct Gravity(f64);

impl Gravity {
    /// In m/s².
    #[must_use]
    pub fn m_s2(self) -> f64 {
        self.0
    }
}

impl Default for Gravity {
    fn default() -> Self {
        Self(gravity())
    }
}

impl TryFrom<f64> for Gravity {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        match value.is_finite() && value > 0.0 {
            true => Ok(Self(value)),
            false => Err(format!(
                "found {value}; accepted: an acceleration above 0 m/s²"
            )),
        }
    }
}

/// Gravity where a scene does not state it (m/s²).
pub fn gravity() -> f64 {
    9.81
}
