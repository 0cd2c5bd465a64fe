//! When two bodies that are fast for their size first touch within a step.
//!
//! The nearest points at the start of a step say little of where bodies meet that move by a part of their size before
//! they do. They are followed along the motion of the last step's velocities by conservative advancement (Mirtich 1996,
//! "Impulse-based dynamic simulation of rigid body systems", 2.3): the distance over a bound on the speed of approach
//! is a time within which they cannot touch. The contact then is that of the time of touch, with the arms of that time.

use super::broad_phase::{Candidate, PLANES};
use super::facade::World;
use super::member::Member;
use super::motion::moved;
use crate::Twist;
use glam::DVec3;
use klast_geometry::{Placed, Pose, closest_points};

/// Part of the smaller body's radius that a fast pair goes in a step.
pub(super) const FAST: f64 = 0.1;
/// Distance that counts as a touch, in radii of the smaller.
const TOUCH: f64 = 1e-3;
/// Advancements at most: bodies that turn past each other at a small distance take many, and are taken for touching.
const MOST: usize = 60;

/// Parts that a step is divided into at most.
const MOST_PARTS: f64 = 32.0;

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

impl World {
    /// Parts that the coming step is divided into: as many as bodies that touch in it go a part of their size.
    pub(super) fn divisions(&mut self) -> u32 {
        let (s, time) = (&self.state.settings, self.state.time);
        let fast = |m: &Member| s.step * m.fastest(time, s.step) > 0.5 * FAST * m.radius;
        if !self
            .state
            .members
            .iter()
            .any(|m| m.is_free() && fast(m) && !m.is_asleep())
            && !self.drives_fast()
        {
            return 1;
        }
        self.work.search.broad.update(&self.state);
        let ways = self
            .work
            .search
            .broad
            .candidates
            .iter()
            .map(|c| self.way_of_touching(c));
        let most = ways.fold(1.0, f64::max).ceil().min(MOST_PARTS);
        most as u32
    }

    fn drives_fast(&self) -> bool {
        let (s, time) = (&self.state.settings, self.state.time);
        let smallest = self
            .state
            .members
            .iter()
            .filter(|m| m.is_free())
            .map(|m| m.radius);
        let least = FAST * smallest.fold(f64::INFINITY, f64::min);
        let driven = self.state.members.iter().filter(|m| !m.is_free());
        driven
            .map(|m| s.step * m.fastest(time, s.step))
            .any(|way| way > least)
    }

    /// How far a pair goes in the step before or while it touches, in the part of its size that it may; 0 where it does
    /// not touch.
    fn way_of_touching(&self, c: &Candidate) -> f64 {
        let s = &self.state.settings;
        let Some(a) = self.state.members.get(c.first as usize) else {
            return 0.0;
        };
        let at_a = a.present_velocity(s, self.state.time);
        if let Some(k) = c.second.checked_sub(PLANES) {
            let turning = s.step * at_a.angular.length() * a.radius;
            let touches = self.state.planes.get(k as usize).is_some_and(|b| {
                let speed = b.plane.normal.dot(at_a.linear - b.velocity).min(0.0);
                b.plane.height(a.state.pose.translation) - a.radius <= s.margin - s.step * speed
            });
            return if touches {
                turning / (FAST * a.radius)
            } else {
                0.0
            };
        }
        let Some(b) = self.state.members.get(c.second as usize) else {
            return 0.0;
        };
        let at_b = b.present_velocity(s, self.state.time);
        let size = FAST * a.radius.min(b.radius);
        let turning = at_a.angular.length() * a.radius + at_b.angular.length() * b.radius;
        match first_touch([a, b], [at_a, at_b], s.step) {
            Meeting::Never => 0.0,
            Meeting::Near => s.step * turning / size,
            Meeting::At(_) => s.step * ((at_a.linear - at_b.linear).length() + turning) / size,
        }
    }
}

/// Follows two bodies that move at given velocities for a step (s).
pub(super) fn first_touch(bodies: [&Member; 2], velocities: [Twist; 2], step: f64) -> Meeting {
    let [a, b] = bodies;
    let size = a.radius.min(b.radius);
    let turning =
        velocities[0].angular.length() * a.radius + velocities[1].angular.length() * b.radius;
    let relative = velocities[0].linear - velocities[1].linear;
    if step * (relative.length() + turning) <= FAST * size {
        return Meeting::Near;
    }
    let pose = |m: &Member, v: &Twist, part: f64| {
        let time = part * step;
        moved(&m.state.pose, v.linear * time, v.angular * time)
    };
    let mut part = 0.0;
    for _ in 0..MOST {
        let poses = [pose(a, &velocities[0], part), pose(b, &velocities[1], part)];
        let apart = closest_points(placed(a, &poses[0]), placed(b, &poses[1]));
        let Some(apart) = apart.filter(|apart| apart.distance > TOUCH * size) else {
            return match part > 0.0 {
                true => Meeting::At(FirstTouch { part, poses }),
                false => Meeting::Near,
            };
        };
        let towards = (apart.point_b - apart.point_a) / apart.distance;
        let approach = relative.dot(towards) + turning;
        if approach <= 0.0 {
            return Meeting::Never;
        }
        part += (apart.distance - 0.5 * TOUCH * size) / (approach * step);
        if part >= 1.0 {
            return Meeting::Never;
        }
    }
    let poses = [pose(a, &velocities[0], part), pose(b, &velocities[1], part)];
    Meeting::At(FirstTouch { part, poses })
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
