//! The errata of the documents, as data: `verification/errata/<document>.json`. The page of the book is written from
//! it, and the tests compute the rows that have an effect in numbers by a second formulation.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

/// The errata of one document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errata {
    /// Version of the format.
    pub schema: u32,
    /// Short name, as the lists of what the documents show have it.
    pub document: String,
    /// As a heading names it.
    pub title: String,
    /// Its parts, in their order.
    pub sections: Vec<Section>,
}

/// A part of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// Heading; none where the document has one part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// What holds for the whole part, as Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The errata.
    pub rows: Vec<Erratum>,
}

/// One erratum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// Name, unique over all documents.
    pub id: String,
    /// Table, figure, equation or section.
    pub place: String,
    /// What the document prints.
    pub printed: String,
    /// What is right, as Markdown.
    pub right: String,
    /// What the difference makes in numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// The second formulation by which a test computes the right number; every effect has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived: Option<String>,
    /// Why there is no number: notation or words, or the table, in backticks, that shows the difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_number: Option<String>,
}

/// The numbers that follow from the printed and from the right form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// The quantity, with the inputs at which it is computed.
    pub of: String,
    /// Its unit; `-` without one.
    pub unit: String,
    /// From the printed form, or as printed.
    pub printed: f64,
    /// From the right form.
    pub right: f64,
}

impl Errata {
    /// Reads and checks one list.
    ///
    /// # Errors
    /// Anything that is not as [`Erratum`] says.
    pub fn parse(text: &str) -> Result<Self> {
        let list: Errata = serde_json::from_str(text)?;
        ensure!(list.schema == 1, "schema {}; accepted: 1", list.schema);
        let mut ids = BTreeSet::new();
        for row in list.rows() {
            ensure!(ids.insert(&row.id), "two errata are called '{}'", row.id);
            row.check()
                .with_context(|| format!("erratum '{}'", row.id))?;
        }
        ensure!(!ids.is_empty(), "no erratum");
        Ok(list)
    }

    /// All errata.
    pub fn rows(&self) -> impl Iterator<Item = &Erratum> {
        self.sections.iter().flat_map(|s| &s.rows)
    }
}

impl Erratum {
    fn check(&self) -> Result<()> {
        let said = [&self.id, &self.place, &self.printed, &self.right];
        ensure!(
            said.iter().all(|text| !text.trim().is_empty()),
            "accepted: id, place, what is printed and what is right"
        );
        let given = |text: &Option<String>| text.as_deref().is_some_and(|d| !d.trim().is_empty());
        let (derived, no_number) = (given(&self.derived), given(&self.no_number));
        ensure!(
            self.effect.is_some() == derived && derived != no_number,
            "accepted: an effect in numbers with its second formulation, or the reason that there is none"
        );
        if let Some(effect) = &self.effect {
            let (printed, right) = (effect.printed, effect.right);
            ensure!(
                printed.is_finite() && right.is_finite() && printed != right,
                "effect {printed} and {right}; accepted: two numbers that differ"
            );
        }
        Ok(())
    }
}

const INTRODUCTION: &str = "# Errata of the four documents

This page lists the wrong equations and wrong printed values of the four documents that klast implements, with their
corrections. The documents are two rockfall manuals, a paper on rockfill and a thesis on blocks. klast implements the
column \"right\". In the benchmark tables, a wrong printed value is marked as an *erratum*: the computed value must
**not** agree with it. If a correction is lost, the verification fails.

The column \"printed\" quotes our copies of the documents, which were converted from other formats. Some of the errors
possibly come from this conversion. Symbols are explained in [Symbols and units](symbols.md), or are those of the
document.

The page is written from the files `verification/errata/<document>.json` by the command that writes
[Verification](verification.md). The column \"effect\" has a number that follows from the printed form, and the same
number from the right form. A test computes both, and the right number a second time by the formulation in the last
column.
";

/// The page of the book.
#[must_use]
pub(crate) fn page(lists: &[Errata]) -> String {
    let mut text = INTRODUCTION.to_owned();
    let all: Vec<&Erratum> = lists.iter().flat_map(Errata::rows).collect();
    let computed = all.iter().filter(|e| e.effect.is_some()).count();
    let _ = writeln!(
        text,
        "{computed} of {} rows have an effect in numbers and a second formulation. Each other row says why it has no number: it is of notation or \
         words, or a benchmark table shows the difference.",
        all.len()
    );
    for list in lists {
        let _ = writeln!(text, "\n## {}", list.title);
        for section in &list.sections {
            if let Some(heading) = &section.heading {
                let _ = writeln!(text, "\n### {heading}");
            }
            if let Some(note) = &section.note {
                let _ = writeln!(text, "\n{note}");
            }
            text.push_str("\n| # | place | printed | right | effect: printed, right | second formulation |\n|---|---|---|---|---|---|\n");
            for row in &section.rows {
                text.push_str(&line(row));
            }
        }
    }
    text
}

fn line(row: &Erratum) -> String {
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    let none = || row.no_number.clone().unwrap_or_default();
    let effect = row.effect.as_ref().map_or_else(none, |e| {
        let unit = match e.unit.as_str() {
            "-" => String::new(),
            unit => format!(" {unit}"),
        };
        format!("{}: {}, {}{unit}", e.of, e.printed, e.right)
    });
    format!(
        "| {} | {} | {} | {} | {} | {} |\n",
        cell(&row.id),
        cell(&row.place),
        cell(&row.printed),
        cell(&row.right),
        cell(&effect),
        cell(row.derived.as_deref().unwrap_or(""))
    )
}
