//! Coming to rest.

use super::super::contact_problem::{ContactProblem, Effort};
use super::super::follow::{Flow, Follow};
use super::super::observer::StopReason;
use super::lift::SUNK;
use crate::Twist;
use glam::DVec3;
use std::ops::ControlFlow;

/// How long a body may stay in one place before it has stopped (s), and how large the place is: part of the radius, and
/// no larger than what the stopped-velocity cutoff goes through in that time. Two corners in a hollow are a hinge
/// without friction of its own, on which rigid bodies swing for ever; rocks do not. What begins to fall from a balance
/// leaves its place sooner: its tilt grows as exp(0.8 t √(g/R)) and more, and from the least that moves it, 1e-6, to
/// the size of the place takes 16 √(R/g).
const IN_PLACE: f64 = 10.0;
const FALLS: f64 = 20.0;
/// Angular velocity that a body in an unstable balance has at least (part of √(g/R)): far below that of any tilt that
/// is more than rounding, and 1e-22 of the energy of a fall.
const NUDGE: f64 = 1e-11;
const PLACE: f64 = 0.5;
/// A contact that is open by less than this part of the radius may carry in the next step: on facets, and on a plane,
/// where a face comes down flat.
const NEAR: f64 = 1e-4;
const NEAR_PLANE: f64 = 1e-9;
/// What a step from rest may move a body that is held, as a part of one step of free fall: far above the tolerance of
/// the contact solver.
const HELD_DISPLACEMENT: f64 = 1e-3;
const STILL_PLANE: f64 = 1e-6;

/// How contacts hold a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// A step from rest moves it.
    Not,
    /// In a balance whose energy grows in each rotation, or by the resistance to rolling.
    Stably,
    /// In a balance that a rotation, however small, takes it out of.
    Unstably,
}

impl Follow<'_> {
    /// Ends the run of a body on the ground that has long got nowhere: it swings in place, or what holds it up is what
    /// taking it out of the ground costs, which is the step's doing.
    pub(super) fn stays_in_place(&mut self) -> Flow<()> {
        let (since, place) = self.memory.place;
        let radius = self.body.shape().radius();
        let time = IN_PLACE.max(FALLS * (radius / self.options.gravity.length()).sqrt());
        let way = self.options.limits.stopped_velocity * time;
        let size = way.min(PLACE * radius);
        if (self.state.pose.translation - place).length() > size {
            self.memory.place = (self.time, self.state.pose.translation);
            self.memory.paid = 0.0;
        } else if self.time - since > time && way > 0.0 {
            let weight = self.body.mass() * self.options.gravity.length();
            if self.memory.paid > SUNK * radius * weight {
                return ControlFlow::Break(StopReason::Unresolved);
            }
            self.tally.swinging = true;
            return self.stop();
        }
        ControlFlow::Continue(())
    }

    /// Ends the run where a slow body is held by its contacts.
    pub(super) fn come_to_rest(&mut self) -> Flow<()> {
        let radius = self.body.shape().radius();
        let Twist { linear, angular } = self.state.velocity;
        let speed = linear.length() + angular.length() * radius;
        if speed > self.options.limits.stopped_velocity {
            return ControlFlow::Continue(());
        }
        let soft = self.is_over_ground() && self.law.holds(&self.state);
        match if soft { Held::Stably } else { self.held() } {
            Held::Stably => {
                self.rise();
                self.stop()
            }
            Held::Unstably => {
                // It has not got nowhere: it begins to fall.
                self.memory.place.0 = self.time;
                self.nudge();
                ControlFlow::Continue(())
            }
            Held::Not => ControlFlow::Continue(()),
        }
    }

    /// Tilts a body that no rounding takes out of its balance. About an edge only the part along it is left by
    /// contacts.
    fn nudge(&mut self) {
        let gravity = self.options.gravity;
        let rate = NUDGE * (gravity.length() / self.body.shape().radius()).sqrt();
        if self.state.velocity.angular.length() < rate {
            let (x, y) = gravity.normalize_or_zero().any_orthonormal_pair();
            self.state.velocity.angular += rate * (x + 0.5 * y);
        }
    }

    /// Whether the plane of the ground under the mass centre is in reach of the body: not past the edge of a cliff.
    fn is_over_ground(&self) -> bool {
        let p = self.state.pose.translation;
        // A sphere that touches stands off by its radius, and by what contact leaves open.
        let reach = (1.0 + NEAR) * self.body.shape().radius();
        let ground = self.terrain.surface(p.x, p.y);
        ground.is_some_and(|ground| (p.z - ground.height) * ground.normal.z <= reach)
    }

    /// Whether the body is at rest here.
    pub(super) fn is_held(&mut self) -> bool {
        self.held() == Held::Stably
    }

    /// Whether the contacts hold the body, with the resistance to rolling of the ground under its mass centre: a step
    /// from rest, with the contacts that a step sees, would not move it.
    fn held(&mut self) -> Held {
        let step = self.reference_step();
        let push = self.options.gravity * step;
        let pose = self.state.pose;
        self.touch(&pose, self.closing_gap(push.length(), step));
        self.ask_the_ground();
        let still = match self.terrain.as_plane() {
            Some(_) => STILL_PLANE,
            None => HELD_DISPLACEMENT,
        };
        let still = still * push.length();
        let moved = self.moved_in(push, step);
        if moved.linear.length() + moved.angular.length() * self.body.shape().radius() <= still {
            // A plate that rests on two opposite corners of its face lies flat.
            let blocks = NEAR * self.body.shape().radius();
            return match self.is_in_stable_balance(blocks) {
                true => Held::Stably,
                false => Held::Unstably,
            };
        }
        if !self.is_over_ground() {
            return Held::Not;
        }
        // What resists acts against the way that contacts and gravity would take, with the forces found there.
        let pressing = self.workspace.solver.pressing() / self.body.mass();
        let brake = self.law.resistance(&self.state, pressing);
        let Some(way) = moved.linear.try_normalize().filter(|_| brake > 0.0) else {
            return Held::Not;
        };
        let rolled = self
            .moved_in(push - way * (brake * step), step)
            .linear
            .dot(way);
        match rolled <= still {
            true => Held::Stably,
            false => Held::Not,
        }
    }

    /// The gap up to which a contact carries (m): it is as far down as depths are told apart.
    fn near(&self) -> f64 {
        let part = match self.terrain.as_plane() {
            Some(_) => NEAR_PLANE,
            None => NEAR,
        };
        part * self.body.shape().radius()
    }

    /// Velocities after a step (s) from rest with an impulse per mass (m/s) on the mass centre.
    fn moved_in(&mut self, push: DVec3, step: f64) -> Twist {
        let (pose, near) = (self.state.pose, self.near());
        let workspace = &mut *self.workspace;
        let problem = ContactProblem {
            body: self.body,
            pose: &pose,
            contacts: &workspace.manifold.points,
            free: Twist {
                linear: push,
                angular: DVec3::ZERO,
            },
            coefficients: &workspace.coefficients,
            effort: Effort::step(step),
        };
        let held = workspace.solver.solve(&problem, |c, _, _, _| {
            DVec3::X * (2.0 * (c.gap - near).max(0.0) / step)
        });
        held.twist
    }

    pub(super) fn stop(&mut self) -> Flow<()> {
        self.tally.energy.slid += self.state.kinetic_energy(self.body).total();
        self.state.velocity = Twist::ZERO;
        ControlFlow::Break(StopReason::AtRest)
    }
}
