//! Sparse LU by 3x3 blocks on a fixed pattern.

use crate::ordering::{Pattern, Place};
use glam::{DMat3, DVec3};

/// Factors `A = L U` with unit upper triangle; pivoting only inside the 3x3 diagonal blocks.
///
/// None is needed between blocks for `(W + ε) dP + 1 − dP` with `W + ε` positive definite and `0 ≤ dP ≤ 1`: all its
/// principal block minors are regular. What the slip term adds is caught by the check for finite numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockLu {
    inverse: Vec<DMat3>,
    lower: Vec<DMat3>,
    upper: Vec<DMat3>,
    /// Positions whose column is that of the unit matrix up to the diagonal block: open contacts.
    idle: Vec<bool>,
    work: Vec<DVec3>,
}

impl BlockLu {
    /// Factors the matrix whose stored block `e` is `block(e)`; false when a pivot block is singular.
    ///
    /// `idle(i)` says that column `i` is zero outside the diagonal. It stays so during elimination, which skips it.
    pub fn factor(
        &mut self,
        pattern: &Pattern,
        mut block: impl FnMut(usize) -> DMat3,
        idle: impl Fn(usize) -> bool,
    ) -> bool {
        let (n, later) = (pattern.order.len(), pattern.later.len());
        for (list, len) in [
            (&mut self.inverse, n),
            (&mut self.lower, later),
            (&mut self.upper, later),
        ] {
            list.clear();
            list.resize(len, DMat3::ZERO);
        }
        self.idle.clear();
        self.idle.extend(pattern.order.iter().map(|&i| idle(i)));
        for (e, place) in pattern.place.iter().enumerate() {
            match *place {
                Place::Diagonal(k) => self.inverse[k] = block(e),
                Place::Lower(at) => self.lower[at] = block(e),
                Place::Upper(at) => self.upper[at] = block(e),
            }
        }
        (0..n).all(|k| self.eliminate(pattern, k))
    }

    fn eliminate(&mut self, pattern: &Pattern, k: usize) -> bool {
        let Some(inverse) = invert(&self.inverse[k]) else {
            return false;
        };
        self.inverse[k] = inverse;
        let (from, to) = (pattern.start[k], pattern.start[k + 1]);
        for b in &mut self.upper[from..to] {
            *b = inverse * *b;
        }
        if self.idle[k] {
            return true;
        }
        let mut targets =
            pattern.target[pattern.target_start[k]..pattern.target_start[k + 1]].iter();
        for x in from..to {
            let i = pattern.later[x] as usize;
            let (lx, ux) = (self.lower[x], self.upper[x]);
            let own_idle = self.idle[i];
            if !own_idle {
                self.inverse[i] -= lx * ux;
            }
            for (y, &at) in (x + 1..to).zip(targets.by_ref()) {
                let at = at as usize;
                if !self.idle[pattern.later[y] as usize] {
                    let update = lx * self.upper[y];
                    self.upper[at] -= update;
                }
                if !own_idle {
                    let update = self.lower[y] * ux;
                    self.lower[at] -= update;
                }
            }
        }
        true
    }

    /// Solves `A x = b`.
    pub fn solve(&mut self, pattern: &Pattern, b: &[DVec3], x: &mut [DVec3]) {
        let n = pattern.order.len();
        self.work.clear();
        self.work.extend(pattern.order.iter().map(|&i| b[i]));
        let w = &mut self.work;
        for k in 0..n {
            let y = self.inverse[k] * w[k];
            w[k] = y;
            if !self.idle[k] {
                for at in pattern.start[k]..pattern.start[k + 1] {
                    w[pattern.later[at] as usize] -= self.lower[at] * y;
                }
            }
        }
        for k in (0..n).rev() {
            let mut sum = w[k];
            for at in pattern.start[k]..pattern.start[k + 1] {
                sum -= self.upper[at] * w[pattern.later[at] as usize];
            }
            w[k] = sum;
        }
        for (&i, value) in pattern.order.iter().zip(w.iter()) {
            x[i] = *value;
        }
    }
}

/// Inverse by the adjugate where that keeps its digits, else by elimination with pivots; nothing if singular.
fn invert(a: &DMat3) -> Option<DMat3> {
    let (c0, c1, c2) = (
        a.y_axis.cross(a.z_axis),
        a.z_axis.cross(a.x_axis),
        a.x_axis.cross(a.y_axis),
    );
    let det = a.x_axis.dot(c0);
    let size = a.x_axis.length() * a.y_axis.length() * a.z_axis.length();
    if det.abs() > 1e-4 * size {
        let f = 1.0 / det;
        return Some(DMat3::from_cols(c0 * f, c1 * f, c2 * f).transpose());
    }
    invert_pivoted(a)
}

fn invert_pivoted(a: &DMat3) -> Option<DMat3> {
    let mut m = a.transpose().to_cols_array_2d();
    let mut r = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for c in 0..3 {
        let p = (c..3).max_by(|&i, &j| m[i][c].abs().total_cmp(&m[j][c].abs()))?;
        m.swap(p, c);
        r.swap(p, c);
        let pivot = m[c][c];
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
        }
        for j in 0..3 {
            m[c][j] /= pivot;
            r[c][j] /= pivot;
        }
        let (mc, rc) = (m[c], r[c]);
        for i in 0..3 {
            let f = m[i][c];
            if i != c && f != 0.0 {
                for j in 0..3 {
                    m[i][j] -= f * mc[j];
                    r[i][j] -= f * rc[j];
                }
            }
        }
    }
    Some(DMat3::from_cols_array_2d(&r).transpose())
}
