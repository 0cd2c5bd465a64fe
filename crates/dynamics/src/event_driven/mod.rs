//! One body on a plane, event by event: flight, exact first contact, impact, flight; and, where bounces die out, motion in contact.
//!
//! Impacts slower than the normal-velocity cutoff do not rebound (e = 0). So a series of bounces whose sum is finite (Zeno) ends
//! after a few, with an error in time of about 2 v/(g (1 − e)) and in energy of ½ m v² for a cutoff v; then the contacts stay, and
//! the contact problem on accelerations says whether each of them sticks, slips or opens. Where that problem has no solution
//! (Painlevé), or events crowd, the velocity-level problem over a short step decides, and is counted.
//!
//! A run that begins with a vertex in the ground is refused: [`DynamicsError::OutOfRange`].

mod motion;
mod rescue;
mod stay;

use klast_numerics::OutOfRange;
pub use motion::{Limits, Motion};
use stay::{Stay, StayRoom};

use crate::error::within;
use crate::impact::{Impact, ImpactRoom, impact_in};
use crate::{
    Body, ContactMaterial, DynamicsError, Flight, FlightRoom, Recorder, State, StopReason,
};
use glam::DVec3;
use klast_contact::Frame;
use klast_geometry::{Manifold, Plane, plane_contact};
use klast_numerics::check::{finite_vector as finite, positive};

/// A run of bodies over a plane.
#[derive(Debug, Clone, PartialEq)]
pub struct EventDriven {
    gravity: DVec3,
    plane: Plane,
    frame: Frame,
    material: ContactMaterial,
    slow: ContactMaterial,
    limits: Limits,
    gate: Option<Plane>,
}

/// Height, relative to the radius, up to which vertices take part in an impact or a contact: an edge that lands flat has its
/// ends at heights that differ by rounding (1e-15), and the touch itself is known to that.
const TOUCH: f64 = 1e-10;
/// Normal speed (m/s) that is none: rounding of the impact solution.
const NO_SPEED: f64 = 1e-10;
/// Angle (rad) over which the attitude is followed in flights whose spin changes. It takes a piece of a series a radian: about a second.
const MAXIMUM_TURN: f64 = 1e6;

/// What a run works in, handed on from run to run: [`EventDriven::run_in`].
#[derive(Debug, Clone, Default)]
pub struct EventRoom {
    touching: Manifold,
    resting: Vec<usize>,
    impact: ImpactRoom,
    stay: StayRoom,
    flight: FlightRoom,
}

impl EventDriven {
    /// A run under `gravity` (m/s²) on `plane`.
    pub fn new(
        gravity: DVec3,
        plane: Plane,
        material: ContactMaterial,
        limits: Limits,
    ) -> Result<Self, DynamicsError> {
        finite("gravity", gravity)?;
        if limits.time != f64::INFINITY {
            positive("maximum time", limits.time)?;
        }
        within(
            "normal-velocity cutoff",
            limits.normal_velocity,
            |v| v >= 0.0,
            "finite, 0 or more",
        )?;
        within(
            "stopped-velocity cutoff",
            limits.stopped_velocity,
            |v| v >= 0.0,
            "finite, 0 or more",
        )?;
        let slow = material.plastic();
        let frame = Frame::from_normal(plane.normal)?;
        Ok(Self {
            gravity,
            plane,
            frame,
            material,
            slow,
            limits,
            gate: None,
        })
    }

    /// The same run, ended when the centre of mass falls through `gate` from its positive side.
    pub fn until_passing(mut self, gate: Plane) -> Self {
        self.gate = Some(gate);
        self
    }

    /// The plane.
    pub fn plane(&self) -> &Plane {
        &self.plane
    }

    /// Runs a body from a state to its end.
    pub fn run(
        &self,
        body: &Body,
        start: State,
        recorder: &mut impl Recorder,
    ) -> Result<(Motion, StopReason), DynamicsError> {
        self.run_in(body, start, recorder, &mut EventRoom::default())
    }

    /// As [`EventDriven::run`], in room that goes from run to run: nothing is allocated once its lists are as long as they get,
    /// but by impact laws other than the default one.
    pub fn run_in(
        &self,
        body: &Body,
        start: State,
        recorder: &mut impl Recorder,
        room: &mut EventRoom,
    ) -> Result<(Motion, StopReason), DynamicsError> {
        let mut motion = Motion::new(start);
        loop {
            if let Some(reason) = self.advance_in(body, &mut motion, recorder, room)? {
                recorder.stop(motion.time, &motion.state, reason);
                return Ok((motion, reason));
            }
        }
    }

    /// One step: a flight, an impact or a contact phase. Says why when nothing more is to come.
    pub fn advance(
        &self,
        body: &Body,
        motion: &mut Motion,
        recorder: &mut impl Recorder,
    ) -> Result<Option<StopReason>, DynamicsError> {
        self.advance_in(body, motion, recorder, &mut EventRoom::default())
    }

    /// As [`EventDriven::advance`], in room that goes from step to step.
    pub fn advance_in(
        &self,
        body: &Body,
        motion: &mut Motion,
        recorder: &mut impl Recorder,
        room: &mut EventRoom,
    ) -> Result<Option<StopReason>, DynamicsError> {
        if let Some(reason) = self.over(motion) {
            return Ok(Some(reason));
        }
        if motion.steps == 0 {
            self.stands_outside(body, &motion.state)?;
        }
        let state = &motion.state;
        motion.steps += 1;
        let EventRoom {
            touching,
            resting,
            impact,
            stay,
            flight,
        } = room;
        let reach = TOUCH * body.shape().radius();
        plane_contact(body.shape(), &state.pose, &self.plane, reach, touching);
        let speed = |p: &klast_geometry::ContactPoint| {
            state
                .velocity
                .at(p.point - state.pose.translation)
                .dot(self.plane.normal)
        };
        let closing = touching
            .points
            .iter()
            .map(|p| -speed(p))
            .fold(f64::NEG_INFINITY, f64::max);
        if closing > NO_SPEED {
            let material = if closing < self.limits.normal_velocity {
                &self.slow
            } else {
                &self.material
            };
            let hit = impact_in(body, state, &touching.points, material, impact)?;
            self.enter(motion, &hit);
            recorder.impact(motion.time, &touching.points, &hit);
            impact.impulses = hit.impulses;
            return Ok(None);
        }
        if motion.crowd.one_more(motion.time) {
            return self
                .rescue(body, motion, recorder, &mut stay.rescue)
                .map(|_| None);
        }
        // A contact that opens more slowly than the cutoff stays if the forces press it: it would be back within 2 v/g.
        let slow = self.limits.normal_velocity.max(NO_SPEED);
        let stays = touching.points.iter().filter(|p| speed(p) <= slow);
        resting.clear();
        resting.extend(stays.map(|p| p.feature as usize));
        if resting.is_empty() {
            return Ok(self.fly(body, motion, recorder, flight));
        }
        match self.stay(body, motion, resting, recorder, stay)? {
            Stay::Opens => Ok(self.fly(body, motion, recorder, flight)),
            Stay::GoesOn => Ok(None),
            Stay::Ends(reason) => Ok(Some(reason)),
        }
    }

    /// Refuses a body that begins in the ground, by more than rounding.
    fn stands_outside(&self, body: &Body, state: &State) -> Result<(), DynamicsError> {
        let height = |v: &DVec3| self.plane.height(state.pose.transform_point(*v));
        let lowest = body
            .vertices()
            .iter()
            .map(height)
            .fold(f64::INFINITY, f64::min);
        let rounding =
            TOUCH * body.shape().radius() + 8.0 * f64::EPSILON * state.pose.translation.length();
        if lowest < -rounding {
            return Err(OutOfRange::new(
                "height of the lowest vertex over the plane",
                lowest,
                "0 or more, up to rounding",
            )
            .into());
        }
        Ok(())
    }

    /// Whether the run is over before its next step.
    fn over(&self, motion: &Motion) -> Option<StopReason> {
        let State { pose, velocity } = &motion.state;
        let finite = pose.translation.is_finite()
            && pose.rotation.is_finite()
            && velocity.linear.is_finite()
            && velocity.angular.is_finite();
        if !finite {
            return Some(StopReason::NotFinite);
        }
        if motion.time >= self.limits.time {
            return Some(StopReason::MaximumTime);
        }
        (motion.steps >= self.limits.steps).then_some(StopReason::MaximumSteps)
    }

    fn enter(&self, motion: &mut Motion, hit: &Impact) {
        motion.state.velocity = hit.after;
        motion.energy.enter(&hit.energy);
        if !hit.converged {
            motion.unconverged += 1;
        }
    }

    /// A flight to the next contact, the gate or the end of time.
    fn fly(
        &self,
        body: &Body,
        motion: &mut Motion,
        recorder: &mut impl Recorder,
        room: &mut FlightRoom,
    ) -> Option<StopReason> {
        let flight = Flight::new(body, motion.state, self.gravity);
        let mut followed = flight.followed_in(std::mem::take(room));
        let spin = match flight.steady_axis() {
            Some(_) => 0.0,
            None => flight.spin_bound(),
        };
        let followable = (MAXIMUM_TURN - motion.turned) / spin;
        let left = self.limits.time - motion.time;
        let longest = left.min(followable);
        let hit = followed.first_contact(body, &self.plane, 0.0, longest);
        let (mut duration, mut end) = match hit {
            Some(hit) => (hit.time, None),
            None if left == f64::INFINITY && self.gone(body, &flight, longest) => {
                (0.0, Some(StopReason::NoContact))
            }
            None if followable < left => (longest, Some(StopReason::MaximumTurn)),
            None => (longest, Some(StopReason::MaximumTime)),
        };
        if let Some(passing) = self.gate.and_then(|gate| passing(&flight, &gate, duration)) {
            (duration, end) = (passing, Some(StopReason::PassedGate));
        }
        recorder.flight(motion.time, &flight, duration);
        motion.state = followed.state(duration);
        *room = followed.into_room();
        motion.time += duration;
        motion.turned += spin * duration;
        end
    }

    /// Whether a flight without a contact so far, which may be for ever, is beyond the body's reach and never comes back.
    fn gone(&self, body: &Body, flight: &Flight, time: f64) -> bool {
        let normal = self.plane.normal;
        let (speed, pull) = (
            normal.dot(flight.start().velocity.linear),
            normal.dot(self.gravity),
        );
        time == f64::INFINITY
            || (self.plane.height(flight.centre(time)) > body.shape().radius()
                && pull >= 0.0
                && speed + pull * time >= 0.0)
    }
}

/// First time in (0, duration] at which the centre falls through the gate.
fn passing(flight: &Flight, gate: &Plane, duration: f64) -> Option<f64> {
    let (x, v) = (
        gate.height(flight.start().pose.translation),
        gate.normal.dot(flight.start().velocity.linear),
    );
    let a = gate.normal.dot(flight.gravity());
    if x <= 0.0 {
        return Some(0.0);
    }
    // x + v t + a t²/2 = 0 by the formula that cancels nothing.
    let discriminant = v * v - 2.0 * a * x;
    if discriminant < 0.0 {
        return None;
    }
    let q = -(v + discriminant.sqrt().copysign(v));
    let roots = [q / a, 2.0 * x / q];
    roots
        .into_iter()
        .filter(|t| *t > 0.0 && *t <= duration)
        .min_by(f64::total_cmp)
}
