//! Watching a run.

use super::impact::Impact;
use super::way_in::Dug;
use crate::State;
use glam::DVec3;
use klast_geometry::{ContactPoint, Plane};
use std::ops::ControlFlow;

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StopReason {
    /// At rest, its contact forces in balance.
    AtRest,
    /// The observer wants no more.
    Observer,
    /// It left the ground that there is: over the rim of the map, or into missing data.
    LeftMap,
    /// It began in the ground.
    BelowGround,
    /// The maximum time is up.
    MaximumTime,
    /// The maximum number of steps (flights, impacts, stretches of sustained contact) is used up.
    MaximumSteps,
    /// The largest angle over which an attitude in flight is followed (1e6 rad in all, where the spin is about no
    /// principal axis) is used up: its rounding has grown to 1e-10, and its cost grows with the angle.
    MaximumTurn,
    /// It has long stayed in one place on the ground, held up by what taking it out of the ground cost and not by
    /// friction: its steps in contact are too long to say where it goes.
    Unresolved,
    /// Nothing is ever met: the body flies away.
    NoContact,
    /// A state stopped being finite; bad input, or a scale beyond floating point.
    NotFinite,
}

/// How a body moves along a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// In the air.
    Flight,
    /// In sustained contact: sliding, rolling, toppling.
    Contact,
}

/// A stretch of motion from one state to another: a flight, a slide, or one step in sustained contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Time since the start at its beginning (s).
    pub time: f64,
    /// How long it lasts (s).
    pub duration: f64,
    /// In the air or in contact.
    pub motion: Motion,
    /// The state at its beginning.
    pub start: State,
    /// The state at its end.
    pub end: State,
    /// Acceleration of the mass centre (m/s²): gravity in flight, the mean in contact.
    pub acceleration: DVec3,
}

/// An impact as it is shown.
#[derive(Debug, Clone, Copy)]
pub struct ImpactEvent<'a> {
    /// Time since the start (s).
    pub time: f64,
    /// Pose and velocities just before.
    pub before: State,
    /// Where the body and the ground touch.
    pub contacts: &'a [ContactPoint],
    /// What the impact did.
    pub impact: &'a Impact,
    /// How deep the body went in, where the ground yielded.
    pub dug: Option<Dug>,
}

impl ImpactEvent<'_> {
    /// Pose and velocities just after.
    pub fn after(&self) -> State {
        State {
            pose: self.before.pose,
            velocity: self.impact.after,
        }
    }
}

/// Receives what happens, in order; `Break` ends the run. A writer keeps its first error for itself.
pub trait Observer {
    /// A stretch of motion.
    fn stretch(&mut self, _stretch: &Stretch) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// An impact.
    fn impact(&mut self, _event: &ImpactEvent) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Observer for () {}

/// Ends a run after the first stretch at whose end the mass centre is not above a plane.
impl Observer for Plane {
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        if self.height(stretch.end.pose.translation) > 0.0 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

impl<A: Observer, B: Observer> Observer for (A, B) {
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        let first = self.0.stretch(stretch);
        self.1.stretch(stretch)?;
        first
    }
    fn impact(&mut self, event: &ImpactEvent) -> ControlFlow<()> {
        let first = self.0.impact(event);
        self.1.impact(event)?;
        first
    }
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        (**self).stretch(stretch)
    }
    fn impact(&mut self, event: &ImpactEvent) -> ControlFlow<()> {
        (**self).impact(event)
    }
}
