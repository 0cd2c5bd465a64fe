//! The middle of a step in sustained contact, where its contacts are looked for.

use super::super::follow::Follow;
use super::super::slowing::Slowing;
use super::freely;
use crate::State;
use crate::single::contact_problem::world_inverse_inertia;
use glam::DVec3;

/// The middle of a step.
pub(super) struct Middle {
    pub state: State,
    /// Spin rate of the free motion (rad/s²), world axes.
    pub spin_rate: DVec3,
    /// What drag and resistance to rolling have changed in the velocity of the mass centre up to here (m/s).
    pub lost: DVec3,
    pub slowing: Slowing,
    pub step: f64,
}

impl Follow<'_> {
    /// The middle of a step, and the contacts there: those that touch and those that may close within the step.
    pub(super) fn middle(&mut self, step: f64, slowing: Slowing) -> Middle {
        let mut start = self.state;
        start.velocity.linear = slowing.slowed(start.velocity.linear, 0.5 * step);
        let lost = start.velocity.linear - self.state.velocity.linear;
        let state = freely(self.body, &start, 0.5 * step);
        self.touch(&state.pose, self.closing_gap(self.bend() * step, step));
        let momentum = state.angular_momentum(self.body);
        let torque = momentum.cross(state.velocity.angular);
        let spin_rate = match self.body.is_isotropic() {
            true => DVec3::ZERO,
            false => world_inverse_inertia(self.body, &state.pose) * torque,
        };
        Middle {
            state,
            spin_rate,
            lost,
            slowing,
            step,
        }
    }

    /// The gap (m) that curvature and gravity, which change velocities by `bend` (m/s) in a step, or a slow approach
    /// may close within it.
    pub(super) fn closing_gap(&self, bend: f64, step: f64) -> f64 {
        0.5 * step * (bend + bend.min(self.options.limits.normal_velocity))
    }

    /// Bound of the acceleration of any point (m/s²).
    pub(super) fn bend(&self) -> f64 {
        let spin = self.state.velocity.angular.length_squared();
        self.options.gravity.length() + spin * self.body.shape().radius()
    }
}
