//! No energy from an unfinished solve.

use super::island::Frozen;
use crate::Twist;
use glam::DVec3;
use klast_contact::NodeVelocity;

/// What the guard looks at in an island.
pub(super) struct Impulsive<'a> {
    /// Free bodies of the island.
    pub bodies: &'a [u32],
    /// Their velocities with the impulses applied.
    pub after: &'a [NodeVelocity],
    /// Work of boundaries through the impulses (J).
    pub boundary_work: f64,
    /// Rise that is left alone, over the island's kinetic and potential energy.
    pub rounding: f64,
}

impl Impulsive<'_> {
    /// The largest factor up to 1 by which all impulses of the island can be scaled without a rise of its energy.
    ///
    /// With P the impulses, d = M⁻¹P and W the work of boundaries, impulses scaled by s change the total energy by
    /// (½ − θ) h² Σ m g² + s (P·v_free − θ h g·P − W) + ½ s² P·d: not positive at s = 0, and not at s = 1 where the
    /// contact problem is solved. Where sweeps were too few, or by what a residual leaves open, it may be positive there,
    /// and a root in between is taken.
    pub fn largest_factor(&self, frozen: &Frozen) -> f64 {
        let s = frozen.settings;
        let (mut constant, mut linear, mut square) = (0.0, -self.boundary_work, 0.0);
        let mut energy = 0.0;
        for (&i, after) in self.bodies.iter().zip(self.after) {
            let (m, free) = (&frozen.members[i as usize], &frozen.free[i as usize]);
            let mass = m.body.mass();
            energy += mass * s.gravity.dot(m.state.pose.translation).abs()
                + 0.5 * mass * m.state.velocity.linear.length_squared();
            let d = after.linear - free.linear;
            let turn = |v: DVec3| m.state.pose.inverse_transform_vector(v);
            let (spin, dw) = (turn(free.angular), turn(after.angular - free.angular));
            let moment = m.body.inertia() * dw;
            constant += (0.5 - s.theta) * s.step * s.step * mass * s.gravity.length_squared();
            linear += mass * d.dot(free.linear - s.gravity * (s.theta * s.step)) + moment.dot(spin);
            square += 0.5 * (mass * d.length_squared() + moment.dot(dw));
        }
        if constant + linear + square <= self.rounding * energy || square <= 0.0 {
            return 1.0;
        }
        let root = (linear * linear - 4.0 * square * constant).max(0.0).sqrt();
        // The positive root in the form without cancellation; the last bit is given to the safe side.
        let factor = if linear > 0.0 {
            -2.0 * constant / (linear + root)
        } else {
            (root - linear) / (2.0 * square)
        };
        factor.clamp(0.0, 1.0) * (1.0 - 4.0 * f64::EPSILON)
    }
}

/// A body's velocity with its impulses scaled.
pub(super) fn scaled(free: &Twist, after: &NodeVelocity, factor: f64) -> NodeVelocity {
    NodeVelocity {
        linear: free.linear + (after.linear - free.linear) * factor,
        angular: free.angular + (after.angular - free.angular) * factor,
    }
}
