//! JUnit XML: what build servers read.

use std::fmt::Write as _;

use super::Report;
use super::text::failing;

pub(super) fn junit(report: &Report) -> String {
    let cells = || report.tables.iter().flat_map(|t| &t.cells);
    let failed = cells().filter(|c| !c.verdict.holds()).count();
    let errors = report.tables.iter().filter(|t| t.error.is_some()).count();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuites name=\"{}\" tests=\"{}\" failures=\"{failed}\" errors=\"{errors}\">",
        escaped(&report.program.to_string()),
        cells().count() + errors
    );
    for table in &report.tables {
        let bad = table.cells.iter().filter(|c| !c.verdict.holds()).count();
        let error = table.error.as_ref();
        let _ = writeln!(
            text,
            "<testsuite name=\"{}\" tests=\"{}\" failures=\"{bad}\" errors=\"{}\" time=\"{:.3}\">",
            escaped(&table.id),
            table.cells.len() + usize::from(error.is_some()),
            u8::from(error.is_some()),
            table.seconds
        );
        if let Some(error) = error {
            let _ = writeln!(
                text,
                "<testcase classname=\"{0}\" name=\"the case runs\"><error message=\"{1}\"/></testcase>",
                escaped(&table.id),
                escaped(error)
            );
        }
        for cell in &table.cells {
            let name = format!("{} [{}]", cell.row, cell.column);
            let class = format!("{}.{}", table.id, cell.kind.claim().heading());
            let _ = write!(
                text,
                "<testcase classname=\"{}\" name=\"{}\"",
                escaped(&class),
                escaped(&name)
            );
            match (cell.verdict.holds(), cell.reason()) {
                (true, None) => text.push_str("/>\n"),
                // A stated difference is no failure, and it must not look like an agreement.
                (true, Some(reason)) => {
                    let _ = writeln!(
                        text,
                        "><system-out>{}: {}</system-out></testcase>",
                        cell.verdict.word(),
                        escaped(reason)
                    );
                }
                (false, _) => {
                    let _ = writeln!(
                        text,
                        "><failure message=\"{}\"/></testcase>",
                        escaped(&failing(cell))
                    );
                }
            }
        }
        text.push_str("</testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML 1.0 has no other control characters.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
