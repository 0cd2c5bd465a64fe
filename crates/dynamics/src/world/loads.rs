//! Forces on bodies beside gravity: at a point, a torque, a pressure on faces; constant or by the time.
//!
//! A load acts over a step with its mean over the time of that and where the body is at the start of it, so that a
//! constant force is exact and one that turns with its body is of first order in the step. Its work is a term of the
//! audit: `F·Δx + M·Δφ` of the step. An impact within the step leaves out what the load does until then, as the order
//! of the scheme.

use super::course::Course;
use super::member::Member;
use super::settings::WorldSettings;
use crate::{Body, DynamicsError};
use glam::DVec3;
use klast_geometry::{Pose, Pressure};
use klast_numerics::OutOfRange;
use klast_numerics::check::{finite_vector, positive};

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

/// Which faces of a body a pressure acts on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Faces {
    /// All of them.
    All,
    /// The one whose outward normal is nearest to this direction (world axes), where the body stands when the load is
    /// given. It moves with the body.
    Facing(DVec3),
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

impl PlacedLoad {
    /// Places a load on its body, which is there; `origin` is what positions are measured from.
    pub fn of(load: &Load, member: &Member, origin: DVec3) -> Result<Self, DynamicsError> {
        load.course.check()?;
        let pose = &member.state.pose;
        let acts = match &load.action {
            Action::Force { force, at } => {
                finite_vector("force", *force)?;
                let arm = finite_vector("point of a force", *at)? - origin - pose.translation;
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

    /// Force (N) and moment about the mass centre (N m) on its body over a step from a time on.
    pub fn wrench(
        &self,
        m: &Member,
        origin: DVec3,
        s: &WorldSettings,
        time: f64,
    ) -> (DVec3, DVec3) {
        let pose = &m.state.pose;
        let (force, moment) = match &self.acts {
            Acts::Force(force, at) => (*force, pose.transform_vector(*at).cross(*force)),
            Acts::Torque(torque) => (DVec3::ZERO, *torque),
            Acts::Pressure(face, pressure) => {
                let place = Pose {
                    translation: pose.translation + origin,
                    ..*pose
                };
                let down = s.gravity.normalize_or_zero();
                pressure.on(m.body.shape(), &place, *face, down)
            }
        };
        let factor = self.course.mean(time, s.step);
        (force * factor, moment * factor)
    }
}

/// The face of a body that is meant; none for all of them.
fn face_of(faces: Faces, body: &Body, pose: &Pose) -> Result<Option<usize>, DynamicsError> {
    if let Some(radius) = body.sphere_radius() {
        let accepted = "a body with plane faces; a sphere has none";
        return Err(OutOfRange::new("radius of a body under pressure", radius, accepted).into());
    }
    let Faces::Facing(direction) = faces else {
        return Ok(None);
    };
    finite_vector("direction of a face", direction)?;
    positive("length of the direction of a face", direction.length())?;
    let local = pose.inverse_transform_vector(direction);
    let facets = body.shape().facets().iter().enumerate();
    let nearest = facets.max_by(|a, b| a.1.normal.dot(local).total_cmp(&b.1.normal.dot(local)));
    Ok(nearest.map(|(k, _)| k))
}
