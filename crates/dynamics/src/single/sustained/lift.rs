//! Out of the ground: how deep a body may be left, and what a lift costs.

use super::super::contact_problem::Solved;
use super::super::contacts::{gather, lowest_point, separation};
use super::super::follow::Follow;
use super::middle::Middle;
use crate::State;
use glam::DVec3;

/// Depth, relative to the radius, above which any point that closes does so, whether it will rebound or not.
pub(super) const SUNK: f64 = 1e-2;

/// Depth, relative to the radius, that is left to a body on facets, and the part of what is deeper that a step takes
/// out: the laws of contact act on velocities, so what a step sinks in, where ground turns up before the body or a
/// corner comes down, would stay and add up.
pub(super) const LEFT: f64 = 1e-3;

/// The part of what is deeper that a step takes out.
const OUT: f64 = 0.2;

/// Depth, relative to the radius, that a body without kinetic energy keeps.
const SHALLOW: f64 = 1e-5;

/// Part of the kinetic energy that a lift may cost before the next steps are short: a body that begins to move would
/// pay with all that it has, and hang.
pub(super) const COSTLY: f64 = 0.05;

/// How many steps are short then.
pub(super) const SHORT_STEPS: u32 = 64;

/// Most looks at how deep a body is that its contacts do not get out.
const LIFTS: usize = 20;

impl Follow<'_> {
    /// Whether a way out of the ground at the end of a step would cost a considerable part of the kinetic energy.
    pub(super) fn is_costly(&self, end: &State, way: DVec3) -> bool {
        if way == DVec3::ZERO || self.terrain.as_plane().is_some() {
            return false;
        }
        let raised = -self.body.mass() * self.options.gravity.dot(way);
        raised > COSTLY * end.kinetic_energy(self.body).total()
    }

    /// Energy that the way into the ground gave to contacts, in which it was lost (J): of what their normal forces took
    /// until the end of a step, as much as the body's weight gives over the depth of its deepest contact.
    pub(super) fn take_in(&mut self, (middle, solved): (&Middle, &Solved)) {
        if self.terrain.as_plane().is_some() {
            return;
        }
        let (normal, _) = self
            .workspace
            .solver
            .work(&middle.state.velocity, &solved.twist);
        let depths = self.contacts().iter().map(|c| -c.gap);
        let weight = self.body.mass() * self.options.gravity.length();
        let most = weight * depths.fold(0.0, f64::max);
        self.memory.taken_in = (self.memory.taken_in - normal.min(0.0)).min(most);
    }

    /// Pays for what a lift gives in potential energy with what the way down had turned it into: with what contacts
    /// took in ([`Self::take_in`]), and with kinetic energy. A body that is too slow to pay for a small lift stays as
    /// deep as it is.
    pub(super) fn pay_for(&mut self, before: &State, end: &mut State) {
        let raised = -self.work_of_gravity(before, end);
        let kinetic = end.kinetic_energy(self.body).total();
        if raised <= 0.0 {
            self.tally.energy.slid -= raised;
            return;
        }
        let way = end.pose.translation - before.pose.translation;
        let given_back = raised.min(self.memory.taken_in);
        let raised = raised - given_back;
        if raised > kinetic && way.length() < SHALLOW * self.body.shape().radius() {
            end.pose.translation = before.pose.translation;
            return;
        }
        self.memory.taken_in -= given_back;
        self.tally.energy.slid -= given_back;
        self.tally.energy.returned += given_back;
        let paid = raised.min(kinetic);
        self.memory.paid += paid;
        if kinetic > 0.0 {
            let slower = (1.0 - paid / kinetic).max(0.0).sqrt();
            end.velocity.linear *= slower;
            end.velocity.angular *= slower;
        }
        self.tally.energy.lifted += raised - paid;
    }

    /// The least way out of the ground, as a displacement without turning: on a plane all of it, on facets a part for
    /// the contacts at hand, each in turn, as often as they disturb each other.
    pub(super) fn way_out(&self, end: &State) -> DVec3 {
        if let Some(plane) = self.terrain.as_plane() {
            let (height, _) = lowest_point(self.body, &end.pose, &plane);
            return plane.normal * (-height).max(0.0);
        }
        let left = LEFT * self.body.shape().radius();
        let mut way = DVec3::ZERO;
        for _ in 0..LIFTS {
            let mut moved = false;
            for c in self.contacts() {
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
        OUT * way
    }

    /// Takes a body that has come to rest out of the ground at once: a fast landing without rebound leaves it deeper
    /// than the steps before its rest take out.
    pub(super) fn rise(&mut self) {
        if self.terrain.as_plane().is_some() {
            return;
        }
        let before = self.state;
        self.touch(&before.pose, 0.0);
        self.state.pose.translation += self.way_out(&before) / OUT;
        self.tally.energy.lifted += (-self.work_of_gravity(&before, &self.state)).max(0.0);
    }

    /// Gets a body out of the ground that its contacts no longer see: as far as body and ground overlap, along the
    /// shortest way, again and again.
    pub(super) fn lift(&mut self, end: &mut State) {
        let radius = self.body.shape().radius();
        let search = &mut self.workspace.search;
        for _ in 0..LIFTS {
            gather(self.terrain, self.body, &end.pose, 0.0, search);
            let nearest = separation(self.body, &end.pose, radius, search);
            match nearest.filter(|n| n.gap < -SUNK * radius) {
                Some(n) => end.pose.translation -= n.normal * n.gap,
                None => break,
            }
        }
    }
}
