//! Contact forces of all interfaces at one instant, and the marks they leave in the diagnostics.

use super::Row;
use super::Stack;
use super::chain::Chain;
use super::history::{Diagnostics, Extreme};
use super::impact_outcome::Outcome;
use super::motion::{Contact, Flow, Pose, hinge_contact, shut_contact};

/// Friction coefficient and place of a run, to mark what it meets.
pub(super) struct Marker<'a> {
    pub stack: &'a Stack,
    pub friction: Option<f64>,
}

impl Marker<'_> {
    /// Marks the forces of every interface at `time`.
    pub fn forces(
        &self,
        into: &mut Diagnostics,
        chain: &Chain,
        pose: &Pose,
        acceleration: &Row,
        flow: &Flow,
        time: f64,
    ) {
        let gravity = self.stack.gravity();
        for shut in chain.shut() {
            let contact = shut_contact(shut, pose, acceleration, flow);
            self.force(
                into,
                &contact,
                shut.part.mass * gravity,
                time,
                shut.interface,
            );
        }
        for (g, group) in chain.groups().iter().enumerate() {
            let turned_with = match self.stack.face_of(group.first) {
                Some(body) if body == group.first => Some(g),
                Some(_) => g.checked_sub(1),
                None => None,
            };
            let (cos, sin) =
                turned_with.map_or((1.0, 0.0), |with| (pose.cos[with], pose.sin[with]));
            let contact = hinge_contact(chain, g, flow, cos, sin);
            self.force(into, &contact, group.mass * gravity, time, group.first);
        }
    }

    fn force(
        &self,
        into: &mut Diagnostics,
        contact: &Contact,
        weight: f64,
        time: f64,
        interface: usize,
    ) {
        let normal = contact.normal / weight;
        if normal < into.normal.value {
            into.normal = Extreme {
                value: normal,
                time,
                interface,
            };
        }
        if normal < 0.0 {
            into.jump_time.get_or_insert(time);
            return;
        }
        let needed = (contact.tangent / contact.normal).abs();
        if needed > into.friction.value {
            into.friction = Extreme {
                value: needed,
                time,
                interface,
            };
        }
        if self.friction.is_some_and(|given| needed > given) {
            into.slip_time.get_or_insert(time);
        }
    }

    /// Marks the impulses of an impact that settled as `outcome`.
    pub fn impulses(&self, into: &mut Diagnostics, outcome: &Outcome, blocks: usize, time: f64) {
        let impulses = outcome.impulse.iter().take(blocks);
        let unit = impulses
            .clone()
            .fold(0.0_f64, |most, contact| most.max(contact.normal.abs()));
        for (interface, contact) in impulses.enumerate() {
            // Impulses at the round-off of the largest one say nothing.
            if contact.normal > 1e-9 * unit {
                let needed = (contact.tangent / contact.normal).abs();
                if needed > into.impact_friction.value {
                    into.impact_friction = Extreme {
                        value: needed,
                        time,
                        interface,
                    };
                }
            }
        }
        if outcome.pulls(blocks) {
            into.pulling_impacts += 1;
            into.pull_time.get_or_insert(time);
        }
        let (before, after) = outcome.energy;
        if before > 0.0 {
            into.energy_gain = into.energy_gain.max((after - before) / before);
        }
    }
}
