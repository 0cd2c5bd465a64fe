//! A rigid rock on the ground: rolling, sliding, toppling, and coming to rest.

use super::response::Solved;
use super::run::{Flow, PATIENCE, Phase, Run};
use super::stay;
use crate::arc::Motion;
use crate::stop::Outcome;
use glam::DVec3;
use klast_dynamics::{State, Twist};
use klast_geometry::ContactPoint;
use klast_geometry::terrain::terrain_separation;
use std::ops::ControlFlow;

/// Depth, relative to the radius, above which a striking point shortens its step on the ground, and the least part of a step.
const STRUCK: f64 = 1e-4;
const SHORTEST: f64 = 1.0 / 256.0;
/// Depth, relative to the radius, above which any point that closes does so, whether it will rebound or not.
const SUNK: f64 = 1e-2;
/// Depth, relative to the radius, that is left to a rock on the ground, and the part of what is deeper that a step takes out: the laws of contact act on
/// velocities, so what a step sinks in, where ground turns up before the rock or a corner comes down, would stay and add up.
const LEFT: f64 = 1e-3;
const OUT: f64 = 0.2;
/// How long a rock may stay in one place before it has stopped (s), and how large the place is: part of the radius, and no larger than what the stopped-velocity
/// cutoff goes through in that time. Two corners in a hollow are a hinge without friction of its own, on which rigid bodies swing for ever; rocks do not.
const IN_PLACE: f64 = 10.0;
const PLACE: f64 = 0.5;
/// Most looks at how deep a rock is that its contacts do not get out.
const LIFTS: usize = 20;
/// A face is flat on the ground where a step turns it out of the plane by less than this (rad), and may then turn in the plane by [`TURN`] (rad) in a
/// step of up to [`LONG_STEPS`] ordinary ones.
const FLAT: f64 = 1e-6;
const TURN: f64 = 0.02;
const LONG_STEPS: f64 = 32.0;

impl Run<'_> {
    /// The step on the ground. A rock that lies on a face and does not roll slides with constant acceleration, which the scheme follows exactly, so
    /// it may take longer steps: as far as its turning about the normal and the next facet allow.
    pub(super) fn contact_step(&self) -> f64 {
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
        let radius = self.body.shape().radius();
        // On facets a face may come off its ground within the step: then it must not fall past other ground.
        let travel = match self.engine.terrain.as_plane() {
            Some(_) => f64::INFINITY,
            None => {
                let fall = (2.0 * SUNK * radius / self.engine.gravity.length()).sqrt();
                fall.min(0.1 * radius / linear.length())
            }
        };
        turning.min(travel).clamp(shortest, LONG_STEPS * shortest)
    }

    /// The middle of a step on the ground, and the contacts there: those that touch and those that curvature or gravity may close within the step.
    pub(super) fn middle(&mut self, step: f64) -> State {
        let middle = stay::middle(self.body, &self.state, step);
        let spin = self.state.velocity.angular.length_squared();
        let bend = self.engine.gravity.length() + spin * self.body.shape().radius();
        self.touch(&middle.pose, 0.5 * bend * step * step);
        middle
    }

    /// The common normal of three contacts or more.
    pub(super) fn face_normal(&self) -> Option<DVec3> {
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
    pub(super) fn strikes(&self, middle: &State) -> bool {
        let (_, sample) = self.material();
        let deep = -STRUCK * self.body.shape().radius();
        let closing = |c: &ContactPoint| {
            -middle
                .velocity
                .at(c.point - middle.pose.translation)
                .dot(c.normal)
        };
        let (sunk, cutoff) = (
            deep * (SUNK / STRUCK),
            self.engine.stop.normal_velocity_cutoff,
        );
        self.manifold.points.iter().any(|c| {
            let closing = closing(c);
            (c.gap < deep && self.engine.rebound(&sample, closing) != 0.0)
                || (c.gap < sunk && closing > cutoff)
        })
    }

    /// The least way out of the ground for the contacts at hand, as a displacement without turning: each contact in turn, as often as they disturb each other.
    fn way_out(&self) -> DVec3 {
        let left = LEFT * self.body.shape().radius();
        let mut way = DVec3::ZERO;
        for _ in 0..LIFTS {
            let mut moved = false;
            for c in &self.manifold.points {
                let depth = -(c.gap + c.normal.dot(way));
                if depth > left * (1.0 + 1e-9) {
                    way += c.normal * (depth - left);
                    moved = true;
                }
            }
            if !moved {
                break;
            }
        }
        way
    }

    /// Gets a rock out of the ground that its contacts no longer see: as far as rock and ground overlap, along the shortest way, again and again.
    fn lift(&mut self) {
        let radius = self.body.shape().radius();
        for _ in 0..LIFTS {
            let pose = self.state.pose;
            self.gather(&pose, 0.0);
            let nearest = terrain_separation(
                self.body.shape(),
                &pose,
                &self.scratch.facets,
                radius,
                &mut self.scratch.patch,
            );
            match nearest.filter(|n| n.gap < -SUNK * radius) {
                Some(n) => self.state.pose.translation -= n.normal * n.gap,
                None => break,
            }
        }
    }

    /// The contact problem at the middle of a step, with the impulses of the whole step: friction and answer.
    fn carry(&mut self, middle: &State, step: f64) -> (f64, Solved) {
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
        (mu, solved)
    }

    /// Points and forces (N) of a step from here.
    pub(super) fn loads(&mut self) -> Vec<(DVec3, DVec3)> {
        let step = self.engine.contact_step;
        let middle = self.middle(step);
        if self.manifold.points.is_empty() {
            return Vec::new();
        }
        let (_, solved) = self.carry(&middle, step);
        if !solved.loaded {
            return Vec::new();
        }
        self.response.loads(&self.manifold.points)
    }

    /// One step on the ground.
    pub(super) fn stay(&mut self) -> Flow<Phase> {
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
        let (mu, solved) = self.carry(&middle, step);
        if !solved.loaded && !forced {
            return ControlFlow::Continue(Phase::Fly);
        }
        self.tally.contact_steps += 1;
        self.tally.forced += u32::from(forced && !solved.loaded);
        self.stuck = 0;
        self.lies_on = self.face_normal();
        self.tally.unconverged += u32::from(!solved.converged);
        let speed = 0.5 * (self.state.velocity.linear + solved.twist.linear).length();
        let mut end = stay::end(self.body, &middle.pose, &solved.twist, step);
        end.pose.translation += OUT * self.way_out();
        self.travel(step, end, Motion::Contact)?;
        if forced && self.engine.terrain.as_plane().is_none() {
            self.lift();
        }
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
        self.stays_in_place()?;
        ControlFlow::Continue(Phase::Stay)
    }

    /// Ends the run of a rock on the ground that has long got nowhere.
    fn stays_in_place(&mut self) -> Flow<()> {
        let (since, place) = self.place;
        let way = self.engine.stop.stopped_velocity_cutoff * IN_PLACE;
        let size = way.min(PLACE * self.body.shape().radius());
        if (self.state.pose.translation - place).length() > size {
            self.place = (self.time, self.state.pose.translation);
        } else if self.time - since > IN_PLACE && way > 0.0 {
            self.tally.swinging = true;
            self.state.velocity = Twist::ZERO;
            return ControlFlow::Break(Outcome::Stopped);
        }
        ControlFlow::Continue(())
    }

    /// Ends the run where a slow rock is held by its contacts: a step from rest, with the contacts that a step sees, would not move it.
    pub(super) fn come_to_rest(&mut self, mu: f64) -> Flow<()> {
        let (state, radius) = (self.state, self.body.shape().radius());
        let speed = state.velocity.linear.length() + state.velocity.angular.length() * radius;
        if speed > self.engine.stop.stopped_velocity_cutoff {
            return ControlFlow::Continue(());
        }
        let step = self.engine.contact_step;
        let push = self.engine.gravity * step;
        self.touch(&state.pose, 0.5 * push.length() * step);
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
            step,
            // A contact is as far down as depths are told apart: one that is open by less may carry in the next step.
            |c| 2.0 * (c.gap - STRUCK * radius).max(0.0) / step,
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
