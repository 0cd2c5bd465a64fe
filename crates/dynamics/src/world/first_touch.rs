//! When two bodies that are fast for their size first touch within a step.
//!
//! The nearest points at the start of a step say little of where bodies meet that move by a part of their size before
//! they do. They are followed along the motion of the last step's velocities by conservative advancement (Mirtich 1996,
//! "Impulse-based dynamic simulation of rigid body systems", 2.3): the distance over a bound on the speed of approach
//! is a time within which they cannot touch. The contact then is that of the time of touch, with the arms of that time.

use super::member::Member;
use super::motion::moved;
use super::narrow_phase::apart_of_spheres;
use crate::Twist;
use glam::DVec3;
use klast_geometry::{Placed, Pose, closest_points};

/// Part of the smaller body's radius that a fast pair goes in a step.
pub(super) const FAST: f64 = 0.1;
/// Distance that counts as a touch, in radii of the smaller.
const TOUCH: f64 = 1e-3;
/// Advancements at most: bodies that turn past each other at a small distance take many, and are taken for touching.
const MAX_ADVANCEMENTS: usize = 60;

/// Two bodies that start apart and touch within the step.
pub(super) struct FirstTouch {
    /// Part of the step until then, 0 to 1.
    pub part: f64,
    /// Poses at that time.
    pub poses: [Pose; 2],
}

/// What becomes of a pair in a step.
pub(super) enum Meeting {
    /// The contacts of the start decide: the pair is slow, or touches already.
    Near,
    /// The bodies stay apart.
    Never,
    /// They start apart and touch later.
    At(FirstTouch),
}

/// Follows two bodies that move at given velocities for a step (s).
#[inline]
pub(super) fn first_touch(bodies: [&Member; 2], velocities: &[Twist; 2], step: f64) -> Meeting {
    let size = bodies[0].radius.min(bodies[1].radius);
    if is_surely_slow(bodies, velocities, FAST * size / step) {
        return Meeting::Near;
    }
    advance(bodies, velocities, step, size)
}

/// The same for two bodies that may be fast for the size of the smaller (m).
fn advance([a, b]: [&Member; 2], velocities: &[Twist; 2], step: f64, size: f64) -> Meeting {
    let relative = velocities[0].linear - velocities[1].linear;
    let turning =
        velocities[0].angular.length() * a.radius + velocities[1].angular.length() * b.radius;
    if step * (relative.length() + turning) <= FAST * size {
        return Meeting::Near;
    }
    let pose = |m: &Member, v: &Twist, part: f64| {
        let time = part * step;
        moved(&m.state.pose, v.linear * time, v.angular * time)
    };
    let mut part = 0.0;
    for _ in 0..MAX_ADVANCEMENTS {
        let poses = [pose(a, &velocities[0], part), pose(b, &velocities[1], part)];
        let apart = apart((a, &poses[0]), (b, &poses[1]));
        let Some((distance, towards)) = apart.filter(|apart| apart.0 > TOUCH * size) else {
            return match part > 0.0 {
                true => Meeting::At(FirstTouch { part, poses }),
                false => Meeting::Near,
            };
        };
        let approach = relative.dot(towards) + turning;
        if approach <= 0.0 {
            return Meeting::Never;
        }
        part += (distance - 0.5 * TOUCH * size) / (approach * step);
        if part >= 1.0 {
            return Meeting::Never;
        }
    }
    let poses = [pose(a, &velocities[0], part), pose(b, &velocities[1], part)];
    Meeting::At(FirstTouch { part, poses })
}

/// Whether the speeds of two bodies are under a bound (m/s) together, told without a root: the square of a sum of three
/// is at most three times the sum of their squares. What is near the bound is not told.
#[inline]
fn is_surely_slow([a, b]: [&Member; 2], velocities: &[Twist; 2], bound: f64) -> bool {
    let relative = velocities[0].linear - velocities[1].linear;
    let turning = |m: &Member, v: &Twist| v.angular.length_squared() * m.radius * m.radius;
    let squares =
        relative.length_squared() + turning(a, &velocities[0]) + turning(b, &velocities[1]);
    3.01 * squares < bound * bound
}

/// Distance of two bodies that are apart (m), and the direction from the first to the second.
fn apart(a: (&Member, &Pose), b: (&Member, &Pose)) -> Option<(f64, DVec3)> {
    if let Some((distance, normal)) = apart_of_spheres(a, b) {
        return (distance > 0.0).then_some((distance, -normal));
    }
    let apart = closest_points(placed(a.0, a.1), placed(b.0, b.1))?;
    let towards = (apart.point_b - apart.point_a) / apart.distance;
    Some((apart.distance, towards))
}

impl FirstTouch {
    /// What the second body moves more than the first until the touch (m): a point where they meet then is, at the
    /// start of the step, as far behind on the second as on the first before it.
    pub fn apart(&self, bodies: [&Member; 2]) -> DVec3 {
        let way = |k: usize| self.poses[k].translation - bodies[k].state.pose.translation;
        way(1) - way(0)
    }
}

pub(super) fn placed<'a>(m: &'a Member, pose: &'a Pose) -> Placed<'a> {
    let shape = m.body.shape();
    Placed { shape, pose }
}
