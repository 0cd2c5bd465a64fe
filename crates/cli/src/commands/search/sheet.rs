//! What a search leaves: a table, a figure, a page, a manifest, and the verdict on the terminal.

use std::path::PathBuf;

use anyhow::Result;
use klast_report::{Page, Section, Table, introduce};
use klast_runs::answer::{Figure, short};
use klast_runs::files::{Files as _, FilesExt as _, Folder};
use klast_runs::manifest::MANIFEST;
use klast_runs::run_folder::remove_earlier;
use klast_runs::table::Table as Cells;
use serde_json::Value;

use super::{Point, Study};
use crate::failure::input;

use crate::terminal::stdout_line;

/// Rows of the table on the page; the CSV file holds all.
const MOST_ROWS: usize = 400;

/// What a search has found.
pub(super) struct Findings<'a> {
    /// The command: `sweep` or `limit`.
    pub command: &'a str,
    pub verdict: &'a str,
    pub points: &'a [Point],
    pub figure: Option<String>,
}

/// The table, the figure, the page and the manifest, and the verdict on the terminal.
pub(super) fn write(
    study: &Study,
    (folder, earlier): (PathBuf, Vec<String>),
    findings: &Findings,
) -> Result<()> {
    let mut files = Folder::open(&folder)?;
    let _lock = input(files.lock())?;
    let command = findings.command;
    let cells = table(&study.keys, findings.points);
    files.bytes(&format!("{command}.csv"), &cells.csv()?)?;
    if let Some(svg) = &findings.figure {
        files.text(&format!("{command}.svg"), svg)?;
    }
    files.text("index.html", &page(study, findings, &cells).html())?;
    remove_earlier(&files, &earlier);
    let manifest = serde_json::json!({
        "klast": env!("CARGO_PKG_VERSION"), "kind": study.scene.kind().name, "command": command,
        "scene": study.scene.text().name, "scene_sha256": study.scene.text().sha256(), "seed": study.options.seed,
        "complete": true, "verdict": findings.verdict, "files": files.names(),
    });
    files.json(MANIFEST, &manifest)?;
    if study.options.json {
        return print_json(findings.verdict, &cells);
    }
    if !study.options.quiet {
        print(study.keys.len(), findings.verdict, &cells)?;
        stdout_line(format_args!(
            "results: {}",
            folder.join("index.html").display()
        ))?;
    }
    Ok(())
}

/// A row a run: the values of the keys, the outcome, the quantities, the verdict.
fn table(keys: &[String], points: &[Point]) -> Cells {
    let names = points.iter().find_map(|p| p.answer.as_ref().ok());
    let figures = names.map_or(&[][..], |a| &a.figures);
    let unit = |unit: &'static str| if unit.is_empty() { "-" } else { unit };
    let quantity = |f: &Figure| format!("{} [{}]", f.quantity, unit(f.unit));
    let mut header = keys.to_vec();
    header.push("outcome".to_owned());
    header.extend(figures.iter().map(quantity));
    header.push("verdict".to_owned());
    let plain = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
    let number = |f: &Figure| f.value.map_or(String::new(), |v| v.to_string());
    let row = |p: &Point| {
        let mut cells: Vec<String> = p.values.iter().map(plain).collect();
        match &p.answer {
            Ok(answer) => {
                cells.push(answer.outcome.clone());
                cells.extend(answer.figures.iter().map(number));
                cells.push(answer.verdict.replace('\n', " "));
            }
            Err(error) => {
                cells.push("failed".to_owned());
                cells.extend(figures.iter().map(|_| String::new()));
                cells.push(error.clone());
            }
        }
        cells
    };
    let rows = points.iter().map(row).collect();
    Cells { header, rows }
}

fn page(study: &Study, findings: &Findings, cells: &Cells) -> Page {
    let mut page = Page::new(&format!(
        "{}: {} over {}",
        study.scene.kind().name.replace('_', " "),
        findings.command,
        study.keys.join(" and ")
    ));
    introduce(&study.scene, &mut page);
    page.about.date = Some(crate::date::today());
    page.text(Section::Results, findings.verdict);
    if let Some(svg) = &findings.figure {
        page.figure(
            svg,
            "What the runs answer over the values of the key; each point is one run.",
        );
    }
    let shown = |cell: &String| cell.parse::<f64>().map_or_else(|_| cell.clone(), short);
    let row = |r: &Vec<String>| r.iter().map(shown).collect();
    let table = Table {
        header: cells.header.iter().map(|h| split(h)).collect(),
        rows: cells.rows.iter().take(MOST_ROWS).map(row).collect(),
    };
    page.table(Section::Results, table);
    page
}

fn print_json(verdict: &str, cells: &Cells) -> Result<()> {
    let object = |row: &Vec<String>| -> Value {
        let values = row.iter().map(|c| Value::from(c.as_str()));
        cells.header.iter().cloned().zip(values).collect()
    };
    let runs: Vec<Value> = cells.rows.iter().map(object).collect();
    let all = serde_json::json!({"verdict": verdict, "runs": runs});
    stdout_line(serde_json::to_string_pretty(&all)?)
}

fn print(keys: usize, verdict: &str, cells: &Cells) -> Result<()> {
    for row in &cells.rows {
        stdout_line(format_args!(
            "  {:<24} {}",
            row[..keys].join(", "),
            row[keys]
        ))?;
    }
    stdout_line(verdict)
}

/// A heading such as `energy [J]` as words and unit.
fn split(heading: &str) -> (String, String) {
    match heading.rsplit_once(" [") {
        Some((words, unit)) => (
            words.to_owned(),
            unit.trim_end_matches(']').trim_end_matches('-').to_owned(),
        ),
        None => (heading.to_owned(), String::new()),
    }
}
