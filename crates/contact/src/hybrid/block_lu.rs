//! Sparse LU by 3x3 blocks on a fixed pattern.

use crate::ordering::{Pattern, Place};
use glam::{DMat3, DVec3};
use pulp::{Arch, Simd, WithSimd};

/// A 3x3 block by columns, each padded to the width of a vector register.
type Block = [Four; 3];
type Four = [f64; 4];

const ZERO: Block = [[0.0; 4]; 3];

/// Contacts that are eliminated together.
const PANEL: usize = 16;

/// Factors `A = L U` with unit upper triangle; pivoting only inside the 3x3 diagonal blocks.
///
/// None is needed between blocks for `(W + ε) dP + 1 − dP` with `W + ε` positive definite and `0 ≤ dP ≤ 1`: all its
/// principal block minors are regular. What the slip term adds is caught by the check for finite numbers.
///
/// Contacts that are coupled with the same later ones change those together, block by block, so that a block is fetched
/// once for a panel of them. The bits depend neither on that nor on the vector unit.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockLu {
    inverse: Vec<Block>,
    lower: Vec<Block>,
    upper: Vec<Block>,
    /// Positions whose column is that of the unit matrix up to the diagonal block: open contacts.
    idle: Vec<bool>,
    work: Vec<Four>,
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
            list.resize(len, ZERO);
        }
        self.idle.clear();
        self.idle.extend(pattern.order.iter().map(|&i| idle(i)));
        for (e, place) in pattern.place.iter().enumerate() {
            let b = padded(&block(e));
            match *place {
                Place::Diagonal(k) => self.inverse[k] = b,
                Place::Lower(at) => self.lower[at] = b,
                Place::Upper(at) => self.upper[at] = b,
            }
        }
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

    /// Eliminates a contact from those of its own panel, which ends at `end`.
    #[inline(always)]
    fn eliminate(&mut self, pattern: &Pattern, k: usize, end: usize) -> bool {
        let Some(inverse) = invert(&unpadded(&self.inverse[k])) else {
            return false;
        };
        let inverse = padded(&inverse);
        self.inverse[k] = inverse;
        let (from, to) = (pattern.start[k], pattern.start[k + 1]);
        for b in &mut self.upper[from..to] {
            *b = b.map(|column| times(&inverse, &column));
        }
        if self.idle[k] {
            return true;
        }
        // What is changed lies in the lists of later contacts.
        let (lower, later_lower) = self.lower.split_at_mut(to);
        let (upper, later_upper) = self.upper.split_at_mut(to);
        let (lower, upper) = (&lower[from..], &upper[from..]);
        let later = &pattern.later[from..to];
        let mut targets = &pattern.target[pattern.target_start[k]..];
        for x in 0..end - 1 - k {
            let own = &targets[..to - from - 1 - x];
            targets = &targets[own.len()..];
            let (lx, ux) = (&lower[x], &upper[x]);
            let own_idle = self.idle[k + 1 + x];
            if !own_idle {
                subtract_product(&mut self.inverse[k + 1 + x], lx, ux);
            }
            for (y, &at) in (x + 1..).zip(own) {
                let at = at as usize - to;
                if !self.idle[later[y] as usize] {
                    subtract_product(&mut later_upper[at], lx, &upper[y]);
                }
                if !own_idle {
                    subtract_product(&mut later_lower[at], &lower[y], ux);
                }
            }
        }
        true
    }

    /// Takes what the contacts of a panel change off those that come after it.
    #[inline(always)]
    fn update(&mut self, pattern: &Pattern, begin: usize, end: usize) {
        let last = end - 1;
        let (from, to) = (pattern.start[last], pattern.start[end]);
        let later = &pattern.later[from..to];
        // Where the list of each contact of the panel that is not idle goes on behind the panel.
        let mut lists = [0; PANEL];
        let mut count = 0;
        for k in (begin..end).filter(|&k| !self.idle[k]) {
            lists[count] = pattern.start[k] + (last - k);
            count += 1;
        }
        let lists = &lists[..count];
        if lists.is_empty() {
            return;
        }
        let (lower, later_lower) = self.lower.split_at_mut(to);
        let (upper, later_upper) = self.upper.split_at_mut(to);
        let mut targets = &pattern.target[pattern.target_start[last]..];
        for (x, &i) in later.iter().enumerate() {
            let own = &targets[..later.len() - 1 - x];
            targets = &targets[own.len()..];
            let own_idle = self.idle[i as usize];
            if !own_idle {
                let mut sum = self.inverse[i as usize];
                for &list in lists {
                    subtract_product(&mut sum, &lower[list + x], &upper[list + x]);
                }
                self.inverse[i as usize] = sum;
            }
            for (y, &at) in (x + 1..).zip(own) {
                let at = at as usize - to;
                if !self.idle[later[y] as usize] {
                    let mut sum = later_upper[at];
                    for &list in lists {
                        subtract_product(&mut sum, &lower[list + x], &upper[list + y]);
                    }
                    later_upper[at] = sum;
                }
                if !own_idle {
                    let mut sum = later_lower[at];
                    for &list in lists {
                        subtract_product(&mut sum, &lower[list + y], &upper[list + x]);
                    }
                    later_lower[at] = sum;
                }
            }
        }
    }

    /// Solves `A x = b`.
    pub fn solve(&mut self, pattern: &Pattern, b: &[DVec3], x: &mut [DVec3]) {
        Arch::new().dispatch(Substitute(self, pattern, b, x));
    }

    #[inline(always)]
    fn substitute(&mut self, pattern: &Pattern, b: &[DVec3], x: &mut [DVec3]) {
        let n = pattern.order.len();
        self.work.clear();
        self.work
            .extend(pattern.order.iter().map(|&i| [b[i].x, b[i].y, b[i].z, 0.0]));
        let w = &mut self.work;
        for k in 0..n {
            let y = times(&self.inverse[k], &w[k]);
            w[k] = y;
            if !self.idle[k] {
                let list = pattern.start[k]..pattern.start[k + 1];
                for (block, &i) in self.lower[list.clone()].iter().zip(&pattern.later[list]) {
                    subtract(&mut w[i as usize], &times(block, &y));
                }
            }
        }
        for k in (0..n).rev() {
            let mut sum = w[k];
            let list = pattern.start[k]..pattern.start[k + 1];
            for (block, &i) in self.upper[list.clone()].iter().zip(&pattern.later[list]) {
                subtract(&mut sum, &times(block, &w[i as usize]));
            }
            w[k] = sum;
        }
        for (&i, v) in pattern.order.iter().zip(w.iter()) {
            x[i] = DVec3::new(v[0], v[1], v[2]);
        }
    }
}

/// Work that is compiled for each vector unit, and run with the widest at hand.
struct Factor<'a>(&'a mut BlockLu, &'a Pattern);

impl WithSimd for Factor<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        self.0.all(self.1)
    }
}

/// The same for a solution with the factors.
struct Substitute<'a>(&'a mut BlockLu, &'a Pattern, &'a [DVec3], &'a mut [DVec3]);

impl WithSimd for Substitute<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.0.substitute(self.1, self.2, self.3);
    }
}

#[inline(always)]
fn padded(m: &DMat3) -> Block {
    [m.x_axis, m.y_axis, m.z_axis].map(|c| [c.x, c.y, c.z, 0.0])
}

#[inline(always)]
fn unpadded(b: &Block) -> DMat3 {
    let [x, y, z] = b.map(|c| DVec3::new(c[0], c[1], c[2]));
    DMat3::from_cols(x, y, z)
}

/// `a x`.
#[inline(always)]
fn times(a: &Block, x: &Four) -> Four {
    std::array::from_fn(|i| a[0][i] * x[0] + a[1][i] * x[1] + a[2][i] * x[2])
}

#[inline(always)]
fn subtract(a: &mut Four, b: &Four) {
    for (a, b) in a.iter_mut().zip(b) {
        *a -= b;
    }
}

/// `c -= a b`.
#[inline(always)]
fn subtract_product(c: &mut Block, a: &Block, b: &Block) {
    for (c, b) in c.iter_mut().zip(b) {
        subtract(c, &times(a, b));
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
