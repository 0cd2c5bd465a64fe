//! The Delassus operator as a block-sparse matrix of 3x3 blocks.

use crate::error::{ContactError, finite, index};
use glam::{DMat3, DVec3};

/// `W` in 1/kg by block rows (compressed, columns ascending); the diagonal block of every contact is always stored.
///
/// The matrix is kept as given, an unsymmetric part included; `new` from bodies makes it symmetric by construction.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Delassus {
    row_start: Vec<usize>,
    column: Vec<usize>,
    block: Vec<DMat3>,
    diagonal: Vec<usize>,
}

/// Blocks in the order in which they are added up.
#[derive(Debug, Clone, Default)]
pub(crate) struct Blocks {
    /// Row, column and position of each.
    places: Vec<(usize, usize, usize)>,
    blocks: Vec<DMat3>,
}

impl Blocks {
    pub fn clear(&mut self) {
        self.places.clear();
        self.blocks.clear();
    }

    pub fn push(&mut self, row: usize, column: usize, block: DMat3) {
        self.places.push((row, column, self.blocks.len()));
        self.blocks.push(block);
    }
}

impl Delassus {
    /// From blocks `(row, column, W_ij)` in any order; blocks of the same row and column are added up.
    ///
    /// # Errors
    /// When an index is not below `contacts` or an entry is not finite.
    pub fn from_blocks(
        contacts: usize,
        blocks: impl IntoIterator<Item = (usize, usize, DMat3)>,
    ) -> Result<Self, ContactError> {
        let mut list = Blocks::default();
        for (i, j, b) in blocks {
            for (field, found) in [("block row", i), ("block column", j)] {
                index(field, found, contacts)?;
            }
            list.push(i, j, b);
        }
        let mut w = Self::default();
        w.gather(contacts, &mut list)?;
        Ok(w)
    }

    /// Replaces the operator by the sum of blocks in any order, all of them below `contacts`; the list is sorted.
    ///
    /// # Errors
    /// When an entry is not finite. The operator is then empty.
    pub(crate) fn gather(
        &mut self,
        contacts: usize,
        list: &mut Blocks,
    ) -> Result<(), ContactError> {
        self.clear();
        for value in list.blocks.iter().flat_map(DMat3::to_cols_array) {
            finite("W", value)?;
        }
        (0..contacts).for_each(|i| list.push(i, i, DMat3::ZERO));
        // Blocks of the same row and column are added in the order given, so the sum has the same bits every time.
        list.places.sort_unstable();
        let mut last = None;
        for &(i, j, at) in &list.places {
            let b = list.blocks[at];
            if last == Some((i, j)) {
                if let Some(sum) = self.block.last_mut() {
                    *sum += b;
                }
                continue;
            }
            last = Some((i, j));
            // All rows before this one are complete; none is empty, as its diagonal is there.
            self.row_start.resize(i + 1, self.block.len());
            if i == j {
                self.diagonal.push(self.block.len());
            }
            self.column.push(j);
            self.block.push(b);
        }
        self.row_start.resize(contacts + 1, self.block.len());
        Ok(())
    }

    /// Replaces the operator by one of which every block is stored, as that of one body is; asks for no memory unless
    /// it is larger than any before.
    ///
    /// # Errors
    /// When an entry is not finite. The operator is then empty.
    pub fn fill(
        &mut self,
        contacts: usize,
        mut block: impl FnMut(usize, usize) -> DMat3,
    ) -> Result<(), ContactError> {
        self.clear();
        for i in 0..contacts {
            self.diagonal.push(self.block.len() + i);
            for j in 0..contacts {
                let b = block(i, j);
                for value in b.to_cols_array() {
                    finite("W", value).inspect_err(|_| self.clear())?;
                }
                self.column.push(j);
                self.block.push(b);
            }
            self.row_start.push(self.block.len());
        }
        Ok(())
    }

    fn clear(&mut self) {
        for list in [&mut self.row_start, &mut self.column, &mut self.diagonal] {
            list.clear();
        }
        self.row_start.push(0);
        self.block.clear();
    }

    /// Number of contacts (block rows).
    pub fn contacts(&self) -> usize {
        self.diagonal.len()
    }

    /// The stored blocks of row `i` as `(column, block)`; empty when there is no such row.
    #[inline]
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, &DMat3)> + '_ {
        let range = match (self.row_start.get(i), self.row_start.get(i + 1)) {
            (Some(&a), Some(&b)) => a..b,
            _ => 0..0,
        };
        self.column[range.clone()]
            .iter()
            .copied()
            .zip(&self.block[range])
    }

    /// The diagonal block of contact `i`; zero when there is no such contact.
    #[inline]
    pub fn diagonal(&self, i: usize) -> DMat3 {
        self.diagonal
            .get(i)
            .and_then(|&e| self.block.get(e))
            .copied()
            .unwrap_or(DMat3::ZERO)
    }

    /// `Σ_j W_ij r_j` of one block row; impulses that are missing count as zero.
    #[inline]
    pub fn row_times(&self, i: usize, r: &[DVec3]) -> DVec3 {
        let mut sum = DVec3::ZERO;
        for (j, b) in self.row(i) {
            sum += *b * r.get(j).copied().unwrap_or_default();
        }
        sum
    }

    /// `ρ_i = 3 / tr W_ii` in kg, the impulse that answers a unit velocity; 1 where the block has no positive trace.
    #[inline]
    pub fn rho(&self, i: usize) -> f64 {
        let d = self.diagonal(i);
        let trace = d.x_axis.x + d.y_axis.y + d.z_axis.z;
        if trace > 0.0 { 3.0 / trace } else { 1.0 }
    }
}
