//! A batch, by the engine that is asked for.

use super::workspace::BatchWorkspace;
use super::{BatchOptions, Case, CaseResult, lockstep};
use crate::error::RockingError;
use crate::planar::{self, Engine};

/// Runs all `cases` on the calling thread, in order.
pub fn simulate_batch(
    cases: &[Case],
    options: &BatchOptions,
) -> Result<Vec<CaseResult>, RockingError> {
    let mut workspace = BatchWorkspace::default();
    workspace.simulate(cases, options)?;
    Ok(workspace.results)
}

impl BatchWorkspace {
    /// As [`simulate_batch`]: nothing is allocated once the lists are as long as the largest batch.
    pub fn simulate(
        &mut self,
        cases: &[Case],
        options: &BatchOptions,
    ) -> Result<&[CaseResult], RockingError> {
        for case in cases {
            options.check(case)?;
        }
        let free = options.restraint.is_none()
            && options.foundation.is_none()
            && options.reach_height.is_none();
        if options.engine == Engine::NoSlip && free {
            lockstep::run(cases, options, self)?;
        } else {
            options.check_equation()?;
            self.results.clear();
            for case in cases {
                self.results.push(planar::fate(case, options)?);
            }
        }
        Ok(&self.results)
    }
}
