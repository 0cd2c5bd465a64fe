//! The way on where events crowd or contact on accelerations has no answer: a short step on velocities.
//!
//! v⁺ = v + h g + M⁻¹ Σ p with 0 ≤ u_n⁺ + gap/h ⟂ p_n ≥ 0 at every vertex that may come down within the step, Coulomb's law on u_t⁺ and no
//! restitution, posed where the step begins; then x⁺ = x + h v⁺. This is the scheme of Moreau and Jean with θ = 1 (Jean 1999): no contact
//! and no length of the step makes energy, and a series of ever smaller impacts is over in one step.

use super::stay::Stay;
use super::{EventDriven, Motion, TOUCH};
use crate::impact::{GeneralContacts, kicked, world_inverse_inertia};
use crate::moreau::moved;
use crate::{Body, DynamicsError, Recorder, State, Twist};
use glam::DVec3;
use klast_contact::Frame;

/// Length of the step (s).
const STEP: f64 = 1e-4;
/// A vertex that comes down faster than so many times what gravity gives in the step has an impact of its own: the step ends there.
const FAST: f64 = 10.0;
/// Residual asked of the contact problem, relative to its largest velocity: far below what a step of first order resolves.
const TOLERANCE: f64 = 1e-10;

impl EventDriven {
    /// One short step.
    pub(super) fn rescue(
        &self,
        body: &Body,
        motion: &mut Motion,
        recorder: &mut impl Recorder,
        room: &mut GeneralContacts,
    ) -> Result<Stay, DynamicsError> {
        let start = motion.state;
        let step = self
            .step_to_impact(body, &start)
            .min(self.limits.time - motion.time);
        let inverse_inertia = world_inverse_inertia(body, &start);
        let free = Twist {
            linear: start.velocity.linear + self.gravity * step,
            ..start.velocity
        };
        let reach = step * (free.linear.length() + free.angular.length() * body.shape().radius());
        let touch = TOUCH * body.shape().radius();
        let height = |arm| self.plane.height(start.pose.translation + arm);
        let arms = body
            .vertices()
            .iter()
            .map(|v| start.pose.transform_vector(*v));
        let near = arms.filter(|arm| height(*arm) <= reach + touch);
        room.points.clear();
        room.points.extend(near.map(|arm| (self.frame, arm)));
        let mut velocity = free;
        if !room.points.is_empty() {
            let posed = |frame: &Frame, arm| {
                frame.to_local(free.at(arm)) + DVec3::X * (height(arm).max(0.0) / step)
            };
            room.solve(
                body,
                &inverse_inertia,
                posed,
                self.material.friction(),
                TOLERANCE,
            )?;
            motion.unconverged += usize::from(!room.solution().converged());
            velocity = kicked(body, &free, &inverse_inertia, room.impulses());
        }
        let after = self.carried(body, &start, velocity, step);
        motion.jams += 1;
        motion.crowd.stepped(motion.time, motion.time + step);
        self.pass(body, motion, after, step, recorder);
        Ok(Stay::GoesOn)
    }

    /// Time to the first impact of a vertex that comes down fast, at most the whole step.
    fn step_to_impact(&self, body: &Body, state: &State) -> f64 {
        let fast = FAST * self.gravity.length() * STEP;
        let touch = TOUCH * body.shape().radius();
        let time = |v: &DVec3| {
            let arm = state.pose.transform_vector(*v);
            let gap = self.plane.height(state.pose.translation + arm);
            let closing = -state.velocity.at(arm).dot(self.plane.normal);
            (closing > fast && gap > touch).then_some(gap / closing)
        };
        body.vertices().iter().filter_map(time).fold(STEP, f64::min)
    }

    /// A state carried on by new velocities. The angular momentum is what they leave alone, so the spin follows from it and the attitude.
    fn carried(&self, body: &Body, start: &State, velocity: Twist, step: f64) -> State {
        let kicked = State { velocity, ..*start };
        let mut after = State {
            pose: moved(&start.pose, &velocity, step),
            velocity,
        };
        after.velocity.angular =
            world_inverse_inertia(body, &after) * kicked.angular_momentum(body);
        // A vertex that turns goes below its tangent by r ω² h²/2: that is lifted out, and shows in the energy balance as work of the contact.
        let height = |v: &DVec3| self.plane.height(after.pose.transform_point(*v));
        let lowest = body.vertices().iter().map(height).fold(0.0, f64::min);
        after.pose.translation -= self.plane.normal * lowest;
        after
    }
}
