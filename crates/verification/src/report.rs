mod chapter;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::{CellResult, TableResult, Verdict};

/// All tables, judged.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Tables that ran.
    pub tables: Vec<TableResult>,
    /// Tables left to the full run.
    pub skipped: Vec<String>,
}

impl Report {
    /// Every table holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        !self.tables.is_empty() && self.tables.iter().all(TableResult::holds)
    }

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
        let held = self.tables.iter().filter(|t| t.holds()).count();
        let cells: Vec<_> = self.tables.iter().flat_map(|t| &t.cells).collect();
        let good = cells.iter().filter(|c| c.verdict.holds()).count();
        let _ = writeln!(
            text,
            "{held} of {} tables hold, {good} of {} cells; {} tables left to --full",
            self.tables.len(),
            cells.len(),
            self.skipped.len()
        );
        text
    }

    /// The whole report as JSON.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_json(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        write_whole(path, &text)
    }

    /// `verification.md`, the chapter; `cells/` with every cell and picture, a page a manual.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_markdown(&self, folder: &Path) -> Result<()> {
        let cells = folder.join("cells");
        std::fs::create_dir_all(&cells)
            .with_context(|| format!("{}: cannot be made", cells.display()))?;
        for (manual, tables) in by_manual(&self.tables) {
            let mut text = format!("# {}\n\n", heading(manual));
            for table in tables {
                text.push_str(&section(table));
                for picture in &table.pictures {
                    let file = format!("{}-{}.svg", table.id.replace('/', "-"), picture.name);
                    write_whole(&cells.join(&file), &picture.svg)?;
                    let _ = writeln!(text, "![{0}]({file})\n\n*{0}*\n", picture.caption);
                }
            }
            write_whole(&cells.join(format!("{manual}.md")), &text)?;
        }
        write_whole(&folder.join("verification.md"), &chapter::chapter(self))
    }
}

/// Tables by the folder they stand in, in the order of their ids.
fn by_manual(tables: &[TableResult]) -> BTreeMap<&str, Vec<&TableResult>> {
    let mut manuals: BTreeMap<&str, Vec<&TableResult>> = BTreeMap::new();
    for table in tables {
        let manual = table.id.split('/').next().unwrap_or_default();
        manuals.entry(manual).or_default().push(table);
    }
    manuals
}

fn heading(manual: &str) -> String {
    let mut words = manual.replace('_', " ");
    if let Some(first) = words.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    words
}

fn counts(cells: &[CellResult]) -> String {
    let count = |v| cells.iter().filter(|c| c.verdict == v).count();
    let bad = cells.iter().filter(|c| !c.verdict.holds()).count();
    let mut text = format!("{} cells hold", count(Verdict::Pass));
    if count(Verdict::Erratum) > 0 {
        let _ = write!(text, ", {} known errata", count(Verdict::Erratum));
    }
    if bad > 0 {
        let _ = write!(text, ", {bad} do NOT");
    }
    text
}

fn failing(cell: &CellResult) -> String {
    let computed = cell
        .computed
        .as_ref()
        .map_or("nothing".to_owned(), ToString::to_string);
    let allowed = cell.allowed.map_or(String::new(), |a| format!(" ± {a:e}"));
    format!(
        "{} [{}] {:?}: computed {computed}, expected {}{allowed} {}",
        cell.row, cell.column, cell.verdict, cell.expected, cell.unit
    )
}

fn section(table: &TableResult) -> String {
    let mut text = format!("## {}: {}\n\n{}\n\n", table.id, table.title, table.claim);
    if let Some(error) = &table.error {
        let _ = writeln!(text, "**Failed:** {error}\n");
    }
    text.push_str(
        "| row | quantity | unit | against | expected | computed | allowed | verdict |\n",
    );
    text.push_str("|---|---|---|---|---|---|---|---|\n");
    for c in &table.cells {
        let computed = c
            .computed
            .as_ref()
            .map_or("–".to_owned(), ToString::to_string);
        let allowed = c.allowed.map_or("–".to_owned(), |a| format!("{a:.2e}"));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {computed} | {allowed} | {:?} |",
            c.row, c.quantity, c.unit, c.column, c.expected, c.verdict
        );
    }
    text.push('\n');
    for cell in &table.cells {
        if let Some(erratum) = &cell.erratum {
            let _ = writeln!(text, "* {} [{}], erratum: {erratum}", cell.row, cell.column);
        }
    }
    for note in &table.notes {
        let _ = writeln!(text, "* {note}");
    }
    text.push('\n');
    text
}

/// Writes beside and renames, so that a reader finds the whole file or none.
fn write_whole(path: &Path, text: &str) -> Result<()> {
    let beside = path.with_extension("part");
    std::fs::write(&beside, text)
        .and_then(|()| std::fs::rename(&beside, path))
        .with_context(|| format!("{}: cannot be written", path.display()))
}
