//! A block on a compliant base that does not slide, by the planar loop.

use super::base::{Foundation, Support};
use super::result::{CompliantOutcome, CompliantRun};
use crate::block::RockingBlock;
use crate::equation::Equation;
use crate::error::RockingError;
use crate::planar::{self, Base, Detail, SlideRockOptions, SlideRockOutcome};
use crate::restitution::Restitution;
use crate::run::Options;
use klast_ground_motion::GroundMotion;

/// Simulates `block` on a `foundation` whose ground has `motion`, from rest under its weight or from the rotation of
/// the options, carried there by the springs. Of the options the equation must be the nonlinear one.
/// [`simulate_slide_rock`](crate::simulate_slide_rock) has friction as well.
///
/// # Errors
/// Options out of range or not known here, and a motion whose integration fails.
pub fn simulate_compliant(
    block: &RockingBlock,
    foundation: &Foundation,
    motion: &GroundMotion,
    options: &Options,
) -> Result<CompliantRun, RockingError> {
    options.check()?;
    if options.equation != Equation::Nonlinear {
        return Err(RockingError::NotCompliant {
            by: "an equation for small rotations",
        });
    }
    let posed = SlideRockOptions {
        base: Base::Compliant(*foundation),
        ..SlideRockOptions::from(options)
    };
    let housner = Restitution::housner();
    let found = planar::drive(block, &housner, motion, (&posed, &[]), Detail::Full)?.run;
    let energy = found.energy;
    let still = found.end_time >= motion.duration();
    let may_overturn = || energy.end >= Support::new(block, foundation).barrier();
    Ok(CompliantRun {
        outcome: match found.outcome {
            SlideRockOutcome::Overturned(mode) => CompliantOutcome::Overturned(mode.side),
            _ if found.first_uplift.is_none() => CompliantOutcome::Held,
            _ if !still || may_overturn() => CompliantOutcome::Undecided,
            SlideRockOutcome::Settled => CompliantOutcome::Settled,
            _ => CompliantOutcome::Rocking,
        },
        first_uplift: found.first_uplift,
        uplifts: found.uplifts,
        largest_rotation: found.largest_rotation,
        largest_velocity: found.largest_velocity,
        largest_settlement: found.largest_settlement,
        contact: found.contact,
        restrainers: found.restrainers,
        energy,
        samples: found.samples,
        end: (found.end_time, found.end.0, found.end.1),
        steps: found.steps,
    })
}
