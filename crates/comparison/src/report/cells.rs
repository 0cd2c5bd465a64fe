//! The page of one table: every row with its verdicts side by side, then every cell.

use std::fmt::Write as _;

use super::text::{plain, second_derivation, text_of};
use crate::verdict::Verdict;
use crate::{PrintedCell, TableResult};

pub(super) fn section(table: &TableResult) -> String {
    let mut text = format!("## {}: {}\n\n{}\n\n", table.id, table.title, table.claim);
    let source = &table.source;
    let _ = writeln!(text, "Source: {}, {}.\n", source.document, source.place);
    if !source.second_readers.is_empty() {
        let _ = writeln!(
            text,
            "Second derivation of the reference: {}.\n",
            second_derivation(table)
        );
    }
    if let Some(error) = &table.error {
        let _ = writeln!(text, "**Failed:** {error}\n");
    }
    text.push_str("| row | printed | exact reference | as shipped | of our own |\n");
    text.push_str("|---|---|---|---|---|\n");
    let word = |v: Option<Verdict>| v.map_or("", Verdict::word);
    for row in table.rows() {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            plain(row.row),
            word(row.printed),
            word(row.reference),
            word(row.shipped),
            word(row.own)
        );
    }
    text.push_str(
        "\n| row | quantity | unit | against | expected | ours | allowed | our band | verdict | printed number |\n",
    );
    text.push_str("|---|---|---|---|---|---|---|---|---|---|\n");
    for c in &table.cells {
        let allowed = c.allowed.map_or("–".to_owned(), |a| format!("{a:.2e}"));
        let band = c.acceptance.as_ref();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {allowed} | {} | {} | {} |",
            plain(&c.row),
            plain(&c.quantity),
            c.unit,
            c.column,
            plain(&c.expected.to_string()),
            plain(&text_of(c.computed.as_ref())),
            band.map_or(String::new(), ToString::to_string),
            c.verdict.word(),
            plain(&c.printed.as_ref().map_or(String::new(), PrintedCell::words))
        );
    }
    text.push('\n');
    for cell in &table.cells {
        if let Some(reason) = cell.reason() {
            let word = cell.verdict.word();
            let _ = writeln!(text, "* {} [{}], {word}: {reason}", cell.row, cell.column);
        }
        if let Some(band) = &cell.acceptance {
            let _ = writeln!(text, "* {} our band {band}: {}", cell.row, band.why);
        }
    }
    for note in &table.notes {
        let _ = writeln!(text, "* {note}");
    }
    text.push('\n');
    text
}
