//! One contact, solved exactly.
//!
//! Three cases: it opens, it sticks (`r = −W⁻¹ q` inside the cone), or it slips ([`Slip`]).

use super::slip::Slip;
use crate::error::{ContactError, finite, non_negative, within};
use crate::problem::cone::in_cone;
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
