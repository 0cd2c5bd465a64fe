//! One body on a plane, event by event: flight, exact first contact, impact, flight; and, where bounces die out, motion in contact.
//!
//! Impacts slower than the normal-velocity cutoff do not rebound (e = 0). So a series of bounces whose sum is finite (Zeno) ends
//! after a few, with an error in time of about 2 v/(g (1 − e)) and in energy of ½ m v² for a cutoff v; then the contacts stay, and
//! the contact problem on accelerations says whether each of them sticks, slips or opens. Where that problem has no solution
//! (Painlevé) the velocity-level problem over one short step decides, and is counted.

use crate::error::{finite, positive, within};
use crate::impact::{Impact, impact};
use crate::staying::{
    Active, BEGINS, BLENDS, GONE, Mode, Moment, Phase, PhaseEnd, STILL, Setting, modes,
};
use crate::{
    Body, ContactMaterial, DynamicsError, EnergyLedger, Flight, MoreauMidpoint, Recorder, State,
    StopReason, first_contact,
};
use glam::DVec3;
use klast_contact::Frame;
use klast_geometry::{Manifold, Plane, plane_contact};

/// When to stop, and below which speeds motion is simplified.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Maximum time (s); may be infinite.
    pub time: f64,
    /// Maximum number of steps: flights, impacts and contact phases together.
    pub steps: usize,
    /// Normal-velocity cutoff (m/s): a slower impact does not rebound.
    pub normal_velocity: f64,
    /// Stopped-velocity cutoff (m/s): a body whose contacts can hold it is at rest once all its points are slower.
    pub stopped_velocity: f64,
}

impl Default for Limits {
    /// One hour, a million steps, 1e-4 m/s and 1e-6 m/s.
    fn default() -> Self {
        Self {
            time: 3600.0,
            steps: 1_000_000,
            normal_velocity: 1e-4,
            stopped_velocity: 1e-6,
        }
    }
}

/// A body on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Time since the start (s).
    pub time: f64,
    /// State now.
    pub state: State,
    /// Sums of the energy audits.
    pub energy: EnergyLedger,
    /// Flights, impacts and contact phases so far.
    pub steps: usize,
    /// Impacts whose contact problem missed its tolerance.
    pub unconverged: usize,
    /// Short steps of the velocity-level scheme where the acceleration problem had no usable answer.
    pub jams: usize,
    /// Contact phases in a row that went nowhere.
    stalled: usize,
}

impl Motion {
    /// A motion that begins with `state` at time 0.
    pub fn new(state: State) -> Self {
        Self {
            time: 0.0,
            state,
            energy: EnergyLedger::default(),
            steps: 0,
            unconverged: 0,
            jams: 0,
            stalled: 0,
        }
    }
}

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
    rescue: MoreauMidpoint,
}

/// Height, relative to the radius, up to which vertices take part in an impact or a contact: an edge that lands flat has its
/// ends at heights that differ by rounding (1e-15), and the touch itself is known to that.
const TOUCH: f64 = 1e-10;
/// Normal speed (m/s) that is none: rounding of the impact solution.
const NO_SPEED: f64 = 1e-10;
/// Contact phases shorter than this (s), and how many of them in a row say that the contact modes contradict each other.
const STALL: f64 = 1e-7;
const STALLS: usize = 4;
/// Step of the velocity-level scheme where contact on accelerations jams (s).
const RESCUE_STEP: f64 = 1e-4;

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
        let rescue = MoreauMidpoint::new(RESCUE_STEP, gravity, plane, slow.clone())?;
        let frame = Frame::from_normal(plane.normal)?;
        Ok(Self {
            gravity,
            plane,
            frame,
            material,
            slow,
            limits,
            gate: None,
            rescue,
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
        let mut motion = Motion::new(start);
        loop {
            if let Some(reason) = self.advance(body, &mut motion, recorder)? {
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
        let state = &motion.state;
        if !(state.pose.translation.is_finite()
            && state.velocity.linear.is_finite()
            && state.velocity.angular.is_finite())
        {
            return Ok(Some(StopReason::NotFinite));
        }
        if motion.time >= self.limits.time {
            return Ok(Some(StopReason::MaximumTime));
        }
        if motion.steps >= self.limits.steps {
            return Ok(Some(StopReason::MaximumSteps));
        }
        motion.steps += 1;
        let mut touching = Manifold::default();
        let reach = TOUCH * body.shape().radius();
        plane_contact(body.shape(), &state.pose, &self.plane, reach, &mut touching);
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
            let hit = impact(body, state, &touching.points, material)?;
            self.enter(motion, &hit);
            recorder.impact(motion.time, &touching.points, &hit);
            return Ok(None);
        }
        // A contact that opens more slowly than the cutoff stays if the forces press it: it would be back within 2 v/g.
        let slow = self.limits.normal_velocity.max(NO_SPEED);
        let resting: Vec<usize> = touching
            .points
            .iter()
            .filter(|p| speed(p) <= slow)
            .map(|p| p.feature as usize)
            .collect();
        if !resting.is_empty()
            && let Some(end) = self.stay(body, motion, &resting, recorder)?
        {
            return Ok(end);
        }
        Ok(self.fly(body, motion, recorder))
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
    ) -> Option<StopReason> {
        let flight = Flight::new(body, motion.state, self.gravity);
        let longest = self.limits.time - motion.time;
        let hit = first_contact(body, &flight, &self.plane, 0.0, longest);
        let (mut duration, mut end) = match hit {
            Some(hit) => (hit.time, None),
            None if longest.is_finite() => (longest, Some(StopReason::MaximumTime)),
            None => (0.0, Some(StopReason::NoContact)),
        };
        if let Some(passing) = self.gate.and_then(|gate| passing(&flight, &gate, duration)) {
            (duration, end) = (passing, Some(StopReason::PassedGate));
        }
        recorder.flight(motion.time, &flight, duration);
        motion.state = flight.state(duration);
        motion.time += duration;
        motion.stalled = if duration > 0.0 {
            0
        } else {
            motion.stalled + 1
        };
        end
    }

    /// Motion in contact. `None` where the contacts carry nothing and the body flies.
    #[allow(
        clippy::type_complexity,
        reason = "the outer option is whether the body stays, the inner why it stops"
    )]
    fn stay(
        &self,
        body: &Body,
        motion: &mut Motion,
        resting: &[usize],
        recorder: &mut impl Recorder,
    ) -> Result<Option<Option<StopReason>>, DynamicsError> {
        let setting = Setting {
            body,
            frame: self.frame,
            gravity: self.gravity,
            friction: self.material.friction(),
        };
        if motion.stalled > STALLS {
            return self.rescue(body, motion, recorder).map(Some);
        }
        let before = motion.state;
        let moment = Moment::new(&setting, &before);
        let candidates: Vec<Active> = resting
            .iter()
            .map(|&vertex| candidate(&setting, &moment, vertex))
            .collect();
        let Some((forces, rates)) = moment.resolved(&setting, &candidates) else {
            return self.rescue(body, motion, recorder).map(Some);
        };
        let active = modes(&setting, &moment, &candidates, &forces, &rates);
        if active.is_empty() {
            // They open; a speed of rounding size into the ground must not hold the flight back.
            let closing = |c: &&Active| {
                moment
                    .velocity
                    .at(moment.arm(body, c.vertex))
                    .dot(self.plane.normal)
                    < 0.0
            };
            let sinking: Vec<Active> = candidates.iter().filter(closing).copied().collect();
            motion.state.velocity = moment.without_normal_speed(&setting, &sinking);
            return Ok(None);
        }
        let start = State {
            pose: before.pose,
            velocity: moment.without_normal_speed(&setting, &active),
        };
        if self.comes_to_rest(&setting, &start, resting) {
            motion.state = State::at_rest(start.pose);
            return Ok(Some(Some(StopReason::AtRest)));
        }
        let phase = Phase::new(setting, self.plane, active, self.gate);
        let (after, duration, end) = phase.run(&start, self.limits.time - motion.time);
        if end == PhaseEnd::Failed {
            return self.rescue(body, motion, recorder).map(Some);
        }
        motion.stalled = if duration < STALL {
            motion.stalled + 1
        } else {
            0
        };
        self.pass(body, motion, after, duration, recorder);
        Ok(Some(match end {
            PhaseEnd::Gate => Some(StopReason::PassedGate),
            PhaseEnd::TimeUp => Some(StopReason::MaximumTime),
            PhaseEnd::Change | PhaseEnd::Failed => None,
        }))
    }

    /// Enters a stretch of motion in contact.
    fn pass(
        &self,
        body: &Body,
        motion: &mut Motion,
        after: State,
        duration: f64,
        recorder: &mut impl Recorder,
    ) {
        let energy =
            |s: &State| s.kinetic_energy(body).total() + s.potential_energy(body, self.gravity);
        motion.energy.slid += energy(&motion.state) - energy(&after);
        recorder.contact(motion.time, &motion.state, duration, &after);
        motion.state = after;
        motion.time += duration;
    }

    /// Whether the body is slow and its contacts can hold it.
    fn comes_to_rest(&self, setting: &Setting, state: &State, resting: &[usize]) -> bool {
        let radius = setting.body.shape().radius();
        let fastest = state.velocity.linear.length() + state.velocity.angular.length() * radius;
        if fastest > self.limits.stopped_velocity.max(NO_SPEED) {
            return false;
        }
        let moment = Moment::new(setting, &State::at_rest(state.pose));
        let stuck: Vec<Active> = resting
            .iter()
            .map(|&vertex| Active {
                vertex,
                mode: Mode::Stick,
            })
            .collect();
        moment.resolved(setting, &stuck).is_some_and(|(_, r)| {
            r.linear.length() + r.angular.length() * radius <= 10.0 * GONE * self.gravity.length()
        })
    }

    /// One short step of the velocity-level scheme.
    fn rescue(
        &self,
        body: &Body,
        motion: &mut Motion,
        recorder: &mut impl Recorder,
    ) -> Result<Option<StopReason>, DynamicsError> {
        let mut after = motion.state;
        self.rescue.step(body, &mut after)?;
        motion.jams += 1;
        motion.stalled = 0;
        self.pass(body, motion, after, RESCUE_STEP, recorder);
        Ok(None)
    }
}

/// A touching vertex as the contact problem on accelerations sees it: slipping if it moves, else at rest.
fn candidate(setting: &Setting, moment: &Moment, vertex: usize) -> Active {
    let slip = moment.slip(&setting.frame, moment.arm(setting.body, vertex));
    let speed = slip.length();
    let mode = match speed > SLIPS {
        true => Mode::Slip {
            reference: slip / speed,
            blend: if speed < 0.99 * BLENDS * BEGINS {
                BEGINS
            } else {
                STILL
            },
        },
        false => Mode::Stick,
    };
    Active { vertex, mode }
}

/// Slip speed (m/s) below which a contact point is at rest.
const SLIPS: f64 = 1e-9;

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
