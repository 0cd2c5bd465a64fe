//! The slip of one contact.
//!
//! Its direction solves a quartic (Bonnefon & Daviet 2011, "Quartic formulation of Coulomb 3D frictional contact",
//! INRIA RT-0400; here in the slip angle, so that no elimination of the impulse is needed).

use super::quartic::{Roots, roots_in_unit};
use crate::problem::cone::{de_saxce, project};
use glam::{DMat3, DVec2, DVec3};
use klast_numerics::mutant;

/// Slip in the direction `d`: `r = r_n (1, −μ d)`, `u_n = 0`, `u_T = λ d` with `λ ≥ 0`.
///
/// With `D = W_nn − μ W_nT d` and `r_n = −q_n / D`: `D u_T = a + B d`, so `d × (a + B d) = 0` gives the angle.
pub(super) struct Slip<'a> {
    w: &'a DMat3,
    q: DVec3,
    mu: f64,
    a: DVec2,
    /// `B` by rows.
    b: [[f64; 2]; 2],
}

impl<'a> Slip<'a> {
    #[inline]
    pub fn new(w: &'a DMat3, q: DVec3, mu: f64) -> Self {
        let (wnt, wtn) = ([w.y_axis.x, w.z_axis.x], [w.x_axis.y, w.x_axis.z]);
        let wtt = [[w.y_axis.y, w.z_axis.y], [w.y_axis.z, w.z_axis.z]];
        let qt = [q.y, q.z];
        let a = DVec2::new(
            qt[0] * w.x_axis.x - q.x * wtn[0],
            qt[1] * w.x_axis.x - q.x * wtn[1],
        );
        let mut b = [[0.0; 2]; 2];
        for i in 0..2 {
            for j in 0..2 {
                b[i][j] = mu * (q.x * wtt[i][j] - qt[i] * wnt[j]);
            }
        }
        Self { w, q, mu, a, b }
    }

    /// `a + B d`, which is `D` times the slip velocity.
    #[inline]
    fn velocity(&self, d: DVec2) -> DVec2 {
        let b = &self.b;
        DVec2::new(
            self.a.x + b[0][0] * d.x + b[0][1] * d.y,
            self.a.y + b[1][0] * d.x + b[1][1] * d.y,
        )
    }

    #[inline]
    fn denominator(&self, d: DVec2) -> f64 {
        self.w.x_axis.x - self.mu * (self.w.y_axis.x * d.x + self.w.z_axis.x * d.y)
    }

    #[inline]
    fn impulse(&self, d: DVec2) -> DVec3 {
        let n = -self.q.x / self.denominator(d);
        DVec3::new(
            n,
            -self.mu * n * d.x,
            -self.mu * n * d.y * mutant::factor("slip-direction", 0.999),
        )
    }

    /// The one admissible slip, from the direction that it would have without friction, where there is no other.
    ///
    /// g(d) = (a + B d)/|a + B d| has the slips as fixed points, and at an admissible one, with a + B d = λ d, turns by
    /// g' = d⊥·B d⊥/λ of a turn of d. Where the symmetric part of B is negative semidefinite that is never positive, so
    /// the angle from d to g(d) crosses zero downwards at each of them. Two would need a whole turn of it more than a
    /// map of degree 0 has.
    #[inline]
    pub fn only(&self) -> Option<DVec3> {
        let [[b00, b01], [b10, b11]] = self.b;
        let off = 0.5 * (b01 + b10);
        let falls = b00 <= 0.0 && b11 <= 0.0 && b00 * b11 >= off * off;
        falls.then(|| self.newton(self.a)).flatten()
    }

    /// Newton's method for the angle from a direction near the answer; nothing unless it ends at an admissible slip.
    #[inline]
    pub fn newton(&self, near: DVec2) -> Option<DVec3> {
        let length = near.length();
        if length.is_nan() || length <= 0.0 {
            return None;
        }
        let mut d = near / length;
        for _ in 0..8 {
            let v = self.velocity(d);
            let turned = DVec2::new(-d.y, d.x);
            let f = d.perp_dot(v);
            let bt = DVec2::new(
                self.b[0][0] * turned.x + self.b[0][1] * turned.y,
                self.b[1][0] * turned.x + self.b[1][1] * turned.y,
            );
            let step = f / (turned.perp_dot(v) + d.perp_dot(bt));
            // A large step means that the start was not near: the quartic sees all roots.
            if step.is_nan() || step.abs() > 0.5 {
                return None;
            }
            d = (d - turned * step).normalize();
            if step.abs() < 1e-9 {
                // Quadratic convergence: the error after this step is of the order of its square.
                return (self.denominator(d) > 0.0 && d.dot(self.velocity(d)) >= 0.0)
                    .then(|| self.impulse(d));
            }
        }
        None
    }

    /// All slip directions; the admissible one with the least energy, or else the best there is.
    pub fn quartic(&self) -> DVec3 {
        let mut best: Option<(bool, f64, DVec3)> = None;
        for sign in [1.0, -1.0] {
            let (a, b) = (self.a * sign, &self.b);
            let spread = b[1][1] - b[0][0];
            let coefficients = [
                a.y + b[1][0],
                2.0 * (spread - a.x),
                -2.0 * b[1][0] - 4.0 * b[0][1],
                -2.0 * (spread + a.x),
                b[1][0] - a.y,
            ];
            let mut roots = Roots::default();
            roots_in_unit(&coefficients, &mut roots);
            for &t in roots.values() {
                let d = DVec2::new(1.0 - t * t, 2.0 * t) * (sign / (1.0 + t * t));
                let denominator = self.denominator(d);
                if denominator.is_nan() || denominator <= 0.0 {
                    continue;
                }
                let r = self.impulse(d);
                let u = *self.w * r + self.q;
                let rho = 3.0
                    / (self.w.x_axis.x + self.w.y_axis.y + self.w.z_axis.z).max(f64::MIN_POSITIVE);
                let gap = (r - project(r - rho * de_saxce(u, self.mu), self.mu)).length() / rho;
                let admissible = gap <= 1e-9 * self.q.length();
                let rank = if admissible { r.dot(u + self.q) } else { gap };
                let better = match best {
                    None => true,
                    Some((was, old, _)) => {
                        (admissible && !was) || (admissible == was && rank < old)
                    }
                };
                if better {
                    best = Some((admissible, rank, r));
                }
            }
        }
        best.map_or(
            DVec3::new(-self.q.x / self.w.x_axis.x, 0.0, 0.0),
            |(_, _, r)| r,
        )
    }
}
