//! What a search leaves: a table, a figure, a page, a manifest, and the verdict on the terminal.

use std::path::PathBuf;

use anyhow::Result;
use klast_report::{Page, Section, Table, introduce};
use klast_scenes::answer::short;
use klast_scenes::files::{Files as _, FilesExt as _, Folder};
use klast_scenes::manifest::MANIFEST;
use klast_scenes::run_folder::remove_earlier;
use klast_scenes::table::Table as Cells;
use serde_json::Value;

use super::{Point, Study};
use crate::failure::input;

use crate::terminal::stdout_line;

/// The table, the figure, the page and the manifest, and the verdict on the terminal.
pub fn write(
    study: &Study,
    (folder, earlier): (PathBuf, Vec<String>),
    what: &str,
    verdict: &str,
    points: &[Point],
    svg: Option<String>,
) -> Result<()> {
    let mut files = Folder::open(&folder)?;
    let _lock = input(files.lock())?;
    let names = points.iter().find_map(|p| p.answer.as_ref().ok());
    let quantities: Vec<String> = names.map_or_else(Vec::new, |a| {
        let told = a.figures.iter().map(|f| {
            format!(
                "{} [{}]",
                f.quantity,
                if f.unit.is_empty() { "-" } else { f.unit }
            )
        });
        told.collect()
    });
    let mut header = study.keys.clone();
    header.push("outcome".to_owned());
    header.extend(quantities.iter().cloned());
    header.push("verdict".to_owned());
    let plain = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
    let row = |p: &Point| -> Vec<String> {
        let mut cells: Vec<String> = p.values.iter().map(plain).collect();
        match &p.answer {
            Ok(answer) => {
                cells.push(answer.outcome.clone());
                cells.extend(
                    answer
                        .figures
                        .iter()
                        .map(|f| f.value.map_or(String::new(), |v| v.to_string())),
                );
                cells.push(answer.verdict.replace('\n', " "));
            }
            Err(error) => {
                cells.push("failed".to_owned());
                cells.extend(quantities.iter().map(|_| String::new()));
                cells.push(error.clone());
            }
        }
        cells
    };
    let rows: Vec<Vec<String>> = points.iter().map(row).collect();
    let all = Cells {
        header: header.clone(),
        rows,
    };
    files.bytes(&format!("{what}.csv"), &all.csv()?)?;
    let rows = all.rows;
    let title = format!(
        "{}: {what} over {}",
        study.scene.kind().name.replace('_', " "),
        study.keys.join(" and ")
    );
    let mut page = Page::new(&title);
    introduce(&study.scene, &mut page);
    page.about.date = Some(crate::date::today());
    page.text(Section::Results, verdict);
    if let Some(svg) = &svg {
        files.text(&format!("{what}.svg"), svg)?;
        page.figure(
            svg,
            "What the runs answer over the values of the key; each point is one run.",
        );
    }
    let shown = |cell: &String| cell.parse::<f64>().map_or_else(|_| cell.clone(), short);
    let table = Table {
        header: header.iter().map(|h| split(h)).collect(),
        rows: rows
            .iter()
            .take(400)
            .map(|r| r.iter().map(shown).collect())
            .collect(),
    };
    page.table(Section::Results, table);
    files.text("index.html", &page.html())?;
    remove_earlier(&files, &earlier);
    let manifest = serde_json::json!({
        "klast": env!("CARGO_PKG_VERSION"), "kind": study.scene.kind().name, "command": what, "scene": study.scene.text().name,
        "scene_sha256": study.scene.text().sha256(), "seed": study.options.seed, "complete": true, "verdict": verdict, "files": files.names(),
    });
    files.json(MANIFEST, &manifest)?;
    if study.options.json {
        let objects: Vec<Value> = rows
            .iter()
            .map(|r| {
                header
                    .iter()
                    .cloned()
                    .zip(r.iter().map(|c| Value::from(c.as_str())))
                    .collect()
            })
            .collect();
        stdout_line(serde_json::to_string_pretty(
            &serde_json::json!({"verdict": verdict, "runs": objects}),
        )?)?;
    } else if !study.options.quiet {
        for row in &rows {
            stdout_line(format_args!(
                "  {:<24} {}",
                row[..study.keys.len()].join(", "),
                row[study.keys.len()]
            ))?;
        }
        stdout_line(verdict)?;
        stdout_line(format_args!(
            "results: {}",
            folder.join("index.html").display()
        ))?;
    }
    Ok(())
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
