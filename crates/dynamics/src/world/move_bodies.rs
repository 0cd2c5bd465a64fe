//! Bodies and planes go to the end of the step, and out of overlap.

use super::ends::Ends;
use super::islands::Islands;
use super::member::{Member, Role};
use super::motion::moved;
use super::state::WorldState;
use glam::{DQuat, DVec3};
use klast_geometry::Pose;

/// Moves all bodies and planes over the step. Returns what the rotation has changed in the angular momenta beyond the
/// impulses, summed over the bodies (N m s): without an impulse a body is turned back by it, and nothing is left.
pub(super) fn move_bodies(state: &mut WorldState, ends: &Ends) -> f64 {
    let step = state.settings.step;
    let mut error = 0.0;
    let velocities = ends.free.iter().zip(&ends.after);
    let members = state.members.iter_mut().enumerate();
    for ((i, m), (pose, (free, after))) in members.zip(ends.poses.iter().zip(velocities)) {
        if m.role == Role::Fixed {
            continue;
        }
        let start = m.state;
        (m.state.pose, m.state.velocity) = (*pose, *after);
        if !m.is_free() || m.body.is_isotropic() {
            continue;
        }
        if let Some(offset) = ends.offsets.get(i).filter(|o| o.angular != DVec3::ZERO) {
            // What the pose is turned by beside the spin turns that too, or the energy would be another.
            let turn = moved(&Pose::IDENTITY, DVec3::ZERO, offset.angular);
            m.state.velocity.angular = turn.transform_vector(after.angular);
        }
        let mut momentum = start.angular_momentum(&m.body);
        let given = ends.given.get(i).map_or(DVec3::ZERO, |given| given.angular);
        if free == after && given == DVec3::ZERO {
            keep_direction(m, momentum);
        } else {
            let body_axes = |w: DVec3| start.pose.inverse_transform_vector(w);
            let impulse = m.body.inertia() * body_axes(after.angular - free.angular);
            momentum += start.pose.transform_vector(impulse);
            if given != DVec3::ZERO {
                momentum += given;
            }
        }
        error += (m.state.angular_momentum(&m.body) - momentum).length();
    }
    for plane in &mut state.planes {
        plane.plane.offset += plane.plane.normal.dot(plane.velocity) * step;
    }
    error
}

/// Takes bodies out of overlap; returns the potential energy that this has added (J).
pub(super) fn shift_bodies(state: &mut WorldState, islands: &mut Islands) -> f64 {
    let s = state.settings;
    let mut added = 0.0;
    for number in 0..islands.count() {
        let island = islands.island_mut(number);
        for (&i, v) in island.bodies.iter().zip(&island.displacements.shift) {
            let m = &mut state.members[i as usize];
            m.state.pose = moved_keeping_energy(m, v.linear * s.step, v.angular * s.step);
            let own = -m.body.mass() * s.gravity.dot(v.linear) * s.step;
            added += own;
            island.exchanged.given += own;
        }
    }
    added
}

/// Turns a body with its spin so that its angular momentum points where it is to point. The rule for the gyroscopic
/// moment keeps its length and the energy, so a turn is all that is missing.
fn keep_direction(m: &mut Member, momentum: DVec3) {
    let now = m.state.angular_momentum(&m.body);
    let lengths = now.length() * momentum.length();
    // Twice the half angle's cosine times the quaternion of the shortest turn.
    let turn = DQuat::from_vec4(now.cross(momentum).extend(lengths + now.dot(momentum)));
    if turn.w > lengths {
        let turn = turn.normalize();
        m.state.pose.rotation = (turn * m.state.pose.rotation).normalize();
        m.state.velocity.angular = turn * m.state.velocity.angular;
    }
}

/// The shifted pose; the spin turns with the body, so that its kinetic energy stays what it is.
fn moved_keeping_energy(m: &mut Member, displacement: DVec3, turn: DVec3) -> Pose {
    let pose = moved(&m.state.pose, displacement, turn);
    if !m.body.is_isotropic() {
        m.state.velocity.angular = pose.transform_vector(m.state.body_spin());
    }
    pose
}
