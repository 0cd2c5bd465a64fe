use serde::Serialize;

use crate::cell::{Acceptance, Cell, Tolerance, Value};
use crate::printed::{self, PrintedCell};
use crate::verdict::{Claim, Kind, Verdict};
use crate::{Column, Outcome, Picture, Row, Source, Table};

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
    /// Why the product does not give the value.
    pub not_reproduced: Option<String>,
    /// The band of our own, which is not the print's.
    pub acceptance: Option<Acceptance>,
    /// The verdict.
    pub verdict: Verdict,
    /// The printed number or statement for which the cell stands; none in a column that is not printed.
    pub printed: Option<PrintedCell>,
}

impl CellResult {
    /// The reason why the product does not give the value.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.erratum.as_deref().or(self.not_reproduced.as_deref())
    }
}

/// One row with its verdicts side by side: the worst of its cells of each claim, none where it has no such cell.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RowResult<'a> {
    /// The row's id.
    pub row: &'a str,
    /// What is printed.
    pub printed: Option<Verdict>,
    /// The exact reference.
    pub reference: Option<Verdict>,
    /// As shipped.
    pub shipped: Option<Verdict>,
    /// A bar or pinned value of our own.
    pub own: Option<Verdict>,
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

    /// Its cells, each with the document to which its printed number belongs.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (&str, &CellResult)> {
        self.cells
            .iter()
            .map(|c| (self.source.document.as_str(), c))
    }

    /// The verdicts of every row, in the order of the table.
    #[must_use]
    pub fn rows(&self) -> Vec<RowResult<'_>> {
        let mut rows: Vec<RowResult> = Vec::new();
        for cell in &self.cells {
            if rows.last().is_none_or(|r| r.row != cell.row) {
                rows.push(RowResult {
                    row: &cell.row,
                    printed: None,
                    reference: None,
                    shipped: None,
                    own: None,
                });
            }
            let Some(row) = rows.last_mut() else { continue };
            let verdict = match cell.kind.claim() {
                Claim::Printed => &mut row.printed,
                Claim::Reference => &mut row.reference,
                Claim::Shipped => &mut row.shipped,
                Claim::Own => &mut row.own,
            };
            *verdict = (*verdict).max(Some(cell.verdict));
        }
        rows
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
    let verdict = judge(computed, cell, tolerance, column.kind.claim());
    let allowed = match cell.value() {
        Value::Number(v) => tolerance.map(|t| t.bound(*v)),
        Value::Range([from, to]) => tolerance.map(|t| t.bound(from.abs().min(to.abs()))),
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
        not_reproduced: cell.not_reproduced().map(str::to_owned),
        acceptance: cell.acceptance().cloned(),
        verdict,
        printed: printed::judge(&table.id, (row, column, cell), computed, verdict),
    }
}

fn judge(
    computed: Option<&Value>,
    cell: &Cell,
    tolerance: Option<&Tolerance>,
    claim: Claim,
) -> Verdict {
    let Some(computed) = computed else {
        return Verdict::Missing;
    };
    let Some(agrees) = agree(computed, cell.value(), tolerance) else {
        return Verdict::Invalid;
    };
    if cell.acceptance().is_some_and(|band| !band.holds(computed)) {
        return Verdict::OutsideAcceptance;
    }
    match (agrees, cell.erratum(), cell.not_reproduced()) {
        (true, None, None) => match claim {
            Claim::Printed => Verdict::Reproduced,
            Claim::Reference => Verdict::Exact,
            Claim::Shipped => Verdict::AsShipped,
            Claim::Own => Verdict::Kept,
        },
        (true, ..) => Verdict::AgreesAfterAll,
        (false, Some(_), _) => Verdict::Misprint,
        (false, None, Some(_)) => Verdict::NotReproduced,
        (false, None, None) => Verdict::Fail,
    }
}

/// Whether two values agree within the tolerance; none if they cannot be compared.
fn agree(computed: &Value, expected: &Value, tolerance: Option<&Tolerance>) -> Option<bool> {
    match (computed, expected) {
        (Value::Number(c), Value::Number(e)) => {
            let bound = tolerance?.bound(*e);
            (c.is_finite() && bound.is_finite()).then(|| (c - e).abs() <= bound)
        }
        (Value::Number(c), Value::Range([from, to])) => {
            let bound = tolerance.map_or(0.0, |t| t.bound(from.abs().min(to.abs())));
            let within = (from - bound..=to + bound).contains(c);
            (c.is_finite() && bound.is_finite()).then_some(within)
        }
        (Value::Word(c), Value::Word(e)) => Some(c == e),
        _ => None,
    }
}
