//! Words that several pages share.

use crate::count::Count;
use crate::distinct::Distinct;
use crate::print::Shown;
use crate::verdict::Claim;
use crate::{CellResult, SecondReader, TableResult, Value};
use std::collections::BTreeMap;

/// Tables by the folder they stand in, in the order of their ids.
pub(super) fn by_manual(tables: &[TableResult]) -> BTreeMap<&str, Vec<&TableResult>> {
    let mut manuals: BTreeMap<&str, Vec<&TableResult>> = BTreeMap::new();
    for table in tables {
        let manual = table.id.split('/').next().unwrap_or_default();
        manuals.entry(manual).or_default().push(table);
    }
    manuals
}

pub(super) fn heading(manual: &str) -> String {
    let mut words = manual.replace('_', " ");
    if let Some(first) = words.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// The distinct numbers and statements that are shown, by class: `24 numbers: 1 met with stated inputs, 23 with fitted
/// settings`; then how many cells repeat an input or evaluate a printed formula.
pub(super) fn shown(numbers: Distinct, statements: Distinct) -> Vec<String> {
    let part = |count: Distinct, word: &str| {
        let s = if count.of == 1 { "" } else { "s" };
        (count.of > 0).then(|| format!("{} {word}{s}: {}", count.of, count.words()))
    };
    let parts = [part(numbers, "number"), part(statements, "statement")];
    parts.into_iter().flatten().collect()
}

/// Cells that evaluate a printed formula or repeat an input, which are no printed numbers: `8/10 of printed formulas`.
pub(crate) fn not_shown<'a>(cells: impl Iterator<Item = &'a CellResult> + Clone) -> Vec<String> {
    let part = |(kind, word): (Shown, &str)| {
        let of = cells
            .clone()
            .filter(|c| c.printed.as_ref().is_some_and(|p| p.shown == kind));
        let all = of.clone().count();
        let agree = of.filter(|c| c.verdict.agrees()).count();
        (all > 0).then(|| format!("{agree}/{all} {word}"))
    };
    let kinds = [
        (Shown::Formula, "from printed formulas"),
        (Shown::Echo, "echoes of inputs"),
    ];
    kinds.into_iter().filter_map(part).collect()
}

/// The counts of one table: what is shown by class, then the other claims: `30/30 exact`.
pub(super) fn counts(cells: &[CellResult]) -> String {
    // Within one table all places are of one document.
    let distinct = |kind| Distinct::new(cells.iter().map(|c| ("", c)), kind);
    let part = |claim: Claim| {
        let count = Count::new(cells, claim);
        let word = match claim {
            Claim::Printed => return None,
            Claim::Reference => "exact",
            Claim::Shipped => "as shipped",
            Claim::Own => "of our own",
        };
        (count.of > 0).then(|| format!("{}/{} {word}", count.agree, count.of))
    };
    let mut parts = shown(distinct(Shown::Number), distinct(Shown::Statement));
    parts.extend(not_shown(cells.iter()));
    parts.extend(Claim::ALL.into_iter().filter_map(part));
    let bad = cells.iter().filter(|c| !c.verdict.holds()).count();
    match bad {
        0 => parts.join("; "),
        _ => format!("{}; {bad} FAIL", parts.join("; ")),
    }
}

/// How many derived values the second readers of a table derive again, and how many there are.
pub(super) fn derived(table: &TableResult) -> (usize, usize) {
    let again = table.source.second_readers.iter().map(|r| r.cells).sum();
    (again, Count::new(&table.cells, Claim::Reference).of)
}

/// `21 of 35 values: <test> (<how>); the law only: <test> (<how>)`; nothing without a second reader.
pub(super) fn second_derivation(table: &TableResult) -> String {
    let all = derived(table).1;
    let reader = |r: &SecondReader| match r.cells {
        0 => format!("the law only: {} ({})", r.test, r.how),
        cells => format!("{cells} of {all} values: {} ({})", r.test, r.how),
    };
    let readers: Vec<_> = table.source.second_readers.iter().map(reader).collect();
    readers.join("; ")
}

pub(super) fn failing(cell: &CellResult) -> String {
    let computed = text_of(cell.computed.as_ref());
    let allowed = cell.allowed.map_or(String::new(), |a| format!(" ± {a:e}"));
    let band = cell.acceptance.as_ref();
    let band = band.map_or(String::new(), |b| format!(", our band {b}"));
    format!(
        "{} [{}] {}: computed {computed}, expected {}{allowed} {}{band}",
        cell.row,
        cell.column,
        cell.verdict.word(),
        cell.expected,
        cell.unit
    )
}

/// A value as a table shows it; a dash for none.
pub(super) fn text_of(value: Option<&Value>) -> String {
    value.map_or("–".to_owned(), ToString::to_string)
}

/// A text that may stand in a cell of a Markdown table.
pub(super) fn plain(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// A computed value without its last digits: the page is the same for the same product.
pub(crate) fn short(value: Option<&Value>) -> String {
    match value {
        Some(Value::Number(v)) if *v != 0.0 && v.is_finite() => {
            let digits = (3 - v.abs().log10().floor() as i64).clamp(0, 12) as usize;
            let text = format!("{v:.digits$}");
            match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false => text,
            }
        }
        Some(other) => other.to_string(),
        None => "–".to_owned(),
    }
}

/// A shown value as it is shown; one that was computed from a printed formula without its last digits.
pub(crate) fn told(value: &Value) -> String {
    let text = value.to_string();
    match text.len() > 10 {
        true => short(Some(value)),
        false => text,
    }
}

/// The other cells of a group: `1 cell more`, `4 cells more`.
pub(crate) fn more(cells: usize) -> String {
    match cells {
        2 => "1 cell more".to_owned(),
        n => format!("{} cells more", n - 1),
    }
}
