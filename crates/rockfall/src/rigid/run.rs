//! One rock as a rigid body, from release to its end.

use super::laws::{Scarring, VegetationDrag};
use super::response::Response;
use super::search::{Scratch, Touch, touch_of};
use crate::RockfallError;
use crate::arc::{Arc, Motion};
use crate::lumped::Roughness;
use crate::material::{Ground, MaterialSample};
use crate::stop::{Outcome, StopConditions};
use glam::DVec3;
use klast_dynamics::{Body, Flight, State};
use klast_geometry::Manifold;
use klast_geometry::terrain::Terrain;
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
    /// Whether it swung in place until it was taken for stopped.
    pub swinging: bool,
    /// Slippage at the end (m).
    pub slippage: f64,
}

/// Longest flight with drag in one arc, as a part of the time m/c_d in which drag slows the rock, and in seconds: drag acts at its two ends (second order), so
/// the relative error of a speed is about 1e-4/12 an arc.
const DRAG_PART: f64 = 0.01;
const DRAG_STEP: f64 = 0.05;
/// Flights shorter than this part of a step on the ground lead nowhere, and how many of them a rock may make in a row.
const PROGRESS: f64 = 0.1;
pub(super) const PATIENCE: u32 = 8;

impl RigidRock<'_> {
    /// Checks the numbers of the engine.
    pub fn validate(&self) -> Result<(), RockfallError> {
        self.stop.validate()?;
        crate::error::contact_step(self.contact_step)?;
        self.scarring.map_or(Ok(()), |s| s.validate())?;
        self.drag.map_or(Ok(()), |d| d.validate())
    }

    /// The speed −e u_n that Newton's law takes off a contact with a closing speed (m/s); a rebound slower than the cutoff is none.
    pub(super) fn rebound(&self, sample: &MaterialSample, closing: f64) -> f64 {
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
        let mut room = RigidRoom::default();
        self.run_in(body, samples, start, roughness, path, &mut room)
    }

    /// The same in room that goes from rock to rock.
    pub(crate) fn run_in(
        &self,
        body: &Body,
        samples: &[MaterialSample],
        start: State,
        roughness: Roughness,
        path: &mut dyn FnMut(&Arc) -> ControlFlow<Outcome>,
        room: &mut RigidRoom,
    ) -> (Outcome, State, RigidTally) {
        let mut run = Run::new(self, body, samples, roughness, start, path);
        run.take(room);
        let outcome = match run.follow() {
            ControlFlow::Break(outcome) => outcome,
            ControlFlow::Continue(()) => Outcome::TimedOut,
        };
        run.give(room);
        (outcome, run.state, run.tally)
    }

    /// Points at which the ground carries a rock in the next step from a state, and the forces there (N): what a run with this slippage (m) would find. Empty in
    /// the air.
    pub fn loads(
        &self,
        body: &Body,
        samples: &[MaterialSample],
        state: State,
        slippage: f64,
    ) -> Vec<(DVec3, DVec3)> {
        let mut unseen = |_: &Arc| ControlFlow::Continue(());
        let mut run = Run::new(self, body, samples, None, state, &mut unseen);
        run.tally.slippage = slippage;
        run.loads()
    }
}

/// Buffers of a run.
#[derive(Debug, Default)]
pub(crate) struct RigidRoom {
    scratch: Scratch,
    manifold: Manifold,
    response: Response,
}

pub(super) struct Run<'a> {
    pub(super) engine: &'a RigidRock<'a>,
    pub(super) body: &'a Body,
    pub(super) samples: &'a [MaterialSample],
    pub(super) roughness: Roughness,
    pub(super) path: &'a mut dyn FnMut(&Arc) -> ControlFlow<Outcome>,
    pub(super) state: State,
    pub(super) time: f64,
    pub(super) tally: RigidTally,
    pub(super) scratch: Scratch,
    pub(super) manifold: Manifold,
    pub(super) response: Response,
    /// Normal of the ground that a face of the rock lay on in the last step.
    pub(super) lies_on: Option<DVec3>,
    /// Flights in a row that led nowhere.
    pub(super) stuck: u32,
    /// Since when, and about where, the rock is in one place.
    pub(super) place: (f64, DVec3),
}

pub(super) type Flow<T> = ControlFlow<Outcome, T>;

pub(super) enum Phase {
    Fly,
    Stay,
}

impl<'a> Run<'a> {
    fn new(
        engine: &'a RigidRock<'a>,
        body: &'a Body,
        samples: &'a [MaterialSample],
        roughness: Roughness,
        start: State,
        path: &'a mut dyn FnMut(&Arc) -> ControlFlow<Outcome>,
    ) -> Self {
        Run {
            engine,
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
            place: (0.0, start.pose.translation),
        }
    }

    fn take(&mut self, room: &mut RigidRoom) {
        self.scratch = std::mem::take(&mut room.scratch);
        self.manifold = std::mem::take(&mut room.manifold);
        self.response = std::mem::take(&mut room.response);
        // Nothing of the rock before may be seen.
        self.response.forget();
    }

    fn give(&mut self, room: &mut RigidRoom) {
        room.scratch = std::mem::take(&mut self.scratch);
        room.manifold = std::mem::take(&mut self.manifold);
        room.response = std::mem::take(&mut self.response);
    }

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
        let mut followed = flight.followed_in(std::mem::take(&mut self.scratch.flight));
        let terrain = self.engine.terrain;
        let touch = touch_of(self.body, &mut followed, terrain, limit, &mut self.scratch);
        let time = match touch {
            Touch::Ground { time } | Touch::Nothing { time } => time,
            Touch::Air => limit,
        };
        let end = followed.state(time);
        self.scratch.flight = followed.into_room();
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

    pub(super) fn height_over_ground(&self) -> Option<f64> {
        let p = self.state.pose.translation;
        self.engine
            .terrain
            .surface(p.x, p.y)
            .map(|s| p.z - s.height)
    }

    /// Goes to a state and shows the arc that leads there.
    pub(super) fn travel(&mut self, duration: f64, end: State, motion: Motion) -> Flow<()> {
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

    pub(super) fn still_on_the_map(&self) -> Flow<()> {
        let p = self.state.pose.translation;
        match self.engine.terrain.surface(p.x, p.y) {
            Some(_) => ControlFlow::Continue(()),
            None => ControlFlow::Break(Outcome::LeftMap),
        }
    }
}
