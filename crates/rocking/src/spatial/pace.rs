//! Steps that are cut where an impact falls into them.
//!
//! A step of the scheme changes the velocity by the forces at its start and then moves with it: between impacts the
//! leapfrog, of second order, whose velocities belong to the middles of the steps. An impact takes the whole step in
//! which it happens, and a jump of the base's acceleration half of it, of first order: such a step is made in parts.
//! Where the length of the steps changes, the velocities are moved to the middle of the new ones by the acceleration
//! they have.

use crate::error::RockingError;
use klast_dynamics::{Twist, World, WorldContact, WorldSettings};

/// Parts of a step with an impact.
const PARTS: u32 = 128;

pub(super) struct Pace {
    step: f64,
    /// Loss (J) of a step from which on it may have an impact.
    impact: f64,
    /// Whether the last step was made in parts.
    in_parts: bool,
    /// Change of the velocity in a second, of the last step or part; none when that had an impact.
    acceleration: Option<Twist>,
    /// Features that pressed before a step.
    pressing: Vec<u32>,
    /// Whether a feature began to press in the last step. It closes its gap in that one and stops in the next, so an
    /// impact takes two.
    began: bool,
    /// Times (s) at which the acceleration of the base jumps, ordered.
    jumps: Vec<f64>,
    /// Energy (J) that velocities were given where the steps changed.
    pub(super) shifted: f64,
}

impl Pace {
    pub(super) fn new(step: f64, impact: f64, mut jumps: Vec<f64>) -> Self {
        jumps.sort_unstable_by(f64::total_cmp);
        Self {
            step,
            impact,
            // A start has the velocity of its time.
            in_parts: true,
            acceleration: None,
            pressing: Vec::new(),
            began: false,
            jumps,
            shifted: 0.0,
        }
    }

    /// A step, whole or in parts.
    pub(super) fn advance(&mut self, world: &mut World) -> Result<(), RockingError> {
        if self.in_parts && self.acceleration.is_none() {
            return self.parts(world);
        }
        let (before, shifted, began) = (world.snapshot(), self.shifted, self.began);
        let to_middle = 0.5 * self.step * (1.0 - 1.0 / f64::from(PARTS));
        if self.jumps_from(world.time()) {
            if !self.in_parts {
                self.shift(world, to_middle)?;
            }
            return self.parts(world);
        }
        if self.in_parts {
            self.shift(world, -to_middle)?;
        }
        let (strikes, acceleration) = self.one(world, self.step)?;
        if !strikes {
            (self.in_parts, self.acceleration) = (false, Some(acceleration));
            return Ok(());
        }
        world.restore(&before)?;
        (self.shifted, self.began) = (shifted, began);
        if !self.in_parts {
            self.shift(world, to_middle)?;
        }
        self.parts(world)
    }

    /// Whether the base's acceleration jumps within the step that begins at a time, or at its ends.
    fn jumps_from(&self, time: f64) -> bool {
        let rounding = 1e-6 * self.step;
        let first = self.jumps.partition_point(|jump| *jump < time - rounding);
        let next = self.jumps.get(first);
        next.is_some_and(|jump| *jump <= time + self.step + rounding)
    }

    fn parts(&mut self, world: &mut World) -> Result<(), RockingError> {
        let whole = *world.settings();
        let part = self.step / f64::from(PARTS);
        world.set_settings(WorldSettings {
            step: part,
            ..whole
        })?;
        for _ in 0..PARTS {
            let (strikes, acceleration) = self.one(world, part)?;
            self.acceleration = (!strikes).then_some(acceleration);
        }
        self.in_parts = true;
        Ok(world.set_settings(whole)?)
    }

    /// One step of `length`: whether an impact falls into it, and the acceleration over it.
    ///
    /// An impact is a contact that did not press before, in a step that loses energy, or in the step after.
    fn one(&mut self, world: &mut World, length: f64) -> Result<(bool, Twist), RockingError> {
        let before = velocity(world);
        self.pressing.clear();
        let pressing = world.contacts().iter().filter(|contact| presses(contact));
        self.pressing
            .extend(pressing.map(|contact| contact.feature));
        let report = world.step()?;
        let after = velocity(world);
        let acceleration = Twist::new(
            (after.linear - before.linear) / length,
            (after.angular - before.angular) / length,
        )?;
        let lost = report.contact_loss + report.scheme_loss;
        let new =
            |contact: &WorldContact| presses(contact) && !self.pressing.contains(&contact.feature);
        let begins = world.contacts().iter().any(new);
        let strikes = lost > self.impact && (begins || self.began);
        self.began = begins;
        Ok((strikes, acceleration))
    }

    /// Moves the velocity on by a time.
    fn shift(&mut self, world: &mut World, time: f64) -> Result<(), RockingError> {
        let Some(acceleration) = self.acceleration else {
            return Ok(());
        };
        let (old, energy) = (velocity(world), world.kinetic_energy());
        let new = Twist::new(
            old.linear + acceleration.linear * time,
            old.angular + acceleration.angular * time,
        )?;
        world.set_velocity(0, new)?;
        self.shifted += world.kinetic_energy() - energy;
        Ok(())
    }
}

fn presses(contact: &WorldContact) -> bool {
    contact.impulse.dot(contact.normal) > 0.0
}

fn velocity(world: &World) -> Twist {
    world
        .state(0)
        .map_or_else(Twist::default, |state| state.velocity)
}
