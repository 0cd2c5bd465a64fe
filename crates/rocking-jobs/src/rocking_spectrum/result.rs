//! What a rocking spectrum gives.

use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use klast_runs::answer::Answer;
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;

/// The results of a scene of kind `rocking_spectrum`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// Response of a block of each size: the rows of `spectrum.csv`.
    pub spectrum: Vec<Point>,
}

/// Numbers of simulations over all sizes and all values of the slenderness.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// Number of simulations.
    pub simulations: usize,
    /// Number of simulations in which the block overturned.
    pub overturned: usize,
}

/// Response of a block of one size.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// Slenderness (rad).
    pub slenderness_rad: f64,
    /// 2π/p (s) with the frequency parameter p: a measure of the size of the block.
    pub period_s: f64,
    /// Half diagonal (m).
    pub half_diagonal_m: f64,
    /// Largest rotation, without its sign (rad).
    pub max_rotation_rad: f64,
    /// Largest angular velocity, without its sign (rad/s).
    pub max_angular_velocity_rad_s: f64,
    /// Largest slip from the start (m); 0 if `friction` is not stated.
    pub max_slip_m: f64,
    /// Whether the block overturned.
    pub overturned: bool,
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
        files.table("spectrum.csv", &self.spectrum)
    }
}
