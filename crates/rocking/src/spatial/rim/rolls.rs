//! Rest on the face, and rolling and sliding on the rim, up to a time or to what ends them.

use super::mechanics::{Motion, Rim, Touch};
use super::{CUTOFF, FLAT, Phase, RoundBody};
use crate::error::RockingError;
use glam::{DQuat, DVec2, DVec3};
use klast_numerics::ode::{Arrival, Crossing, Event, OdeError};
use klast_numerics::roots::bisect;

/// Speed (m/s) from which sliding begins and at half of which it ends, over that of a fall through the radius.
const CREEP: f64 = 1e-9;

/// Tilt (rad) with which a body begins to tip.
const TIPPED: f64 = 1e-8;

/// Halvings of a step in which the base begins to tip the body.
const HALVINGS: u32 = 60;

/// An event where a function falls through zero.
struct Falls<F>(F);

impl<F: Fn(f64, &Motion) -> f64> Event for Falls<F> {
    fn value(&self, time: f64, y: &[f64]) -> f64 {
        (self.0)(time, &Motion::of(y))
    }

    fn crossing(&self) -> Crossing {
        Crossing::Falling
    }
}

/// The events, in their order.
const LIFTS: usize = 0;
const LETS_GO: usize = 1;

impl RoundBody<'_> {
    /// At rest on its face up to a time, or to where the base tips or slides it.
    pub(super) fn rest(
        &mut self,
        at: &Motion,
        time: f64,
        until: f64,
    ) -> Result<(f64, Motion), RockingError> {
        let rim = self.rim;
        let (tips, slides) = rim.margins(time);
        if slides <= 0.0 {
            self.phase = Phase::Given;
            return Ok((time, *at));
        }
        if tips <= 0.0 {
            let tipped = self.tipped(at, time);
            self.begin(time, &tipped, Touch::Sticks)?;
            return Ok((time, tipped));
        }
        let short = |t: f64| {
            let (tips, slides) = rim.margins(t);
            tips.min(slides)
        };
        let reached = match short(until) {
            left if left > 0.0 => until,
            _ => bisect(time, until, HALVINGS, |t| short(t) <= 0.0).1,
        };
        let height = |t: f64| self.rim.base.map(|piece| piece.displacement(t))[2];
        let speed = |t: f64| rim.base_velocity(t).length_squared();
        let lifted = rim.gravity * (height(reached) - height(time));
        let rests = Motion {
            work: at.work + 0.5 * (speed(reached) - speed(time)) + lifted,
            ..*at
        };
        self.phase = Phase::Rests(rests);
        Ok((reached, rests))
    }

    /// The body at rest on its face tilted by next to nothing over the point of the rim towards which it tips.
    fn tipped(&mut self, at: &Motion, time: f64) -> Motion {
        let way = self.rim.tips_to(time);
        let drum = self.rim.drum;
        let (sin, cos) = libm::sincos(0.5 * TIPPED);
        let attitude = DQuat::from_xyzw(-way.y * sin, way.x * sin, 0.0, cos) * at.attitude;
        let contact = at.place.truncate() + drum.radius * way;
        let mut tipped = Motion { attitude, ..*at };
        let lever = self.rim.lever(&tipped).0;
        tipped.place = contact.extend(0.0) - lever;
        self.lifted += self.rim.gravity * (tipped.place.z - at.place.z);
        tipped
    }

    /// Begins to roll or slide.
    pub(super) fn begin(
        &mut self,
        time: f64,
        at: &Motion,
        touch: Touch,
    ) -> Result<(), RockingError> {
        self.rim.touch = touch;
        self.phase = Phase::Rolls;
        Ok(self.method.reset(time, &at.unknowns())?)
    }

    /// On the rim up to a time, or to an event.
    pub(super) fn roll(&mut self, time: f64, until: f64) -> Result<(f64, Motion), RockingError> {
        let start = self.rolled();
        if self.is_still(time, &start) {
            let rests = self.put_down(time, &start);
            self.phase = Phase::Rests(rests);
            return Ok((time, rests));
        }
        if self.rim.touch == Touch::Sticks && holds(&self.rim, time, &start) < 0.0 {
            return self.slides(time, start);
        }
        let rim = self.rim;
        let lifts = Falls(|t: f64, m: &Motion| rim.rates(t, m).map_or(-1.0, |r| r.force.z));
        let creep = 0.5 * self.creep();
        let lets_go = Falls(|t: f64, m: &Motion| match rim.touch {
            Touch::Sticks => holds(&rim, t, m),
            Touch::Slides => rim.slip(m).truncate().length_squared() - creep * creep,
        });
        let level = if start.lean() > FLAT {
            FLAT
        } else {
            0.5 * TIPPED
        };
        let lands = Falls(|_: f64, m: &Motion| m.lean() - level);
        let top = Falls(|_: f64, m: &Motion| rim.top_clearance(m));
        let events: [&dyn Event; 4] = [&lifts, &lets_go, &lands, &top];
        let arrival = match self.method.advance(&rim, until, &events) {
            Ok(arrival) => arrival,
            // No solution from here on, as of a rim that jams: that is an impact.
            Err(OdeError::StepTooSmall { .. } | OdeError::TooManySteps { .. }) => {
                Arrival::Event { index: LIFTS }
            }
            Err(error) => return Err(error.into()),
        };
        let (time, at) = (self.method.time(), self.rolled());
        match arrival {
            Arrival::End => Ok((time, at)),
            Arrival::Event { index: LETS_GO } => match rim.touch {
                Touch::Sticks => self.slides(time, at),
                Touch::Slides => self.sticks(time, at),
            },
            Arrival::Event { .. } => {
                self.phase = Phase::Given;
                Ok((time, at))
            }
        }
    }

    /// The state of the method on its constraints: a unit attitude, the rim on the base, and no slip where it sticks.
    fn rolled(&self) -> Motion {
        let mut at = Motion::of(self.method.state());
        at.attitude = at.attitude.normalize();
        at.place.z = self.rim.height(&at);
        if self.rim.touch == Touch::Sticks {
            at.velocity = -at.spin.cross(self.rim.lever(&at).0);
        }
        at
    }

    fn creep(&self) -> f64 {
        CREEP * (self.rim.gravity * self.rim.drum.radius).sqrt()
    }

    /// What sticks begins to slide, against the friction that it asked for.
    fn slides(&mut self, time: f64, at: Motion) -> Result<(f64, Motion), RockingError> {
        let pushed = self.rim.sticking(time, &at).force;
        let way = -pushed.with_z(0.0).normalize_or_zero();
        if pushed.z <= 0.0 || self.rim.sliding(time, &at, way).is_none() {
            self.phase = Phase::Given;
            return Ok((time, at));
        }
        let creeps = Motion {
            velocity: -at.spin.cross(self.rim.lever(&at).0) + self.creep() * way,
            ..at
        };
        self.begin(time, &creeps, Touch::Slides)?;
        Ok((time, creeps))
    }

    /// What slides comes to stick, or slides on another way.
    pub(super) fn sticks(&mut self, time: f64, at: Motion) -> Result<(f64, Motion), RockingError> {
        let (r, e) = (self.rim.lever(&at).0, at.axis());
        let about = self.rim.inertia(e) * at.spin - r.cross(at.velocity);
        let spin = self.rim.inertia_about(e, r).inverse() * about;
        let stuck = self.struck(time, &at, -spin.cross(r), spin);
        if holds(&self.rim, time, &stuck) < 0.0 {
            return self.slides(time, stuck);
        }
        self.begin(time, &stuck, Touch::Sticks)?;
        Ok((time, stuck))
    }

    /// After an impulse at what touches, which is the base.
    pub(super) fn struck(&self, time: f64, at: &Motion, velocity: DVec3, spin: DVec3) -> Motion {
        let mut after = Motion {
            velocity,
            spin,
            ..*at
        };
        let kinetic = |m: &Motion| self.rim.kinetic(m, DVec3::ZERO);
        after.loss += kinetic(at) - kinetic(&after);
        after.work += (velocity - at.velocity).dot(self.rim.base_velocity(time));
        after
    }

    /// Whether it has less energy than the cutoff, and the base leaves it at rest.
    pub(super) fn is_still(&self, time: f64, at: &Motion) -> bool {
        let (drum, gravity) = (self.rim.drum, self.rim.gravity);
        let barrier = gravity * (libm::hypot(drum.radius, drum.centre) - drum.centre);
        let lifted = gravity * (at.place.z - drum.centre);
        let (tips, slides) = self.rim.margins(time);
        // A body that stands on its edge over its mass centre has no energy either.
        let low = at.lean() < 1e-3 * drum.radius / drum.centre.max(drum.radius);
        let energy = lifted + self.rim.kinetic(at, DVec3::ZERO);
        low && energy <= CUTOFF * barrier && tips > 0.0 && slides > 0.0
    }

    /// At rest on its face, where it is.
    pub(super) fn put_down(&mut self, time: f64, at: &Motion) -> Motion {
        let mut down = self.struck(time, at, DVec3::ZERO, DVec3::ZERO);
        down.attitude = level(at);
        down.place = self.foot(at).extend(self.rim.drum.centre);
        self.lifted += self.rim.gravity * (down.place.z - at.place.z);
        down
    }

    fn foot(&self, at: &Motion) -> DVec2 {
        (at.place - self.rim.drum.centre * at.axis()).truncate()
    }
}

/// By how much friction holds more than it has to, squared; below 0 where nothing presses.
pub(super) fn holds(rim: &Rim, time: f64, at: &Motion) -> f64 {
    let force = rim.sticking(time, at).force;
    let most = rim.friction * force.z;
    match force.z > 0.0 {
        true => most * most - force.truncate().length_squared(),
        false => -1.0,
    }
}

/// The attitude turned upright the shortest way.
fn level(at: &Motion) -> DQuat {
    let e = at.axis();
    DQuat::from_xyzw(e.y, -e.x, 0.0, 1.0 + e.z).normalize() * at.attitude
}
