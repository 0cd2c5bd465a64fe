//! One contact, solved exactly.
//!
//! Three cases: it opens, it sticks (`r = −W⁻¹ q` inside the cone), or it slips in a direction that solves a quartic
//! (Bonnefon & Daviet 2011, "Quartic formulation of Coulomb 3D frictional contact", INRIA RT-0400; here in the slip
//! angle, so that no elimination of the impulse is needed).

use crate::error::{ContactError, finite, non_negative, within};
use crate::problem::cone::{in_cone, project};
use glam::{DMat3, DVec2, DVec3};

/// The impulse of a single contact: `W` 3x3 (1/kg), `q` (m/s) in `(n, t1, t2)`, friction `mu`.
///
/// Where several impulses solve it (possible for large `mu` and strong coupling), the one with the least kinetic
/// energy after the impact. `W` may be singular where `q` is consistent with it (planar motion).
///
/// # Errors
/// When an entry is not finite, `mu` is negative, or `W_nn` is not positive although `q_n < 0`.
pub fn solve_one_contact(w: &DMat3, q: DVec3, mu: f64) -> Result<DVec3, ContactError> {
    for x in w.to_cols_array().into_iter().chain(q.to_array()) {
        finite("W or q", x)?;
    }
    non_negative("mu", mu)?;
    if q.x < 0.0 {
        within(
            "W_nn",
            w.x_axis.x,
            |x| x > 0.0,
            "above 0 where the contact closes",
        )?;
    }
    Ok(solve_by(w, q, mu, |slip| {
        slip.only().unwrap_or_else(|| slip.quartic())
    }))
}

/// As [`solve_one_contact`] without checks; `hint` is an impulse near the answer, which saves the quartic.
#[inline]
pub(crate) fn solve_from(w: &DMat3, q: DVec3, mu: f64, hint: DVec3) -> DVec3 {
    let near = -hint.yz();
    solve_by(w, q, mu, |slip| {
        slip.newton(near).unwrap_or_else(|| slip.quartic())
    })
}

/// The cases in turn; a contact that neither opens nor sticks is left to `slips`.
#[inline(always)]
fn solve_by(w: &DMat3, q: DVec3, mu: f64, slips: impl FnOnce(&Slip) -> DVec3) -> DVec3 {
    // A NaN anywhere lands in the first branch or fails the finite check of the caller's residual.
    if q.x >= 0.0 || !w.x_axis.x.is_sign_positive() || w.x_axis.x == 0.0 {
        return DVec3::ZERO;
    }
    if mu == 0.0 {
        return DVec3::new(-q.x / w.x_axis.x, 0.0, 0.0);
    }
    if let Some(r) = stick(w, q)
        && in_cone(r, mu, 0.0)
    {
        return r;
    }
    slips(&Slip::new(w, q, mu))
}

trait Tangential {
    fn yz(&self) -> DVec2;
}

impl Tangential for DVec3 {
    #[inline]
    fn yz(&self) -> DVec2 {
        DVec2::new(self.y, self.z)
    }
}

/// `W r = −q` if that has a solution; a vanishing pivot leaves its component at zero when `q` allows it.
#[inline]
fn stick(w: &DMat3, q: DVec3) -> Option<DVec3> {
    let det = w.determinant();
    let size = w.x_axis.x.abs().max(w.y_axis.y.abs()).max(w.z_axis.z.abs());
    // Far from singular, Cramer's rule keeps its digits.
    if det.abs() > 1e-6 * size * size * size {
        return Some(-(w.inverse() * q));
    }
    let r = eliminate(w, -q, size)?;
    // Consistency of the skipped rows: rounding of a 3x3 product is a few ulps, 1e-12 leaves room for conditioning.
    ((*w * r + q).length() <= 1e-12 * q.length()).then_some(r)
}

/// Gaussian elimination with complete pivoting; pivots under 1e-13 of the largest entry are taken for zero.
fn eliminate(w: &DMat3, b: DVec3, size: f64) -> Option<DVec3> {
    let mut a = w.transpose().to_cols_array_2d();
    let mut b = b.to_array();
    let mut order = [0, 1, 2];
    let mut rank = 0;
    for k in 0..3 {
        let (mut pi, mut pj) = (k, k);
        for i in k..3 {
            for j in k..3 {
                if a[i][j].abs() > a[pi][pj].abs() {
                    (pi, pj) = (i, j);
                }
            }
        }
        if a[pi][pj].abs() <= 1e-13 * size {
            break;
        }
        a.swap(k, pi);
        b.swap(k, pi);
        for row in &mut a {
            row.swap(k, pj);
        }
        order.swap(k, pj);
        let pivot = a[k];
        for i in k + 1..3 {
            let f = a[i][k] / pivot[k];
            for j in k..3 {
                a[i][j] -= f * pivot[j];
            }
            b[i] -= f * b[k];
        }
        rank = k + 1;
    }
    let mut x = [0.0; 3];
    for k in (0..rank).rev() {
        let sum: f64 = (k + 1..rank).map(|j| a[k][j] * x[j]).sum();
        x[k] = (b[k] - sum) / a[k][k];
    }
    let mut r = [0.0; 3];
    for k in 0..3 {
        r[order[k]] = x[k];
    }
    let r = DVec3::from_array(r);
    r.is_finite().then_some(r)
}

/// Slip in the direction `d`: `r = r_n (1, −μ d)`, `u_n = 0`, `u_T = λ d` with `λ ≥ 0`.
///
/// With `D = W_nn − μ W_nT d` and `r_n = −q_n / D`: `D u_T = a + B d`, so `d × (a + B d) = 0` gives the angle.
struct Slip<'a> {
    w: &'a DMat3,
    q: DVec3,
    mu: f64,
    a: DVec2,
    /// `B` by rows.
    b: [[f64; 2]; 2],
}

impl<'a> Slip<'a> {
    #[inline]
    fn new(w: &'a DMat3, q: DVec3, mu: f64) -> Self {
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
        DVec3::new(n, -self.mu * n * d.x, -self.mu * n * d.y)
    }

    /// The one admissible slip, from the direction that it would have without friction, where there is no other.
    ///
    /// g(d) = (a + B d)/|a + B d| has the slips as fixed points, and at an admissible one, with a + B d = λ d, turns by
    /// g' = d⊥·B d⊥/λ of a turn of d. Where the symmetric part of B is negative semidefinite that is never positive, so
    /// the angle from d to g(d) crosses zero downwards at each of them. Two would need a whole turn of it more than a
    /// map of degree 0 has.
    #[inline]
    fn only(&self) -> Option<DVec3> {
        let [[b00, b01], [b10, b11]] = self.b;
        let off = 0.5 * (b01 + b10);
        let falls = b00 <= 0.0 && b11 <= 0.0 && b00 * b11 >= off * off;
        falls.then(|| self.newton(self.a)).flatten()
    }

    /// Newton's method for the angle from a direction near the answer; nothing unless it ends at an admissible slip.
    #[inline]
    fn newton(&self, near: DVec2) -> Option<DVec3> {
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
    fn quartic(&self) -> DVec3 {
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
                let gap = (r - project(
                    r - rho * crate::problem::cone::de_saxce(u, self.mu),
                    self.mu,
                ))
                .length()
                    / rho;
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

/// At most four roots and three turning points of a quartic.
#[derive(Default)]
struct Roots {
    list: [f64; 12],
    count: usize,
}

impl Roots {
    fn push(&mut self, x: f64) {
        if let Some(slot) = self.list.get_mut(self.count) {
            *slot = x;
            self.count += 1;
        }
    }

    fn values(&self) -> &[f64] {
        self.list.get(..self.count).unwrap_or(&[])
    }
}

fn evaluate(c: &[f64], t: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, &x| sum * t + x)
}

/// Real roots in [-1, 1], found between the roots of the derivative; turning points are added as candidates, so that
/// a double root that rounding has lifted off zero is not lost.
fn roots_in_unit(c: &[f64], out: &mut Roots) {
    let degree = c.len().saturating_sub(1);
    if degree == 0 {
        return;
    }
    let mut turning = Roots::default();
    if degree > 1 {
        let mut slope = [0.0; 4];
        for k in 1..=degree {
            slope[k - 1] = c[k] * k as f64;
        }
        roots_in_unit(&slope[..degree], &mut turning);
    }
    let mut left = -1.0;
    let mut f_left = evaluate(c, left);
    for right in turning.values().iter().copied().chain([1.0]) {
        if right > left {
            let f_right = evaluate(c, right);
            if f_left == 0.0 {
                out.push(left);
            } else if f_left * f_right < 0.0 {
                out.push(bisect(c, left, right, f_left));
            }
            (left, f_left) = (right, f_right);
        }
        if degree == 4 {
            out.push(right);
        }
    }
    out.list[..out.count].sort_by(f64::total_cmp);
}

/// Newton's method kept inside a bracket with a change of sign.
fn bisect(c: &[f64], mut left: f64, mut right: f64, f_left: f64) -> f64 {
    let mut t = 0.5 * (left + right);
    for _ in 0..100 {
        let (mut f, mut slope) = (0.0, 0.0);
        for &x in c.iter().rev() {
            slope = slope * t + f;
            f = f * t + x;
        }
        if f == 0.0 {
            return t;
        }
        if (f < 0.0) == (f_left < 0.0) {
            left = t;
        } else {
            right = t;
        }
        let newton = t - f / slope;
        let next = if newton > left && newton < right {
            newton
        } else {
            0.5 * (left + right)
        };
        if (next - t).abs() <= f64::EPSILON * 0.5 || right - left <= f64::EPSILON {
            return next;
        }
        t = next;
    }
    t
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Of a unit mass the friction is against the slip it had: r = −q_n (1, −μ q_t/|q_t|), which Newton's method finds.
    #[test]
    fn the_slip_of_a_unit_mass() {
        let (q, mu) = (DVec3::new(-1.0, 0.6, 0.8), 0.3);
        let found = Slip::new(&DMat3::IDENTITY, q, mu).only();
        let exact = DVec3::new(1.0, -0.18, -0.24);
        assert!(
            found.is_some_and(|r| (r - exact).length() < 1e-15),
            "{found:?}"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]
        /// Where one slip is said to be the only one, all roots of the quartic give no other.
        #[test]
        fn the_only_slip_is_that_of_the_quartic(a in prop::array::uniform9(-1.0..1.0_f64), q in prop::array::uniform3(-1.0..1.0_f64), mu in 0.0..3.0_f64) {
            let a = DMat3::from_cols_array(&a);
            let w = a * a.transpose() + DMat3::IDENTITY * 0.02;
            let q = DVec3::new(-q[0].abs(), q[1], q[2]);
            // Half of the draws stick.
            if mu > 0.0 && stick(&w, q).is_some_and(|r| !in_cone(r, mu, 0.0)) {
                let slip = Slip::new(&w, q, mu);
                if let Some(only) = slip.only() {
                    let other = slip.quartic();
                    prop_assert!((only - other).length() <= 1e-9 * other.length(), "{only} {other}");
                }
            }
        }
    }
}
