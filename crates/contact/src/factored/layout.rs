//! Where the blocks of a Newton system are.

use crate::minimum_degree::MinimumDegree;
use crate::ordering::Pattern;

/// Where the blocks of a matrix are.
#[derive(Debug, Clone, Default)]
pub(super) struct Layout {
    /// Entry of each group's pair in the matrix, `u32::MAX` where only one node moves or the group takes no part.
    pub entry: Vec<u32>,
    /// Start of each node's row in the matrix, which is its diagonal entry.
    pub starts: Vec<usize>,
    /// Row and column of each entry.
    places: Vec<(usize, usize)>,
    column: Vec<usize>,
    pub pattern: Pattern,
}

impl Layout {
    /// Rows of a matrix of `n` nodes with one entry per node and one per touching pair, in the row of the smaller index.
    pub fn arrange(
        &mut self,
        n: usize,
        pairs: &[(u32, u32)],
        takes_part: impl Fn(usize) -> bool,
        search: &mut MinimumDegree,
    ) {
        // A body alone couples with nothing: one block, whatever takes part.
        if n == 1 && self.starts == [0, 1] {
            self.entry.clear();
            self.entry.resize(pairs.len(), u32::MAX);
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
        self.entry.clear();
        self.entry.extend(touching.map(|place| {
            let found = place.and_then(|place| places.binary_search(&place).ok());
            found.map_or(u32::MAX, |e| e as u32)
        }));
        self.starts.clear();
        self.starts
            .extend((0..n).map(|i| places.partition_point(|p| *p < (i, i))));
        self.starts.push(places.len());
        self.column.clear();
        self.column.extend(places.iter().map(|p| p.1));
        self.pattern.arrange(&self.starts, &self.column, search);
    }
}
