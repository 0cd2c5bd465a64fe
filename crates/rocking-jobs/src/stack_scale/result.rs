//! What the outcomes over a scale give.

use klast_runs::error::Result;
use klast_stacks::{ScaledOutcome, StackOutcome};
use schemars::JsonSchema;
use serde::Serialize;

use crate::common::stack::Outcome;
use klast_runs::answer::Answer;
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;

/// The results of a scene of kind `stack_scale`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// Outcome at each scale factor: the rows of `scale.csv`.
    pub scale: Vec<ScaleRow>,
    /// Blocks of the stack.
    #[serde(skip)]
    pub blocks: usize,
}

/// Least scale factor at which blocks fall, and the outcome at this factor.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// Least scale factor at which blocks fall; null if no block falls at any factor.
    pub min_overturning_factor: Option<f64>,
    /// Mode of the outcome at this scale factor: in B the top block has fallen, in C the two upper blocks, and so on.
    /// It is null if no block falls at any factor.
    pub mode: Option<String>,
}

/// Outcome of the stack at one scale factor.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct ScaleRow {
    /// Scale factor of the motion.
    pub factor: f64,
    /// Mode of the outcome. In A all blocks stand, in B the top block has fallen, in C the two upper blocks have
    /// fallen, and so on. `_L` and `_R` are falls to the left and to the right.
    pub mode: String,
    /// `rest`, `rocking`, or partial or total overturning with its side.
    pub outcome: Outcome,
    /// Number of blocks that fell.
    pub fallen: usize,
}

impl Results {
    /// The results of a scan, and of the bisection of its first fall.
    #[must_use]
    pub fn of(scan: &[ScaledOutcome], least: Option<&ScaledOutcome>, blocks: usize) -> Self {
        let row = |at: &ScaledOutcome| ScaleRow {
            factor: at.factor,
            mode: at.outcome.mode(blocks),
            outcome: at.outcome.into(),
            fallen: match at.outcome {
                StackOutcome::Rest | StackOutcome::Rocking => 0,
                StackOutcome::Partial { standing, .. } => blocks.saturating_sub(standing),
                StackOutcome::Total { .. } => blocks,
            },
        };
        Self {
            summary: Summary {
                min_overturning_factor: least.map(|found| found.factor),
                mode: least.map(|found| found.outcome.mode(blocks)),
            },
            scale: scan.iter().map(row).collect(),
            blocks,
        }
    }
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
        files.table("scale.csv", &self.scale)
    }
}
