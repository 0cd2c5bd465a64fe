//! A body of revolution that stands alone and touches the base with a circle: exact between two impacts.
//!
//! At rest on its face it stays until the base tips it, towards where that pushes, or slides it away. On its rim it
//! rolls without slip or slides, in ordinary differential equations (`mechanics`); nothing is lost where it rolls, and
//! the contact may run round the rim as fast as it will. What else there is, impacts on the face, flight and sliding on
//! the face, is left to the contact engine; afterwards the body is taken back.
//!
//! A body whose face comes down to within 10⁻⁶ rad of the level strikes the base with it; one that passes the level at
//! a larger tilt rolls through it without loss. A body that rolls never comes to rest. It is put down on its face when
//! its energy is less than a part in 10⁶ of what overturns it (the cutoff), where the base neither tips nor slides it.

mod mechanics;
mod rolls;
mod taken;

use super::{SpatialBody, SpatialMotion, SpatialOptions};
use crate::error::RockingError;
use glam::{DQuat, DVec3};
use klast_dynamics::{State, Twist, World};
use klast_geometry::Pose;
use klast_numerics::ode::{Dopri853, OdeOptions};
use mechanics::{Drum, Motion, Rim, Touch, UNKNOWNS};

/// Part of the energy that overturns it below which a body is put down on its face.
const CUTOFF: f64 = 1e-6;

/// Tilt (rad) below which a face that comes down strikes the base: over a metre that is a thousandth of a millimetre,
/// less than faces of stone are off a plane. And the one from which on the rim is taken from the contact engine.
const FLAT: f64 = 1e-6;
const TAKEN: f64 = 4e-6;

/// Errors of the integration of a step, relative and absolute.
const ERROR: f64 = 1e-12;

/// Changes of what holds, within a step of the run; from then on the contact engine makes it.
const MOST_CHANGES: usize = 64;

/// What holds of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    /// It is moved by the contact engine.
    Given,
    /// It rests on its face.
    Rests(Motion),
    /// It is on its rim; the method has the state.
    Rolls,
}

/// What was exchanged where the contact engine was not at work (J).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Exchanged {
    pub base_work: f64,
    pub contacts: f64,
    /// Potential energy where the body was put on its rim or its face.
    pub lifted: f64,
}

/// A round body on a base with a motion.
pub(super) struct RoundBody<'a> {
    motion: &'a SpatialMotion,
    rim: Rim,
    /// End (s) of the time in which the laws of the base hold.
    laws_end: f64,
    method: Dopri853,
    upright: DQuat,
    mass: f64,
    /// Speed (m/s) below which a contact neither closes nor opens.
    slow: f64,
    phase: Phase,
    /// Work of the base, what contacts took, and what lifted the body where it was put on its rim or its face (J/kg).
    work: f64,
    loss: f64,
    lifted: f64,
}

impl<'a> RoundBody<'a> {
    /// Of bodies on one another: of one that stands alone and is round.
    pub(super) fn of(
        bodies: &[SpatialBody],
        motion: &'a SpatialMotion,
        gravity: f64,
        options: &SpatialOptions,
    ) -> Result<Option<Self>, RockingError> {
        let [body] = bodies else { return Ok(None) };
        let Some(round) = body.round() else {
            return Ok(None);
        };
        let mass = body.body().mass();
        let moments = body.body().inertia() / mass;
        let rim = Rim {
            drum: Drum {
                radius: round.bottom(),
                centre: body.centre_height(),
                height: round.height(),
                top: round.top(),
                across: moments.x,
                along: moments.z,
            },
            gravity,
            friction: options.friction,
            base: motion.components.each_ref().map(|c| c.piece_at(0.0)),
            touch: Touch::Sticks,
        };
        let tolerances = OdeOptions {
            relative: ERROR,
            absolute: ERROR,
            max_steps: 1_000_000,
            ..OdeOptions::default()
        };
        Ok(Some(Self {
            motion,
            rim,
            laws_end: 0.0,
            method: Dopri853::new(UNKNOWNS, tolerances)?,
            upright: body.body().frame().rotation,
            mass,
            slow: 0.5 * gravity * options.step,
            phase: Phase::Given,
            work: 0.0,
            loss: 0.0,
            lifted: 0.0,
        }))
    }

    /// What was exchanged (J).
    pub(super) fn exchanged(&self) -> Exchanged {
        Exchanged {
            base_work: self.mass * self.work,
            contacts: self.mass * self.loss,
            lifted: self.mass * self.lifted,
        }
    }

    /// Whether it can be moved from where it stands in a world.
    pub(super) fn takes(&mut self, world: &World) -> bool {
        self.set_laws(world.time());
        self.phase != Phase::Given
            || world
                .state(0)
                .is_some_and(|state| self.seen(state, world.time()).is_some())
    }

    /// Moves the body of a world up to a time, or to where the contact engine has to go on.
    pub(super) fn advance(&mut self, world: &mut World, end: f64) -> Result<(), RockingError> {
        let mut time = world.time();
        self.set_laws(time);
        if self.phase == Phase::Given && !self.take(world)? {
            return Ok(());
        }
        let mut last = self.standing();
        for _ in 0..MOST_CHANGES {
            if self.phase == Phase::Given || time >= end {
                break;
            }
            self.set_laws(time);
            let until = end.min(self.laws_end);
            (time, last) = match self.phase {
                Phase::Rests(at) => self.rest(&at, time, until)?,
                _ => self.roll(time, until)?,
            };
        }
        if time < end {
            self.phase = Phase::Given;
        }
        self.give(world, &last, time)
    }

    /// Where it is, of one that the contact engine does not move.
    fn standing(&self) -> Motion {
        match self.phase {
            Phase::Rests(at) => at,
            _ => Motion::of(self.method.state()),
        }
    }

    /// Sets the laws of the base that hold from a time on.
    fn set_laws(&mut self, time: f64) {
        self.rim.base = self.motion.components.each_ref().map(|c| c.piece_at(time));
        let ends = self.rim.base.iter().map(|piece| piece.end);
        self.laws_end = ends.fold(f64::INFINITY, f64::min);
    }

    /// Puts a motion into the world, and what it exchanged into the account.
    fn give(&mut self, world: &mut World, at: &Motion, time: f64) -> Result<(), RockingError> {
        let place = at.place + self.displacement(time);
        let pose = Pose::new(at.attitude * self.upright, place)?;
        let velocity = at.velocity + self.rim.base_velocity(time);
        let state = State::new(pose, Twist::new(velocity, at.spin)?)?;
        world.skip_to(time, &[state])?;
        (self.work, self.loss) = (at.work, at.loss);
        Ok(())
    }

    fn displacement(&self, time: f64) -> DVec3 {
        let base = self.motion.components.each_ref();
        DVec3::from_array(base.map(|c| c.displacement(time)))
    }
}
