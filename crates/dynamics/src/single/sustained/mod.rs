//! Sustained contact: a body that slides, rolls, turns over a corner or an edge, and comes to rest.
//!
//! A face (edge, vertex) that slides flat on flat ground is followed in closed form or to rounding ([`slide`]).
//! Everything else is stepped: half a step of free motion, the contact problem with gravity and the impulses of the
//! whole step, half a step of free motion with the new velocities (Moreau 1988, for rockfall Leine et al. 2014). The
//! free halves are exact, torque-free turning included, and the contact problem is posed so that its impulses do no
//! work ([`step`]): a step cannot make energy, however slender the body. Drag and resistance to rolling act for half of
//! a step before its first free half and for half of it after the second, each exact alone, so that they are of second
//! order too (Strang 1968, "On the construction and comparison of difference schemes").

mod balance;
mod face;
mod impact;
mod lift;
pub(crate) mod memory;
mod middle;
mod midpoint;
mod pressure;
mod rest;
mod roll;
mod slide;
mod step;

use super::contacts::{common_normal, touch};
use super::follow::{Flow, Follow, Phase};
use super::slowing::Slowing;
use super::torque_free::turned_freely;
use crate::{Body, State, Twist};
use klast_geometry::{ContactPoint, Pose};
use std::ops::ControlFlow;

/// Turn of a step (rad): the scheme is of second order, so a step errs by about TURN³/12 of the radius, 1e-4 of it.
const TURN: f64 = 0.1;
/// The same for what gravity does, as a part of √(R/g).
const FALL: f64 = 0.06;
/// Way of a step over facets, relative to the radius.
const TRAVEL: f64 = 0.1;
/// Longest step as a part of the time m/c in which drag slows the body: speeds are wrong by SLOWED²/24 of the speed at
/// which drag balances the other forces, 1e-4 of it, and ways by SLOWED²/12.
const SLOWED: f64 = 0.05;
/// Short steps, as a part of the others, where taking a body out of the ground costs it its way.
const SHORT: f64 = 0.1;
/// Longest step where nothing else limits it (s).
const LONGEST: f64 = 0.1;

/// A body after free motion without gravity.
fn freely(body: &Body, state: &State, time: f64) -> State {
    let (rotation, angular) = turned_freely(body, state, time);
    State {
        pose: Pose {
            rotation,
            translation: state.pose.translation + state.velocity.linear * time,
        },
        velocity: Twist {
            linear: state.velocity.linear,
            angular,
        },
    }
}

impl Follow<'_> {
    /// A step that resolves what gravity does to the body (s).
    pub(in crate::single) fn reference_step(&self) -> f64 {
        let radius = self.body.shape().radius();
        let step = FALL * (radius / self.options.gravity.length()).sqrt();
        step.min(self.options.contact_step.unwrap_or(LONGEST))
            .min(LONGEST)
    }

    /// The step in sustained contact.
    fn step_size(&self, slowing: &Slowing) -> f64 {
        let Twist { linear, angular } = self.state.velocity;
        let turn = TURN / angular.length();
        let radius = self.body.shape().radius();
        let travel = match self.terrain.as_plane() {
            Some(_) => f64::INFINITY,
            // Facets are looked at in the middle of a step: what comes down after it must not pass through a thin body,
            // nor deeper than contacts are seen.
            None => {
                let fastest = linear.length() + angular.length() * radius;
                self.inner_radius.min(TRAVEL * radius) / fastest
            }
        };
        // Not below a hundredth of what gravity asks for: a spin about an axis that no contact feels must not stop the
        // clock.
        let least = 0.01 * self.reference_step();
        let slowed = SLOWED / slowing.rate;
        let most = self.reference_step().min(slowed);
        let most = match self.memory.short > 0 {
            true => SHORT * most,
            false => most,
        };
        most.min(turn).min(travel).max(least)
    }

    /// Contacts at a pose within a margin (m).
    fn touch(&mut self, pose: &Pose, margin: f64) {
        let workspace = &mut *self.workspace;
        let both = (&mut workspace.search, &mut workspace.manifold);
        touch(self.terrain, self.body, pose, margin, both);
    }

    fn contacts(&self) -> &[ContactPoint] {
        &self.workspace.manifold.points
    }

    /// What changes in the sum of kinetic and potential energy from one state to another (J), from the way between
    /// them: far from the origin the difference of two potentials is rounding.
    fn energy_change(&self, start: &State, end: &State) -> f64 {
        let kinetic = |s: &State| s.kinetic_energy(self.body).total();
        kinetic(end) - kinetic(start) - self.work_of_gravity(start, end)
    }

    fn work_of_gravity(&self, start: &State, end: &State) -> f64 {
        let way = end.pose.translation - start.pose.translation;
        self.body.mass() * self.options.gravity.dot(way)
    }

    /// One stretch of sustained contact.
    pub(in crate::single) fn stay(&mut self) -> Flow<Phase> {
        if self.memory.no_slide > 0 {
            self.memory.no_slide -= 1;
        } else if let Some(normal) = common_normal(&self.workspace.manifold)
            && let Some(phase) = self.slide(normal)?
        {
            return ControlFlow::Continue(phase);
        }
        self.step()
    }
}
