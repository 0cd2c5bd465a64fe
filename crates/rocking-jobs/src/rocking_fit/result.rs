//! What a fit of the restitution gives.

use klast_rocking::{
    Fit, Restitution, RockingBlock, Side, impulse_position, impulse_position_linear,
};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Serialize;

use klast_runs::answer::Answer;
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;

/// The results of a scene of kind `rocking_fit`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// State of the motion over time: the rows of `history.csv`.
    pub history: Vec<Sample>,
}

/// The fitted coefficient of restitution, Housner's coefficient, and the position of the impulse that follows from the
/// fitted coefficient.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// Fitted coefficient of restitution.
    pub eta: f64,
    /// Housner's coefficient of the block.
    pub eta_housner: f64,
    /// Root mean square error of the fit (rad).
    pub rms_rad: f64,
    /// Beginning and end of the part of the history that was fitted (s).
    pub window_s: [f64; 2],
    /// Number of samples that are fitted.
    pub samples: usize,
    /// Factor for material dissipation.
    pub material: f64,
    /// Position k of the impulse for the model `improved`, whose formula contains k²: its distance from the middle of
    /// the base, over half of the width. It is null if no position gives the fitted coefficient.
    pub k: Option<f64>,
    /// Position k of the impulse for the model `improved_linear`, whose formula is linear in k: its distance from the
    /// middle of the base, over half of the width.
    pub k_linear: Option<f64>,
}

impl Summary {
    /// What a fit says of a block.
    #[must_use]
    pub fn of(block: &RockingBlock, fit: &Fit, material: f64) -> Self {
        Self {
            eta: fit.eta,
            eta_housner: Restitution::housner().coefficient(block, Side::Right),
            rms_rad: fit.rms,
            window_s: [fit.window.0, fit.window.1],
            samples: fit.samples,
            material,
            k: impulse_position(block, fit.eta, material).ok(),
            k_linear: impulse_position_linear(block, fit.eta, material).ok(),
        }
    }
}

/// The rotation at one time.
#[derive(Debug, Clone, Copy, Default, Serialize, JsonSchema)]
pub struct Sample {
    /// Time t (s).
    pub time_s: f64,
    /// Measured rotation (rad).
    pub measured_rad: f64,
    /// Rotation of the block with the fitted restitution (rad).
    pub fitted_rad: f64,
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
        files.table("history.csv", &self.history)
    }
}
