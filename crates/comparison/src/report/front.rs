//! The first page: the three verdicts counted apart, and everything that is not reproduced.

use std::fmt::Write as _;

use super::Report;
use super::text::{more, plain, short, told};
use crate::print::Shown;
use crate::printed::Met;
use crate::verdict::{Claim, Verdict};
use crate::{CellResult, TableResult, Value};

/// Cells of one table that are not reproduced for one and the same reason.
struct Group<'a> {
    table: &'a TableResult,
    cells: Vec<&'a CellResult>,
}

/// Everything that the product does not give, by table and reason: what fails, what is not reproduced, misprints; each
/// in the order of the tables.
fn groups(report: &Report) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    for table in &report.tables {
        let from = groups.len();
        for cell in table.cells.iter().filter(|c| !c.verdict.agrees()) {
            let same = |g: &&mut Group| {
                let first = g.cells[0];
                cell.reason().is_some()
                    && (first.reason(), first.verdict) == (cell.reason(), cell.verdict)
            };
            match groups[from..].iter_mut().find(same) {
                Some(group) => group.cells.push(cell),
                None => groups.push(Group {
                    table,
                    cells: vec![cell],
                }),
            }
        }
    }
    groups.sort_by_key(|group| match group.cells[0].verdict {
        Verdict::NotReproduced => 1,
        Verdict::Misprint => 2,
        _ => 0,
    });
    groups
}

/// Claims that are counted cell by cell: all but the printed one, whose numbers are counted once each.
const CELLS: [Claim; 3] = [Claim::Reference, Claim::Shipped, Claim::Own];

/// The counts as lines of text: printed numbers and statements, each once, by class; then the cells of the other
/// claims.
pub(super) fn counts(report: &Report) -> String {
    let mut text = String::new();
    for (kind, word) in [(Shown::Number, "numbers"), (Shown::Statement, "statements")] {
        let count = report.distinct(kind);
        let _ = writeln!(
            text,
            "printed {word:<26} {:>5}: {}",
            count.of,
            count.words()
        );
    }
    for claim in CELLS {
        let c = report.count(claim);
        let _ = writeln!(
            text,
            "{:<34} {:>5} of {:>5} cells; not reproduced {}, misprints {}, FAIL {}",
            claim.heading(),
            c.agree,
            c.of,
            c.not_reproduced,
            c.misprints,
            c.failed
        );
    }
    text
}

/// Everything not reproduced, one line a table and reason.
pub(super) fn not_reproduced_lines(report: &Report) -> String {
    let mut text = String::new();
    for group in groups(report) {
        let first = group.cells[0];
        let more = match group.cells.len() {
            1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        let _ = writeln!(
            text,
            "{}: {} {}{more}: {} {}, ours {}",
            first.verdict.word(),
            group.table.id,
            first.row,
            match first.printed.as_ref().map(|p| p.shown) {
                Some(Shown::Formula) => "by the printed formula",
                Some(_) => "printed",
                None => "expected",
            },
            first.expected,
            short(first.computed.as_ref())
        );
    }
    text
}

/// The first page as Markdown.
pub(super) fn page(report: &Report) -> String {
    let mut text = printed(report);
    text.push_str(
        "| cells that are no printed values | cells | klast gives it | not reproduced | misprints | fail |\n|---|--:|--:|--:|--:|--:|\n",
    );
    for claim in CELLS {
        let c = report.count(claim);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            claim.heading(),
            c.of,
            c.agree,
            c.not_reproduced,
            c.misprints,
            c.failed
        );
    }
    let groups = groups(report);
    let (wrong, ours): (Vec<_>, Vec<_>) = groups
        .iter()
        .partition(|group| group.cells[0].verdict == Verdict::Misprint);
    text.push_str("\n## Not reproduced\n\n");
    if ours.is_empty() {
        text.push_str("Nothing.\n");
    } else {
        text.push_str("This table lists the values that a document shows and klast does not give, with the reasons. *Shown* is what the document prints or states; *our reading* is a number or a range of ours that stands for a statement in words, *ours* the value of klast, and *our range* the range in which the value of klast must stay. A value in this range does not count as reproduced. *1 cell more* counts further cells of the table with the same reason. Names of blocks, configurations and modes, and numbers of equations are those of the document.\n\n");
        text.push_str("| table | quantity | shown | ours | our range | verdict and reason |\n|---|---|--:|--:|---|---|\n");
        ours.iter().for_each(|group| text.push_str(&line(group)));
    }
    if !wrong.is_empty() {
        text.push_str("\n## Shown values that are wrong\n\nThis table lists wrong values of the documents; klast does not give them either. Each value contradicts its own document or a closed form, or follows from other inputs than the document states. The columns have the same meaning as in the table before.\n\n");
        text.push_str("| table | quantity | shown | ours | reason |\n|---|---|--:|--:|---|\n");
        wrong
            .iter()
            .for_each(|group| text.push_str(&misprint(group)));
    }
    text
}

/// The distinct printed numbers and statements of each document, by class.
fn printed(report: &Report) -> String {
    let mut text = String::from("| what a document shows | distinct |");
    for met in Met::ALL {
        let _ = write!(text, " {} |", met.words());
    }
    text.push_str(" of these within a wider tolerance | of these wrong in print |\n|---|--:|--:|--:|--:|--:|--:|--:|\n");
    let mut documents: Vec<&str> = Vec::new();
    for table in &report.tables {
        let name = table.source.document.as_str();
        if !documents.contains(&name) {
            documents.push(name);
        }
    }
    for (kind, word) in [(Shown::Number, "numbers"), (Shown::Statement, "statements")] {
        let mut line = |name: String, count: crate::Distinct| {
            if count.of > 0 {
                let classes = count.classes().map(|n| format!(" {n} |")).concat();
                let _ = writeln!(
                    text,
                    "| {name} | {} |{classes} {} | {} |",
                    count.of, count.within_tolerance, count.misprints
                );
            }
        };
        line(format!("**all {word}**"), report.distinct(kind));
        for document in &documents {
            line(
                format!("{word}: {}", plain(document)),
                report.distinct_of(document, kind),
            );
        }
    }
    text.push('\n');
    text
}

/// The page that an engineer attaches to a report: what ran, where, the counts and what is not reproduced.
pub(super) fn sheet(report: &Report) -> String {
    let held = report.tables.iter().filter(|t| t.holds()).count();
    format!(
        "# Verification sheet\n\nRun by {}. {held} of {} tables hold; {} are left to the full run. \
         Every table, its source and its tolerances: `klast verify --report DIR`.\n\n{}",
        report.program,
        report.tables.len(),
        report.skipped.len(),
        page(report)
    )
}

/// The counts in one line, for a README: every printed number once, by class.
pub(super) fn badge(report: &Report) -> String {
    let part = |claim: Claim| {
        let count = report.count(claim);
        format!("{} {} of {}", claim.heading(), count.agree, count.of)
    };
    let printed = |kind: Shown, word: &str| {
        let count = report.distinct(kind);
        format!("{} printed {word}: {}", count.of, count.words())
    };
    let held = report.tables.iter().filter(|t| t.holds()).count();
    format!(
        "**verify:** {held} of {} tables hold; {}; {}; {}; {}\n",
        report.tables.len(),
        printed(Shown::Number, "numbers"),
        printed(Shown::Statement, "statements"),
        part(Claim::Reference),
        part(Claim::Shipped)
    )
}

/// Table, quantity, what is shown and what klast gives, as the first columns.
fn columns(group: &Group) -> String {
    let first = group.cells[0];
    let more = match group.cells.len() {
        1 => String::new(),
        n => format!(" (and {})", more(n)),
    };
    let unit = match first.unit.as_str() {
        "-" => String::new(),
        unit => format!(" {unit}"),
    };
    let formula = match (first.printed.as_ref().map(|p| p.shown), &first.expected) {
        (Some(Shown::Formula), _) => " (by the printed formula)",
        (Some(Shown::Statement), Value::Number(_) | Value::Range(_)) => " (our reading)",
        _ => "",
    };
    format!(
        "| `{}` | {}{more} | {}{unit}{formula} | {}{unit} |",
        group.table.id,
        plain(&first.quantity),
        plain(&told(&first.expected)),
        plain(&short(first.computed.as_ref())),
    )
}

fn line(group: &Group) -> String {
    let first = group.cells[0];
    let band = first.acceptance.as_ref();
    format!(
        "{} {} | **{}**: {} |\n",
        columns(group),
        band.map_or(String::new(), ToString::to_string),
        first.verdict.word(),
        plain(first.reason().unwrap_or("nothing explains it"))
    )
}

fn misprint(group: &Group) -> String {
    let reason = group.cells[0].reason().unwrap_or("nothing explains it");
    format!("{} {} |\n", columns(group), plain(reason))
}
