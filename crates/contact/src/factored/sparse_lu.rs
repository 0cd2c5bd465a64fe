//! Sparse LU of a matrix of 6x6 blocks, one row per node.

use crate::ordering::{Pattern, Place};

/// A 6x6 block by rows.
pub(super) type Block = [[f64; 6]; 6];
/// Six numbers of a node.
pub(super) type Six = [f64; 6];

pub(super) const ZERO: Block = [[0.0; 6]; 6];

/// `A = L U` by blocks on a fixed pattern, `U` with unit diagonal; no pivoting between blocks.
#[derive(Debug, Clone, Default)]
pub(super) struct SparseLu {
    inverse: Vec<Block>,
    lower: Vec<Block>,
    upper: Vec<Block>,
    work: Vec<Six>,
}

impl SparseLu {
    /// Starts with a matrix of zeros.
    pub fn clear(&mut self, pattern: &Pattern) {
        self.inverse.clear();
        self.inverse.resize(pattern.order.len(), ZERO);
        for list in [&mut self.lower, &mut self.upper] {
            list.clear();
            list.resize(pattern.later.len(), ZERO);
        }
    }

    /// The diagonal block of a place; `None` where the place is off the diagonal.
    pub fn diagonal(&mut self, place: Place) -> Option<&mut Block> {
        match place {
            Place::Diagonal(k) => self.inverse.get_mut(k),
            Place::Lower(_) | Place::Upper(_) => None,
        }
    }

    /// The blocks `(i, j)` and `(j, i)` of the place of `(i, j)`; `None` where the place is on the diagonal.
    pub fn pair(&mut self, place: Place) -> Option<(&mut Block, &mut Block)> {
        match place {
            Place::Diagonal(_) => None,
            Place::Lower(at) => self.lower.get_mut(at).zip(self.upper.get_mut(at)),
            Place::Upper(at) => self.upper.get_mut(at).zip(self.lower.get_mut(at)),
        }
    }

    /// Factors the matrix in place. False when a pivot block is singular.
    pub fn factor(&mut self, pattern: &Pattern) -> bool {
        (0..pattern.order.len()).all(|k| self.eliminate(pattern, k))
    }

    fn eliminate(&mut self, pattern: &Pattern, k: usize) -> bool {
        let Some(inverse) = invert(&self.inverse[k]) else {
            return false;
        };
        self.inverse[k] = inverse;
        let (from, to) = (pattern.start[k], pattern.start[k + 1]);
        for up in &mut self.upper[from..to] {
            *up = product(&inverse, up);
        }
        // What is changed lies in the lists of later nodes.
        let (lower, later_lower) = self.lower.split_at_mut(to);
        let (upper, later_upper) = self.upper.split_at_mut(to);
        let (lower, upper) = (&lower[from..], &upper[from..]);
        let later = &pattern.later[from..to];
        let mut targets =
            pattern.target[pattern.target_start[k]..pattern.target_start[k + 1]].iter();
        for (x, &own) in later.iter().enumerate() {
            let (lx, ux) = (&lower[x], &upper[x]);
            subtract_product(&mut self.inverse[own as usize], lx, ux);
            for ((ly, uy), &at) in lower[x + 1..].iter().zip(&upper[x + 1..]).zip(&mut targets) {
                let at = at as usize - to;
                subtract_product(&mut later_lower[at], ly, ux);
                subtract_product(&mut later_upper[at], lx, uy);
            }
        }
        true
    }

    /// Solves in place.
    pub fn solve(&mut self, pattern: &Pattern, x: &mut [Six]) {
        let w = &mut self.work;
        w.clear();
        w.extend(pattern.order.iter().map(|&i| x[i]));
        for k in 0..w.len() {
            let t = times(&self.inverse[k], &w[k]);
            w[k] = t;
            for at in pattern.start[k]..pattern.start[k + 1] {
                let change = times(&self.lower[at], &t);
                let target = &mut w[pattern.later[at] as usize];
                for (a, b) in target.iter_mut().zip(change) {
                    *a -= b;
                }
            }
        }
        for k in (0..w.len()).rev() {
            for at in pattern.start[k]..pattern.start[k + 1] {
                let change = times(&self.upper[at], &w[pattern.later[at] as usize]);
                for (a, b) in w[k].iter_mut().zip(change) {
                    *a -= b;
                }
            }
        }
        for (&i, value) in pattern.order.iter().zip(w.iter()) {
            x[i] = *value;
        }
    }
}

/// `a b`.
#[inline(always)]
fn product(a: &Block, b: &Block) -> Block {
    a.map(|row| {
        let mut sum = [0.0; 6];
        for (f, other) in row.iter().zip(b) {
            for (s, x) in sum.iter_mut().zip(other) {
                *s += f * x;
            }
        }
        sum
    })
}

/// `c -= a b`.
#[inline(always)]
fn subtract_product(c: &mut Block, a: &Block, b: &Block) {
    for (sum, row) in c.iter_mut().zip(a) {
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
fn times(a: &Block, x: &Six) -> Six {
    std::array::from_fn(|i| (0..6).map(|j| a[i][j] * x[j]).sum())
}

/// Inverse by Gauss–Jordan with partial pivoting; nothing when a pivot vanishes.
fn invert(a: &Block) -> Option<Block> {
    let mut m = *a;
    let mut r = ZERO;
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
