//! Blocks of 6x6 numbers: what two nodes have to do with each other.

use crate::block_lu::Block;

/// A 6x6 block by rows.
pub(super) type Six = [[f64; 6]; 6];
/// Six numbers of a node.
pub(super) type Vector = [f64; 6];

impl Block for Six {
    type Vector = Vector;
    const ZERO: Self = [[0.0; 6]; 6];
    const PANEL: usize = 8;

    /// By Gauss and Jordan with partial pivoting.
    #[inline(always)]
    fn inverse(&self) -> Option<Self> {
        let mut m = *self;
        let mut r = Self::ZERO;
        for (i, row) in r.iter_mut().enumerate() {
            row[i] = 1.0;
        }
        for c in 0..6 {
            let p = (c..6).max_by(|&i, &j| m[i][c].abs().total_cmp(&m[j][c].abs()))?;
            m.swap(p, c);
            r.swap(p, c);
            let pivot = 1.0 / m[c][c];
            if !pivot.is_finite() {
                return None;
            }
            for j in 0..6 {
                m[c][j] *= pivot;
                r[c][j] *= pivot;
            }
            let (mc, rc) = (m[c], r[c]);
            for i in 0..6 {
                let f = m[i][c];
                if i != c && f != 0.0 {
                    for j in 0..6 {
                        m[i][j] -= f * mc[j];
                        r[i][j] -= f * rc[j];
                    }
                }
            }
        }
        Some(r)
    }

    #[inline(always)]
    fn product(&self, other: &Self) -> Self {
        let mut c = Self::ZERO;
        for (sum, row) in c.iter_mut().zip(self) {
            for (f, other) in row.iter().zip(other) {
                for (s, x) in sum.iter_mut().zip(other) {
                    *s += f * x;
                }
            }
        }
        c
    }

    #[inline(always)]
    fn take_product(&mut self, a: &Self, b: &Self) {
        for (sum, row) in self.iter_mut().zip(a) {
            let mut s = *sum;
            for (f, other) in row.iter().zip(b) {
                for (s, x) in s.iter_mut().zip(other) {
                    *s -= f * x;
                }
            }
            *sum = s;
        }
    }

    #[inline(always)]
    fn times(&self, x: &Vector) -> Vector {
        let mut y = [0.0; 6];
        for (sum, row) in y.iter_mut().zip(self) {
            for (f, x) in row.iter().zip(x) {
                *sum += f * x;
            }
        }
        y
    }

    #[inline(always)]
    fn take(a: &mut Vector, b: &Vector) {
        for (a, b) in a.iter_mut().zip(b) {
            *a -= b;
        }
    }
}
