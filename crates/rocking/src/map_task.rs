//! Makes stability maps: every cell, a part of them, or the cells beside a border.

use crate::batch::{BatchOptions, Case, CaseResult, simulate_batch};
use crate::error::RockingError;
use crate::map::{Class, StabilityMap};
use klast_numerics::check::require;
use rayon::prelude::*;

/// Cells handed to a thread at a time. Results do not depend on it.
const CHUNK: usize = 256;

/// What all ways of making a map need.
pub struct MapTask<'a, F> {
    /// Values along the rows.
    pub rows: &'a [f64],
    /// Values along the columns.
    pub columns: &'a [f64],
    /// The simulation of a cell from its row and column value.
    pub case: F,
    /// Options of the simulations.
    pub options: BatchOptions,
}

impl<F> MapTask<'_, F>
where
    F: Fn(f64, f64) -> Result<Case, RockingError> + Sync,
{
    /// Simulates every cell on the threads of the current pool; `progress` is called with the number of cells just
    /// done.
    pub fn full(&self, progress: &(dyn Fn(usize) + Sync)) -> Result<StabilityMap, RockingError> {
        let count = self.rows.len() * self.columns.len();
        require("number of cells", count as f64, count > 0, "above 0")?;
        let cells: Vec<usize> = (0..count).collect();
        let results = self.simulate(&cells, progress)?;
        Ok(StabilityMap {
            rows: self.rows.to_vec(),
            columns: self.columns.to_vec(),
            classes: results.iter().map(Class::of).collect(),
            results: results.into_iter().map(Some).collect(),
        })
    }

    /// The classes of some cells, numbered row by row: parts of [`MapTask::full`], for [`StabilityMap::of_classes`];
    /// with the number of cells in which a contact problem has no solution, or more than one.
    pub fn part(
        &self,
        cells: std::ops::Range<usize>,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<(Vec<Class>, usize), RockingError> {
        let count = self.rows.len() * self.columns.len();
        let end = cells.end as f64;
        require(
            "end of the part",
            end,
            cells.end <= count,
            "a cell of the map",
        )?;
        let cells: Vec<usize> = cells.collect();
        let results = self.simulate(&cells, progress)?;
        let unresolved = results.iter().filter(|r| r.unresolved > 0).count();
        Ok((results.iter().map(Class::of).collect(), unresolved))
    }

    /// Simulates a coarse grid of every `stride`-th row and column (a power of two) and then only the cells of squares
    /// whose corners, or those of a square beside them, differ in class; the others take the class of their corners.
    ///
    /// Every border that this finds is then followed until all cells beside it are simulated. So the border is that of
    /// the full grid, except for regions that no found border touches: islands that slip between the coarse cells, less
    /// than `stride` cells wide.
    pub fn adaptive(
        &self,
        stride: usize,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<StabilityMap, RockingError> {
        let good = stride >= 2 && stride.is_power_of_two();
        require("stride", stride as f64, good, "a power of two from 2")?;
        let (rows, columns) = (self.rows.len(), self.columns.len());
        require(
            "number of cells",
            (rows * columns) as f64,
            rows * columns > 0,
            "above 0",
        )?;
        let mut grid = Grid {
            rows,
            columns,
            results: vec![None; rows * columns],
            classes: vec![None; rows * columns],
        };
        let mut wanted = grid.coarse(stride);
        let mut size = stride;
        loop {
            grid.enter(&wanted, self.simulate(&wanted, progress)?);
            if size == 1 {
                break;
            }
            wanted = grid.refine(size);
            size /= 2;
        }
        // A border that leaves the refined squares is followed cell by cell.
        loop {
            let beside = grid.beside_the_border();
            if beside.is_empty() {
                break;
            }
            grid.enter(&beside, self.simulate(&beside, progress)?);
        }
        Ok(StabilityMap {
            rows: self.rows.to_vec(),
            columns: self.columns.to_vec(),
            classes: grid
                .classes
                .into_iter()
                .map(|c| c.unwrap_or(Class::Rest))
                .collect(),
            results: grid.results,
        })
    }

    fn simulate(
        &self,
        cells: &[usize],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<CaseResult>, RockingError> {
        let chunks: Result<Vec<Vec<CaseResult>>, RockingError> = cells
            .par_chunks(CHUNK)
            .map(|chunk| {
                let cases: Result<Vec<Case>, RockingError> = chunk
                    .iter()
                    .map(|cell| {
                        let (row, column) = (cell / self.columns.len(), cell % self.columns.len());
                        (self.case)(self.rows[row], self.columns[column])
                    })
                    .collect();
                let results = simulate_batch(&cases?, &self.options);
                progress(chunk.len());
                results
            })
            .collect();
        Ok(chunks?.into_iter().flatten().collect())
    }
}

/// The cells of an adaptive map while it is made.
struct Grid {
    rows: usize,
    columns: usize,
    results: Vec<Option<CaseResult>>,
    classes: Vec<Option<Class>>,
}

impl Grid {
    /// Enters what was simulated.
    fn enter(&mut self, cells: &[usize], results: Vec<CaseResult>) {
        for (cell, result) in cells.iter().zip(results) {
            self.classes[*cell] = Some(Class::of(&result));
            self.results[*cell] = Some(result);
        }
    }

    /// Coordinates of a grid of the given stride, the last one always included.
    fn ticks(count: usize, stride: usize) -> Vec<usize> {
        let mut ticks: Vec<usize> = (0..count).step_by(stride).collect();
        if ticks.last() != Some(&(count - 1)) {
            ticks.push(count - 1);
        }
        ticks
    }

    fn coarse(&self, stride: usize) -> Vec<usize> {
        let mut cells = Vec::new();
        for r in Self::ticks(self.rows, stride) {
            for c in Self::ticks(self.columns, stride) {
                cells.push(r * self.columns + c);
            }
        }
        cells
    }

    /// Cells that were filled, not simulated, and have a neighbour of another class.
    fn beside_the_border(&self) -> Vec<usize> {
        let differs = |cell: usize| {
            let (r, c) = (cell / self.columns, cell % self.columns);
            let around = |k: usize, n: usize| k.saturating_sub(1)..=(k + 1).min(n - 1);
            around(r, self.rows).any(|i| {
                around(c, self.columns)
                    .any(|j| self.classes[i * self.columns + j] != self.classes[cell])
            })
        };
        (0..self.results.len())
            .filter(|cell| self.results[*cell].is_none() && differs(*cell))
            .collect()
    }

    /// Fills the squares of uniform surroundings and lists the cells of half the stride that the others need.
    fn refine(&mut self, stride: usize) -> Vec<usize> {
        let (rows, columns) = (
            Self::ticks(self.rows, stride),
            Self::ticks(self.columns, stride),
        );
        let (nr, nc) = (rows.len().max(2) - 1, columns.len().max(2) - 1);
        let corner = |ticks: &[usize], k: usize| ticks[k.min(ticks.len() - 1)];
        let class = |r: usize, c: usize| {
            self.classes[corner(&rows, r) * self.columns + corner(&columns, c)]
        };
        let mixed: Vec<bool> = (0..nr * nc)
            .map(|k| {
                let (r, c) = (k / nc, k % nc);
                let first = class(r, c);
                [class(r, c + 1), class(r + 1, c), class(r + 1, c + 1)]
                    .iter()
                    .any(|other| *other != first)
            })
            .collect();
        let near = |r: usize, c: usize| {
            let around = |k: usize, n: usize| k.saturating_sub(1)..=(k + 1).min(n - 1);
            around(r, nr).any(|i| around(c, nc).any(|j| mixed[i * nc + j]))
        };
        let half = stride / 2;
        let (mut wanted, mut filled) = (Vec::new(), Vec::new());
        for r in 0..nr {
            for c in 0..nc {
                let (r0, r1) = (corner(&rows, r), corner(&rows, r + 1));
                let (c0, c1) = (corner(&columns, c), corner(&columns, c + 1));
                let uniform = (!near(r, c)).then(|| class(r, c));
                for i in r0..=r1 {
                    for j in c0..=c1 {
                        let cell = i * self.columns + j;
                        let on = |x: usize, n: usize| x.is_multiple_of(half) || x == n - 1;
                        match uniform {
                            Some(class) => filled.push((cell, class)),
                            None if on(i, self.rows) && on(j, self.columns) => wanted.push(cell),
                            None => {}
                        }
                    }
                }
            }
        }
        for (cell, class) in filled {
            if self.classes[cell].is_none() {
                self.classes[cell] = class;
            }
        }
        wanted.retain(|cell| self.results[*cell].is_none());
        wanted.sort_unstable();
        wanted.dedup();
        wanted
    }
}
