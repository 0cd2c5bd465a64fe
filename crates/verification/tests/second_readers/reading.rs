//! A table of the product as a second reader sees it: each value that it derives by itself is held against the cell.

use std::collections::BTreeSet;

use klast_verification::{Suite, Table, Value, registry};

/// Size (in the unit of the cell) below which a tolerance is absolute. Cells of small numbers are given tolerances of their
/// own size.
const FLOOR: f64 = 1.0;

/// A table and the cells that were read.
pub struct Reading {
    pub table: Table,
    read: BTreeSet<(String, String)>,
}

impl Reading {
    pub fn open(id: &str) -> Self {
        let suite = Suite::embedded(&registry::cases()).unwrap();
        let chosen = suite.chosen(Some(id)).unwrap();
        let table = chosen.into_iter().find(|t| t.id == id).unwrap().clone();
        Self {
            table,
            read: BTreeSet::new(),
        }
    }

    /// The number in a cell, if the row has that column.
    pub fn number(&self, row: &str, column: &str) -> Option<f64> {
        let row = self.table.rows.iter().find(|r| r.id == row)?;
        match row.values.get(column)?.value() {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Holds a derived value against a cell that must be there, to a tolerance relative to the cell, or absolute below 1.
    pub fn holds(&mut self, row: &str, column: &str, derived: f64, tolerance: f64) {
        let found = self.number(row, column);
        let found = found.unwrap_or_else(|| panic!("{}: no number {row}, {column}", self.table.id));
        assert!(
            (derived - found).abs() <= tolerance * found.abs().max(FLOOR),
            "{}: {row}, {column}: {found}; derived {derived}",
            self.table.id
        );
        self.read.insert((row.to_owned(), column.to_owned()));
    }

    /// The same where there is such a cell.
    pub fn may_hold(&mut self, row: &str, column: &str, derived: f64, tolerance: f64) {
        if self.number(row, column).is_some() {
            self.holds(row, column, derived, tolerance);
        }
    }

    /// Every cell of a column was read, but for those of rows whose name contains one of these.
    pub fn whole(&self, column: &str, but_for: &[&str]) {
        for row in self
            .table
            .rows
            .iter()
            .filter(|r| r.values.contains_key(column))
        {
            let cell = (row.id.clone(), column.to_owned());
            let left = but_for.iter().any(|part| row.id.contains(part));
            assert!(
                left || self.read.contains(&cell),
                "{}: {cell:?} was not read",
                self.table.id
            );
        }
        assert!(!self.read.is_empty(), "{}: nothing was read", self.table.id);
    }

    pub fn input(&self, path: &str) -> f64 {
        self.table.input(path).unwrap()
    }

    pub fn inputs<T: serde::de::DeserializeOwned>(&self, path: &str) -> T {
        self.table.input_as(path).unwrap()
    }
}

/// The first zero of a gap that is open at the start: looked for in steps of a millisecond (of a unit of time), then by
/// halving.
pub fn first_zero(gap: impl Fn(f64) -> f64) -> f64 {
    let mut t = 1e-3;
    while gap(t) > 0.0 {
        t += 1e-3;
    }
    let (mut low, mut high) = (t - 1e-3, t);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match gap(middle) > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    high
}
