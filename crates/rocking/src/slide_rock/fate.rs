//! The engine of a study: blocks that do not slip, or blocks that may.

use super::run::{Detail, Driven, drive};
use super::state::Friction;
use super::{SlideRockOptions, SlideRockOutcome, SlideRockRun};
use crate::batch::{BatchOptions, Case, CaseResult, Fate};
use crate::block::{RockingBlock, Side};
use crate::error::RockingError;
use klast_dynamics::ground_motion::GroundMotion;

/// Whether a block that still rocks cannot overturn any more: the base is still, the block is not beyond its balance,
/// and its energy, which on a still base does not grow, is below that of the balance on either corner.
fn is_decided(block: &RockingBlock, motion: &GroundMotion, run: &SlideRockRun) -> bool {
    let barrier = block.barrier(Side::Right).min(block.barrier(Side::Left));
    let balance = block
        .corner(Side::Right)
        .slenderness
        .min(block.corner(Side::Left).slenderness);
    run.end_time >= motion.duration() && run.end.0.abs() < balance && run.energy.end < barrier
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
        SlideRockOutcome::Rocking if is_decided(&case.block, &motion, &run) => Fate::Stable,
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
