//! What impacts of a step need, kept from step to step.

use super::audit::StepReport;
use super::contacts::{PLANES, WorldContact};
use super::state::WorldState;
use crate::Twist;
use glam::DVec3;
use klast_contact::ImpactLaw;
use std::ops::Range;

/// What impacts of a step need, kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct ImpactRun {
    pub(super) pairs: Vec<Pair>,
    /// Gap of each contact (m) at the present moment of the step, had nothing but the impacts changed the velocities.
    pub(super) gaps: Vec<f64>,
    /// Velocities of all members at that moment.
    pub(super) velocities: Vec<Twist>,
    /// Bodies with another velocity than at the start of the step, and that.
    pub(super) changed: Vec<(u32, Twist)>,
    /// What moving over the whole step with the velocities after the impacts leaves out, m and rad: a body that was
    /// given Δv at a time t has gone −t Δv beside it.
    pub(super) offsets: Vec<Twist>,
    /// The present moment (s from the start of the step).
    pub(super) time: f64,
    /// Time over which gravity changes the velocities that the bodies move with (s).
    pub(super) falling: f64,
    /// Whether any pair has met.
    pub(super) struck: bool,
    /// Approach up to this speed does not bounce (m/s).
    pub(super) bounce_above: f64,
}

/// What collides in a step: bodies and contacts at its start, and how far the impacts have got.
pub(super) struct Collisions<'a> {
    pub(super) state: &'a WorldState,
    pub(super) contacts: &'a [WorldContact],
    pub(super) law: ImpactLaw,
    /// Whether all that touches is one impact.
    pub(super) together: bool,
    pub(super) run: &'a mut ImpactRun,
    pub(super) report: &'a mut StepReport,
}

/// A pair of bodies whose contacts may bounce.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    /// Its contacts among those of the step.
    pub(super) contacts: Range<usize>,
    /// Where it meets next at the present velocities.
    pub(super) meets: Option<Meeting>,
}

/// A contact that closes within the step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meeting {
    /// When (s from the start of the step).
    pub(super) time: f64,
    /// How fast (m/s).
    pub(super) speed: f64,
    /// Which of the contacts of the step.
    pub(super) contact: usize,
}

impl Meeting {
    /// The sooner first, of two at once the faster.
    pub(super) fn before(&self, other: &Self) -> std::cmp::Ordering {
        self.time
            .total_cmp(&other.time)
            .then(other.speed.total_cmp(&self.speed))
    }
}

impl Pair {
    /// Takes no part in impacts any more.
    pub(super) fn give_up(&mut self) {
        self.contacts.end = self.contacts.start;
    }
}

impl Collisions<'_> {
    /// Velocity of the first body relative to the second at a contact, without what gravity has added in the step.
    pub(super) fn relative(&self, c: &WorldContact) -> DVec3 {
        let points = c.points_of_impact();
        let at = |i: u32, point: DVec3| match i.checked_sub(PLANES) {
            Some(k) => {
                let plane = self.state.planes.get(k as usize);
                plane.map_or(DVec3::ZERO, |p| p.velocity)
            }
            None => {
                let centre = self.state.members[i as usize].state.pose.translation;
                self.run.velocities[i as usize].at(point - centre)
            }
        };
        at(c.first, points[0]) - at(c.second, points[1])
    }

    /// What gravity adds to that over a time (s): nothing where both bodies are free.
    pub(super) fn fall(&self, c: &WorldContact, time: f64) -> DVec3 {
        let free = |i: u32| f64::from(u8::from(i < PLANES && self.state.is_free(i as usize)));
        self.state.settings.gravity * (time * (free(c.first) - free(c.second)))
    }

    /// Whether two pairs have a free body in common; so has each with itself.
    pub(super) fn share_a_body(&self, k: usize, j: usize) -> bool {
        let [a, b] = [k, j].map(|p| &self.contacts[self.run.pairs[p].contacts.start]);
        let free = |i: u32| i < PLANES && self.state.is_free(i as usize);
        let of_b = |i: u32| i == b.first || i == b.second;
        [a.first, a.second].into_iter().any(|i| free(i) && of_b(i))
    }
}
