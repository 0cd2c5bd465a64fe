use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};

/// What stands behind a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// An exact solution, or an independent computation converged to rounding.
    ClosedForm,
    /// Printed in a publication.
    Published,
    /// What another program prints.
    Peer,
    /// Measured.
    Experiment,
}

/// Where the figures come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The document: author, title, year.
    pub document: String,
    /// Table, figure or equation.
    pub place: String,
    /// How the figures were obtained: typed in, derived, computed with what.
    pub obtained: String,
}

/// An allowed difference: `|computed − expected| ≤ max(abs, rel · |expected|)`.
///
/// Equal `abs` and `rel` therefore mean `tolerance · max(1, |expected|)`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// Absolute part, in the unit of the row.
    pub abs: f64,
    /// Relative part.
    #[serde(default)]
    pub rel: f64,
    /// The reason for the size.
    pub why: String,
}

impl Tolerance {
    /// The allowed difference at an expected value.
    #[must_use]
    pub fn bound(&self, expected: f64) -> f64 {
        self.abs.max(self.rel * expected.abs())
    }
}

/// A number, or a word (an outcome, a class, a sequence of names).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Compared within the tolerance.
    Number(f64),
    /// Compared letter by letter.
    Word(String),
}

impl From<f64> for Value {
    fn from(v: f64) -> Self {
        Value::Number(v)
    }
}

impl From<&str> for Value {
    fn from(v: &str) -> Self {
        Value::Word(v.to_owned())
    }
}

impl From<String> for Value {
    fn from(v: String) -> Self {
        Value::Word(v)
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(v) => write!(f, "{v}"),
            Value::Word(v) => write!(f, "{v}"),
        }
    }
}

/// One expected value, bare or with a tolerance of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// Judged by the column's tolerance.
    Bare(Value),
    /// Judged by its own.
    Full(FullCell),
}

/// A cell with more to say than its value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FullCell {
    /// The expected value.
    pub value: Value,
    /// Its own tolerance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Tolerance>,
    /// Why the printed value is wrong. Such a cell must NOT agree: a known error that goes away is news.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub erratum: Option<String>,
}

impl Cell {
    /// The expected value.
    #[must_use]
    pub fn value(&self) -> &Value {
        match self {
            Cell::Bare(value) => value,
            Cell::Full(full) => &full.value,
        }
    }

    /// The reason why the printed value is known to be wrong.
    #[must_use]
    pub fn erratum(&self) -> Option<&str> {
        match self {
            Cell::Bare(_) => None,
            Cell::Full(full) => full.erratum.as_deref(),
        }
    }

    fn tolerance(&self) -> Option<&Tolerance> {
        match self {
            Cell::Bare(_) => None,
            Cell::Full(full) => full.tolerance.as_ref(),
        }
    }
}

/// One kind of expected value, for all rows that have it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Name, for example of the program that printed it.
    pub id: String,
    /// What stands behind it.
    pub kind: Kind,
    /// The computed series that it is held against.
    pub against: String,
    /// The tolerance of cells without their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Tolerance>,
}

/// One quantity with its expected values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Name, unique in the table.
    pub id: String,
    /// The quantity, as a reader would write it.
    pub quantity: String,
    /// Its unit; `-` without one.
    pub unit: String,
    /// Expected values by column.
    pub values: BTreeMap<String, Cell>,
}

/// A table of expected values: one file of `verification/<manual>/`.
///
/// Keys: `schema` (1), `id` (`<manual>/<file name>`), `title`, `claim`, `source`
/// {`document`, `place`, `obtained`}, `inputs` (free, units in every key), `columns`
/// [{`id`, `kind` (closed_form, published, peer, experiment), `against`, `tolerance`}], `rows`
/// [{`id`, `quantity`, `unit`, `values` {column: value | {`value`, `tolerance`, `erratum`}}}],
/// `cells` (the number of expected values, asserted, so that none can drop out) and `full`
/// (true: only with `--full`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Version of the format.
    pub schema: u32,
    /// `<manual>/<file name without ending>`.
    pub id: String,
    /// A short title.
    pub title: String,
    /// What the table claims of the product.
    pub claim: String,
    /// Where the figures come from.
    pub source: Source,
    /// Inputs of the case.
    #[serde(default)]
    pub inputs: serde_json::Value,
    /// Kinds of expected value.
    pub columns: Vec<Column>,
    /// Quantities.
    pub rows: Vec<Row>,
    /// How many expected values there are.
    pub cells: usize,
    /// Too long for the everyday run.
    #[serde(default)]
    pub full: bool,
}

impl Table {
    /// Reads and checks one table; `id` is what its place in the folder makes it.
    ///
    /// # Errors
    /// Anything that is not as [`Table`] says, with the file and what is accepted.
    pub fn read(path: &Path, id: &str) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("{}: cannot be read", path.display()))?;
        Self::parse(&text, id).with_context(|| path.display().to_string())
    }

    /// The same from text.
    ///
    /// # Errors
    /// Anything that is not as [`Table`] says.
    pub fn parse(text: &str, id: &str) -> Result<Self> {
        let table: Table = serde_json::from_str(text)?;
        ensure!(table.schema == 1, "schema {}; accepted: 1", table.schema);
        ensure!(
            table.id == id,
            "id '{}'; accepted: '{id}', its place",
            table.id
        );
        table.check()?;
        Ok(table)
    }

    fn check(&self) -> Result<()> {
        let columns: BTreeSet<_> = self.columns.iter().map(|c| c.id.as_str()).collect();
        ensure!(
            columns.len() == self.columns.len(),
            "two columns share a name"
        );
        let mut rows = BTreeSet::new();
        for row in &self.rows {
            ensure!(rows.insert(&row.id), "two rows are called '{}'", row.id);
            ensure!(!row.values.is_empty(), "row '{}' expects nothing", row.id);
            for (name, cell) in &row.values {
                ensure!(
                    columns.contains(name.as_str()),
                    "row '{}': no column '{name}'",
                    row.id
                );
                self.check_cell(&row.id, name, cell)?;
            }
        }
        let found: usize = self.rows.iter().map(|r| r.values.len()).sum();
        ensure!(
            found == self.cells,
            "{found} cells; accepted: the stated {}",
            self.cells
        );
        ensure!(found > 0, "no cell");
        Ok(())
    }

    fn check_cell(&self, row: &str, column: &str, cell: &Cell) -> Result<()> {
        let Value::Number(value) = cell.value() else {
            return Ok(());
        };
        ensure!(
            value.is_finite(),
            "row '{row}', column '{column}': not finite"
        );
        let Some(tolerance) = self.tolerance(column, cell) else {
            bail!("row '{row}', column '{column}': a number without a tolerance");
        };
        let bound = tolerance.bound(*value);
        ensure!(
            bound.is_finite() && bound > 0.0 && tolerance.abs >= 0.0 && tolerance.rel >= 0.0,
            "row '{row}', column '{column}': tolerance {bound}; accepted: finite and positive"
        );
        ensure!(
            !tolerance.why.trim().is_empty(),
            "row '{row}', column '{column}': a tolerance without a reason"
        );
        Ok(())
    }

    /// The tolerance that judges a cell.
    #[must_use]
    pub fn tolerance<'a>(&'a self, column: &str, cell: &'a Cell) -> Option<&'a Tolerance> {
        cell.tolerance().or_else(|| {
            let column = self.columns.iter().find(|c| c.id == column)?;
            column.tolerance.as_ref()
        })
    }

    /// A number among the inputs, by its path (`block/width_m`).
    ///
    /// # Errors
    /// If it is not there or not a number.
    pub fn input(&self, path: &str) -> Result<f64> {
        self.inputs
            .pointer(&format!("/{path}"))
            .and_then(serde_json::Value::as_f64)
            .with_context(|| format!("{}: input '{path}' is not a number", self.id))
    }

    /// Any part of the inputs as a type, by its path; the empty path is all of them.
    ///
    /// # Errors
    /// If it is not there or of another form.
    pub fn input_as<T: serde::de::DeserializeOwned>(&self, path: &str) -> Result<T> {
        let pointer = if path.is_empty() {
            String::new()
        } else {
            format!("/{path}")
        };
        let value = self.inputs.pointer(&pointer);
        let value = value.with_context(|| format!("{}: no input '{path}'", self.id))?;
        serde_json::from_value(value.clone())
            .with_context(|| format!("{}: input '{path}'", self.id))
    }

    /// The manual: the first part of the id.
    #[must_use]
    pub fn manual(&self) -> &str {
        self.id.split('/').next().unwrap_or(&self.id)
    }
}
