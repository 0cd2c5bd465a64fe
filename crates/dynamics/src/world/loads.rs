//! Forces on bodies beside gravity: at a point, a torque, a pressure on faces; constant or by the time.
//!
//! A load acts over a step with its mean over the time of that and where the body is at the start of it, so that a
//! constant force is exact and one that turns with its body is of first order in the step. Its work is a term of the
//! audit: `F·Δx + M·Δφ` of the step. An impact within the step leaves out what the load does until then, as the order
//! of the scheme.

use super::course::Course;
use super::pressure::{Faces, Pressure, face_of};
use super::state::WorldState;
use crate::{DynamicsError, Twist};
use glam::DVec3;
use klast_numerics::check::finite_vector;

/// A load on a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// The body; gravity and contacts move it.
    pub body: usize,
    /// What acts on it.
    pub action: Action,
    /// How that goes with time.
    pub course: Course,
}

/// What acts on a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Action {
    /// A force in a direction that stays (N, world axes).
    Force {
        /// The force.
        force: DVec3,
        /// Where it acts on the body when the load is given (m); the point moves with the body.
        at: DVec3,
    },
    /// A torque in a direction that stays (N m, world axes).
    Torque(DVec3),
    /// A pressure on faces.
    Pressure {
        /// Which faces.
        faces: Faces,
        /// The pressure.
        pressure: Pressure,
    },
}

/// A load of a world: points and faces are those of the body.
#[derive(Debug, Clone)]
pub(super) struct PlacedLoad {
    pub body: usize,
    acts: Acts,
    course: Course,
}

#[derive(Debug, Clone)]
enum Acts {
    /// At a point from the mass centre in body axes (m).
    Force(DVec3, DVec3),
    Torque(DVec3),
    Pressure(Option<usize>, Pressure),
}

/// What loads give to a body over a step: impulse (N s), angular impulse (N m s) and the change of velocity.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Given {
    pub impulse: DVec3,
    pub angular: DVec3,
    pub change: Twist,
}

impl PlacedLoad {
    /// Places a load on a body that is free.
    pub fn of(load: &Load, state: &WorldState) -> Result<Self, DynamicsError> {
        load.course.check()?;
        let member = state.free_member("body of a load", load.body)?;
        let pose = &member.state.pose;
        let acts = match &load.action {
            Action::Force { force, at } => {
                finite_vector("force", *force)?;
                let arm = finite_vector("point of a force", *at)? - state.origin - pose.translation;
                Acts::Force(*force, pose.inverse_transform_vector(arm))
            }
            Action::Torque(torque) => Acts::Torque(finite_vector("torque", *torque)?),
            Action::Pressure { faces, pressure } => {
                pressure.check()?;
                Acts::Pressure(face_of(*faces, &member.body, pose)?, *pressure)
            }
        };
        Ok(Self {
            body: load.body,
            acts,
            course: load.course.clone(),
        })
    }

    /// Force (N) and moment about the mass centre (N m) over the coming step.
    fn wrench(&self, state: &WorldState) -> (DVec3, DVec3) {
        let Some(m) = state.members.get(self.body) else {
            return (DVec3::ZERO, DVec3::ZERO);
        };
        let pose = &m.state.pose;
        let (force, moment) = match &self.acts {
            Acts::Force(force, at) => (*force, pose.transform_vector(*at).cross(*force)),
            Acts::Torque(torque) => (DVec3::ZERO, *torque),
            Acts::Pressure(face, pressure) => {
                let down = state.settings.gravity.normalize_or_zero();
                pressure.on_body(&m.body, (pose, state.origin), *face, down)
            }
        };
        let factor = self.course.mean(state.time, state.settings.step);
        (force * factor, moment * factor)
    }
}

/// What the loads give to each body over the coming step; empty where there are none.
pub(super) fn given(state: &WorldState, given: &mut Vec<Given>) {
    given.clear();
    if state.loads.iter().all(Option::is_none) {
        return;
    }
    given.resize(state.members.len(), Given::default());
    for load in state.loads.iter().flatten() {
        let (force, moment) = load.wrench(state);
        if let Some(sum) = given.get_mut(load.body) {
            sum.impulse += force * state.settings.step;
            sum.angular += moment * state.settings.step;
        }
    }
    for (sum, m) in given.iter_mut().zip(&state.members) {
        let pose = &m.state.pose;
        let spin = pose.inverse_transform_vector(sum.angular) / m.body.inertia();
        sum.change = Twist {
            linear: sum.impulse / m.body.mass(),
            angular: pose.transform_vector(spin),
        };
    }
}
