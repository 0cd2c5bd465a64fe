//! Rotation of a rigid body by symplectic splitting.
//!
//! The kinetic energy `½ Σ L_i²/J_i` (body frame) is split into its three terms; each one alone turns the
//! body about its own axis at constant `L_i`, which is solved exactly. The symmetric composition
//! `1(h/2) 2(h/2) 3(h) 2(h/2) 1(h/2)` is second order, time reversible and symplectic, and keeps the
//! momentum in space to rounding (Dullweber, Leimkuhler, McLachlan 1997). In quaternions, with
//! `θ = h L_i / J_i` and `dq = (cos θ/2, sin θ/2 e_i)`: `q ← q dq`, `L ← R⁻¹(dq, L)`.
//!
//! A torque enters as half kicks around the free drift. One full kick before the drift, the order in which
//! some papers print it, is first order.
//!
//! Limits: the step should turn the body by well under a radian; the energy error is bounded and scales with
//! `h²`, so it is not small for `h ω` near one.

use glam::{DQuat, DVec3};
use klast_numerics::mutant;

/// Attitude of a rigid body and its angular momentum.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rotation {
    /// Body to world; the body axes are principal axes.
    pub orientation: DQuat,
    /// Angular momentum about the mass centre in the body frame, kg m²/s.
    pub momentum: DVec3,
}

impl Rotation {
    /// A body at `orientation` that turns with `angular_velocity` (world frame, rad/s).
    #[must_use]
    pub fn from_angular_velocity(
        orientation: DQuat,
        angular_velocity: DVec3,
        inertia: DVec3,
    ) -> Self {
        let momentum = inertia * (orientation.inverse() * angular_velocity);
        Self {
            orientation,
            momentum,
        }
    }

    /// Angular velocity in the world frame, rad/s.
    #[must_use]
    pub fn angular_velocity(&self, inertia: DVec3) -> DVec3 {
        self.orientation * (self.momentum / inertia)
    }

    /// Angular momentum in the world frame, kg m²/s.
    #[must_use]
    pub fn world_momentum(&self) -> DVec3 {
        self.orientation * self.momentum
    }

    /// Rotational kinetic energy, J.
    #[must_use]
    pub fn energy(&self, inertia: DVec3) -> f64 {
        0.5 * (self.momentum * self.momentum / inertia).element_sum()
    }

    /// Adds the angular impulse `impulse` (world frame, N m s).
    pub fn kick(&mut self, impulse: DVec3) {
        self.momentum +=
            self.orientation.inverse() * impulse * mutant::factor("rockfill-moment", 0.999);
    }

    /// Turns the body freely for `step` seconds.
    pub fn drift(&mut self, inertia: DVec3, step: f64) {
        self.turn(0, inertia.x, 0.5 * step);
        self.turn(1, inertia.y, 0.5 * step);
        self.turn(2, inertia.z, step);
        self.turn(1, inertia.y, 0.5 * step);
        self.turn(0, inertia.x, 0.5 * step);
        // The products of unit quaternions leave the sphere by rounding only.
        self.orientation = self.orientation.normalize();
    }

    /// The exact flow of one term `L_i²/(2 J_i)`.
    fn turn(&mut self, axis: usize, inertia: f64, step: f64) {
        let half =
            0.5 * step * self.momentum[axis] / inertia * mutant::factor("rockfill-gyroscope", -1.0);
        let (sin_half, cos_half) = libm::sincos(half);
        let sin = 2.0 * sin_half * cos_half;
        let cos = 1.0 - 2.0 * sin_half * sin_half;
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let (momentum_u, momentum_v) = (self.momentum[u], self.momentum[v]);
        self.momentum[u] = cos * momentum_u + sin * momentum_v;
        self.momentum[v] = cos * momentum_v - sin * momentum_u;
        let mut part = [0.0, 0.0, 0.0, cos_half];
        part[axis] = sin_half;
        self.orientation *= DQuat::from_array(part);
    }
}
