//! Moreau's midpoint scheme with a fixed step and no event finding, for programs that step so.
//!
//! Half a step of free motion, contacts at or below the ground there, v⁺ = v + h M⁻¹F + M⁻¹ Σ p with 0 ≤ u_n⁺ + e u_n⁻
//! ⟂ p_n ≥ 0 and Coulomb's law on u_t⁺ + e_t u_t⁻ (u⁻ at the start of the step), half a step of free motion. Moreau
//! (1988), "Unilateral contact and dry friction in finite freedom dynamics", section 13; first order in h through an
//! impact. The body enters the ground by up to v h before it is turned back.

use super::super::contact_problem::{ContactProblem, Effort};
use super::super::follow::{Flow, Follow};
use super::super::observer::{Motion, StopReason};
use super::freely;
use crate::{State, Twist};
use glam::DVec3;
use std::ops::ControlFlow;

impl Follow<'_> {
    pub(in crate::single) fn midpoint_to_the_end(&mut self, step: f64) -> Flow<()> {
        while self.tally.steps < self.options.limits.steps {
            if self.time >= self.options.limits.time * (1.0 - 1e-12) {
                return ControlFlow::Break(StopReason::MaximumTime);
            }
            self.tally.steps += 1;
            self.is_finite()?;
            self.midpoint_step(step)?;
        }
        ControlFlow::Continue(())
    }

    fn midpoint_step(&mut self, step: f64) -> Flow<()> {
        let (body, start) = (self.body, self.state);
        let middle = freely(body, &start, 0.5 * step);
        self.touch(&middle.pose, 0.0);
        // Impulses act at the vertices, as deep as they are.
        for c in &mut self.workspace.manifold.points {
            c.point += c.normal * c.gap;
        }
        let mut velocity = Twist {
            linear: middle.velocity.linear + self.options.gravity * step,
            ..middle.velocity
        };
        let touches = !self.contacts().is_empty();
        if touches {
            self.ask_the_ground();
            let workspace = &mut *self.workspace;
            let problem = ContactProblem {
                body,
                pose: &middle.pose,
                contacts: &workspace.manifold.points,
                free: velocity,
                coefficients: &workspace.coefficients,
                effort: Effort::step(step),
            };
            let u = |frame: &klast_contact::Frame, arm| frame.to_local(start.velocity.at(arm));
            let solved = workspace.solver.solve(&problem, |_, own, frame, arm| {
                let tangential = own.tangential_restitution();
                u(frame, arm) * DVec3::new(own.restitution(), tangential, tangential)
            });
            self.tally.unconverged += usize::from(!solved.converged);
            self.tally.contact_steps += 1;
            velocity = solved.twist;
        }
        let kicked = State {
            pose: middle.pose,
            velocity,
        };
        let end = freely(body, &kicked, 0.5 * step);
        let change = self.energy_change(&start, &end);
        let kinetic = end.kinetic_energy(body).total();
        self.tally.energy.enter_contact(kinetic, change);
        let motion = if touches {
            Motion::Contact
        } else {
            Motion::Flight
        };
        self.travel(step, end, motion)?;
        let slowing = self.slowing(touches);
        self.slow_down(&slowing, step);
        self.still_on_the_map()?;
        match touches {
            true => self.come_to_rest(),
            false => ControlFlow::Continue(()),
        }
    }
}
