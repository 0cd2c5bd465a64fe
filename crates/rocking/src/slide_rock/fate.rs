//! The engine of a study: blocks that do not slip, or blocks that may.

use super::run::{Detail, Driven, drive};
use super::state::Friction;
use super::{SlideRockOptions, SlideRockOutcome, SlideRockRun};
use crate::batch::{BatchOptions, Case, CaseResult, Fate};
use crate::block::{RockingBlock, Side};
use crate::error::RockingError;
use klast_dynamics::ground_motion::GroundMotion;

/// Whether a block that still rocks cannot overturn any more: the base is still, the block is not beyond its balance
/// nor the rotation that counts as overturned, and its energy, which on a still base does not grow, is below that of the
/// nearer of the two on either corner.
fn is_decided(
    block: &RockingBlock,
    overturned_at: f64,
    motion: &GroundMotion,
    run: &SlideRockRun,
) -> bool {
    let stays = |side: Side| {
        let top = block.corner(side).slenderness.min(overturned_at);
        run.end.0.abs() < top && run.energy.end < block.energy(side.sign() * top, 0.0)
    };
    run.end_time >= motion.duration() && stays(Side::Right) && stays(Side::Left)
}

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
            if is_decided(&case.block, options.overturned_at, &motion, &run) =>
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
