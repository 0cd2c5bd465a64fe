//! The campaign of a stack.

use klast_ground_motion::{Component, GroundMotion};
use klast_numerics::check::require;
use rayon::prelude::*;

use super::{Stack, StackOptions, StackOutcome, StackState};
use klast_rocking::RockingError;
use klast_rocking::fragility::{Campaign, Response};

impl Stack {
    /// Runs `records` at `scales` (signed) from rest. The peak of a response is the largest rotation of a block, while
    /// it stood, over that block's own slenderness; it overturned where any block fell, in total where all did. A run
    /// that was cut off, or met an impact without an admissible outcome, is undecided.
    ///
    /// # Errors
    /// A scale that is not finite or 0, and those of [`Stack::run`].
    pub fn campaign(
        &self,
        options: &StackOptions,
        records: &[Component],
        scales: &[f64],
    ) -> Result<Campaign, RockingError> {
        for scale in scales {
            require("scale", *scale, *scale != 0.0, "not 0")?;
        }
        let trials: Vec<(&Component, f64)> = records
            .iter()
            .flat_map(|motion| scales.iter().map(move |scale| (motion, *scale)))
            .collect();
        let responses: Result<Vec<Response>, RockingError> = trials
            .par_iter()
            .map(|(motion, scale)| response(self, options, &motion.scaled(*scale)))
            .collect();
        Campaign::new(records.len(), scales.to_vec(), responses?)
    }
}

fn response(
    stack: &Stack,
    options: &StackOptions,
    motion: &Component,
) -> Result<Response, RockingError> {
    let moved = GroundMotion::horizontal(motion.clone());
    let run = stack.run(&moved, &StackState::rest(stack.len()), options)?;
    let peaks = run
        .range
        .iter()
        .zip(stack.blocks())
        .map(|((low, high), block)| high.max(-low) / block.slenderness());
    let outcome = run.decided();
    let total = matches!(outcome, Ok(StackOutcome::Total { .. }));
    Ok(Response {
        peak: peaks.fold(0.0, f64::max),
        overturned: total || matches!(outcome, Ok(StackOutcome::Partial { .. })),
        total,
        undecided: run.diagnostics.unresolved > 0
            || matches!(outcome, Err(_) | Ok(StackOutcome::Rocking)),
        ..Response::default()
    })
}
