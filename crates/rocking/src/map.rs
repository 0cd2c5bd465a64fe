//! Stability maps: the fate of a block over two parameters of its motion or of itself.

use crate::batch::{CaseResult, Fate};
use crate::block::Side;
use crate::error::RockingError;
use klast_numerics::check::require;

/// Class of a cell: what the map shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Never left the base.
    Rest,
    /// Rocked and did not overturn.
    Rocked,
    /// Overturned to the right.
    Right,
    /// Overturned to the left.
    Left,
    /// Slid on its base and never left it; only where blocks may slide.
    Slid,
}

impl Class {
    /// The class of a result.
    pub fn of(result: &CaseResult) -> Self {
        match result.fate {
            Fate::Rest => Self::Rest,
            Fate::Slid => Self::Slid,
            Fate::Stable | Fate::Rocking => Self::Rocked,
            Fate::Overturned(mode) => match mode.side {
                Side::Right => Self::Right,
                Side::Left => Self::Left,
            },
        }
    }

    /// Whether the block overturned.
    pub fn is_overturned(self) -> bool {
        matches!(self, Self::Right | Self::Left)
    }
}

/// A map over rows and columns. The meaning of both is the caller's: amplitude and frequency, amplitude and duration,
/// size, restitution, initial tilt.
#[derive(Debug, Clone, PartialEq)]
pub struct StabilityMap {
    pub(crate) rows: Vec<f64>,
    pub(crate) columns: Vec<f64>,
    pub(crate) classes: Vec<Class>,
    pub(crate) results: Vec<Option<CaseResult>>,
}

impl StabilityMap {
    /// A map whose classes are known, row by row; it holds no results.
    pub fn of_classes(
        rows: Vec<f64>,
        columns: Vec<f64>,
        classes: Vec<Class>,
    ) -> Result<Self, RockingError> {
        let whole = classes.len() == rows.len() * columns.len();
        require("classes", classes.len() as f64, whole, "one for each cell")?;
        Ok(Self {
            results: vec![None; classes.len()],
            rows,
            columns,
            classes,
        })
    }

    /// Values along the rows.
    pub fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// Values along the columns.
    pub fn columns(&self) -> &[f64] {
        &self.columns
    }

    /// Class of a cell; none outside the map.
    pub fn class(&self, row: usize, column: usize) -> Option<Class> {
        let inside = row < self.rows.len() && column < self.columns.len();
        inside.then(|| self.classes[row * self.columns.len() + column])
    }

    /// Result of a cell; none outside the map and where an adaptive map did not simulate.
    pub fn result(&self, row: usize, column: usize) -> Option<&CaseResult> {
        let inside = row < self.rows.len() && column < self.columns.len();
        let cell = row * self.columns.len() + column;
        inside.then(|| self.results[cell].as_ref()).flatten()
    }

    /// Classes, row by row.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Number of cells that were simulated.
    pub fn simulated(&self) -> usize {
        self.results.iter().flatten().count()
    }

    /// Number of cells in which the block overturned.
    pub fn overturned(&self) -> usize {
        self.classes.iter().filter(|c| c.is_overturned()).count()
    }

    /// Number of simulated cells with a contact problem that has no solution, or more than one.
    pub fn unresolved(&self) -> usize {
        let results = self.results.iter().flatten();
        results.filter(|result| result.unresolved > 0).count()
    }

    /// For each column the smallest row value at which the block overturned, as (column value, row value): the lower
    /// border.
    pub fn lower_border(&self) -> Vec<(f64, f64)> {
        let n = self.columns.len();
        let lowest = |column: usize| {
            (0..self.rows.len()).find(|row| self.classes[row * n + column].is_overturned())
        };
        (0..n)
            .filter_map(|c| lowest(c).map(|r| (self.columns[c], self.rows[r])))
            .collect()
    }

    /// The borders between overturned and not, as short lines between cells ((x, y), (x, y)) in the values of column
    /// and row.
    pub fn borders(&self) -> Vec<((f64, f64), (f64, f64))> {
        let n = self.columns.len();
        let fallen = |r: usize, c: usize| self.classes[r * n + c].is_overturned();
        let edge = |ticks: &[f64], k: usize| match (k, ticks.get(k)) {
            (0, _) => ticks[0],
            (_, Some(tick)) => 0.5 * (ticks[k - 1] + tick),
            (_, None) => ticks[k - 1],
        };
        let mut lines = Vec::new();
        for r in 0..self.rows.len() {
            for c in 0..n {
                if c + 1 < n && fallen(r, c) != fallen(r, c + 1) {
                    let x = edge(&self.columns, c + 1);
                    lines.push(((x, edge(&self.rows, r)), (x, edge(&self.rows, r + 1))));
                }
                if r + 1 < self.rows.len() && fallen(r, c) != fallen(r + 1, c) {
                    let y = edge(&self.rows, r + 1);
                    lines.push(((edge(&self.columns, c), y), (edge(&self.columns, c + 1), y)));
                }
            }
        }
        lines
    }
}

/// `count` values from `low` to `high` in equal steps.
pub fn linspace(low: f64, high: f64, count: usize) -> Vec<f64> {
    let last = count.saturating_sub(1).max(1) as f64;
    (0..count)
        .map(|k| low + (high - low) * k as f64 / last)
        .collect()
}
