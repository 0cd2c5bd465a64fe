//! Gravity of a scene.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::faults::{Fault, Faults};

/// Acceleration of gravity (m/s²): finite and above 0; 9.81 unless stated.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
pub struct Gravity(f64);

impl Gravity {
    /// In m/s². Its key is `gravity_m_s2` in every scene.
    ///
    /// # Errors
    /// A number that is not above 0.
    pub fn m_s2(self) -> Result<f64, Faults> {
        let Self(value) = self;
        let good = value.is_finite() && value > 0.0;
        let fault = || {
            Fault::new("gravity_m_s2", value)
                .accepted("an acceleration above 0 m/s²")
                .into()
        };
        good.then_some(value).ok_or_else(fault)
    }
}

impl Default for Gravity {
    fn default() -> Self {
        Self(gravity())
    }
}

/// Gravity where a scene does not state it (m/s²).
pub fn gravity() -> f64 {
    9.81
}
