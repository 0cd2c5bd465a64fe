//! The equations of a face that slides: accelerations under pressures that balance its loads.

use super::pressure::{Corner, Pressures, least_pressures};
use glam::{DMat3, DVec2, DVec3};
use klast_numerics::ode::OdeSystem;
use std::cell::{Cell, RefCell};

/// What slides: everything in the frame (t1, t2, n) at the start.
pub(super) struct Face<'a> {
    pub(super) corners: &'a [Corner],
    /// Height of the mass centre over the plane, and the radius (m).
    pub(super) height: f64,
    pub(super) radius: f64,
    pub(super) mass: f64,
    /// Inertia (kg m²).
    pub(super) inertia: DMat3,
    pub(super) friction: f64,
    /// Gravity into the plane and along it (m/s²).
    pub(super) press: f64,
    pub(super) pull: DVec2,
    /// Patterns and pressures, and whether they balanced the loads wherever the integrator looked.
    pub(super) buffers: RefCell<Pressures>,
    pub(super) balanced: Cell<bool>,
}

impl Face<'_> {
    /// Accelerations (two along the plane, one of the spin) for slip directions of the corners, all in axes that turn
    /// with the body; `None` where nothing balances the loads.
    pub(super) fn accelerations(
        &self,
        spin: f64,
        slip: impl Fn(DVec2) -> DVec2,
    ) -> Option<(DVec2, f64)> {
        let (mu, h, j) = (self.friction, self.height, &self.inertia);
        let (jx, jy, jz) = (j.z_axis.x, j.z_axis.y, j.z_axis.z);
        let (patterns, pressures) = &mut *self.buffers.borrow_mut();
        patterns.clear();
        pressures.clear();
        pressures.resize(self.corners.len(), 0.0);
        for Corner(r) in self.corners {
            let d = slip(*r);
            // Yaw moment of friction for a unit of pressure.
            let yaw = mu * (r.y * d.x - r.x * d.y);
            patterns.push(DVec3::new(
                1.0,
                (r.y - mu * h * d.y - jx / jz * yaw) / self.radius,
                (-r.x + mu * h * d.x - jy / jz * yaw) / self.radius,
            ));
        }
        let weight = self.mass * self.press;
        let whirl = spin * spin / (weight * self.radius);
        let loads = DVec3::new(1.0, -jy * whirl, jx * whirl);
        if !least_pressures(patterns, loads, pressures) {
            return None;
        }
        let (mut force, mut moment) = (DVec2::ZERO, 0.0);
        for (Corner(r), p) in self.corners.iter().zip(pressures.iter()) {
            let f = slip(*r) * (-mu * p * weight);
            force += f;
            moment += r.perp_dot(f);
        }
        Some((force / self.mass, moment / jz))
    }
}

/// x, y, angle; their rates, along axes that do not turn.
pub(super) const STATES: usize = 6;

impl OdeSystem for Face<'_> {
    fn dimension(&self) -> usize {
        STATES
    }

    fn derivative(&self, _t: f64, y: &[f64], dy: &mut [f64]) {
        let at = |i: usize| y.get(i).copied().unwrap_or(f64::NAN);
        let (angle, v, w) = (at(2), DVec2::new(at(3), at(4)), at(5));
        let (sin, cos) = libm::sincos(angle);
        let turn = DVec2::new(cos, sin);
        let own = DVec2::new(cos, -sin).rotate(v);
        let still = 1e-12 * (v.length() + w.abs() * self.radius) + f64::MIN_POSITIVE;
        let slip = |r: DVec2| {
            let u = own + w * r.perp();
            u / (u.length_squared() + still * still).sqrt()
        };
        // No number ends the integration at once.
        let (brake, moment) = self.accelerations(w, slip).unwrap_or_else(|| {
            self.balanced.set(false);
            (DVec2::NAN, f64::NAN)
        });
        let a = self.pull + turn.rotate(brake);
        dy.copy_from_slice(&[v.x, v.y, w, a.x, a.y, moment]);
    }
}
