//! Figures, views and pages of results. [`report`] draws the results of a run and collects the figures and tables on a
//! page.
//!
//! ```
//! use klast_report::{Page, report};
//! use klast_scenes::Scene;
//! use klast_runs::files::{Files as _, Memory};
//!
//! let text = r#"{
//!     "schema": 1, "kind": "rocking",
//!     "block": { "kind": "rectangle", "width_m": 0.5, "height_m": 2.0 },
//!     "tilt_rad": 0.1, "duration_s": 2
//! }"#;
//! let (scene, _) = Scene::parse(text, ".")?;
//! let outcome = scene.job()?.run_silently()?;
//! let (mut page, mut files) = (Page::new("a block"), Memory::default());
//! report(&outcome, &mut page, &mut files)?;
//! assert!(files.names().contains(&"rotation.svg".to_owned()));
//! assert!(page.html().contains("<svg"));
//! # Ok::<(), klast_runs::Error>(())
//! ```

#![warn(clippy::print_stdout, clippy::print_stderr)]

mod figures;
mod inputs;
mod page;
mod sheet;
pub mod view;
mod words;

use klast_runs::error::Result;
use klast_runs::files::Files;
use klast_runs::kind::Kind;
use klast_runs::{Outcome, Results};
use klast_scenes::Scene;
use klast_scenes::kinds::{KINDS, find};

pub use page::{About, Page, Picture, Section, Table};
pub use words::of_key;

use sheet::{SHOWN, Sheet};
use words::{Known, Ordered, Words, groups, tables};

/// What was understood of a scene, on the page: its project, its inputs, the files that it names, the limits of its
/// model.
pub fn introduce(scene: &Scene, page: &mut Page) {
    let text = scene.text();
    page.about.kind = words::of_key(scene.kind().name).0;
    page.about.title_block = text.title_block();
    // A study has a scene of another kind in it.
    let schemas: Vec<serde_json::Value> = KINDS.iter().map(|kind| kind.schema()).collect();
    inputs::show(&text.text, &Known::of(&schemas), page);
    let inputs = text.inputs();
    let header = [("File", ""), ("SHA-256 of its bytes", "")];
    let mut table = Table::new(&header);
    table
        .rows
        .extend(inputs.into_iter().map(|(name, digest)| vec![name, digest]));
    page.list(Section::Read, &text.notes());
    page.table(Section::Read, table);
    for caution in text.cautions() {
        page.warning(Section::Inputs, &caution);
    }
    let studied = studied(&text.text);
    let limits = scene.kind().limits.iter();
    let limits = limits.chain(studied.into_iter().flat_map(|kind| kind.limits));
    let limits: Vec<String> = limits.map(|limit| (*limit).to_owned()).collect();
    page.list(Section::Limits, &limits);
}

/// The kind of the scene within a study.
fn studied(text: &str) -> Option<&'static Kind> {
    let scene: serde_json::Value = serde_json::from_str(text).ok()?;
    find(scene.get("scene")?.get("kind")?.as_str()?).ok()
}

/// Draws the figures of a run, and puts its answer, its warnings, its numbers and them on the page.
///
/// # Errors
/// A figure that cannot be drawn or written.
pub fn report(outcome: &Outcome, page: &mut Page, files: &mut dyn Files) -> Result<()> {
    let mut sheet = Sheet { page, files };
    let results = &*outcome.results;
    if let Some(answer) = results.answer() {
        sheet.page.answer(&answer);
    }
    for warning in &outcome.warnings {
        // Those of the scene and its files are at its inputs already.
        sheet.page.warning(Section::Results, warning);
    }
    if let Some(picture) = figures::draw(results, &mut sheet)? {
        sheet.page.picture(picture);
    }
    numbers(results, sheet.page)
}

/// Every number of the summary, in the words of its type; lists of objects that the page does not have yet are tables.
fn numbers(results: &dyn Results, page: &mut Page) -> Result<()> {
    let Some(schema) = results.schema() else {
        return Ok(());
    };
    let summary = Ordered::read(&results.summary_json()?).without_sentences();
    let words = Words::of(&schema, "Summary");
    let mut lists = tables(&summary, words, SHOWN);
    lists.retain(|(_, _, table)| !page.shows(table));
    for (heading, count, table) in lists {
        page.heading(Section::Numbers, &heading);
        page.table(Section::Numbers, table);
        if count > SHOWN {
            let more = format!("The first {SHOWN} of {count}; all are in result.json.");
            page.text(Section::Numbers, &more);
        }
    }
    for (heading, rows) in groups(&summary, words) {
        let mut table = Table::new(&[("Quantity", ""), ("Value", ""), ("Unit", "")]);
        table.rows = rows;
        if let Some(heading) = heading {
            page.heading(Section::Numbers, &heading);
        }
        page.table(Section::Numbers, table);
    }
    Ok(())
}
