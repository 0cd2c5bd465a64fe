//! Contact points on the arcs on which their bodies turn.
//!
//! A body moves by the velocities at the end of a step, and its points on arcs: a point of the arm r goes ½ h² ω × (ω ×
//! r) beside h times its velocity at the start. With the mean velocities over the step in the law a step has impulses
//! along the contacts of its start that hold what they hold at its end, the scheme of Ryckaert, Ciccotti and Berendsen
//! (1977, Journal of Computational Physics 23, 327), of second order. Without them a point that sticks leaves its
//! place.
//!
//! Spins that differ stretch what lies between two points that stick. No velocities meet that, and impulses would grow
//! to the limit of friction: what two bodies are pressed together at moves as one, by the arc at its middle.

use super::contacts::{WorldContact, of_pair};
use super::frozen::Frozen;
use glam::DVec3;

/// The arcs of the contacts of a pair, and where those that pressed have their middle (m).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Arcs {
    pair: Option<(u32, u32)>,
    middle: DVec3,
}

impl Arcs {
    /// Mean relative velocity of the points of a contact over the step, less that at its start (m/s).
    pub fn of(&mut self, c: &WorldContact, frozen: &Frozen) -> DVec3 {
        if self.pair != Some(c.pair()) {
            self.pair = Some(c.pair());
            self.middle = middle(of_pair(frozen.contacts, c.first, c.second));
        }
        let [first, second] = match pressed(c) > 0.0 {
            true => [self.middle; 2],
            false => c.points(),
        };
        arc(c.first, first, frozen) - arc(c.second, second, frozen)
    }
}

/// The middle of what pressed in the last step, or in the solution before, by the impulses.
fn middle(contacts: &[WorldContact]) -> DVec3 {
    let weighed = contacts.iter().map(|c| (pressed(c), c.point));
    let sum =
        |(all, sum): (f64, DVec3), (part, point): (f64, DVec3)| (all + part, sum + point * part);
    let (all, sum) = weighed.fold((0.0, DVec3::ZERO), sum);
    if all > 0.0 { sum / all } else { DVec3::ZERO }
}

fn pressed(c: &WorldContact) -> f64 {
    c.impulse.dot(c.normal).max(0.0)
}

/// Mean velocity of a point of a free body over the step, less that at its start (m/s): the first term of the series in
/// h ω, beside which the change of the spin is of higher order.
fn arc(member: u32, point: DVec3, frozen: &Frozen) -> DVec3 {
    let member = frozen.state.members.get(member as usize);
    let Some(m) = member.filter(|m| m.is_free()) else {
        return DVec3::ZERO;
    };
    let spin = m.state.velocity.angular;
    let turning = spin.cross(point - m.state.pose.translation);
    0.5 * frozen.state.settings.step * spin.cross(turning)
}
