//! The scene of a fit.

use klast_rocking::FitWindow;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::block::Block;
use klast_runs::common::gravity::Gravity;
use klast_runs::common::one;

/// Part of a history.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// The whole history.
    #[default]
    Full,
    /// The middle half: from a quarter to three quarters of the duration of the history.
    MiddleHalf,
    /// The part between the first and the second impact.
    FirstHalfPeriod,
}

impl From<Window> for FitWindow {
    fn from(window: Window) -> Self {
        match window {
            Window::Full => Self::Full,
            Window::MiddleHalf => Self::MiddleHalf,
            Window::FirstHalfPeriod => Self::FirstHalfPeriod,
        }
    }
}

/// One history or several.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Histories {
    /// Path of one history.
    One(String),
    /// Paths of several histories.
    Several(Vec<String>),
}

impl Histories {
    /// The paths.
    #[must_use]
    pub fn paths(&self) -> &[String] {
        match self {
            Self::One(path) => std::slice::from_ref(path),
            Self::Several(paths) => paths,
        }
    }
}

fn resamples() -> usize {
    1000
}

/// A scene of kind `rocking_fit`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The block, by its shape and size.
    pub block: Block,
    /// Acceleration of gravity (m/s²), above 0; 9.81 unless stated.
    #[serde(default)]
    pub gravity_m_s2: Gravity,
    /// Path of a CSV file with the columns time_s and rotation_rad or rotation_deg, or a list of such paths, one for
    /// each release of the same block. The paths start at the folder of the scene. Two or more histories give a
    /// confidence interval and a test on histories that the fit has not seen.
    pub history: Histories,
    /// Part of the history that is fitted; `full` unless stated.
    #[serde(default)]
    pub window: Window,
    /// Factor for material dissipation, above 0 and at most 1; 1 unless stated. Before klast computes the position of
    /// the impulse, it divides the fitted coefficient by this factor.
    #[serde(default = "one")]
    pub material: f64,
    /// Number of resamples of the histories, 100 to 100,000; 1000 unless stated. A resample is a random choice of
    /// histories with repetition. The resamples give the confidence interval.
    #[serde(default = "resamples")]
    pub resamples: usize,
    /// Seed of the resamples, a whole number from 0; `--seed` replaces it.
    #[serde(default)]
    pub seed: u64,
}
