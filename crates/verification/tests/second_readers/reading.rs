//! A table of the product as a second reader sees it: each value that it derives by itself is held against the cell.

use std::collections::BTreeSet;

use klast_comparison::{Claim, Table, Value};

/// Size (in the unit of the cell) below which a tolerance is absolute. Cells of small numbers are given tolerances of
/// their own size.
const FLOOR: f64 = 1.0;

/// A table without a reader: for its inputs.
pub fn table(id: &str) -> Table {
    let suite = klast_verification::suite().unwrap();
    let chosen = suite.chosen(Some(id)).unwrap();
    chosen.into_iter().find(|t| t.id == id).unwrap().clone()
}

/// A table, the test that reads it and the cells that were read. Its end holds that the test read as many derived
/// values as the table states.
pub struct Reading {
    pub table: Table,
    test: &'static str,
    read: BTreeSet<(String, String)>,
}

impl Reading {
    pub fn open(id: &str, test: &'static str) -> Self {
        Self {
            table: table(id),
            test,
            read: BTreeSet::new(),
        }
    }

    fn value(&self, row: &str, column: &str) -> Option<&Value> {
        let row = self.table.rows.iter().find(|r| r.id == row)?;
        Some(row.values.get(column)?.value())
    }

    /// Names of the rows that begin so.
    pub fn rows(&self, beginning: &str) -> Vec<String> {
        let ids = self.table.rows.iter().map(|r| &r.id);
        ids.filter(|id| id.starts_with(beginning))
            .cloned()
            .collect()
    }

    /// The number in a cell, if the row has that column.
    pub fn number(&self, row: &str, column: &str) -> Option<f64> {
        match self.value(row, column)? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The word in a cell, if the row has that column.
    pub fn word(&self, row: &str, column: &str) -> Option<String> {
        match self.value(row, column)? {
            Value::Word(word) => Some(word.clone()),
            _ => None,
        }
    }

    /// Holds a derived value against a cell that must be there, to a tolerance relative to the cell, or absolute below
    /// 1.
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

    /// The same to the tolerance of the table, where that says what two right programs differ by.
    pub fn agrees(&mut self, row: &str, column: &str, derived: f64) {
        let found = self.table.rows.iter().find(|r| r.id == row).unwrap();
        let tolerance = self.table.tolerance(column, &found.values[column]).unwrap();
        let bound = tolerance.bound(derived);
        let found = self.number(row, column).unwrap();
        assert!(
            (derived - found).abs() <= bound,
            "{}: {row}, {column}: {found}; derived {derived}",
            self.table.id
        );
        self.read.insert((row.to_owned(), column.to_owned()));
    }

    /// The same where there is such a cell.
    pub fn may_agree(&mut self, row: &str, column: &str, derived: f64) {
        if self.number(row, column).is_some() {
            self.agrees(row, column, derived);
        }
    }

    /// The same for a word.
    pub fn says(&mut self, row: &str, column: &str, derived: &str) {
        let found = self.value(row, column).cloned();
        assert_eq!(
            found,
            Some(derived.into()),
            "{}: {row}, {column}",
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

    /// How many derived values were read, and how many the table states for this test.
    fn counts(&self) -> (usize, Option<usize>) {
        let derived = |column: &str| {
            let mut columns = self.table.columns.iter();
            columns.any(|c| c.id == column && c.kind.claim() == Claim::Reference)
        };
        let read = self.read.iter().filter(|(_, column)| derived(column));
        let name = format!("::{}", self.test);
        let mut readers = self.table.source.second_readers.iter();
        let stated = readers.find(|r| r.test.ends_with(&name)).map(|r| r.cells);
        (read.count(), stated)
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let (read, stated) = self.counts();
            assert_eq!(
                stated,
                Some(read),
                "{}: derived values that {} reads",
                self.table.id,
                self.test
            );
        }
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
