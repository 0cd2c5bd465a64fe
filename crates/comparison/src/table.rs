use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::cell::{Cell, Tolerance, Value};
use crate::print::{Print, Shown};
use crate::verdict::{Claim, Kind};

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
    /// Derivations that are independent of the first: each table with derived values names one at least.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub second_readers: Vec<SecondReader>,
}

/// A test that derives the law of a table, or its values, by another formulation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecondReader {
    /// `<file of tests>::<test>`.
    pub test: String,
    /// The other formulation.
    pub how: String,
    /// How many derived values of this table the test derives again; with 0 it tests the law only. The test itself
    /// counts them and fails on another number.
    pub cells: usize,
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
    /// Of a printed or measured column: which printed numbers it has, and what the case is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<Print>,
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
    /// Where its printed cells differ from what their columns say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<Print>,
}

/// A table of expected values: one file of `verification/<manual>/`.
///
/// Keys: `schema` (1), `id` (`<manual>/<file name>`), `title`, `claim`, `source` {`document`, `place`, `obtained`,
/// `second_readers` [{`test`, `how`, `cells`}]}, `inputs` (free, units in every key), `columns` [{`id`, `kind` (see
/// [`Kind`]), `against`, `tolerance`, `printed`}], `rows` [{`id`, `quantity`, `unit`, `values` {column: value |
/// {`value`, `tolerance`, `erratum`, `not_reproduced`, `acceptance`}}, `printed`}], where `printed` is {`at`, `column`,
/// `shown`, `inputs`, `settings`, `last_digit`} (see [`Print`]), `cells` (the number of expected values, asserted, so
/// that none can drop out), `full` (true: only with `--full`) and `core_minutes` (what a long table costs).
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
    /// What a long table costs, in minutes of one core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core_minutes: Option<f64>,
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
        let columns: BTreeMap<_, _> = self.columns.iter().map(|c| (c.id.as_str(), c)).collect();
        ensure!(
            columns.len() == self.columns.len(),
            "two columns share a name"
        );
        for column in &self.columns {
            let printed = column.kind.claim() == Claim::Printed;
            let place = || format!("column '{}'", column.id);
            let said = column.printed.as_ref();
            ensure!(
                said.and_then(|p| p.inputs).is_some() == printed,
                "{}: accepted: 'printed' with 'inputs' in a column of printed or measured values, and in no other",
                place()
            );
            said.map_or(Ok(()), Print::check).with_context(place)?;
        }
        let cost = self.core_minutes.unwrap_or(0.0);
        ensure!(
            cost.is_finite() && cost >= 0.0 && (self.core_minutes.is_some() || !self.full),
            "core_minutes {:?}; accepted: the cost of a table that is 'full', in minutes of one core",
            self.core_minutes
        );
        let mut rows = BTreeSet::new();
        for row in &self.rows {
            ensure!(rows.insert(&row.id), "two rows are called '{}'", row.id);
            ensure!(!row.values.is_empty(), "row '{}' expects nothing", row.id);
            let said = row.printed.as_ref();
            said.map_or(Ok(()), Print::check)
                .with_context(|| format!("row '{}'", row.id))?;
            for (name, cell) in &row.values {
                let Some(column) = columns.get(name.as_str()) else {
                    bail!("row '{}': no column '{name}'", row.id);
                };
                self.check_cell(row, column, cell)?;
            }
        }
        let found: usize = self.rows.iter().map(|r| r.values.len()).sum();
        ensure!(
            found == self.cells,
            "{found} cells; accepted: the stated {}",
            self.cells
        );
        ensure!(found > 0, "no cell");
        let (again, derived) = (self.derived_again(), self.claims(Claim::Reference));
        ensure!(
            again <= derived,
            "second readers of {again} cells; accepted: at most the {derived} that are derived"
        );
        Ok(())
    }

    fn check_cell(&self, row: &Row, column: &Column, cell: &Cell) -> Result<()> {
        let place = || format!("row '{}', column '{}'", row.id, column.id);
        cell.check(column.kind.claim()).with_context(place)?;
        if column.kind.claim() == Claim::Printed {
            shown(row, column, cell).with_context(place)?;
        }
        let magnitude = match cell.value() {
            Value::Number(value) => value.abs(),
            // The printed range is the band; rounding may widen it.
            Value::Range([from, to]) => from.abs().min(to.abs()),
            Value::Word(_) => return Ok(()),
        };
        let Some(tolerance) = self.tolerance(&column.id, cell) else {
            ensure!(
                matches!(cell.value(), Value::Range(_)),
                "{}: a number without a tolerance",
                place()
            );
            return Ok(());
        };
        let bound = tolerance.bound(magnitude);
        ensure!(
            bound.is_finite() && bound > 0.0 && tolerance.abs >= 0.0 && tolerance.rel >= 0.0,
            "{}: tolerance {bound}; accepted: finite and positive",
            place()
        );
        ensure!(
            !tolerance.why.trim().is_empty(),
            "{}: a tolerance without a reason",
            place()
        );
        Ok(())
    }

    /// The tolerance that judges a cell.
    #[must_use]
    pub fn tolerance<'a>(&'a self, column: &str, cell: &'a Cell) -> Option<&'a Tolerance> {
        cell.own_tolerance().or_else(|| {
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

    /// How many cells make this claim.
    #[must_use]
    pub fn claims(&self, claim: Claim) -> usize {
        let of = |column: &&Column| column.kind.claim() == claim;
        let cells = |c: &Column| {
            self.rows
                .iter()
                .filter(|r| r.values.contains_key(&c.id))
                .count()
        };
        self.columns.iter().filter(of).map(cells).sum()
    }

    /// How many of the derived values the second readers derive again.
    #[must_use]
    pub fn derived_again(&self) -> usize {
        self.source.second_readers.iter().map(|r| r.cells).sum()
    }

    /// The cells of printed and measured columns, each with the place of its printed number and what is shown there.
    pub fn printed(&self) -> impl Iterator<Item = (&Row, &Column, String, Shown)> {
        let columns = self.columns.iter();
        let columns = columns.filter(|c| c.kind.claim() == Claim::Printed);
        columns.flat_map(move |column| {
            self.rows.iter().filter_map(move |row| {
                let shown = shown(row, column, row.values.get(&column.id)?).ok()?;
                Some((row, column, place(&self.id, row, column), shown))
            })
        })
    }

    /// Whether a document shows a number or states an outcome in a row whose name begins so; a formula that we evaluate
    /// and an input that comes back are neither.
    #[must_use]
    pub fn shows(&self, beginning: &str) -> bool {
        self.printed().any(|(row, _, _, shown)| {
            row.id.starts_with(beginning) && matches!(shown, Shown::Number | Shown::Statement)
        })
    }

    /// The manual: the first part of the id.
    #[must_use]
    pub fn manual(&self) -> &str {
        self.id.split('/').next().unwrap_or(&self.id)
    }
}

/// What a cell of this row and column shows.
pub(crate) fn shown(row: &Row, column: &Column, cell: &Cell) -> Result<Shown> {
    let said = row.printed.as_ref().and_then(|p| p.shown);
    let said = said.or(column.printed.as_ref().and_then(|p| p.shown));
    match (said, cell.value()) {
        (Some(Shown::Number), Value::Word(word)) => {
            anyhow::bail!("shown number, but the cell is '{word}'; accepted: a number or a range")
        }
        (Some(shown), _) => Ok(shown),
        (None, Value::Number(_)) => Ok(Shown::Number),
        (None, Value::Word(_)) => Ok(Shown::Statement),
        (None, Value::Range(_)) => anyhow::bail!(
            "a range without 'shown'; accepted: 'number' if the document prints its ends, 'statement' if they are ours"
        ),
    }
}

/// The place in the document of the printed number of a cell: said by its row, or its row and printed column.
pub(crate) fn place(table: &str, row: &Row, column: &Column) -> String {
    if let Some(at) = row.printed.as_ref().and_then(|p| p.at.clone()) {
        return at;
    }
    let said = column.printed.as_ref().and_then(|p| p.column.as_ref());
    format!("{table}#{} [{}]", row.id, said.unwrap_or(&column.id))
}
