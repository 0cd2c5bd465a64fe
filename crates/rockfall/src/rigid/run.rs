//! One rock as a rigid body, from release to its end.

use super::laws::{Scarring, VegetationDrag};
use super::response::{Response, Solved};
use super::search::{Scratch, Touch, first_touch, witness};
use super::stay;
use crate::RockfallError;
use crate::arc::{Arc, Motion};
use crate::error::within;
use crate::lumped::Roughness;
use crate::material::{Ground, MaterialSample, roughened};
use crate::stop::{Outcome, StopConditions};
use glam::DVec3;
use klast_dynamics::{Body, Flight, State, Twist};
use klast_geometry::terrain::{Area, Terrain, terrain_contact, terrain_separation};
use klast_geometry::{ContactPoint, Manifold};
use std::ops::ControlFlow;

/// The rigid-body engine: everything that is the same for all rocks of a run.
#[derive(Clone, Copy)]
pub struct RigidRock<'a> {
    /// The ground's shape.
    pub terrain: &'a dyn Terrain,
    /// Its materials.
    pub ground: &'a Ground,
    /// Stop conditions.
    pub stop: &'a StopConditions,
    /// Gravity (m/s²).
    pub gravity: DVec3,
    /// Step of the motion in contact (s).
    pub contact_step: f64,
    /// Friction that grows with slippage instead of the material's.
    pub scarring: Option<Scarring>,
    /// Vegetation.
    pub drag: Option<VegetationDrag>,
}

/// What happened on the way.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RigidTally {
    /// Impacts.
    pub impacts: u32,
    /// Steps in contact.
    pub contact_steps: u32,
    /// Contact problems that missed their tolerance.
    pub unconverged: u32,
    /// Impacts that gained energy, as Newton's law with friction can.
    pub energy_gains: u32,
    /// Energy gained in them (J).
    pub gained: f64,
    /// Steps taken without a load because nothing else moved the rock on.
    pub forced: u32,
    /// Slippage at the end (m).
    pub slippage: f64,
}

/// Height, relative to the radius, up to which features take part in an impact.
const TOUCHING: f64 = 1e-9;
/// Longest flight with drag in one arc, as a part of the time m/c_d in which drag slows the rock, and in seconds: drag acts at its two ends (second order), so
/// the relative error of a speed is about 1e-4/12 an arc.
const DRAG_PART: f64 = 0.01;
const DRAG_STEP: f64 = 0.05;
/// Depth, relative to the radius, above which a striking point shortens its step on the ground, and the least part of a step.
const STRUCK: f64 = 1e-4;
const SHORTEST: f64 = 1.0 / 256.0;
/// A face is flat on the ground where a step turns it out of the plane by less than this (rad), and may then turn in the plane by [`TURN`] (rad) in a
/// step of up to [`LONG_STEPS`] ordinary ones.
const FLAT: f64 = 1e-6;
const TURN: f64 = 0.02;
const LONG_STEPS: f64 = 32.0;
/// Flights shorter than this part of a step on the ground lead nowhere, and how many of them a rock may make in a row.
const PROGRESS: f64 = 0.1;
const PATIENCE: u32 = 8;
/// Margin of contact between two steps on the ground, relative to the radius.
const RESTING: f64 = 1e-6;

impl RigidRock<'_> {
    /// Checks the numbers of the engine.
    pub fn validate(&self) -> Result<(), RockfallError> {
        self.stop.validate()?;
        within(
            "contact_step",
            self.contact_step,
            self.contact_step > 0.0 && self.contact_step <= 0.1,
            "above 0, up to 0.1 s",
        )?;
        self.scarring.map_or(Ok(()), |s| s.validate())?;
        self.drag.map_or(Ok(()), |d| d.validate())
    }

    /// The speed −e u_n that Newton's law takes off a contact with a closing speed (m/s); a rebound slower than the cutoff is none.
    fn rebound(&self, sample: &MaterialSample, closing: f64) -> f64 {
        let speed = sample.normal_restitution * closing;
        if speed > 0.0 && speed >= self.stop.normal_velocity_cutoff {
            -speed
        } else {
            0.0
        }
    }

    /// Follows a rock. Every arc goes to `path` in order; when `path` breaks, the rock has been caught by what watches it.
    pub fn run(
        &self,
        body: &Body,
        samples: &[MaterialSample],
        start: State,
        roughness: Roughness,
        path: &mut dyn FnMut(&Arc) -> ControlFlow<Outcome>,
    ) -> (Outcome, State, RigidTally) {
        let mut run = Run {
            engine: self,
            body,
            samples,
            roughness,
            path,
            state: start,
            time: 0.0,
            tally: RigidTally::default(),
            scratch: Scratch::default(),
            manifold: Manifold::default(),
            response: Response::default(),
            lies_on: None,
            stuck: 0,
        };
        let outcome = match run.follow() {
            ControlFlow::Break(outcome) => outcome,
            ControlFlow::Continue(()) => Outcome::TimedOut,
        };
        (outcome, run.state, run.tally)
    }
}

struct Run<'a> {
    engine: &'a RigidRock<'a>,
    body: &'a Body,
    samples: &'a [MaterialSample],
    roughness: Roughness,
    path: &'a mut dyn FnMut(&Arc) -> ControlFlow<Outcome>,
    state: State,
    time: f64,
    tally: RigidTally,
    scratch: Scratch,
    manifold: Manifold,
    response: Response,
    /// Normal of the ground that a face of the rock lay on in the last step.
    lies_on: Option<DVec3>,
    /// Flights in a row that led nowhere.
    stuck: u32,
}

type Flow<T> = ControlFlow<Outcome, T>;

enum Phase {
    Fly,
    Stay,
}

impl Run<'_> {
    fn follow(&mut self) -> Flow<()> {
        let p = self.state.pose.translation;
        if self.engine.terrain.surface(p.x, p.y).is_none() {
            return ControlFlow::Break(Outcome::LeftMap);
        }
        let mut phase = Phase::Fly;
        for _ in 0..self.engine.stop.maximum_steps {
            phase = match phase {
                Phase::Fly => self.fly()?,
                Phase::Stay => self.stay()?,
            };
        }
        ControlFlow::Continue(())
    }

    fn fly(&mut self) -> Flow<Phase> {
        let left = self.engine.stop.maximum_time - self.time;
        let drag = self
            .engine
            .drag
            .filter(|d| self.height_over_ground().is_some_and(|h| h < d.height));
        // Drag acts at the two ends of a short flight (Strang's splitting); higher up it is looked for again as late as that.
        let short = self
            .engine
            .drag
            .map(|d| (DRAG_PART * self.body.mass() / d.coefficient).min(DRAG_STEP));
        let limit = short.map_or(left, |short| left.min(short));
        let drag_time = if drag.is_some() { limit } else { 0.0 };
        if let Some(drag) = drag {
            self.state.velocity.linear *= drag.decay(self.body.mass(), 0.5 * drag_time);
        }
        let flight = Flight::new(self.body, self.state, self.engine.gravity);
        let touch = first_touch(
            self.body,
            &flight,
            self.engine.terrain,
            limit,
            &mut self.scratch,
        );
        let time = match touch {
            Touch::Ground { time } | Touch::Nothing { time } => time,
            Touch::Air => limit,
        };
        let end = flight.state(time);
        self.stuck = if time > PROGRESS * self.engine.contact_step {
            0
        } else {
            self.stuck + 1
        };
        self.travel(time, end, Motion::Flight)?;
        if let Some(scarring) = &self.engine.scarring {
            self.tally.slippage = scarring.flown(self.tally.slippage, time);
        }
        if let Some(drag) = drag {
            self.state.velocity.linear *= drag.decay(self.body.mass(), time - 0.5 * drag_time);
        }
        match touch {
            Touch::Ground { .. } => ControlFlow::Continue(self.impact()),
            Touch::Nothing { .. } => ControlFlow::Break(Outcome::LeftMap),
            Touch::Air if limit < left => ControlFlow::Continue(Phase::Fly),
            Touch::Air => ControlFlow::Break(Outcome::TimedOut),
        }
    }

    fn height_over_ground(&self) -> Option<f64> {
        let p = self.state.pose.translation;
        self.engine
            .terrain
            .surface(p.x, p.y)
            .map(|s| p.z - s.height)
    }

    /// Goes to a state and shows the arc that leads there.
    fn travel(&mut self, duration: f64, end: State, motion: Motion) -> Flow<()> {
        let start = self.state;
        let acceleration = match motion {
            Motion::Flight => self.engine.gravity,
            Motion::Contact => (end.velocity.linear - start.velocity.linear) / duration,
        };
        let arc = Arc {
            time: self.time,
            duration,
            position: start.pose.translation,
            velocity: start.velocity.linear,
            acceleration,
            spin: start.velocity.angular,
            rotational_energy: start.kinetic_energy(self.body).rotational,
            motion,
        };
        self.state = end;
        self.time += duration;
        (self.path)(&arc)
    }

    /// Looks for contacts at a pose within a margin; the facets around are gathered anew.
    fn touch(&mut self, pose: &klast_geometry::Pose, margin: f64) {
        let shape = self.body.shape();
        if let Some(plane) = self.engine.terrain.as_plane() {
            klast_geometry::plane_contact(shape, pose, &plane, margin, &mut self.manifold);
            return;
        }
        self.gather(pose);
        // A facet whose plane is out of reach touches with none of its features.
        let reach = shape.radius() + margin;
        self.scratch
            .facets
            .retain(|f| f.height(pose.translation) <= reach);
        terrain_contact(
            shape,
            pose,
            &self.scratch.facets,
            margin,
            &mut self.scratch.patch,
            &mut self.manifold,
        );
    }

    fn gather(&mut self, pose: &klast_geometry::Pose) {
        self.scratch.facets.clear();
        let area = Area::around(pose.translation.truncate(), self.body.shape().radius());
        self.engine.terrain.facets(area, &mut self.scratch.facets);
    }

    /// The contacts of a touch that is known to be there: one of them closes.
    fn touch_surely(&mut self, margin: f64) {
        let pose = self.state.pose;
        self.touch(&pose, margin);
        let velocity = self.state.velocity;
        let closes = |c: &ContactPoint| velocity.at(c.point - pose.translation).dot(c.normal) < 0.0;
        if self.manifold.points.iter().any(closes) || self.engine.terrain.as_plane().is_some() {
            return;
        }
        // Features meet in a place that no single test owns (an edge end over a corner): take the direction of the separation.
        let nearest = terrain_separation(
            self.body.shape(),
            &pose,
            &self.scratch.facets,
            f64::INFINITY,
            &mut self.scratch.patch,
        );
        if let Some(contact) =
            nearest.and_then(|n| witness(self.body, &pose, &self.scratch.facets, &n))
        {
            self.manifold.points.push(contact);
        }
    }

    fn material(&self) -> (usize, MaterialSample) {
        let rest = MaterialSample {
            normal_restitution: 0.0,
            tangential_restitution: 0.0,
            friction: 1.0,
        };
        let at = self
            .manifold
            .points
            .first()
            .map_or(self.state.pose.translation, |c| c.point);
        let facet = match self.engine.ground.needs_facet() {
            true => self
                .engine
                .terrain
                .surface(at.x, at.y)
                .map_or(0, |s| s.facet),
            false => 0,
        };
        let number = self
            .engine
            .ground
            .material((self.engine.terrain.origin() + at).truncate(), facet);
        (number, self.samples.get(number).copied().unwrap_or(rest))
    }

    fn friction(&self, sample: &MaterialSample) -> f64 {
        self.engine
            .scarring
            .map_or(sample.friction, |s| s.friction(self.tally.slippage))
    }

    fn impact(&mut self) -> Phase {
        self.lies_on = None;
        self.touch_surely(TOUCHING * self.body.shape().radius());
        let (number, sample) = self.material();
        self.roughen(number);
        self.tally.impacts += 1;
        let cutoff = self.engine.stop.normal_velocity_cutoff;
        let (state, mu) = (self.state, self.friction(&sample));
        let bias = |c: &ContactPoint| {
            self.engine.rebound(
                &sample,
                -state
                    .velocity
                    .at(c.point - state.pose.translation)
                    .dot(c.normal),
            )
        };
        let solved = self.response.solve(
            self.body,
            &state.pose,
            &self.manifold.points,
            &state.velocity,
            mu,
            0.0,
            bias,
        );
        self.enter(&state, &solved);
        let normal_speed = |c: &ContactPoint| {
            solved
                .twist
                .at(c.point - state.pose.translation)
                .dot(c.normal)
        };
        if self.stuck > PATIENCE {
            return Phase::Stay;
        }
        // Nothing left to do but to stay where any touching point hardly leaves the ground.
        if self
            .manifold
            .points
            .iter()
            .any(|c| normal_speed(c) < cutoff.max(1e-9))
        {
            Phase::Stay
        } else {
            Phase::Fly
        }
    }

    fn enter(&mut self, before: &State, solved: &Solved) {
        self.state.velocity = solved.twist;
        self.tally.unconverged += u32::from(!solved.converged);
        let was = before.kinetic_energy(self.body).total();
        let gain = self.state.kinetic_energy(self.body).total() - was;
        // Rounding of an elastic impact is below this.
        if gain > 1e-9 * was {
            self.tally.energy_gains += 1;
            self.tally.gained += gain;
        }
    }

    /// Turns the normals met by the roughness of a material, unless the rock would then leave the ground without touching it.
    fn roughen(&mut self, material: usize) {
        let Some(rng) = &mut self.roughness else {
            return;
        };
        let Some(roughness) = self
            .engine
            .ground
            .materials()
            .get(material)
            .map(|m| m.roughness)
        else {
            return;
        };
        let angles = (roughness.sample(rng), roughness.sample(rng));
        for contact in &mut self.manifold.points {
            let turned = roughened(contact.normal, angles);
            let speed = self
                .state
                .velocity
                .at(contact.point - self.state.pose.translation)
                .dot(turned);
            if speed < 0.0 && turned.z > 0.0 {
                contact.normal = turned;
            }
        }
    }

    /// The step on the ground. A rock that lies on a face and does not roll slides with constant acceleration, which the scheme follows exactly, so
    /// it may take longer steps: as far as its turning about the normal and the next facet allow.
    fn contact_step(&self) -> f64 {
        let shortest = self.engine.contact_step;
        let Some(normal) = self.lies_on else {
            return shortest;
        };
        let Twist { linear, angular } = self.state.velocity;
        if angular.cross(normal).length() * shortest > FLAT
            || self.engine.scarring.is_some()
            || self.engine.drag.is_some()
        {
            return shortest;
        }
        let turning = TURN / angular.length();
        let travel = match self.engine.terrain.as_plane() {
            Some(_) => f64::INFINITY,
            None => 0.1 * self.body.shape().radius() / linear.length(),
        };
        turning.min(travel).clamp(shortest, LONG_STEPS * shortest)
    }

    /// The middle of a step on the ground, and the contacts there: those that touch and those that curvature or gravity may close within the step.
    fn middle(&mut self, step: f64) -> State {
        let middle = stay::middle(self.body, &self.state, step);
        let spin = self.state.velocity.angular.length_squared();
        let bend = self.engine.gravity.length() + spin * self.body.shape().radius();
        self.touch(&middle.pose, 0.5 * bend * step * step);
        middle
    }

    /// The common normal of three contacts or more.
    fn face_normal(&self) -> Option<DVec3> {
        let [first, _, _, ..] = self.manifold.points.as_slice() else {
            return None;
        };
        self.manifold
            .points
            .iter()
            .all(|c| c.normal.dot(first.normal) > 1.0 - 1e-12)
            .then_some(first.normal)
    }

    /// Whether a contact is deep in the ground at the middle of a step and closes so fast that it rebounds.
    fn strikes(&self, middle: &State) -> bool {
        let (_, sample) = self.material();
        let deep = -STRUCK * self.body.shape().radius();
        let closing = |c: &ContactPoint| {
            -middle
                .velocity
                .at(c.point - middle.pose.translation)
                .dot(c.normal)
        };
        self.manifold
            .points
            .iter()
            .any(|c| c.gap < deep && self.engine.rebound(&sample, closing(c)) != 0.0)
    }

    /// One step on the ground.
    fn stay(&mut self) -> Flow<Phase> {
        let left = self.engine.stop.maximum_time - self.time;
        if left <= 0.0 {
            return ControlFlow::Break(Outcome::TimedOut);
        }
        let mut step = self.contact_step().min(left);
        let mut middle = self.middle(step);
        // A point that comes down fast has an impact of its own: the step before it ends close to it.
        while step > self.engine.contact_step * SHORTEST && self.strikes(&middle) {
            step *= 0.5;
            middle = self.middle(step);
        }
        // A rock between features that neither flight nor contact moves on (a corner deep in a crevice) takes a step all the same.
        let forced = self.stuck > PATIENCE;
        if self.manifold.points.is_empty() && !forced {
            return ControlFlow::Continue(Phase::Fly);
        }
        let (_, sample) = self.material();
        let mu = self.friction(&sample);
        let free = Twist {
            linear: middle.velocity.linear + self.engine.gravity * step,
            ..middle.velocity
        };
        let bias = |c: &ContactPoint| match c.gap > 0.0 {
            // Not there yet: it may close in the half step that is left.
            true => 2.0 * c.gap / step,
            false => self.engine.rebound(
                &sample,
                -middle
                    .velocity
                    .at(c.point - middle.pose.translation)
                    .dot(c.normal),
            ),
        };
        let solved = self.response.solve(
            self.body,
            &middle.pose,
            &self.manifold.points,
            &free,
            mu,
            step,
            bias,
        );
        if !solved.loaded && !forced {
            return ControlFlow::Continue(Phase::Fly);
        }
        self.tally.contact_steps += 1;
        self.tally.forced += u32::from(forced && !solved.loaded);
        self.stuck = 0;
        self.lies_on = self.face_normal();
        self.tally.unconverged += u32::from(!solved.converged);
        let speed = 0.5 * (self.state.velocity.linear + solved.twist.linear).length();
        let end = stay::end(self.body, &middle.pose, &solved.twist, step);
        self.travel(step, end, Motion::Contact)?;
        if let Some(scarring) = &self.engine.scarring {
            self.tally.slippage = scarring.slid(self.tally.slippage, speed, step);
        }
        if let Some(drag) = self
            .engine
            .drag
            .filter(|d| self.height_over_ground().is_some_and(|h| h < d.height))
        {
            self.state.velocity.linear *= drag.decay(self.body.mass(), step);
        }
        self.still_on_the_map()?;
        self.come_to_rest(mu)?;
        ControlFlow::Continue(Phase::Stay)
    }

    fn still_on_the_map(&self) -> Flow<()> {
        let p = self.state.pose.translation;
        match self.engine.terrain.surface(p.x, p.y) {
            Some(_) => ControlFlow::Continue(()),
            None => ControlFlow::Break(Outcome::LeftMap),
        }
    }

    /// Ends the run where a slow rock is held by its contacts: started at rest, gravity would not move it.
    fn come_to_rest(&mut self, mu: f64) -> Flow<()> {
        let (state, radius) = (self.state, self.body.shape().radius());
        let speed = state.velocity.linear.length() + state.velocity.angular.length() * radius;
        if speed > self.engine.stop.stopped_velocity_cutoff {
            return ControlFlow::Continue(());
        }
        self.touch(&state.pose, RESTING * radius);
        let push = self.engine.gravity * self.engine.contact_step;
        let free = Twist {
            linear: push,
            angular: DVec3::ZERO,
        };
        let held = self.response.solve(
            self.body,
            &state.pose,
            &self.manifold.points,
            &free,
            mu,
            self.engine.contact_step,
            |_| 0.0,
        );
        let moves = held.twist.linear.length() + held.twist.angular.length() * radius;
        // The tolerance of the contact solver is far below a thousandth of one step of free fall.
        if moves > 1e-3 * push.length() {
            return ControlFlow::Continue(());
        }
        self.state.velocity = Twist::ZERO;
        ControlFlow::Break(Outcome::Stopped)
    }
}
