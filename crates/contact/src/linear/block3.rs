//! 3x3 coupling blocks between two contacts.

use super::block_lu::{Block, BlockLu};
use super::ordering::{BlockIndex, Pattern};
use glam::{DMat3, DVec3};

/// A 3x3 block by columns, each padded to the width of a vector register.
pub(crate) type Block3 = [Column3; 3];
type Column3 = [f64; 4];

impl Block for Block3 {
    type Vector = Column3;
    const ZERO: Self = [[0.0; 4]; 3];
    const PANEL: usize = 16;

    #[inline(always)]
    fn invert(&mut self) -> bool {
        let [x, y, z] = self.map(|c| DVec3::new(c[0], c[1], c[2]));
        let Some(inverse) = inverse(&DMat3::from_cols(x, y, z)) else {
            return false;
        };
        *self = padded(&inverse);
        true
    }

    #[inline(always)]
    fn lead(&mut self, a: &Self) {
        *self = self.map(|column| a.times(&column));
    }

    #[inline(always)]
    fn take_product(&mut self, a: &Self, b: &Self) {
        for (c, b) in self.iter_mut().zip(b) {
            Self::take(c, &a.times(b));
        }
    }

    /// Stays in registers.
    #[inline(always)]
    fn take_products<'a>(&mut self, pairs: impl Iterator<Item = (&'a Self, &'a Self)>) {
        let mut sum = *self;
        for (a, b) in pairs {
            sum.take_product(a, b);
        }
        *self = sum;
    }

    #[inline(always)]
    fn times(&self, x: &Column3) -> Column3 {
        std::array::from_fn(|i| self[0][i] * x[0] + self[1][i] * x[1] + self[2][i] * x[2])
    }

    #[inline(always)]
    fn take(a: &mut Column3, b: &Column3) {
        for (a, b) in a.iter_mut().zip(b) {
            *a -= b;
        }
    }
}

/// Factors of a matrix with the pattern of `W`.
///
/// No pivoting between blocks is needed for `(W + ε) dP + 1 − dP` with `W + ε` positive definite and `0 ≤ dP ≤ 1`: all
/// its principal block minors are regular. What the slip term adds is caught by the check for finite numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Factors(BlockLu<Block3>);

impl Factors {
    /// Factors the matrix whose stored block `e` is `block(e)`; false when a pivot block is singular.
    ///
    /// `idle(e)` says that block `e` lies in the column of an open contact, which is zero outside the diagonal.
    pub fn factor(
        &mut self,
        pattern: &Pattern,
        mut block: impl FnMut(usize) -> DMat3,
        idle: impl Fn(usize) -> bool,
    ) -> bool {
        self.0.clear(pattern);
        for (e, index) in pattern.index.iter().enumerate() {
            let value = block(e);
            if !matches!(index, BlockIndex::Diagonal(_)) && idle(e) {
                continue;
            }
            if let Some(own) = self.0.block(*index) {
                *own = padded(&value);
            }
        }
        self.0.factor(pattern)
    }

    /// Factorisations so far.
    pub fn factored(&self) -> usize {
        self.0.factored()
    }

    /// Solves `A x = b`.
    pub fn solve(&mut self, pattern: &Pattern, b: &[DVec3], x: &mut [DVec3]) {
        let read = |i: usize| [b[i].x, b[i].y, b[i].z, 0.0];
        self.0
            .solve(pattern, read, |i, v| x[i] = DVec3::new(v[0], v[1], v[2]));
    }
}

#[inline(always)]
fn padded(m: &DMat3) -> Block3 {
    [m.x_axis, m.y_axis, m.z_axis].map(|c| [c.x, c.y, c.z, 0.0])
}

/// Inverse by the adjugate where that keeps its digits, else by elimination with pivots; nothing if singular.
fn inverse(a: &DMat3) -> Option<DMat3> {
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
    inverse_pivoted(a)
}

fn inverse_pivoted(a: &DMat3) -> Option<DMat3> {
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
