//! The coverage page: everything that the documents show, and what became of it.

use std::fmt::Write as _;

use super::text::{plain, shown};
use crate::coverage::{Item, ItemResult, ItemVerdict};
use crate::verdict::Claim;

const VERDICTS: [ItemVerdict; 9] = [
    ItemVerdict::Reproduced,
    ItemVerdict::WithFitted,
    ItemVerdict::InPart,
    ItemVerdict::NotReproduced,
    ItemVerdict::Computed,
    ItemVerdict::Drawn,
    ItemVerdict::NotComputed,
    ItemVerdict::LeftToFull,
    ItemVerdict::Failed,
];

/// The items of each document, in their order.
fn documents(items: &[ItemResult]) -> Vec<&[ItemResult]> {
    items.chunk_by(|a, b| a.document == b.document).collect()
}

fn count(items: &[ItemResult], verdict: ItemVerdict) -> usize {
    items.iter().filter(|i| i.verdict == verdict).count()
}

/// One line a document, and one for each item that fails.
pub(super) fn lines(items: &[ItemResult]) -> String {
    let mut text = String::new();
    for document in documents(items) {
        let _ = write!(text, "{}: {} items", document[0].document, document.len());
        for verdict in VERDICTS {
            let n = count(document, verdict);
            if n > 0 {
                let _ = write!(text, ", {n} {}", verdict.word());
            }
        }
        text.push('\n');
        for item in document.iter().filter(|i| i.verdict == ItemVerdict::Failed) {
            let _ = writeln!(
                text,
                "     FAIL {}: {}",
                item.item.id,
                item.because.join("; ")
            );
        }
    }
    text
}

/// The chapter of an item, as its name begins.
fn chapter(item: &ItemResult) -> &str {
    item.item.id.split('/').next().unwrap_or_default()
}

/// The items of each chapter, in their order.
fn chapters(document: &[ItemResult]) -> impl Iterator<Item = &[ItemResult]> {
    document.chunk_by(|a, b| chapter(a) == chapter(b))
}

/// As a heading names a chapter; chapter 0 of a list is the whole document.
fn named(items: &[ItemResult]) -> String {
    match chapter(&items[0]) {
        "0" => format!("{}, the whole document", items[0].document),
        chapter => format!("{}, chapter {chapter}", items[0].document),
    }
}

/// The mark that the book gives a heading.
fn anchor(heading: &str) -> String {
    heading.to_lowercase().replace(',', "").replace(' ', "-")
}

/// The page as Markdown: how to read it, the documents with links to their chapters, then chapter by chapter.
pub(super) fn page(items: &[ItemResult]) -> String {
    let mut text = String::from(
        "# What the documents show\n\nThis page lists all tables, figures, equations, procedures and conclusions that the source documents show. Each row states where klast computes the item, and with which result. The items of a chapter have the order of the document. `cargo xtask verify` writes the page, and fails if an item of a document has no row.\n\n",
    );
    for document in documents(items) {
        let links: Vec<_> = chapters(document)
            .map(|c| {
                let name = match chapter(&c[0]) {
                    "0" => "whole",
                    chapter => chapter,
                };
                format!("[{name}](#{})", anchor(&named(c)))
            })
            .collect();
        let _ = writeln!(
            text,
            "* **{}**: {}. Chapters: {}",
            document[0].document,
            plain(&document[0].title),
            links.join(", ")
        );
    }
    text.push_str("\n| document | items |");
    for verdict in VERDICTS {
        let _ = write!(text, " {} |", verdict.word());
    }
    text.push_str("\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for document in documents(items) {
        let _ = write!(text, "| {} | {} |", document[0].document, document.len());
        for verdict in VERDICTS {
            let _ = write!(text, " {} |", count(document, verdict));
        }
        text.push('\n');
    }
    text.push_str(
        "\n* *Reproduced*: the document shows numbers or states outcomes, and klast gives all of them, numbers to half a last printed digit, with the stated inputs or with more digits of them. *Only with fitted settings*: klast gives all of them, but some only with settings that were found from the printed results. *Reproduced in part*: klast gives some of them. *Not reproduced*: klast gives none.\n\
         * *Computed* or *drawn; no value is shown*: the document shows a curve, a map or a law without values. klast computes the item and compares it with an exact or independent reference, or draws it.\n\
         * *Not computed*: klast computes nothing for the item; the column *because* states why. *Left to the full run*: only `cargo xtask verify --full` compares the item. *FAIL*: a row or a picture of the item fails or is missing.\n\
         * The numbers in the column *verdict* count each printed number and each statement of the document once, whatever number of cells compares it, and say how it is met. A number that klast gives only *within a wider tolerance* is not met. A value *from printed formulas* is our evaluation of a formula of the document, and an *echo* repeats an input: neither is a printed number, and neither makes an item reproduced. 12/14 means that 12 of 14 cells agree. *Exact* values are those of an exact or independent reference. *As shipped* values are those that a scene with the default settings must give, and *our own* values are limits that the project set or earlier results of klast.\n\
         * For a value that klast does not give, the column *because* states the value of the document (*shown*, *stated*, *by the printed formula*) or of the reference (*reference*), the value of klast (*ours*), and the reason. *1 cell more* counts further values with the same reason.\n\
         * The column *where* has the name of the table in [Verification](verification.md). The text after `#` is the beginning of the names of the rows in this table; `#` without a name of a table refers to the table before it.\n",
    );
    for document in documents(items) {
        for chapter in chapters(document) {
            let _ = writeln!(text, "\n## {}\n", named(chapter));
            text.push_str("| item | shows | where | verdict | because |\n|---|---|---|---|---|\n");
            for item in chapter {
                text.push_str(&row(item));
            }
        }
    }
    text
}

/// The item without its chapter, which stands over it, and with its kind where the name does not say it.
fn label(item: &Item) -> String {
    let name = item.id.split_once('/').map_or(&*item.id, |(_, name)| name);
    let kind = item.kind.word();
    match name.starts_with(kind) || name.starts_with("eq-") {
        true => name.to_owned(),
        false => format!("{kind} {name}"),
    }
}

/// `<table>#<row>`; of several rows of one table the first with the table.
fn named_once(selectors: &[String]) -> Vec<String> {
    let mut before = "";
    let mut places = Vec::new();
    for selector in selectors {
        let (table, row) = selector.split_once('#').unwrap_or((selector, ""));
        places.push(match table == before && !row.is_empty() {
            true => format!("`#{row}`"),
            false => format!("`{selector}`"),
        });
        before = table;
    }
    places
}

fn row(result: &ItemResult) -> String {
    let item = &result.item;
    let places: Vec<String> = named_once(&item.rows)
        .into_iter()
        .chain(
            named_once(&item.pictures)
                .into_iter()
                .map(|p| format!("picture {p}")),
        )
        .collect();
    let part = |(claim, count): (Claim, &crate::Count)| {
        let word = match claim {
            Claim::Printed => return None,
            Claim::Reference => "exact",
            Claim::Shipped => "as shipped",
            Claim::Own => "our own",
        };
        (count.of > 0).then(|| format!("{}/{} {word}", count.agree, count.of))
    };
    let mut counts = shown(result.numbers, result.statements);
    counts.extend(result.not_shown.iter().cloned());
    counts.extend(Claim::ALL.into_iter().zip(&result.counts).filter_map(part));
    let counts = match counts.is_empty() {
        true => String::new(),
        false => format!(" ({})", counts.join("; ")),
    };
    format!(
        "| {} | {} | {} | {}{counts} | {} |\n",
        plain(&label(item)),
        plain(&item.shows),
        plain(&places.join(", ")),
        result.verdict.word(),
        plain(&result.because.join("<br>"))
    )
}
