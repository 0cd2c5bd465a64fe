//! Whether a body that its contacts hold is in stable balance.
//!
//! What contacts carry is at rest to first order: no force is left. On one point, or on points of one line, a body may
//! still turn about them, and its energy changes to second order: with the mass centre at a from the axis, by
//! `½ m (g · a⊥) θ²`. It is a maximum where the centre is above the axis: there the body stands on its edge, and a
//! rotation that no other contact blocks grows.

use super::super::follow::Follow;
use glam::DVec3;

/// Part of all normal force from which a contact carries, and part of the radius within which points are one, or in one
/// line.
const CARRIES: f64 = 1e-6;
const ONE: f64 = 1e-6;
/// Axes through a single point that are looked at, over half a turn.
const AXES: usize = 8;

impl Follow<'_> {
    /// Whether the energy of a body that the last contact problem held grows in each rotation about what carries it.
    /// `near` is the gap (m) up to which contacts block.
    pub(super) fn is_in_stable_balance(&self, near: f64) -> bool {
        // A sphere rolls: its height does not change.
        if self.body.sphere_radius().is_some() {
            return true;
        }
        let solver = &self.workspace.solver;
        let all: f64 = solver.impulses().iter().map(|p| p.x).sum();
        let mut carriers = (self.contacts().iter().zip(solver.impulses()))
            .filter(|(_, p)| p.x > CARRIES * all)
            .map(|(c, _)| c.point);
        let Some(first) = carriers.next() else {
            return true;
        };
        let size = ONE * self.body.shape().radius();
        let (mut axis, mut spread) = (DVec3::ZERO, false);
        for point in carriers {
            let way = point - first;
            if axis == DVec3::ZERO {
                axis = way
                    .try_normalize()
                    .filter(|_| way.length() > size)
                    .unwrap_or_default();
            } else {
                spread |= way.reject_from_normalized(axis).length() > size;
            }
        }
        if spread {
            return true;
        }
        if axis != DVec3::ZERO {
            return self.is_stable_about(first, axis, near);
        }
        let down = self.options.gravity.normalize_or_zero();
        let (x, y) = down.any_orthonormal_pair();
        (0..AXES).all(|k| {
            let (sin, cos) = libm::sincos(std::f64::consts::PI * k as f64 / AXES as f64);
            self.is_stable_about(first, x * cos + y * sin, near)
        })
    }

    /// Whether the energy grows in both rotations about an axis through a point, or another contact blocks them.
    fn is_stable_about(&self, point: DVec3, axis: DVec3, near: f64) -> bool {
        let arm = (self.state.pose.translation - point).reject_from_normalized(axis);
        if self.options.gravity.dot(arm) > 0.0 {
            return true;
        }
        let size = ONE * self.body.shape().radius();
        let blocked = |turn: f64| {
            let closes = |p: DVec3, normal: DVec3| normal.dot((axis * turn).cross(p - point));
            let mut near = self.contacts().iter().filter(|c| c.gap <= near);
            near.any(|c| closes(c.point, c.normal) < -size)
        };
        blocked(1.0) && blocked(-1.0)
    }
}
