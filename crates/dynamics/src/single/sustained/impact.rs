//! What strikes the ground within a step in sustained contact, and ends it sooner.

use super::super::contacts::lowest_point;
use super::super::follow::Follow;
use super::super::impact::Slow;
use super::lift::{COSTLY, LEFT, SUNK};
use super::middle::Middle;
use crate::State;
use klast_geometry::ContactPoint;

/// Depth, relative to the radius, above which a striking point shortens its step, and the least part of a step.
pub(super) const STRUCK: f64 = 1e-4;
pub(super) const SHORTEST: f64 = 1.0 / 256.0;
/// Depth in a plane, relative to the radius, at the end of a step that ends the step earlier.
pub(super) const DEEP: f64 = 1e-10;
/// A vertex on a plane that closes faster than this part of what gravity gives in a step has an impact of its own.
const CLOSING: f64 = 0.002;

/// A vertex that strikes a plane within a step.
pub(super) enum Sooner {
    /// After about this time (s).
    After(f64),
    /// At once, from no farther than this (m): corners that hop in turn, each hop smaller, must not stop the clock.
    Now(f64),
}

impl Follow<'_> {
    /// On facets, the closing speed of the fastest contact that is deep in the ground at the middle of a step and
    /// closes so fast that it has an impact of its own.
    pub(super) fn strikes(&self, middle: &Middle) -> Option<f64> {
        // On a plane steps end where a vertex touches.
        if self.terrain.as_plane().is_some() {
            return None;
        }
        let radius = self.body.shape().radius();
        let deep = -STRUCK * radius;
        let cutoff = self.options.limits.normal_velocity;
        let State { pose, velocity } = &middle.state;
        // What is deeper than this costs more than a part of the kinetic energy.
        let affordable = COSTLY * middle.state.kinetic_energy(self.body).total()
            / (self.body.mass() * self.options.gravity.length());
        let closing = |c: &ContactPoint| -velocity.at(c.point - pose.translation).dot(c.normal);
        let rebounds = |c: &ContactPoint, closing| {
            let restitution = self.law.coefficients(c.point).restitution();
            Slow { cutoff }.rebounds(restitution, closing)
        };
        let strikes = |c: &&ContactPoint| {
            let closing = closing(c);
            (c.gap < deep && rebounds(c, closing))
                || (c.gap < deep * (SUNK / STRUCK) && closing > cutoff)
                || came_down(c.gap + LEFT * radius, affordable, closing * middle.step)
        };
        let fastest = self.contacts().iter().filter(strikes).map(closing);
        fastest.reduce(f64::max)
    }

    /// Whether a vertex that stands on a plane closes by more than what a step leaves of it.
    pub(super) fn closes_on_a_plane(&mut self) -> bool {
        if self.terrain.as_plane().is_none() {
            return false;
        }
        let State { pose, velocity } = self.state;
        self.touch(&pose, 2.0 * DEEP * self.body.shape().radius());
        let most = CLOSING * self.options.gravity.length() * self.reference_step();
        let closing = |c: &ContactPoint| -velocity.at(c.point - pose.translation).dot(c.normal);
        self.contacts().iter().any(|c| closing(c) > most)
    }

    /// When the vertex touches a plane that is in it at the end of a step.
    pub(super) fn until_touch(&self, middle: &Middle, end: &State) -> Option<Sooner> {
        let plane = self.terrain.as_plane()?;
        let (height, point) = lowest_point(self.body, &end.pose, &plane);
        if height > -DEEP * self.body.shape().radius() {
            return None;
        }
        let (pose, velocity) = (&middle.state.pose, &middle.state.velocity);
        let arm = pose.transform_vector(point);
        let most = CLOSING * self.options.gravity.length() * self.reference_step();
        // A slower one is kept out by the contact problem, or comes to stay.
        if -velocity.at(arm).dot(plane.normal) <= most {
            return None;
        }
        let before = match self.body.sphere_radius() {
            Some(radius) => plane.height(self.state.pose.translation) - radius,
            None => plane.height(self.state.pose.transform_point(point)),
        };
        // What stood on the plane at the start is no touch that a shorter step would find.
        let touching = 2.0 * DEEP * self.body.shape().radius();
        if before <= touching {
            return None;
        }
        let step = middle.step * before / (before - height);
        Some(match step > SHORTEST * self.reference_step() {
            true => Sooner::After(step),
            false => Sooner::Now(before + touching),
        })
    }
}

/// Whether a contact that is deeper than what is left to a body (gap, m) came there within the step that closes by a
/// way (m), and costs more than a depth that the body can afford (m).
fn came_down(gap: f64, affordable: f64, way: f64) -> bool {
    gap < 0.0 && -gap > affordable && way > -gap
}
