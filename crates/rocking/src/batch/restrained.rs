//! Restrained blocks, one after the other.

use super::{BatchOptions, Case, CaseResult, Fate};
use crate::error::RockingError;
use crate::restraint::Restraint;
use crate::run::{Options, Outcome, Run, drive};
use klast_dynamics::ground_motion::GroundMotion;

pub(super) fn run(
    cases: &[Case],
    options: &BatchOptions,
    restraint: Restraint,
    results: &mut Vec<CaseResult>,
) -> Result<(), RockingError> {
    results.clear();
    let watched = options.watched_impact.checked_sub(1);
    for case in cases {
        let one = Options {
            equation: options.equation,
            rotation: case.rotation,
            overturned_at: options.overturned_at,
            restraint: Some(restraint),
            max_steps: options.max_steps,
            ..Options::new(options.duration)
        };
        let motion = GroundMotion::horizontal(case.motion.clone());
        let (run, steps) = drive(&case.block, &case.restitution, &motion, &one, &[])?;
        let fate = match run.outcome {
            Outcome::Rest => Fate::Rest,
            Outcome::Settled => Fate::Stable,
            Outcome::Rocking if is_decided(case, options.overturned_at, &motion, &run) => {
                Fate::Stable
            }
            Outcome::Rocking => Fate::Rocking,
            Outcome::Overturned(mode) => Fate::Overturned(mode),
        };
        results.push(CaseResult {
            fate,
            impacts: run.impacts,
            steps,
            largest_rotation: run.largest_rotation,
            largest_slip: Some(0.0),
            unresolved: 0,
            end_time: run.end.0,
            watched_time: watched.and_then(|n| run.impact_times().get(n).copied()),
        });
    }
    Ok(())
}

/// Whether a block that still rocks cannot overturn any more: on a still base its energy and that of its restrainers do
/// not grow.
fn is_decided(case: &Case, overturned_at: f64, motion: &GroundMotion, run: &Run) -> bool {
    let energy = run
        .restraint
        .as_ref()
        .map_or(f64::INFINITY, |r| r.energy.end);
    run.end.0 >= motion.duration() && case.block.cannot_overturn(run.end.1, energy, overturned_at)
}
