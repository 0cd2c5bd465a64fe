//! The chapter of the book: what each table claims, how much of it holds, and how closely.

use std::fmt::Write as _;

use super::text::{by_manual, counts, derived, heading, plain, second_derivation};
use super::{Report, front};
use crate::{CellResult, TableResult, Value};

/// The chapter as Markdown. It holds no time and no last digits: the same product gives the same text.
pub(super) fn chapter(report: &Report) -> String {
    let held = report.tables.iter().filter(|t| t.holds()).count();
    let mut text = String::from("# Verification\n\n");
    let _ = writeln!(
        text,
        "This page shows how far klast reproduces the values of its source documents, and lists all exceptions. \
         **{held} of {} tables hold**: each cell of these tables has the value or the verdict that the table states. \
         `cargo xtask verify --report DIR` writes this page, and writes every cell and picture into the folder `DIR`.\n\n\
         The first table counts each printed number and each stated outcome of a document once, however many cells \
         compare it, in four classes:\n\n\
         * *Met with stated inputs*: klast gives the number to half a unit of its last printed digit, with the inputs \
         that the document states and nothing else.\n\
         * *With more digits of an input*: the same, with an input of which the document prints fewer digits.\n\
         * *With fitted settings*: the same, with settings that were found from the printed results; the table names \
         them.\n\
         * *Not met*: klast does not give the number to half a digit. Some of these numbers lie within a wider \
         tolerance, for which the table states the reason, and some are wrong in the document.\n\n\
         Inputs that klast takes over and gives back, and values of our own that follow from a formula of a document, \
         are compared too, but are no printed numbers and are not counted here.\n\n\
         The second table counts cells:\n\n\
         * *Exact reference*: the cell has an exact value, or a value of an independent program.\n\
         * *As shipped*: the cell has an exact value that a scene with the default settings must give.\n\
         * *Limits and pinned values of our own*: the cell has a limit that the project set, or an earlier result of \
         klast. Such a cell proves no agreement with a document; it only shows changes.\n",
        report.tables.len()
    );
    text.push_str(&front::page(report));
    text.push_str(
        "\n## Tables\n\nThe next sections list the tables of each document or subject. The file `verification/<subject>/<table>.json` of a \
         table has its cells, their tolerances and the reasons for these tolerances. *Cells* counts the cells that agree, and all cells, of each \
         kind. *Closest* is the largest difference between a value of klast and its reference, over the tolerance: 1 is the limit. \
         *Words* means that the table compares only words, such as outcomes.\n\n",
    );
    let (again, all) = report
        .tables
        .iter()
        .map(derived)
        .fold((0, 0), |sum, t| (sum.0 + t.0, sum.1 + t.1));
    let _ = writeln!(
        text,
        "*Second derivation* names the tests that derive the reference values of a table in a second, independent way. The text in brackets states how a test derives them. The \
         column states how many values a test derives: {again} of {all} values over all tables. *The law only* means that a \
         test derives the law of the table at other inputs. A test fails if it does not derive the stated number of \
         values.\n"
    );
    for (manual, tables) in by_manual(&report.tables) {
        let _ = writeln!(text, "### {}\n", heading(manual));
        text.push_str(
            "| table | what it claims | source | second derivation | cells | closest |\n|---|---|---|---|---|--:|\n",
        );
        for table in tables {
            text.push_str(&row(table));
        }
        text.push('\n');
    }
    if !report.skipped.is_empty() {
        let list: Vec<_> = report.skipped.iter().map(|id| format!("`{id}`")).collect();
        let _ = writeln!(
            text,
            "These tables run only with `cargo xtask verify --full`, which takes hours: {}.",
            list.join(", ")
        );
    }
    text
}

fn row(table: &TableResult) -> String {
    let cells = match &table.error {
        Some(_) => "did not run".to_owned(),
        None => counts(&table.cells),
    };
    format!(
        "| `{}` | **{}.** {} | {}, {} | {} | {cells} | {} |\n",
        table.id,
        plain(&table.title),
        plain(&table.claim),
        plain(&table.source.document),
        plain(&table.source.place),
        plain(&second_derivation(table)),
        closest(&table.cells)
    )
}

/// The largest difference over the allowed one, as a power of ten: its last digits depend on nothing but rounding.
fn closest(cells: &[CellResult]) -> String {
    let share = |cell: &CellResult| match (&cell.computed, &cell.expected, cell.allowed) {
        (Some(Value::Number(c)), Value::Number(e), Some(allowed))
            if cell.verdict.agrees() && allowed > 0.0 =>
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
