//! A restrained block that neither slides nor jumps, by the planar loop.

use super::{Event, Options, Outcome, RestraintReport, Run, Sample};
use crate::block::{RockingBlock, Side};
use crate::error::RockingError;
use crate::planar::{
    self, Detail, Mode, SlideRockEvent, SlideRockEventKind, SlideRockOptions, SlideRockOutcome,
};
use crate::restitution::Restitution;
use klast_ground_motion::GroundMotion;

pub(super) fn drive(
    block: &RockingBlock,
    restitution: &Restitution,
    motion: &GroundMotion,
    options: &Options,
    times: &[f64],
) -> Result<Run, RockingError> {
    let posed = SlideRockOptions::from(options);
    let found = planar::drive(block, restitution, motion, (&posed, times), Detail::Full)?.run;
    let sample = |s: &planar::SlideRockSample| Sample {
        time: s.time,
        rotation: s.rotation,
        angular_velocity: s.angular_velocity,
        angular_acceleration: s.angular_acceleration,
    };
    Ok(Run {
        outcome: match found.outcome {
            SlideRockOutcome::Overturned(mode) => Outcome::Overturned(mode),
            SlideRockOutcome::Rocking => Outcome::Rocking,
            SlideRockOutcome::Settled => Outcome::Settled,
            _ => Outcome::Rest,
        },
        events: found.events.iter().flat_map(events).collect(),
        impacts: found.impacts,
        largest_rotation: found.largest_rotation,
        largest_velocity: found.largest_velocity,
        samples: found.samples.iter().map(sample).collect(),
        contact: Some(found.contact),
        restraint: Some(RestraintReport {
            restrainers: found.restrainers,
            energy: found.energy,
        }),
        end: (found.end_time, found.end.0, found.end.1),
    })
}

impl From<&Options> for SlideRockOptions {
    fn from(options: &Options) -> Self {
        Self {
            restraint: options.restraint,
            questioned: options.friction,
            rotation: options.rotation,
            angular_velocity: options.angular_velocity,
            overturned_at: options.overturned_at,
            sample: options.sample,
            max_steps: options.max_steps,
            ..Self::sticking(options.duration)
        }
    }
}

/// An event in the words of the model without slip: an impact that lays the block flat is one and its rest.
fn events(event: &SlideRockEvent) -> impl Iterator<Item = Event> + use<> {
    let time = event.time;
    let rests = (event.mode == Mode::Rest).then_some(Event::Rest { time });
    let first = match (event.kind, event.mode) {
        (SlideRockEventKind::Impact { before, after }, _) => Some(Event::Impact {
            time,
            side: if before > 0.0 {
                Side::Right
            } else {
                Side::Left
            },
            before,
            after,
        }),
        (SlideRockEventKind::Mode, Mode::Rock(side)) => Some(Event::LiftOff { time, side }),
        (SlideRockEventKind::Broke { restrainer }, _) => Some(Event::Broke { time, restrainer }),
        (SlideRockEventKind::Overturned { side }, _) => Some(Event::Overturned { time, side }),
        _ => None,
    };
    let alone = matches!(
        event.kind,
        SlideRockEventKind::Broke { .. } | SlideRockEventKind::Overturned { .. }
    );
    first.into_iter().chain(rests.filter(|_| !alone))
}
