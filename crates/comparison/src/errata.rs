//! The errata of the documents, as data: `verification/errata/<document>.json`. The page of the book is written from
//! it. Each row has an effect in numbers, which the tests compute by a second formulation too. What has none, because
//! it is of notation or of words, is no row but a note.

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
    /// What is said of its notation and its words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
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
    pub effect: Effect,
    /// The second formulation by which a test computes the right number.
    pub derived: String,
}

/// What is said of the notation or the words of a document: from it no number follows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// Name, unique over all errata and notes.
    pub id: String,
    /// Table, figure, equation or section.
    pub place: String,
    /// What the document prints.
    pub printed: String,
    /// What is said of it, as Markdown.
    pub note: String,
}

/// The numbers that follow from the printed and from the right form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// The quantity, with the inputs at which it is computed.
    pub of: String,
    /// Its unit; `-` without one.
    pub unit: String,
    /// From the printed form, or as printed; none where that has no value: a quotient of zeros, a symbol that the
    /// document does not define, a relation that it leaves out.
    pub printed: Option<f64>,
    /// From the right form.
    pub right: f64,
}

impl Errata {
    /// Reads and checks one list.
    ///
    /// # Errors
    /// Anything that is not as [`Erratum`] and [`Note`] say.
    pub fn parse(text: &str) -> Result<Self> {
        let list: Errata = serde_json::from_str(text)?;
        ensure!(list.schema == 1, "schema {}; accepted: 1", list.schema);
        for row in list.rows() {
            row.check()
                .with_context(|| format!("erratum '{}'", row.id))?;
        }
        for note in &list.notes {
            written(&[&note.id, &note.place, &note.printed, &note.note])
                .with_context(|| format!("note '{}'", note.id))?;
        }
        let mut ids = BTreeSet::new();
        for id in list.ids() {
            ensure!(ids.insert(id), "two errata are called '{id}'");
        }
        ensure!(list.rows().next().is_some(), "no erratum");
        Ok(list)
    }

    /// Names of all errata and notes.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        let rows = self.rows().map(|row| row.id.as_str());
        rows.chain(self.notes.iter().map(|note| note.id.as_str()))
    }

    /// All errata.
    pub fn rows(&self) -> impl Iterator<Item = &Erratum> {
        self.sections.iter().flat_map(|s| &s.rows)
    }
}

impl Erratum {
    fn check(&self) -> Result<()> {
        let (printed, right) = (self.effect.printed, self.effect.right);
        ensure!(
            right.is_finite() && printed.is_none_or(|p| p.is_finite() && p != right),
            "effect {printed:?} and {right}; accepted: two numbers that differ"
        );
        written(&[
            &self.id,
            &self.place,
            &self.printed,
            &self.right,
            &self.effect.of,
            &self.effect.unit,
            &self.derived,
        ])
    }
}

/// Refuses a text without letters.
fn written(texts: &[&String]) -> Result<()> {
    ensure!(
        texts.iter().all(|text| !text.trim().is_empty()),
        "an empty text; accepted: each with letters"
    );
    Ok(())
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
number from the right form. A test computes both for each row, and the right number a second time by the formulation in
the last column. \"No value\" is said of a printed form that gives none: a quotient of zeros, a symbol that the document
does not define, a relation that it leaves out.
";

const NOTES: &str = "
## Notes on notation and words

No number follows from these: a symbol with several meanings, a word, statements that contradict each other, inputs that
are not in our copy. They are no errata of the sheet above.

| # | document | place | printed | note |
|---|---|---|---|---|
";

/// The page of the book.
#[must_use]
pub(crate) fn page(lists: &[Errata]) -> String {
    let mut text = INTRODUCTION.to_owned();
    let rows: usize = lists.iter().map(|list| list.rows().count()).sum();
    let _ = writeln!(text, "The sheet has {rows} rows.");
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
    text.push_str(NOTES);
    for list in lists {
        for note in &list.notes {
            let Note {
                id,
                place,
                printed,
                note,
            } = note;
            text.push_str(&cells(&[id, &list.title, place, printed, note]));
        }
    }
    text
}

fn line(row: &Erratum) -> String {
    let Effect {
        of,
        unit,
        printed,
        right,
    } = &row.effect;
    let unit = match unit.as_str() {
        "-" => String::new(),
        unit => format!(" {unit}"),
    };
    let printed = printed.map_or("no value".to_owned(), |p| p.to_string());
    let effect = format!("{of}: {printed}, {right}{unit}");
    cells(&[
        &row.id,
        &row.place,
        &row.printed,
        &row.right,
        &effect,
        &row.derived,
    ])
}

/// A row of a table.
fn cells(texts: &[&String]) -> String {
    let cell = |text: &&String| text.replace('|', "\\|").replace('\n', " ");
    let cells: Vec<String> = texts.iter().map(cell).collect();
    format!("| {} |\n", cells.join(" | "))
}
