//! A batch, by the engine that is asked for.

use super::workspace::BatchWorkspace;
use super::{BatchOptions, Case, CaseResult, compliant, lockstep, restrained};
use crate::error::RockingError;
use crate::slide_rock::{self, Engine};

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
        match options.engine {
            Engine::NoSlip => match (&options.foundation, options.restraint) {
                (Some(base), _) => compliant::run(cases, options, base, &mut self.results)?,
                (_, Some(held)) => restrained::run(cases, options, held, &mut self.results)?,
                _ => lockstep::run(cases, options, self)?,
            },
            Engine::SlideRock(_) if options.restraint.is_some() => {
                let by = "the model with slip";
                return Err(RockingError::NotRestrained { by });
            }
            Engine::SlideRock(_) if options.foundation.is_some() => {
                let by = "the model with slip";
                return Err(RockingError::NotCompliant { by });
            }
            Engine::SlideRock(friction) => {
                self.results.clear();
                for case in cases {
                    let fate = slide_rock::fate(case, friction, options)?;
                    self.results.push(fate);
                }
            }
        }
        Ok(&self.results)
    }
}
