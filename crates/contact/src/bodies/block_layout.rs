//! Layout of the 6x6 blocks of a Newton system.

use crate::linear::minimum_degree::MinimumDegree;
use crate::linear::ordering::{BlockIndex, Pattern};

/// Where the blocks of a matrix are stored.
#[derive(Debug, Clone, Default)]
pub(crate) struct BlockLayout {
    /// Index of each body's own block.
    pub own: Vec<BlockIndex>,
    /// Index of each group's block in the row of the smaller index; none where only one body moves or the group takes
    /// no part.
    pub pair: Vec<Option<BlockIndex>>,
    /// Start of each body's row in the matrix, which is its diagonal entry.
    starts: Vec<usize>,
    /// Row and column of each entry.
    places: Vec<(usize, usize)>,
    column: Vec<usize>,
    pub pattern: Pattern,
}

impl BlockLayout {
    /// Rows of a matrix of `n` bodies with one entry per body and one per touching pair, in the row of the smaller
    /// index.
    pub fn arrange(
        &mut self,
        n: usize,
        pairs: &[(u32, u32)],
        takes_part: impl Fn(usize) -> bool,
        search: &mut MinimumDegree,
    ) {
        // A body alone couples with nothing: one block, whatever takes part.
        if n == 1 && self.starts == [0, 1] {
            self.pair.clear();
            self.pair.resize(pairs.len(), None);
            return;
        }
        let ordered = |g: usize, (a, b): (u32, u32)| {
            (a != u32::MAX && b != u32::MAX && a != b && takes_part(g))
                .then(|| (a.min(b) as usize, a.max(b) as usize))
        };
        let touching = pairs.iter().enumerate().map(|(g, p)| ordered(g, *p));
        let places = &mut self.places;
        places.clear();
        places.extend((0..n).map(|i| (i, i)));
        places.extend(touching.clone().flatten());
        places.sort_unstable();
        places.dedup();
        self.starts.clear();
        self.starts
            .extend((0..n).map(|i| places.partition_point(|p| *p < (i, i))));
        self.starts.push(places.len());
        self.column.clear();
        self.column.extend(places.iter().map(|p| p.1));
        self.pattern.arrange(&self.starts, &self.column, search);
        let index = &self.pattern.index;
        self.own.clear();
        self.own.extend(self.starts[..n].iter().map(|&e| index[e]));
        self.pair.clear();
        self.pair.extend(touching.map(|pair| {
            let e = places.binary_search(&pair?).ok()?;
            Some(index[e])
        }));
    }
}
