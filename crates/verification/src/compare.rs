use serde::Serialize;

use crate::{Cell, Column, Kind, Outcome, Picture, Row, Source, Table, Tolerance, Value};

/// What became of one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Within the tolerance.
    Pass,
    /// A printed value known to be wrong, and outside the tolerance as it should be.
    Erratum,
    /// Outside the tolerance.
    Fail,
    /// A known error that agrees after all: the erratum itself is wrong.
    ErratumAgrees,
    /// The case computed nothing for the cell.
    Missing,
    /// The case computed a number that is not finite, or a word for a number.
    Invalid,
}

impl Verdict {
    /// Whether the run may pass with it.
    #[must_use]
    pub fn holds(self) -> bool {
        matches!(self, Verdict::Pass | Verdict::Erratum)
    }
}

/// One cell, judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellResult {
    /// The manual.
    pub manual: String,
    /// The table's id.
    pub table: String,
    /// The row's id.
    pub row: String,
    /// The quantity.
    pub quantity: String,
    /// Its unit.
    pub unit: String,
    /// Column: the exact reference, or the program that printed the value.
    pub column: String,
    /// What stands behind the column.
    pub kind: Kind,
    /// The computed series that was compared.
    pub series: String,
    /// What was computed.
    pub computed: Option<Value>,
    /// What was expected.
    pub expected: Value,
    /// Allowed difference, in the unit of the row; none for words.
    pub allowed: Option<f64>,
    /// The reason for the tolerance.
    pub why: Option<String>,
    /// Why the printed value is known to be wrong.
    pub erratum: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
}

/// One table, judged.
#[derive(Debug, Clone, Serialize)]
pub struct TableResult {
    /// The table's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its claim.
    pub claim: String,
    /// Where its figures come from.
    pub source: Source,
    /// Its cells; empty if the case failed as a whole.
    pub cells: Vec<CellResult>,
    /// Why the case failed as a whole.
    pub error: Option<String>,
    /// Remarks of the case.
    pub notes: Vec<String>,
    /// Pictures of the case.
    #[serde(skip)]
    pub pictures: Vec<Picture>,
    /// Time taken in seconds.
    pub seconds: f64,
}

impl TableResult {
    /// Every cell holds and nothing failed as a whole.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.error.is_none()
            && !self.cells.is_empty()
            && self.cells.iter().all(|c| c.verdict.holds())
    }
}

/// Judges every cell of a table.
pub(crate) fn compare(table: &Table, outcome: &Outcome) -> Vec<CellResult> {
    let mut results = Vec::with_capacity(table.cells);
    for row in &table.rows {
        for column in &table.columns {
            if let Some(cell) = row.values.get(&column.id) {
                results.push(judge_cell(table, row, column, cell, outcome));
            }
        }
    }
    results
}

fn judge_cell(
    table: &Table,
    row: &Row,
    column: &Column,
    cell: &Cell,
    outcome: &Outcome,
) -> CellResult {
    let tolerance = table.tolerance(&column.id, cell);
    let computed = outcome.get(&row.id, &column.against);
    let verdict = judge(computed, cell.value(), tolerance, cell.erratum().is_some());
    let allowed = match cell.value() {
        Value::Number(v) => tolerance.map(|t| t.bound(*v)),
        Value::Word(_) => None,
    };
    CellResult {
        manual: table.manual().to_owned(),
        table: table.id.clone(),
        row: row.id.clone(),
        quantity: row.quantity.clone(),
        unit: row.unit.clone(),
        column: column.id.clone(),
        kind: column.kind,
        series: column.against.clone(),
        computed: computed.cloned(),
        expected: cell.value().clone(),
        allowed,
        why: tolerance.map(|t| t.why.clone()),
        erratum: cell.erratum().map(str::to_owned),
        verdict,
    }
}

fn judge(
    computed: Option<&Value>,
    expected: &Value,
    tolerance: Option<&Tolerance>,
    erratum: bool,
) -> Verdict {
    let agrees = match (computed, expected) {
        (None, _) => return Verdict::Missing,
        (Some(Value::Number(c)), Value::Number(e)) => {
            let Some(bound) = tolerance.map(|t| t.bound(*e)) else {
                return Verdict::Invalid;
            };
            if !c.is_finite() || !bound.is_finite() {
                return Verdict::Invalid;
            }
            (c - e).abs() <= bound
        }
        (Some(Value::Word(c)), Value::Word(e)) => c == e,
        _ => return Verdict::Invalid,
    };
    match (agrees, erratum) {
        (true, false) => Verdict::Pass,
        (false, false) => Verdict::Fail,
        (true, true) => Verdict::ErratumAgrees,
        (false, true) => Verdict::Erratum,
    }
}
