//! The velocity that each body's way in a step is measured from: that of what carries it.
//!
//! How far the contacts of two bodies reach depends on how far they may go relative to each other in a step, also after
//! an impact with a third. In the laboratory frame a wall that rides on a base at 30 m/s would reach 75 mm in a step of
//! 2.5 ms: gaps that never close would be contacts, with q = g/h of up to 60 m/s, and the tolerance would scale with
//! that. Speeds are therefore those relative to the boundary (a plane, or a body that is fixed or driven) whose
//! velocity is nearest to that of the body. The same scene in another inertial frame then has the same contacts.

use super::state::WorldState;
use crate::Twist;
use glam::DVec3;

/// Boundaries among which one with the same motion is looked for.
const KNOWN: usize = 8;

/// A boundary's motion over the step: the velocity at a point, and the spin.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Carrier {
    at: DVec3,
    twist: Twist,
}

impl Carrier {
    /// Of what does not turn: the point does not matter.
    fn steady(velocity: DVec3) -> Self {
        Self {
            at: DVec3::ZERO,
            twist: Twist {
                linear: velocity,
                angular: DVec3::ZERO,
            },
        }
    }

    fn velocity(&self, point: DVec3) -> DVec3 {
        match self.twist.angular == DVec3::ZERO {
            true => self.twist.linear,
            false => self.twist.at(point - self.at),
        }
    }
}

/// The motions of all boundaries, each once; of a world without boundaries that of the bodies' common mass centre.
#[derive(Debug, Clone, Default)]
pub(super) struct Carriers(Vec<Carrier>);

impl Carriers {
    /// Notes how the boundaries move over the coming step; planes have their velocities.
    pub fn note(&mut self, state: &WorldState) {
        let (s, time) = (&state.settings, state.time);
        self.0.clear();
        for b in &state.planes {
            self.add(Carrier::steady(b.velocity));
        }
        for m in state.members.iter().filter(|m| !m.is_free()) {
            let twist = m.present_velocity(s, time);
            self.add(match twist.angular == DVec3::ZERO {
                true => Carrier::steady(twist.linear),
                false => Carrier {
                    at: m.state.pose.translation,
                    twist,
                },
            });
        }
        if self.0.is_empty() {
            self.0.push(Carrier::steady(mean_velocity(state)));
        }
    }

    fn add(&mut self, carrier: Carrier) {
        // Boundaries that move together follow each other.
        if !self.0.iter().rev().take(KNOWN).any(|c| *c == carrier) {
            self.0.push(carrier);
        }
    }

    /// The velocity, of those of the boundaries at a point, that is nearest to one.
    pub fn nearest(&self, point: DVec3, velocity: DVec3) -> DVec3 {
        if let [only] = &self.0[..] {
            return only.velocity(point);
        }
        let all = self.0.iter().map(|c| c.velocity(point));
        let nearest = all.min_by(|a, b| {
            let far = |v: &DVec3| (velocity - *v).length_squared();
            far(a).total_cmp(&far(b))
        });
        nearest.unwrap_or(DVec3::ZERO)
    }
}

/// Velocity of the common mass centre of the free bodies.
fn mean_velocity(state: &WorldState) -> DVec3 {
    let (mut mass, mut momentum) = (0.0, DVec3::ZERO);
    for m in state.free() {
        mass += m.body.mass();
        momentum += m.state.velocity.linear * m.body.mass();
    }
    match mass > 0.0 {
        true => momentum / mass,
        false => DVec3::ZERO,
    }
}
