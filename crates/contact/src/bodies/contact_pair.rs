//! A contact between two bodies.

use glam::DVec3;

/// A contact between two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPair {
    /// The body that the normal points to.
    pub first: usize,
    /// The other body; `None` is the ground at rest.
    pub second: Option<usize>,
    /// Unit normal, from the second body to the first, world axes.
    pub normal: DVec3,
    /// Contact point minus centre of the first body, m, world axes.
    pub arm_first: DVec3,
    /// Contact point minus centre of the second body (unused without one).
    pub arm_second: DVec3,
    /// Added to the relative velocity `(n, t1, t2)`, m/s: restitution, drift, a gap divided by the step.
    pub bias: DVec3,
    /// Friction coefficient.
    pub mu: f64,
    /// Impulse to start from, `(n, t1, t2)` in N s.
    pub impulse: DVec3,
}
