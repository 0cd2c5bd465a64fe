//! The chapter of the book: what each table claims, how much of it holds, and how closely.

use std::fmt::Write as _;

use super::{Report, by_manual, heading};
use crate::{CellResult, Kind, TableResult, Value, Verdict};

/// The chapter as Markdown. It holds no time and no last digits: the same product gives the same text.
pub(super) fn chapter(report: &Report) -> String {
    let cells = || report.tables.iter().flat_map(|t| &t.cells);
    let held = report.tables.iter().filter(|t| t.holds()).count();
    let good = cells().filter(|c| c.verdict.holds()).count();
    let errata = cells().filter(|c| c.verdict == Verdict::Erratum).count();
    let mut text = String::from("# Verification\n\n");
    let _ = writeln!(
        text,
        "Written by `cargo xtask verify --report DIR`, which also writes every cell and picture into `DIR`.\n\n\
         **{held} of {} tables hold, {good} of {} cells**, {errata} of them known misprints that must not agree. \
         What stands behind the cells: {}.\n\n\
         *Closest* is the largest difference found in a table over the difference allowed there: 1 would be at the \
         limit. Reasons for the allowed differences stand in the tables (`verification/<manual>/<id>.json`).\n",
        report.tables.len(),
        cells().count(),
        kinds(report)
    );
    for (manual, tables) in by_manual(&report.tables) {
        let _ = writeln!(text, "## {}\n", heading(manual));
        text.push_str("| table | what it claims | source | cells | errata | closest |\n");
        text.push_str("|---|---|---|--:|--:|--:|\n");
        for table in tables {
            text.push_str(&row(table));
        }
        text.push('\n');
    }
    if !report.skipped.is_empty() {
        let list: Vec<_> = report.skipped.iter().map(|id| format!("`{id}`")).collect();
        let _ = writeln!(
            text,
            "Left to `cargo xtask verify --full`, which takes hours: {}.",
            list.join(", ")
        );
    }
    text
}

fn kinds(report: &Report) -> String {
    let count = |kind| {
        let cells = report.tables.iter().flat_map(|t| &t.cells);
        cells.filter(|c| c.kind == kind).count()
    };
    format!(
        "closed forms and computations converged to rounding {}, printed values {}, other programs {}, measurements {}",
        count(Kind::ClosedForm),
        count(Kind::Published),
        count(Kind::Peer),
        count(Kind::Experiment)
    )
}

fn row(table: &TableResult) -> String {
    let errata = table.cells.iter().filter(|c| c.verdict == Verdict::Erratum);
    let failed = table.cells.iter().filter(|c| !c.verdict.holds()).count();
    let cells = match (&table.error, failed) {
        (Some(_), _) => "did not run".to_owned(),
        (None, 0) => table.cells.len().to_string(),
        (None, n) => format!("{} ({n} FAIL)", table.cells.len()),
    };
    let plain = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    format!(
        "| `{}` | {}: {} | {}, {} | {cells} | {} | {} |\n",
        table.id,
        plain(&table.title),
        plain(&table.claim),
        plain(&table.source.document),
        plain(&table.source.place),
        match errata.count() {
            0 => String::new(),
            n => n.to_string(),
        },
        closest(&table.cells)
    )
}

/// The largest difference over the allowed one, as a power of ten: its last digits depend on nothing but rounding.
fn closest(cells: &[CellResult]) -> String {
    let share = |cell: &CellResult| match (&cell.computed, &cell.expected, cell.allowed) {
        (Some(Value::Number(c)), Value::Number(e), Some(allowed))
            if cell.verdict == Verdict::Pass && allowed > 0.0 =>
        {
            Some((c - e).abs() / allowed)
        }
        _ => None,
    };
    match cells.iter().filter_map(share).reduce(f64::max) {
        None => "words".to_owned(),
        Some(worst) if worst < 1e-6 => "< 1e-6".to_owned(),
        Some(worst) if worst < 0.1 => format!("1e{}", worst.log10().ceil()),
        Some(worst) => format!("{:.1}", (worst * 10.0).ceil() / 10.0),
    }
}
