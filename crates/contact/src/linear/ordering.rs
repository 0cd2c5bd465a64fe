//! Elimination order of the contact graph and the pattern of its factors, found once per problem.

use super::minimum_degree::{Elimination, MinimumDegree};

/// Where every block of the factors goes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pattern {
    /// Contact eliminated at each position.
    pub order: Vec<usize>,
    /// Position of each contact.
    pub position: Vec<usize>,
    /// Later positions that position `k` is coupled with: `later[start[k]..start[k + 1]]`, ascending.
    pub start: Vec<usize>,
    pub later: Vec<u32>,
    /// For each `k` and each pair `x < y` of its list: the position of `later[y]` in the list of `later[x]`.
    pub target: Vec<u32>,
    pub target_start: Vec<usize>,
    /// Where each stored block of `W` goes.
    pub index: Vec<BlockIndex>,
}

/// A block of the matrix on the diagonal, or below or above it, in the factors' arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockIndex {
    Diagonal(usize),
    Lower(usize),
    Upper(usize),
}

impl BlockIndex {
    /// That of the block on the other side of the diagonal.
    pub fn transposed(self) -> Self {
        match self {
            Self::Diagonal(k) => Self::Diagonal(k),
            Self::Lower(at) => Self::Upper(at),
            Self::Upper(at) => Self::Lower(at),
        }
    }
}

impl Pattern {
    /// Replaces the pattern by that of the factors of a matrix with these stored blocks.
    pub fn arrange(&mut self, row_start: &[usize], column: &[usize], search: &mut MinimumDegree) {
        let n = row_start.len().saturating_sub(1);
        let mut elimination = Elimination {
            order: &mut self.order,
            start: &mut self.start,
            later: &mut self.later,
        };
        search.find(row_start, column, &mut elimination);
        self.position.clear();
        self.position.resize(n, 0);
        for (k, &i) in self.order.iter().enumerate() {
            self.position[i] = k;
        }
        for k in 0..n {
            let list = &mut self.later[self.start[k]..self.start[k + 1]];
            for i in list.iter_mut() {
                *i = self.position[*i as usize] as u32;
            }
            list.sort_unstable();
        }
        self.target.clear();
        self.target_start.clear();
        self.target_start.push(0);
        for k in 0..n {
            self.targets(k);
        }
        let mut index = std::mem::take(&mut self.index);
        index.clear();
        for i in 0..n {
            let row = &column[row_start[i]..row_start[i + 1]];
            index.extend(
                row.iter()
                    .map(|&j| self.find(self.position[i], self.position[j])),
            );
        }
        self.index = index;
    }

    pub fn list(&self, k: usize) -> &[u32] {
        &self.later[self.start[k]..self.start[k + 1]]
    }

    /// End of the positions from `k` on, at most `most`, that are coupled with each other and with the same later ones.
    pub fn panel_end(&self, k: usize, most: usize) -> usize {
        let mut end = k + 1;
        while end < self.order.len().min(k + most) {
            let (own, next) = (self.list(end - 1), self.list(end));
            // Fill-in made the one list contain the rest of the other.
            if own.first() != Some(&(end as u32)) || own.len() != next.len() + 1 {
                break;
            }
            end += 1;
        }
        end
    }

    fn targets(&mut self, k: usize) {
        for x in self.start[k]..self.start[k + 1] {
            let own = self.later[x] as usize;
            let mut at = self.start[own];
            for y in x + 1..self.start[k + 1] {
                // Both lists ascend, and fill-in made one contain the other.
                while self.later[at] != self.later[y] {
                    at += 1;
                }
                self.target.push(at as u32);
            }
        }
        self.target_start.push(self.target.len());
    }

    fn find(&self, i: usize, j: usize) -> BlockIndex {
        let at = |k: usize, other: usize| {
            let list = self.list(k);
            self.start[k] + list.partition_point(|&x| (x as usize) < other)
        };
        match i.cmp(&j) {
            std::cmp::Ordering::Equal => BlockIndex::Diagonal(i),
            std::cmp::Ordering::Less => BlockIndex::Upper(at(i, j)),
            std::cmp::Ordering::Greater => BlockIndex::Lower(at(j, i)),
        }
    }
}
