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
    /// Factors the matrix whose stored entry `e = (i, j)` is `entries[e].0` and its mirror `(j, i)` is `entries[e].1`.
    /// False when a pivot block is singular.
    pub fn factor(&mut self, pattern: &Pattern, entries: &[(Block, Block)]) -> bool {
        self.inverse.clear();
        self.inverse.resize(pattern.order.len(), ZERO);
        for list in [&mut self.lower, &mut self.upper] {
            list.clear();
            list.resize(pattern.later.len(), ZERO);
        }
        for (place, b) in pattern.place.iter().zip(entries) {
            match *place {
                Place::Diagonal(k) => self.inverse[k] = b.0,
                Place::Lower(at) => (self.lower[at], self.upper[at]) = *b,
                Place::Upper(at) => (self.upper[at], self.lower[at]) = *b,
            }
        }
        (0..pattern.order.len()).all(|k| self.eliminate(pattern, k))
    }

    fn eliminate(&mut self, pattern: &Pattern, k: usize) -> bool {
        let Some(inverse) = invert(&self.inverse[k]) else {
            return false;
        };
        self.inverse[k] = inverse;
        let (from, to) = (pattern.start[k], pattern.start[k + 1]);
        for at in from..to {
            let mut up = ZERO;
            add_product(&mut up, &inverse, &self.upper[at], 1.0);
            self.upper[at] = up;
        }
        let mut targets =
            pattern.target[pattern.target_start[k]..pattern.target_start[k + 1]].iter();
        for x in from..to {
            let (lx, ux) = (self.lower[x], self.upper[x]);
            add_product(&mut self.inverse[pattern.later[x] as usize], &lx, &ux, -1.0);
            for (y, &at) in (x + 1..to).zip(targets.by_ref()) {
                let (ly, uy) = (self.lower[y], self.upper[y]);
                add_product(&mut self.lower[at as usize], &ly, &ux, -1.0);
                add_product(&mut self.upper[at as usize], &lx, &uy, -1.0);
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

/// `c += factor a b`.
#[inline(always)]
fn add_product(c: &mut Block, a: &Block, b: &Block, factor: f64) {
    for i in 0..6 {
        let mut row = c[i];
        for k in 0..6 {
            let f = factor * a[i][k];
            for j in 0..6 {
                row[j] += f * b[k][j];
            }
        }
        c[i] = row;
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
