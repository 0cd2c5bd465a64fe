//! What happened on the way of a rigid rock.

use klast_dynamics::single::Tally;

/// What happened on the way.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RigidTally {
    /// Impacts.
    pub impacts: u32,
    /// Steps in sustained contact.
    pub contact_steps: u32,
    /// Slides that were followed in closed form or to rounding.
    pub slides: u32,
    /// Contact problems that missed their tolerance.
    pub unconverged: u32,
    /// Impacts whose law makes energy, as Newton's with friction can: refused ones, for which another law took its
    /// place, and those that stood.
    pub energy_gains: u32,
    /// Energy gained in those that stood (J).
    pub gained: f64,
    /// Phases of sustained contact in which energy rose by more than 1e-9 of the largest kinetic energy.
    pub energy_rises: u32,
    /// Energy risen in sustained contact (J).
    pub risen: f64,
    /// Potential energy given by taking the rock out of ground into which a step had put it (J).
    pub lifted: f64,
    /// That as a part of the largest kinetic energy; 0 of a rock that never moved.
    pub lifted_part: f64,
    /// Energy taken by impacts in which the ground yielded (J).
    pub dug: f64,
    /// Greatest depth of the lowest point of the rock in them (m).
    pub depth: f64,
    /// Steps taken without a load because nothing else moved the rock on.
    pub forced: u32,
    /// Whether it swung in place until it was taken for stopped.
    pub swinging: bool,
    /// Slippage at the end (m).
    pub slippage: f64,
}

impl RigidTally {
    pub(super) fn of(tally: &Tally, slippage: f64) -> Self {
        let (lifted, largest) = (tally.energy.lifted, tally.energy.largest_kinetic);
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            impacts: count(tally.energy.impacts),
            contact_steps: count(tally.contact_steps),
            slides: count(tally.slides),
            unconverged: count(tally.unconverged),
            energy_gains: count(tally.energy.gains + tally.energy.refused),
            gained: tally.energy.gained,
            energy_rises: count(tally.energy.rises),
            risen: tally.energy.risen,
            lifted,
            lifted_part: if largest > 0.0 { lifted / largest } else { 0.0 },
            dug: tally.energy.dug,
            depth: tally.deepest,
            forced: count(tally.forced),
            swinging: tally.swinging,
            slippage,
        }
    }
}
