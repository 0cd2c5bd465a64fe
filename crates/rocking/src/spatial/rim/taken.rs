//! A round body taken back from the contact engine.

use super::mechanics::{Motion, Touch};
use super::rolls::holds;
use super::{Phase, RoundBody, TAKEN};
use crate::error::RockingError;
use glam::DVec3;
use klast_dynamics::{State, World};

/// Part of the radius by which a rim may be off the base.
const OFF: f64 = 1e-6;

/// Speed of sliding that is none, over that of a fall through the radius.
const STUCK: f64 = 1e-6;

/// How a body is taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Taken {
    AtRest(Motion),
    Sticking(Motion),
    Sliding(Motion),
}

impl RoundBody<'_> {
    /// How the body of a world would be taken from a state, if it can be.
    pub(super) fn seen(&self, state: &State, time: f64) -> Option<Taken> {
        let at = Motion {
            attitude: state.pose.rotation * self.upright.inverse(),
            place: state.pose.translation - self.displacement(time),
            velocity: state.velocity.linear - self.rim.base_velocity(time),
            spin: state.velocity.angular,
            work: self.work,
            loss: self.loss,
        };
        let drum = self.rim.drum;
        if (at.place.z - self.rim.height(&at)).abs() > OFF * drum.radius {
            return None;
        }
        if self.is_still(time, &at) {
            return Some(Taken::AtRest(at));
        }
        if at.lean() < TAKEN || self.rim.top_clearance(&at) <= 0.0 {
            return None;
        }
        let slip = self.rim.slip(&at);
        if slip.z.abs() > self.slow {
            return None;
        }
        let slip = slip.with_z(0.0);
        let fall = (self.rim.gravity * drum.radius).sqrt();
        if slip.length() <= STUCK * fall && holds(&self.rim, time, &at) >= 0.0 {
            return Some(Taken::Sticking(at));
        }
        let slides = self.rim.sliding(time, &at, slip.normalize_or_zero());
        let presses = slides.is_some_and(|rates| rates.force.z > 0.0);
        (slip.length() > STUCK * fall && presses).then_some(Taken::Sliding(at))
    }

    /// Takes the body of a world; whether it could.
    pub(super) fn take(&mut self, world: &World) -> Result<bool, RockingError> {
        let time = world.time();
        let seen = world.state(0).and_then(|state| self.seen(state, time));
        let Some(taken) = seen else {
            return Ok(false);
        };
        match taken {
            Taken::AtRest(at) => {
                let rests = self.put_down(time, &at);
                self.phase = Phase::Rests(rests);
            }
            Taken::Sticking(at) => {
                let on = self.on_the_rim(at);
                self.sticks(time, on)?;
            }
            Taken::Sliding(at) => {
                let on = self.on_the_rim(at);
                let r = self.rim.lever(&on).0;
                let turn = self.rim.inertia(on.axis()).inverse() * r.cross(DVec3::Z);
                let gives = (DVec3::Z + turn.cross(r)).z;
                let impulse = -self.rim.slip(&on).z / gives;
                let (velocity, spin) = (on.velocity + impulse * DVec3::Z, on.spin + impulse * turn);
                let slides = self.struck(time, &on, velocity, spin);
                self.begin(time, &slides, Touch::Slides)?;
            }
        }
        Ok(self.phase != Phase::Given)
    }

    /// With the rim on the base.
    fn on_the_rim(&mut self, at: Motion) -> Motion {
        let mut on = at;
        on.place.z = self.rim.height(&at);
        self.lifted += self.rim.gravity * (on.place.z - at.place.z);
        on
    }
}
