//! The items of a document, judged by what ran.

use super::{Document, Item, ItemResult, ItemVerdict, parts};
use crate::count::Count;
use crate::distinct::Distinct;
use crate::print::Shown;
use crate::report::{more, not_shown, short, told};
use crate::verdict::Claim;
use crate::{CellResult, Report, TableResult, Value};
use std::collections::BTreeMap;

impl Document {
    /// Judges every item, or those that a filter names, by what ran.
    #[must_use]
    pub fn judge(&self, report: &Report, filter: Option<&str>) -> Vec<ItemResult> {
        let tables: BTreeMap<&str, &TableResult> =
            report.tables.iter().map(|t| (t.id.as_str(), t)).collect();
        let judge = |item: &Item| judge(self, item, &tables, &report.skipped);
        match filter {
            None => self.items.iter().map(judge).collect(),
            Some(filter) => self.named(filter).into_iter().map(judge).collect(),
        }
    }
}

/// What the product does not give, a sentence a reason: the first quantity with both values, how many more, and why.
fn differences(cells: &[&CellResult]) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<&CellResult>)> = Vec::new();
    for cell in cells.iter().filter(|c| !c.verdict.agrees()) {
        let reason = cell.reason().unwrap_or("nothing explains it");
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, with)) => with.push(cell),
            None => reasons.push((reason, vec![cell])),
        }
    }
    let sentence = |(reason, with): (&str, Vec<&CellResult>)| {
        let first = with[0];
        let unit = match first.unit.as_str() {
            "-" => String::new(),
            unit => format!(" {unit}"),
        };
        let theirs = match first.printed.as_ref().map(|p| p.shown) {
            Some(Shown::Number | Shown::Echo) => "shown",
            Some(Shown::Statement) if !matches!(first.expected, Value::Word(_)) => {
                "our reading of the statement"
            }
            Some(Shown::Statement) => "stated",
            Some(Shown::Formula) => "by the printed formula",
            None if first.kind.claim() == Claim::Reference => "reference",
            None => "expected",
        };
        let more = match with.len() {
            1 => String::new(),
            n => format!("; {}", more(n)),
        };
        format!(
            "{} ({theirs} {}{unit}, ours {}{unit}{more}): {reason}",
            first.quantity,
            told(&first.expected),
            short(first.computed.as_ref())
        )
    };
    reasons.into_iter().map(sentence).collect()
}

/// The verdict on numbers and statements, of which there is one at least.
fn of_shown(numbers: Distinct, statements: Distinct) -> ItemVerdict {
    let (of, met) = (numbers.of + statements.of, numbers.met() + statements.met());
    match (met == of, numbers.fitted + statements.fitted) {
        (true, 0) => ItemVerdict::Reproduced,
        (true, _) => ItemVerdict::WithFitted,
        (false, _) if met > 0 => ItemVerdict::InPart,
        (false, _) => ItemVerdict::NotReproduced,
    }
}

fn judge(
    document: &Document,
    item: &Item,
    tables: &BTreeMap<&str, &TableResult>,
    skipped: &[String],
) -> ItemResult {
    let mut placed: Vec<(&str, &CellResult)> = Vec::new();
    let mut because = Vec::new();
    let (mut failed, mut waits) = (false, false);
    for selector in &item.rows {
        let (id, row) = parts(selector);
        let Some(table) = tables.get(id) else {
            waits |= skipped.iter().any(|s| s == id);
            failed |= !waits;
            continue;
        };
        let before = placed.len();
        placed.extend(table.placed().filter(|(_, c)| c.row.starts_with(row)));
        if placed.len() == before {
            failed = true;
            because.push(format!("{selector}: no row"));
        }
    }
    for selector in &item.pictures {
        let (id, name) = parts(selector);
        match tables.get(id) {
            Some(table) if table.pictures.iter().any(|p| p.name == name) => {}
            None if skipped.iter().any(|s| s == id) => waits = true,
            _ => {
                failed = true;
                because.push(format!("{selector}: no such picture"));
            }
        }
    }
    let cells: Vec<&CellResult> = placed.iter().map(|(_, cell)| *cell).collect();
    because.extend(differences(&cells));
    failed |= cells.iter().any(|c| !c.verdict.holds());
    let counts = Claim::ALL.map(|claim| Count::new(cells.iter().copied(), claim));
    let distinct = |kind| Distinct::new(placed.iter().copied(), kind);
    let (numbers, statements) = (distinct(Shown::Number), distinct(Shown::Statement));
    let verdict = match () {
        () if failed => ItemVerdict::Failed,
        () if numbers.of + statements.of > 0 => of_shown(numbers, statements),
        () if !cells.is_empty() => ItemVerdict::Computed,
        () if waits => ItemVerdict::LeftToFull,
        () if !item.pictures.is_empty() => ItemVerdict::Drawn,
        () => ItemVerdict::NotComputed,
    };
    because.extend(item.reason.clone());
    ItemResult {
        document: document.document.clone(),
        title: document.title.clone(),
        item: item.clone(),
        verdict,
        numbers,
        statements,
        not_shown: not_shown(cells.iter().copied()),
        counts,
        because,
    }
}
