//! How far a base motion can be scaled before a stack loses blocks.

use super::Stack;
use super::history::StackOutcome;
use super::options::StackOptions;
use super::state::StackState;
use klast_ground_motion::GroundMotion;
use klast_numerics::OutOfRange;
use klast_numerics::check::require;
use klast_rocking::RockingError;
use rayon::prelude::*;

/// The outcome at one scale factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScaledOutcome {
    /// Factor on all ordinates of the motion.
    pub factor: f64,
    /// Outcome of the stack.
    pub outcome: StackOutcome,
}

impl Stack {
    /// Refuses factors that [`Stack::outcomes_by_scale`] would refuse, without a run.
    ///
    /// # Errors
    /// A range that does not rise from above 0, or too many or too few factors.
    pub fn check_scales(&self, (low, high): (f64, f64), count: usize) -> Result<(), RockingError> {
        require("lowest factor", low, low > 0.0, "above 0")?;
        require("highest factor", high, high > low, "above the lowest")?;
        if !(2..=10_000_000).contains(&count) {
            return Err(OutOfRange::new("scale factors", count, "2 to 10 million").into());
        }
        Ok(())
    }

    /// Outcomes from rest at `count` factors evenly spaced from `low` to `high`, in parallel and in order.
    ///
    /// Overturning is not monotonic in the factor, so the whole range is looked at. A run that is cut off is an error.
    pub fn outcomes_by_scale(
        &self,
        motion: &GroundMotion,
        options: &StackOptions,
        (low, high): (f64, f64),
        count: usize,
    ) -> Result<Vec<ScaledOutcome>, RockingError> {
        self.check_scales((low, high), count)?;
        (0..count)
            .into_par_iter()
            .map(|index| {
                let factor = low + (high - low) * index as f64 / (count - 1) as f64;
                let outcome = self.scaled(motion, options, factor)?;
                Ok(ScaledOutcome { factor, outcome })
            })
            .collect()
    }

    /// The least factor at which blocks fall: the first of `count` factors at which they do, then bisected against the
    /// one before it to a relative 1e-9. None when nothing falls.
    pub fn overturning_scale(
        &self,
        motion: &GroundMotion,
        options: &StackOptions,
        range: (f64, f64),
        count: usize,
    ) -> Result<Option<ScaledOutcome>, RockingError> {
        let scan = self.outcomes_by_scale(motion, options, range, count)?;
        let Some(index) = scan.iter().position(|at| falls(at.outcome)) else {
            return Ok(None);
        };
        let mut found = scan[index];
        let Some(before) = index.checked_sub(1) else {
            return Ok(Some(found));
        };
        let mut low = scan[before].factor;
        while found.factor - low > 1e-9 * found.factor {
            let factor = 0.5 * (low + found.factor);
            let outcome = self.scaled(motion, options, factor)?;
            if falls(outcome) {
                found = ScaledOutcome { factor, outcome };
            } else {
                low = factor;
            }
        }
        Ok(Some(found))
    }

    fn scaled(
        &self,
        motion: &GroundMotion,
        options: &StackOptions,
        factor: f64,
    ) -> Result<StackOutcome, RockingError> {
        self.run(
            &motion.scaled(factor),
            &StackState::rest(self.len()),
            options,
        )?
        .decided()
    }
}

fn falls(outcome: StackOutcome) -> bool {
    matches!(
        outcome,
        StackOutcome::Partial { .. } | StackOutcome::Total { .. }
    )
}
