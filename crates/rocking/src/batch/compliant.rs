//! Blocks on a compliant base, one after the other.

use super::{BatchOptions, Case, CaseResult, Fate};
use crate::block::Side;
use crate::compliant::{CompliantOutcome, Foundation, simulate_compliant};
use crate::error::RockingError;
use crate::run::{Options, OverturningMode};
use klast_dynamics::ground_motion::GroundMotion;

pub(super) fn run(
    cases: &[Case],
    options: &BatchOptions,
    foundation: &Foundation,
    results: &mut Vec<CaseResult>,
) -> Result<(), RockingError> {
    results.clear();
    for case in cases {
        let one = Options {
            equation: options.equation,
            rotation: case.rotation,
            overturned_at: options.overturned_at,
            restraint: options.restraint,
            max_steps: options.max_steps,
            ..Options::new(options.duration)
        };
        let motion = GroundMotion::horizontal(case.motion.clone());
        let run = simulate_compliant(&case.block, foundation, &motion, &one)?;
        let overturned = |side: Side| Fate::Overturned(OverturningMode { side, impacts: 0 });
        results.push(CaseResult {
            fate: match run.outcome {
                CompliantOutcome::Held => Fate::Rest,
                CompliantOutcome::Settled | CompliantOutcome::Rocking => Fate::Stable,
                CompliantOutcome::Undecided => Fate::Rocking,
                CompliantOutcome::Overturned(side) => overturned(side),
            },
            impacts: 0,
            steps: run.steps,
            largest_rotation: run.largest_rotation,
            largest_slip: Some(0.0),
            unresolved: 0,
            end_time: run.end.0,
            watched_time: None,
        });
    }
    Ok(())
}
