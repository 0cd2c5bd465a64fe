//! Velocities and poses at the end of a step.

use super::contacts::WorldContact;
use super::given::{Given, given};
use super::islands::Islands;
use super::member::{Member, Role};
use super::motion::moved;
use super::state::WorldState;
use crate::{DynamicsError, Twist};
use glam::DVec3;
use klast_geometry::Pose;
use klast_numerics::check::finite_vector;

/// Velocities and poses at the end of a step, of all members.
#[derive(Debug, Clone, Default)]
pub(super) struct Ends {
    /// Velocities if there were no contacts; given ones of what is driven.
    pub free: Vec<Twist>,
    /// What loads give to each member; empty where there are none. It is part of the velocities without contacts.
    pub given: Vec<Given>,
    /// Velocities.
    pub after: Vec<Twist>,
    /// Poses before overlap is taken out.
    pub poses: Vec<Pose>,
    /// What the impacts in the step have left out of the ways of all members (m, rad); empty where there were none.
    pub offsets: Vec<Twist>,
}

/// How far offsets open a contact (m).
pub(super) fn opened(c: &WorldContact, members: &[Member], offsets: &[Twist]) -> f64 {
    let points = c.points();
    let at = |i: u32, point: DVec3| match (members.get(i as usize), offsets.get(i as usize)) {
        (Some(m), Some(offset)) if *offset != Twist::ZERO => {
            offset.at(point - m.state.pose.translation)
        }
        _ => DVec3::ZERO,
    };
    c.normal
        .dot(at(c.first, points[0]) - at(c.second, points[1]))
}

impl Ends {
    /// Velocities at the end if there were no contacts.
    pub fn set_free(&mut self, state: &WorldState) {
        self.offsets.clear();
        self.free.clear();
        let one = |m: &Member| m.free_velocity(&state.settings, state.time);
        self.free.extend(state.members.iter().map(one));
        given(state, &mut self.given);
        for (v, given) in self.free.iter_mut().zip(&self.given) {
            v.linear += given.change.linear;
            v.angular += given.change.angular;
        }
    }

    /// Gives a body the velocity without contacts that belongs to its present one.
    pub fn renew(&mut self, i: usize, state: &WorldState) {
        self.free[i] = state.members[i].free_velocity(&state.settings, state.time);
        if let Some(given) = self.given.get(i) {
            self.free[i].linear += given.change.linear;
            self.free[i].angular += given.change.angular;
        }
    }

    /// Work of the loads over the step on a body (J).
    pub fn load_work(&self, i: usize, state: &WorldState) -> f64 {
        let ends = self.given.get(i).zip(self.after.get(i));
        let of = state.members.get(i).filter(|m| m.is_free()).zip(ends);
        of.map_or(0.0, |(m, (given, after))| {
            let theta = state.settings.theta;
            let mean = after.linear * theta + m.state.velocity.linear * (1.0 - theta);
            given.impulse.dot(mean) + given.angular.dot(after.angular)
        })
    }

    /// Adds what impacts have left out of the ways.
    pub fn add_offsets(&mut self, offsets: &[Twist]) {
        self.offsets.resize(offsets.len(), Twist::ZERO);
        for (sum, offset) in self.offsets.iter_mut().zip(offsets) {
            sum.linear += offset.linear;
            sum.angular += offset.angular;
        }
    }

    /// Velocities by what the islands were solved for, and poses by those.
    pub fn set(&mut self, state: &WorldState, islands: &Islands) {
        self.after.clear();
        self.after.extend_from_slice(&self.free);
        for island in islands.iter() {
            for (&i, v) in island.bodies.iter().zip(&island.after) {
                self.after[i as usize] = Twist {
                    linear: v.linear,
                    angular: v.angular,
                };
            }
        }
        let s = &state.settings;
        let pose = |(m, v): (&Member, &Twist)| {
            if m.role == Role::Fixed {
                return m.state.pose;
            }
            let theta = if m.is_free() { s.theta } else { 1.0 };
            let linear = v.linear * theta + m.state.velocity.linear * (1.0 - theta);
            moved(&m.state.pose, linear * s.step, v.angular * s.step)
        };
        self.poses.clear();
        self.poses
            .extend(state.members.iter().zip(&self.after).map(pose));
        for (pose, offset) in self.poses.iter_mut().zip(&self.offsets) {
            if *offset != Twist::ZERO {
                *pose = moved(pose, offset.linear, offset.angular);
            }
        }
    }

    /// Refuses an end that is not finite.
    pub fn check(&self) -> Result<(), DynamicsError> {
        for (pose, v) in self.poses.iter().zip(&self.after) {
            let q = pose.rotation;
            let all = pose.translation + v.linear + v.angular + DVec3::new(q.x, q.y, q.z + q.w);
            if all.is_finite() {
                continue;
            }
            finite_vector("position after a step", pose.translation)?;
            finite_vector("velocity after a step", v.linear)?;
            finite_vector("spin after a step", v.angular)?;
            finite_vector("rotation after a step", DVec3::new(q.x, q.y, q.z + q.w))?;
        }
        Ok(())
    }

    /// ½ Δv·MΔv − (1 − θ) h (m g + F)·Δv over the free bodies, Δv without the gyroscopic part, which keeps the energy
    /// (J).
    pub fn scheme_loss(&self, state: &WorldState) -> f64 {
        let s = &state.settings;
        let ends = self.free.iter().zip(&self.after);
        let bodies = state.members.iter().zip(ends);
        let none = Given::default();
        let given = self.given.iter().chain(std::iter::repeat(&none));
        bodies
            .zip(given)
            .filter(|((m, _), _)| m.is_free())
            .map(|((m, (free, after)), given)| {
                let linear = after.linear - m.state.velocity.linear;
                let pose = &m.state.pose;
                let turned = after.angular - free.angular + given.change.angular;
                let angular = pose.inverse_transform_vector(turned);
                0.5 * m.body.mass() * linear.length_squared()
                    + 0.5 * angular.dot(m.body.inertia() * angular)
                    - (1.0 - s.theta) * s.step * m.body.mass() * s.gravity.dot(linear)
                    - (1.0 - s.theta) * given.impulse.dot(linear)
            })
            .sum()
    }
}
