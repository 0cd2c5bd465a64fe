//! The coverage page: everything that the documents show, and what became of it.

use std::fmt::Write as _;

use super::text::plain;
use crate::coverage::{ItemResult, ItemVerdict};
use crate::verdict::Claim;

const VERDICTS: [ItemVerdict; 8] = [
    ItemVerdict::Reproduced,
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

/// The page as Markdown.
pub(super) fn page(items: &[ItemResult]) -> String {
    let mut text = String::from(
        "# What the documents show\n\nThis page lists every table, figure, group of numbered equations, procedure and conclusion of the \
         documents, where klast computes it, and with which result. `cargo xtask verify` writes it, and fails if \
         an item has no row. *Reproduced* means that the document shows values and klast gives them; *computed* \
         and *drawn* mean that it shows a curve, a map or a law without values.\n\n",
    );
    text.push_str("| document | items |");
    for verdict in VERDICTS {
        let _ = write!(text, " {} |", verdict.word());
    }
    text.push_str("\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for document in documents(items) {
        let _ = write!(text, "| {} | {} |", document[0].document, document.len());
        for verdict in VERDICTS {
            let _ = write!(text, " {} |", count(document, verdict));
        }
        text.push('\n');
    }
    for document in documents(items) {
        let _ = writeln!(text, "\n## {}\n", document[0].document);
        text.push_str(
            "| item | kind | shows | where | verdict | because |\n|---|---|---|---|---|---|\n",
        );
        for item in document {
            text.push_str(&row(item));
        }
    }
    text
}

fn row(result: &ItemResult) -> String {
    let item = &result.item;
    let places: Vec<String> = item
        .rows
        .iter()
        .map(|r| format!("`{r}`"))
        .chain(item.pictures.iter().map(|p| format!("picture `{p}`")))
        .collect();
    let part = |(claim, count): (Claim, &crate::Count)| {
        let word = match claim {
            Claim::Printed => "shown",
            Claim::Reference => "exact",
            Claim::Shipped => "as shipped",
            Claim::Own => "our own",
        };
        (count.of > 0).then(|| format!("{}/{} {word}", count.agree, count.of))
    };
    let counts: Vec<String> = Claim::ALL
        .into_iter()
        .zip(&result.counts)
        .filter_map(part)
        .collect();
    let counts = match counts.is_empty() {
        true => String::new(),
        false => format!(" ({})", counts.join(", ")),
    };
    format!(
        "| {} | {} | {} | {} | {}{counts} | {} |\n",
        plain(&item.id),
        item.kind.word(),
        plain(&item.shows),
        plain(&places.join(", ")),
        result.verdict.word(),
        plain(&result.because.join("; "))
    )
}
