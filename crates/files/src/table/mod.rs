//! CSV tables of field campaigns: rows by the names of their columns, between commas, semicolons or tabs.

pub mod marks;

pub mod sheet;

use std::collections::BTreeMap;
use std::path::Path;

use klast_numerics::ModelError;

use crate::foreign::{self, Wanted};
use crate::refusal::{Context as _, Kind, Refusal, Result, bail, ensure, refusal};
use crate::text::{ascii, excerpt};
use sheet::Sheet;

/// One row.
#[derive(Debug, Clone, Default)]
pub struct Row {
    cells: BTreeMap<String, String>,
    place: String,
}

/// Reads a table.
///
/// # Errors
/// A file that cannot be read or is no CSV with a header and a row.
pub fn read(path: &Path) -> Result<Vec<Row>> {
    rows(path, &crate::reading::bytes(path)?)
}

/// The table in the bytes of a file.
///
/// # Errors
/// What is no CSV with a header and a row: every row with another number of cells, columns of one name.
pub fn rows(path: &Path, bytes: &[u8]) -> Result<Vec<Row>> {
    let name = path.display().to_string();
    foreign::refuse(Wanted::Table, &name, bytes).with_context(|| name.clone())?;
    let text = ascii(bytes).with_context(|| name.clone())?;
    let Some(sheet) = Sheet::read(&text, false) else {
        bail!(Missing, "{name}: no rows"; "one or more");
    };
    let names = &sheet.names;
    let mut faults = Faults::default();
    for (k, column) in names.iter().enumerate() {
        if names[..k].contains(column) && !column.is_empty() {
            faults.add(format!(
                "{name}: two columns are called {column}; accepted: one"
            ));
        }
    }
    for line in sheet.uneven() {
        let (row, line, count) = (line.row, line.line, line.cells.len());
        faults.add(format!(
            "{name}: row {row} (line {line}): {count} cells; accepted: {}, as in the header",
            names.len()
        ));
    }
    faults.none()?;
    ensure!(!sheet.rows.is_empty(), Missing, "{name}: no rows"; "one or more");
    let rows = sheet.rows.into_iter().map(|line| Row {
        place: format!("{name}: row {}", line.row),
        cells: names
            .iter()
            .cloned()
            .zip(line.cells)
            .filter(|(column, cell)| !(column.is_empty() && cell.is_empty()))
            .collect(),
    });
    Ok(rows.collect())
}

/// What is said of a table without some of the columns that are needed.
#[must_use]
pub fn lacking<'a>(
    file: &str,
    rows: &[Row],
    needed: impl Iterator<Item = &'a str>,
) -> Option<String> {
    let row = rows.first()?;
    let lacking: Vec<&str> = needed.filter(|column| !row.has(column)).collect();
    let there: Vec<String> = row.columns().take(20).map(excerpt).collect();
    (!lacking.is_empty()).then(|| {
        format!(
            "{file}: no column {} (there are: {})",
            lacking.join(", "),
            there.join(", ")
        )
    })
}

/// What is wrong with tables, collected so that one error tells all of it.
#[derive(Debug, Clone, Default, thiserror::Error)]
#[error("{}", told.join("\n"))]
pub struct Faults {
    told: Vec<String>,
}

impl ModelError for Faults {}

impl Faults {
    /// More faults are not told at once.
    const MAX_FAULTS: usize = 20;

    /// Takes a fault.
    pub fn add(&mut self, fault: String) {
        self.told.push(fault);
    }

    /// The value, or none and its error among the faults.
    pub fn keep<T, E: std::fmt::Display>(&mut self, found: Result<T, E>) -> Option<T> {
        found.map_err(|error| self.add(format!("{error:#}"))).ok()
    }

    /// The faults, one by one.
    #[must_use]
    pub fn told(&self) -> &[String] {
        &self.told
    }

    /// Whether there is none yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    /// One error of all faults.
    ///
    /// # Errors
    /// If there is one.
    pub fn none(mut self) -> Result<()> {
        if self.told.is_empty() {
            return Ok(());
        }
        // A row of several tables may be asked twice.
        let mut seen = std::collections::HashSet::new();
        self.told.retain(|fault| seen.insert(fault.clone()));
        let more = self.told.len().saturating_sub(Self::MAX_FAULTS);
        self.told.truncate(Self::MAX_FAULTS);
        if more > 0 {
            self.told.push(format!("{more} more rows are wrong"));
        }
        Err(Refusal::new(Kind::Syntax, self.told.join("\n")))
    }
}

impl Row {
    /// Names of the columns, in alphabetical order.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.cells.keys().map(String::as_str)
    }

    /// Whether there is a column.
    #[must_use]
    pub fn has(&self, column: &str) -> bool {
        self.cells.contains_key(column)
    }

    /// File and row, for messages.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The text of a column.
    ///
    /// # Errors
    /// A table without it.
    pub fn word(&self, column: &str) -> Result<&str> {
        let cell = self.cells.get(column);
        let cell = cell.map(String::as_str);
        cell.ok_or_else(|| refusal!(Missing, "{}: no column '{column}'", self.place))
    }

    /// The number in a column.
    ///
    /// # Errors
    /// A table without it, or a text that is no finite number.
    pub fn number(&self, column: &str) -> Result<f64> {
        let text = self.word(column)?;
        let number = text.parse::<f64>().ok().filter(|x| x.is_finite());
        number.ok_or_else(|| refusal!(
            Value, "{}: column '{column}': '{text}'", self.place; "a finite number with a point before decimals"
        ))
    }

    /// Three numbers.
    ///
    /// # Errors
    /// As [`Row::number`].
    pub fn vector(&self, columns: [&str; 3]) -> Result<glam::DVec3> {
        let [x, y, z] = columns;
        Ok(glam::DVec3::new(
            self.number(x)?,
            self.number(y)?,
            self.number(z)?,
        ))
    }
}
