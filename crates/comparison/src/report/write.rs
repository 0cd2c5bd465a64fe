//! A report as text and files.

use super::text::{by_manual, counts, failing, heading};
use super::{Report, cells, chapter, coverage, front, junit};
use crate::count::Count;
use crate::distinct::Distinct;
use crate::print::Shown;
use crate::verdict::Claim;
use anyhow::{Context as _, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

impl Report {
    /// One line a table, the cells that do not hold, and the count.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut text = String::new();
        for table in &self.tables {
            let mark = if table.holds() { "ok  " } else { "FAIL" };
            let _ = writeln!(
                text,
                "{mark} {:<34} {} ({:.1} s)",
                table.id,
                counts(&table.cells),
                table.seconds
            );
            if let Some(error) = &table.error {
                let _ = writeln!(text, "     {error}");
            }
            for cell in table.cells.iter().filter(|c| !c.verdict.holds()) {
                let _ = writeln!(text, "     {}", failing(cell));
            }
        }
        for id in &self.skipped {
            let _ = writeln!(text, "skip {id:<34} (only with --full)");
        }
        let _ = writeln!(text, "\n{}", self.program);
        text.push_str(&front::counts(self));
        text.push_str(&front::not_reproduced_lines(self));
        text.push_str(&coverage::lines(&self.items));
        let held = self.tables.iter().filter(|t| t.holds()).count();
        let _ = writeln!(
            text,
            "{held} of {} tables hold; {} left to --full",
            self.tables.len(),
            self.skipped.len()
        );
        let _ = writeln!(text, "longest: {}", self.longest());
        text
    }

    /// The five tables that took longest, with the time of each on the threads that they shared.
    fn longest(&self) -> String {
        let mut tables: Vec<_> = self.tables.iter().collect();
        tables.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        let named = |t: &&crate::TableResult| format!("{} {:.1} s", t.id, t.seconds);
        let longest: Vec<_> = tables.iter().take(5).map(named).collect();
        longest.join(", ")
    }

    /// The whole report as JSON: the printed numbers by class, the cells by claim, the tables, what was left out.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_json(&self, path: &Path) -> Result<()> {
        #[derive(Serialize)]
        struct Whole<'a> {
            printed_numbers: Distinct,
            printed_statements: Distinct,
            counts: BTreeMap<Claim, Count>,
            #[serde(flatten)]
            report: &'a Report,
        }
        let counts = Claim::ALL.map(|claim| (claim, self.count(claim)));
        let text = serde_json::to_string_pretty(&Whole {
            printed_numbers: self.distinct(Shown::Number),
            printed_statements: self.distinct(Shown::Statement),
            counts: counts.into(),
            report: self,
        })?;
        write_whole(path, &text)
    }

    /// JUnit XML, as build servers read it: a suite a table, a case a cell.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_junit(&self, path: &Path) -> Result<()> {
        write_whole(path, &junit::junit(self))
    }

    /// `verification.md`, the chapter; `coverage.md`, what the documents show; `errata.md`, what they print wrong;
    /// `sheet.md`, one page with version and machine to attach to a report; `badge.md`, the counts in a line; `cells/`
    /// with every cell and picture, a page a manual.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_markdown(&self, folder: &Path) -> Result<()> {
        let pages = folder.join("cells");
        std::fs::create_dir_all(&pages)
            .with_context(|| format!("{}: cannot be made", pages.display()))?;
        for (manual, tables) in by_manual(&self.tables) {
            let mut text = format!("# {}\n\n", heading(manual));
            for table in tables {
                text.push_str(&cells::section(table));
                for picture in &table.pictures {
                    let file = format!("{}-{}.svg", table.id.replace('/', "-"), picture.name);
                    write_whole(&pages.join(&file), &picture.svg)?;
                    let _ = writeln!(text, "![{0}]({file})\n\n*{0}*\n", picture.caption);
                }
            }
            write_whole(&pages.join(format!("{manual}.md")), &text)?;
        }
        write_whole(&folder.join("sheet.md"), &front::sheet(self))?;
        write_whole(&folder.join("badge.md"), &front::badge(self))?;
        if !self.errata.is_empty() {
            write_whole(
                &folder.join("errata.md"),
                &crate::errata::page(&self.errata),
            )?;
        }
        if !self.items.is_empty() {
            write_whole(&folder.join("coverage.md"), &coverage::page(&self.items))?;
        }
        write_whole(&folder.join("verification.md"), &chapter::chapter(self))
    }
}

/// Writes beside and renames, so that a reader finds the whole file or none.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<()> {
    let beside = path.with_extension("part");
    std::fs::write(&beside, text)
        .and_then(|()| std::fs::rename(&beside, path))
        .with_context(|| format!("{}: cannot be written", path.display()))
}
