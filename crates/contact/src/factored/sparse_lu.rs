//! Sparse LU of a matrix of 6x6 blocks, one row per node.

use crate::ordering::{Pattern, Place};
use pulp::{Arch, Simd, WithSimd};

/// A 6x6 block by rows.
pub(super) type Block = [[f64; 6]; 6];
/// Six numbers of a node.
pub(super) type Six = [f64; 6];

/// Nodes that are eliminated together.
const PANEL: usize = 8;

pub(super) const ZERO: Block = [[0.0; 6]; 6];

/// `A = L U` by blocks on a fixed pattern, `U` with unit diagonal; no pivoting between blocks.
///
/// Blocks that were never written to are zero and skipped: contacts that stay open take no part, and the pattern need not
/// be found anew for those that close. The bits do not depend on the vector unit that is used.
#[derive(Debug, Clone, Default)]
pub(super) struct SparseLu {
    inverse: Vec<Block>,
    lower: Vec<Block>,
    upper: Vec<Block>,
    /// Whether a pair of blocks off the diagonal holds anything.
    used: Vec<bool>,
    /// For each node after a panel, the nodes of the panel that change it, as bits.
    who: Vec<u32>,
    work: Vec<Six>,
}

impl SparseLu {
    /// Starts with a matrix of zeros.
    pub fn clear(&mut self, pattern: &Pattern) {
        self.inverse.clear();
        self.inverse.resize(pattern.order.len(), ZERO);
        self.used.clear();
        self.used.resize(pattern.later.len(), false);
        for list in [&mut self.lower, &mut self.upper] {
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
        let (at, lower_first) = match place {
            Place::Diagonal(_) => return None,
            Place::Lower(at) => (at, true),
            Place::Upper(at) => (at, false),
        };
        let used = self.used.get_mut(at)?;
        let (lower, upper) = (self.lower.get_mut(at)?, self.upper.get_mut(at)?);
        if !std::mem::replace(used, true) {
            (*lower, *upper) = (ZERO, ZERO);
        }
        Some(if lower_first {
            (lower, upper)
        } else {
            (upper, lower)
        })
    }

    /// Factors the matrix in place. False when a pivot block is singular.
    pub fn factor(&mut self, pattern: &Pattern) -> bool {
        Arch::new().dispatch(Factor(self, pattern))
    }

    #[inline(always)]
    fn all(&mut self, pattern: &Pattern) -> bool {
        let mut k = 0;
        while k < pattern.order.len() {
            let end = pattern.panel_end(k, PANEL);
            for own in k..end {
                if !self.eliminate(pattern, own, end) {
                    return false;
                }
            }
            self.update(pattern, k, end);
            k = end;
        }
        true
    }

    /// Eliminates a node from those of its own panel, which ends at `end`.
    #[inline(always)]
    fn eliminate(&mut self, pattern: &Pattern, k: usize, end: usize) -> bool {
        let Some(inverse) = invert(&self.inverse[k]) else {
            return false;
        };
        self.inverse[k] = inverse;
        let (from, to) = (pattern.start[k], pattern.start[k + 1]);
        for (up, used) in self.upper[from..to].iter_mut().zip(&self.used[from..to]) {
            if *used {
                *up = product(&inverse, up);
            }
        }
        // What is changed lies in the lists of later nodes.
        let (lower, later_lower) = self.lower.split_at_mut(to);
        let (upper, later_upper) = self.upper.split_at_mut(to);
        let (used, later_used) = self.used.split_at_mut(to);
        let (lower, upper, used) = (&lower[from..], &upper[from..], &used[from..]);
        let mut targets = &pattern.target[pattern.target_start[k]..];
        for x in 0..end - 1 - k {
            let own = &targets[..to - from - 1 - x];
            targets = &targets[own.len()..];
            if !used[x] {
                continue;
            }
            let (lx, ux) = (&lower[x], &upper[x]);
            subtract_product(&mut self.inverse[k + 1 + x], lx, ux);
            for (y, &at) in (x + 1..).zip(own) {
                if used[y] {
                    let at = at as usize - to;
                    if !std::mem::replace(&mut later_used[at], true) {
                        (later_lower[at], later_upper[at]) = (ZERO, ZERO);
                    }
                    subtract_product(&mut later_lower[at], &lower[y], ux);
                    subtract_product(&mut later_upper[at], lx, &upper[y]);
                }
            }
        }
        true
    }

    /// Takes what the nodes of a panel change off the nodes that come after it, block by block, so that a block is
    /// fetched once for all of them.
    #[inline(always)]
    fn update(&mut self, pattern: &Pattern, begin: usize, end: usize) {
        let last = end - 1;
        let (from, to) = (pattern.start[last], pattern.start[end]);
        let later = &pattern.later[from..to];
        let at_of = |k: usize, x: usize| pattern.start[k] + (last - k) + x;
        self.who.clear();
        for x in 0..later.len() {
            let bit = |k: usize| u32::from(self.used[at_of(k, x)]) << (k - begin);
            self.who.push((begin..end).map(bit).sum());
        }
        let (lower, later_lower) = self.lower.split_at_mut(to);
        let (upper, later_upper) = self.upper.split_at_mut(to);
        let later_used = &mut self.used[to..];
        let mut targets = &pattern.target[pattern.target_start[last]..];
        for (x, &i) in later.iter().enumerate() {
            let own = &targets[..later.len() - 1 - x];
            targets = &targets[own.len()..];
            let diagonal = &mut self.inverse[i as usize];
            for k in members(self.who[x], begin) {
                let at = at_of(k, x);
                subtract_product(diagonal, &lower[at], &upper[at]);
            }
            for (y, &at) in (x + 1..).zip(own) {
                let both = self.who[x] & self.who[y];
                if both == 0 {
                    continue;
                }
                let at = at as usize - to;
                if !std::mem::replace(&mut later_used[at], true) {
                    (later_lower[at], later_upper[at]) = (ZERO, ZERO);
                }
                for k in members(both, begin) {
                    let (x, y) = (at_of(k, x), at_of(k, y));
                    subtract_product(&mut later_lower[at], &lower[y], &upper[x]);
                    subtract_product(&mut later_upper[at], &lower[x], &upper[y]);
                }
            }
        }
    }

    /// Solves in place.
    pub fn solve(&mut self, pattern: &Pattern, x: &mut [Six]) {
        Arch::new().dispatch(Substitute(self, pattern, x));
    }

    #[inline(always)]
    fn substitute(&mut self, pattern: &Pattern, x: &mut [Six]) {
        let w = &mut self.work;
        w.clear();
        w.extend(pattern.order.iter().map(|&i| x[i]));
        for k in 0..w.len() {
            let t = times(&self.inverse[k], &w[k]);
            w[k] = t;
            for at in (pattern.start[k]..pattern.start[k + 1]).filter(|&at| self.used[at]) {
                let change = times(&self.lower[at], &t);
                let target = &mut w[pattern.later[at] as usize];
                for (a, b) in target.iter_mut().zip(change) {
                    *a -= b;
                }
            }
        }
        for k in (0..w.len()).rev() {
            for at in (pattern.start[k]..pattern.start[k + 1]).filter(|&at| self.used[at]) {
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

/// The nodes whose bits are set.
#[inline(always)]
fn members(mut bits: u32, begin: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (bits != 0).then(|| begin + bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        next
    })
}

/// Work that is compiled for each vector unit, and run with the widest at hand.
struct Factor<'a>(&'a mut SparseLu, &'a Pattern);

impl WithSimd for Factor<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        self.0.all(self.1)
    }
}

/// The same for a solution with the factors.
struct Substitute<'a>(&'a mut SparseLu, &'a Pattern, &'a mut [Six]);

impl WithSimd for Substitute<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.0.substitute(self.1, self.2);
    }
}

/// `a b`.
#[inline(always)]
fn product(a: &Block, b: &Block) -> Block {
    let mut c = ZERO;
    for (sum, row) in c.iter_mut().zip(a) {
        for (f, other) in row.iter().zip(b) {
            for (s, x) in sum.iter_mut().zip(other) {
                *s += f * x;
            }
        }
    }
    c
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
    let mut y = [0.0; 6];
    for (sum, row) in y.iter_mut().zip(a) {
        for (f, x) in row.iter().zip(x) {
            *sum += f * x;
        }
    }
    y
}

/// Inverse by Gauss–Jordan with partial pivoting; nothing when a pivot vanishes.
#[inline(always)]
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
