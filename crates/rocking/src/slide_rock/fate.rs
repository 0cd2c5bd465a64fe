//! The engine of a study: blocks that do not slip, or blocks that may.

use super::run::{Detail, Driven, drive};
use super::state::Friction;
use super::{SlideRockOptions, SlideRockOutcome};
use crate::batch::{BatchOptions, Case, CaseResult, Fate};
use crate::error::RockingError;
use klast_dynamics::ground_motion::GroundMotion;

/// One case of a batch with friction.
pub(crate) fn fate(
    case: &Case,
    friction: Friction,
    options: &BatchOptions,
) -> Result<CaseResult, RockingError> {
    let motion = GroundMotion::horizontal(case.motion.clone());
    let one = SlideRockOptions {
        rotation: case.rotation,
        overturned_at: options.overturned_at,
        max_steps: options.max_steps,
        ..SlideRockOptions::new(options.duration, friction)
    };
    let detail = if options.follow {
        Detail::Peaks
    } else {
        Detail::Fate
    };
    let Driven {
        run,
        steps,
        cut_short,
    } = drive(&case.block, &case.restitution, &motion, &one, detail)?;
    let fate = match run.outcome {
        SlideRockOutcome::Rest => Fate::Rest,
        SlideRockOutcome::Slid | SlideRockOutcome::Sliding => Fate::Slid,
        SlideRockOutcome::Settled => Fate::Stable,
        SlideRockOutcome::Rocking
            if run.end_time >= motion.duration()
                && case
                    .block
                    .cannot_overturn(run.end.0, run.energy.end, options.overturned_at) =>
        {
            Fate::Stable
        }
        SlideRockOutcome::Rocking => Fate::Rocking,
        SlideRockOutcome::Overturned(mode) => Fate::Overturned(mode),
    };
    Ok(CaseResult {
        fate,
        impacts: run.impacts,
        steps,
        largest_rotation: run.largest_rotation,
        largest_slip: (!cut_short).then_some(run.largest_slip),
        unresolved: run.unresolved + run.ambiguous,
        end_time: run.end_time,
        watched_time: None,
    })
}
