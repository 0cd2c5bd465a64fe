//! One case of a batch by the planar loop.

use super::run::Detail;
use super::start::drive;
use super::state::Foot;
use super::{Base, Engine, SlideRockEventKind, SlideRockOptions, SlideRockOutcome, SlideRockRun};
use crate::batch::{BatchOptions, Case, CaseEvents, CaseResult, Fate};
use crate::compliant::Support;
use crate::error::RockingError;
use crate::restraint::{Restrainer, RestrainerReport};
use klast_ground_motion::GroundMotion;

/// What becomes of a block that slides, is restrained or stands on a compliant base.
pub(crate) fn fate(case: &Case, options: &BatchOptions) -> Result<CaseResult, RockingError> {
    let motion = GroundMotion::horizontal(case.motion.clone());
    let foot = match options.engine {
        Engine::NoSlip => Foot::Sticks,
        Engine::SlideRock(friction) => Foot::Slides(friction),
    };
    let one = SlideRockOptions {
        foot,
        base: options.foundation.map_or(Base::Rigid, Base::Compliant),
        restraint: options.restraint,
        reach_height: options.reach_height.unwrap_or(0.0),
        rotation: case.rotation,
        overturned_at: options.overturned_at,
        max_steps: options.max_steps,
        ..SlideRockOptions::sticking(options.duration)
    };
    let detail = match options.follow || options.reach_height.is_some() {
        _ if options.watched_impact > 0 && foot == Foot::Sticks => Detail::Full,
        true => Detail::Peaks,
        false => Detail::Fate,
    };
    let driven = drive(&case.block, &case.restitution, &motion, (&one, &[]), detail)?;
    let run = driven.run;
    let still = run.end_time >= motion.duration();
    let fate = match run.outcome {
        SlideRockOutcome::Rest => Fate::Rest,
        SlideRockOutcome::Slid | SlideRockOutcome::Sliding => Fate::Slid,
        SlideRockOutcome::Settled => Fate::Stable,
        SlideRockOutcome::Rocking if still && cannot_overturn(case, options, &run) => Fate::Stable,
        SlideRockOutcome::Rocking => Fate::Rocking,
        SlideRockOutcome::Overturned(mode) => Fate::Overturned(mode),
    };
    let mut impacts = run
        .events
        .iter()
        .filter(|event| matches!(event.kind, SlideRockEventKind::Impact { .. }));
    let watched = options.watched_impact.checked_sub(1);
    Ok(CaseResult {
        fate,
        impacts: run.impacts,
        steps: run.steps,
        largest_rotation: run.largest_rotation,
        largest_slip: (!driven.cut_short).then_some(run.largest_slip),
        events: Some(events(&run, options)),
        unresolved: run.unresolved + run.ambiguous,
        end_time: run.end_time,
        watched_time: watched.and_then(|n| impacts.nth(n)).map(|event| event.time),
    })
}

/// What was seen at the events of a run.
fn events(run: &SlideRockRun, options: &BatchOptions) -> CaseEvents {
    let strengths = options.restraint.iter().flat_map(|r| r.restrainers());
    let share = |(report, of): (&RestrainerReport, &Restrainer)| {
        // What yields or breaks was at its strength, but for the rounding of the time at which it was.
        let reached = report.yielded.is_some() || report.broke.is_some();
        let found = report.largest_force / of.strength;
        if reached { found.max(1.0) } else { found }
    };
    CaseEvents {
        landing: run.largest_landing,
        reach: run.largest_reach,
        pull: run
            .restrainers
            .iter()
            .zip(strengths)
            .map(share)
            .fold(0.0, f64::max),
        broken: run.restrainers.iter().any(|r| r.broke.is_some()),
    }
}

/// Whether a block that still rocks on a base at rest has not the energy to overturn.
fn cannot_overturn(case: &Case, options: &BatchOptions, run: &SlideRockRun) -> bool {
    let (energy, limit) = (run.energy.end, options.overturned_at);
    match &options.foundation {
        Some(foundation) => energy < Support::new(&case.block, foundation).barrier(),
        None => case.block.cannot_overturn(run.end.0, energy, limit),
    }
}
