//! What a fit of the restitution gives.

use klast_rocking::{Restitution, RockingBlock, Side, impulse_position, impulse_position_linear};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Serialize;

use klast_runs::answer::Answer;
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::fit::{Estimate, HeldOut, Parameter};
use klast_runs::results::KindResults;

/// The results of a scene of kind `rocking_fit`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// Measured and fitted rotation over time, one history after the other: the rows of `history.csv`.
    pub history: Vec<Sample>,
}

/// The fitted coefficient of restitution, Housner's coefficient, and the position of the impulse that follows from the
/// fitted coefficient.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// Fitted coefficient of restitution, with its confidence interval from the scatter between histories.
    pub eta: Parameter,
    /// Housner's coefficient of the block.
    pub eta_housner: f64,
    /// The fit on histories that it has not seen, each by the coefficient that is best on the others, beside Housner's
    /// coefficient; the losses are sums of squares (rad²).
    pub held_out: HeldOut,
    /// Root mean square error of the fit (rad).
    pub rms_rad: f64,
    /// Root mean square error on histories that the fit has not seen (rad); null for a single history.
    pub held_out_rms_rad: Option<f64>,
    /// Number of histories.
    pub histories: usize,
    /// Beginning and end of the part of the histories that was fitted (s): the earliest and the latest of all.
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
    /// What a fit says of a block and its factor for material dissipation.
    #[must_use]
    pub fn of(
        (block, material): (&RockingBlock, f64),
        (window, samples): ((f64, f64), &[usize]),
        found: &Estimate<1>,
        held_out: HeldOut,
    ) -> Self {
        let [eta] = found.parameters;
        let count: usize = samples.iter().sum();
        let unseen = found.held_out.as_ref();
        Self {
            eta,
            eta_housner: Restitution::housner().coefficient(block, Side::Right),
            held_out,
            rms_rad: found.rms,
            held_out_rms_rad: unseen.map(|own| (own.iter().sum::<f64>() / count as f64).sqrt()),
            histories: samples.len(),
            window_s: [window.0, window.1],
            samples: count,
            material,
            k: impulse_position(block, eta.value, material).ok(),
            k_linear: impulse_position_linear(block, eta.value, material).ok(),
        }
    }
}

/// The rotation at one time.
#[derive(Debug, Clone, Copy, Default, Serialize, JsonSchema)]
pub struct Sample {
    /// Number of the history, from 1.
    pub history: usize,
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
