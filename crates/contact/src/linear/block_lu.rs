//! Sparse LU by small dense blocks on a fixed pattern.

use super::ordering::{BlockIndex, Pattern};
use pulp::{Arch, Simd, WithSimd};

/// A square block, and a vector of as many numbers as it has rows.
pub(crate) trait Block: Copy {
    type Vector: Copy;
    const ZERO: Self;
    /// Rows of blocks that are eliminated together, 32 at most.
    const PANEL: usize;

    /// Replaces the block by its inverse; false if it is singular.
    fn invert(&mut self) -> bool;
    /// `self ← a self`.
    fn lead(&mut self, a: &Self);
    /// `self −= a b`.
    fn take_product(&mut self, a: &Self, b: &Self);
    /// The same for many, one after the other.
    #[inline(always)]
    fn take_products<'a>(&mut self, pairs: impl Iterator<Item = (&'a Self, &'a Self)>)
    where
        Self: 'a,
    {
        for (a, b) in pairs {
            self.take_product(a, b);
        }
    }
    fn times(&self, x: &Self::Vector) -> Self::Vector;
    /// `a −= b`.
    fn take(a: &mut Self::Vector, b: &Self::Vector);
}

/// `A = L U` by blocks, `U` with unit diagonal; no pivoting between blocks.
///
/// Blocks that nothing was written to are zero and skipped, on either side: contacts that stay open take no part, and
/// the pattern need not be found anew for those that close. Rows that are coupled with the same later ones change those
/// together, block by block, so that a block is fetched once for a panel of them. The bits depend neither on that nor
/// on the vector unit.
#[derive(Debug, Clone)]
pub(crate) struct BlockLu<B: Block> {
    inverse: Vec<B>,
    lower: Side<B>,
    upper: Side<B>,
    work: Vec<B::Vector>,
    /// Factorisations so far.
    factored: usize,
}

impl<B: Block> Default for BlockLu<B> {
    fn default() -> Self {
        Self {
            inverse: Vec::new(),
            lower: Side::default(),
            upper: Side::default(),
            work: Vec::new(),
            factored: 0,
        }
    }
}

/// The blocks below the diagonal, by columns, or above it, by rows.
#[derive(Debug, Clone)]
struct Side<B> {
    blocks: Vec<B>,
    /// Whether a block holds anything.
    used: Vec<bool>,
    /// For each row after a panel, the rows of the panel that have a block there, as bits.
    who: Vec<u32>,
}

impl<B> Default for Side<B> {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            used: Vec::new(),
            who: Vec::new(),
        }
    }
}

impl<B: Block> Side<B> {
    fn clear(&mut self, count: usize) {
        self.used.clear();
        self.used.resize(count, false);
        self.blocks.resize(count, B::ZERO);
    }

    /// A block to write to, zero if nothing was written to it.
    #[inline(always)]
    fn open(&mut self, at: usize) -> Option<&mut B> {
        let (block, used) = (self.blocks.get_mut(at)?, self.used.get_mut(at)?);
        if !std::mem::replace(used, true) {
            *block = B::ZERO;
        }
        Some(block)
    }

    /// The blocks in the list of a row, with the later rows that they belong to.
    #[inline(always)]
    fn list(&self, pattern: &Pattern, k: usize) -> impl Iterator<Item = (&B, usize)> {
        let own = pattern.start[k]..pattern.start[k + 1];
        let all = self.blocks[own.clone()]
            .iter()
            .zip(&pattern.later[own.clone()]);
        let used = all.zip(&self.used[own]).filter(|(_, used)| **used);
        used.map(|((block, i), _)| (block, *i as usize))
    }

    /// The blocks before `at`, and a view of those from there on to write to.
    #[inline(always)]
    fn split(&mut self, at: usize) -> (Early<'_, B>, Later<'_, B>) {
        let (blocks, later) = self.blocks.split_at_mut(at);
        let (used, later_used) = self.used.split_at_mut(at);
        let early = Early {
            blocks,
            used,
            who: &self.who,
        };
        (early, Later(later, later_used))
    }

    fn note(&mut self, lists: &[usize], count: usize) {
        self.who.clear();
        for x in 0..count {
            let bits = lists.iter().enumerate();
            let bit = |(k, list): (usize, &usize)| u32::from(self.used[list + x]) << k;
            self.who.push(bits.map(bit).sum());
        }
    }
}

/// Blocks of rows that are done.
struct Early<'a, B> {
    blocks: &'a [B],
    used: &'a [bool],
    who: &'a [u32],
}

/// Blocks of later rows.
struct Later<'a, B>(&'a mut [B], &'a mut [bool]);

impl<B: Block> Later<'_, B> {
    #[inline(always)]
    fn open(&mut self, at: usize) -> &mut B {
        if !std::mem::replace(&mut self.1[at], true) {
            self.0[at] = B::ZERO;
        }
        &mut self.0[at]
    }
}

impl<B: Block> BlockLu<B> {
    /// Starts with a matrix of zeros.
    pub fn clear(&mut self, pattern: &Pattern) {
        self.inverse.clear();
        self.inverse.resize(pattern.order.len(), B::ZERO);
        self.lower.clear(pattern.later.len());
        self.upper.clear(pattern.later.len());
    }

    /// The block at an index, to write to.
    pub fn block(&mut self, index: BlockIndex) -> Option<&mut B> {
        match index {
            BlockIndex::Diagonal(k) => self.inverse.get_mut(k),
            BlockIndex::Lower(at) => self.lower.open(at),
            BlockIndex::Upper(at) => self.upper.open(at),
        }
    }

    /// Factorisations so far.
    pub fn factored(&self) -> usize {
        self.factored
    }

    /// Factors the matrix in place. False when a pivot block is singular.
    pub fn factor(&mut self, pattern: &Pattern) -> bool {
        self.factored += 1;
        arch().dispatch(Factor(self, pattern))
    }

    #[inline(always)]
    fn all(&mut self, pattern: &Pattern) -> bool {
        let mut k = 0;
        while k < pattern.order.len() {
            let end = pattern.panel_end(k, B::PANEL);
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

    /// Eliminates a row from those of its own panel, which ends at `end`.
    #[inline(always)]
    fn eliminate(&mut self, pattern: &Pattern, k: usize, end: usize) -> bool {
        let inverse = &mut self.inverse[k];
        if !inverse.invert() {
            return false;
        }
        let (from, to) = (pattern.start[k], pattern.start[k + 1]);
        let own = self.upper.blocks[from..to].iter_mut();
        for (up, used) in own.zip(&self.upper.used[from..to]) {
            if *used {
                up.lead(inverse);
            }
        }
        // What is changed lies in the lists of later rows.
        let (lower, mut later_lower) = self.lower.split(to);
        let (upper, mut later_upper) = self.upper.split(to);
        let (low, up) = (&lower.blocks[from..], &upper.blocks[from..]);
        let (low_used, up_used) = (&lower.used[from..], &upper.used[from..]);
        let mut targets = &pattern.target[pattern.target_start[k]..];
        for x in 0..end - 1 - k {
            let own = &targets[..to - from - 1 - x];
            targets = &targets[own.len()..];
            if low_used[x] && up_used[x] {
                self.inverse[k + 1 + x].take_product(&low[x], &up[x]);
            }
            for (y, &at) in (x + 1..).zip(own) {
                let at = at as usize - to;
                if low_used[y] && up_used[x] {
                    later_lower.open(at).take_product(&low[y], &up[x]);
                }
                if low_used[x] && up_used[y] {
                    later_upper.open(at).take_product(&low[x], &up[y]);
                }
            }
        }
        true
    }

    /// Takes what the rows of a panel change off those that come after it.
    #[inline(always)]
    fn update(&mut self, pattern: &Pattern, begin: usize, end: usize) {
        let last = end - 1;
        let (from, to) = (pattern.start[last], pattern.start[end]);
        let later = &pattern.later[from..to];
        // Where the list of each row of the panel continues behind the panel.
        let mut lists = [0; 32];
        let lists = &mut lists[..end - begin];
        for (list, k) in lists.iter_mut().zip(begin..end) {
            *list = pattern.start[k] + (last - k);
        }
        self.lower.note(lists, later.len());
        self.upper.note(lists, later.len());
        let (lower, mut later_lower) = self.lower.split(to);
        let (upper, mut later_upper) = self.upper.split(to);
        let done = (lower.blocks, upper.blocks);
        let mut targets = &pattern.target[pattern.target_start[last]..];
        for (x, &i) in later.iter().enumerate() {
            let own = &targets[..later.len() - 1 - x];
            targets = &targets[own.len()..];
            let (low, up) = (lower.who[x], upper.who[x]);
            take_products(
                &mut self.inverse[i as usize],
                done,
                members(low & up).map(|k| lists[k]),
                (x, x),
            );
            for (y, &at) in (x + 1..).zip(own) {
                let at = at as usize - to;
                let (below, above) = (lower.who[y] & up, low & upper.who[y]);
                if below != 0 {
                    let rows = members(below).map(|k| lists[k]);
                    take_products(later_lower.open(at), done, rows, (y, x));
                }
                if above != 0 {
                    let rows = members(above).map(|k| lists[k]);
                    take_products(later_upper.open(at), done, rows, (x, y));
                }
            }
        }
    }

    /// Solves `A x = b` with the factors: `b(i)` is read, then `x(i)` written.
    pub fn solve(
        &mut self,
        pattern: &Pattern,
        b: impl Fn(usize) -> B::Vector,
        mut x: impl FnMut(usize, &B::Vector),
    ) {
        self.work.clear();
        self.work.extend(pattern.order.iter().map(|&i| b(i)));
        arch().dispatch(Substitute(self, pattern));
        for (&i, value) in pattern.order.iter().zip(&self.work) {
            x(i, value);
        }
    }

    #[inline(always)]
    fn substitute(&mut self, pattern: &Pattern) {
        let w = &mut self.work;
        for k in 0..w.len() {
            let y = self.inverse[k].times(&w[k]);
            w[k] = y;
            for (block, i) in self.lower.list(pattern, k) {
                B::take(&mut w[i], &block.times(&y));
            }
        }
        for k in (0..w.len()).rev() {
            let mut sum = w[k];
            for (block, i) in self.upper.list(pattern, k) {
                B::take(&mut sum, &block.times(&w[i]));
            }
            w[k] = sum;
        }
    }
}

/// Subtracts the products of blocks below with blocks above from a sum, for each list at its positions `x` and `y`.
#[inline(always)]
fn take_products<B: Block>(
    sum: &mut B,
    (lower, upper): (&[B], &[B]),
    lists: impl Iterator<Item = usize>,
    (x, y): (usize, usize),
) {
    sum.take_products(lists.map(|list| (&lower[list + x], &upper[list + y])));
}

/// The bits that are set.
#[inline(always)]
fn members(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        next
    })
}

/// Units for four numbers at most: where eight fit, compilers gather and scatter the columns of blocks, which takes
/// twice the time.
fn arch() -> Arch {
    #[cfg(target_arch = "x86_64")]
    if let Some(four) = pulp::x86::V3::try_new() {
        return Arch::V3(four);
    }
    Arch::new()
}

/// Work that is compiled for each vector unit.
struct Factor<'a, B: Block>(&'a mut BlockLu<B>, &'a Pattern);

impl<B: Block> WithSimd for Factor<'_, B> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        self.0.all(self.1)
    }
}

/// The same for a solution with the factors.
struct Substitute<'a, B: Block>(&'a mut BlockLu<B>, &'a Pattern);

impl<B: Block> WithSimd for Substitute<'_, B> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.0.substitute(self.1);
    }
}
