use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use rayon::prelude::*;

use crate::compare::compare;
use crate::{Case, Context, Report, Table, TableResult};

/// Tables joined with their cases.
#[derive(Debug)]
pub struct Suite {
    entries: Vec<(Table, Case)>,
}

impl Suite {
    /// Reads every `<manual>/<id>.json` under `root` and joins it with the case of the same id.
    ///
    /// # Errors
    /// A table that cannot be read, a table without a case, a case without a table.
    pub fn open(root: &Path, cases: &[Case]) -> Result<Self> {
        let mut by_id = BTreeMap::new();
        for case in cases {
            ensure!(
                by_id.insert(case.id, *case).is_none(),
                "two cases are called '{}'",
                case.id
            );
        }
        let mut entries = Vec::new();
        for (path, id) in table_files(root)? {
            let Some(case) = by_id.remove(id.as_str()) else {
                bail!("{}: a table without a case '{id}'", path.display());
            };
            entries.push((Table::read(&path, &id)?, case));
        }
        if let Some(id) = by_id.keys().next() {
            bail!(
                "case '{id}' has no table {}",
                root.join(format!("{id}.json")).display()
            );
        }
        Ok(Self { entries })
    }

    /// Runs the tables whose id contains `filter`; long ones only if the context says so.
    ///
    /// # Errors
    /// A filter that names no table.
    pub fn run(&self, filter: Option<&str>, context: &Context) -> Result<Report> {
        let wanted = |id: &str| filter.is_none_or(|f| id.contains(f));
        let chosen: Vec<_> = self.entries.iter().filter(|(t, _)| wanted(&t.id)).collect();
        ensure!(
            !chosen.is_empty(),
            "no table matches '{}'",
            filter.unwrap_or_default()
        );
        let (run, skipped): (Vec<_>, Vec<_>) = chosen
            .into_iter()
            .partition(|(t, _)| context.full || !t.full);
        let results = run
            .par_iter()
            .map(|(table, case)| run_one(table, case, context))
            .collect();
        Ok(Report {
            tables: results,
            skipped: skipped.iter().map(|(t, _)| t.id.clone()).collect(),
        })
    }
}

fn run_one(table: &Table, case: &Case, context: &Context) -> TableResult {
    let start = Instant::now();
    let outcome = (case.run)(table, context);
    let seconds = start.elapsed().as_secs_f64();
    let mut result = TableResult {
        id: table.id.clone(),
        title: table.title.clone(),
        claim: table.claim.clone(),
        source: table.source.clone(),
        cells: Vec::new(),
        error: None,
        notes: Vec::new(),
        pictures: Vec::new(),
        seconds,
    };
    match outcome {
        Ok(outcome) => {
            result.cells = compare(table, &outcome);
            result.notes = outcome.notes;
            result.pictures = outcome.pictures;
        }
        Err(error) => result.error = Some(format!("{error:#}")),
    }
    result
}

/// Every table file with its id, sorted by id.
fn table_files(root: &Path) -> Result<Vec<(std::path::PathBuf, String)>> {
    let mut files = Vec::new();
    for manual in list(root)? {
        ensure!(
            manual.is_dir(),
            "{}: accepted: folders of tables",
            manual.display()
        );
        for file in list(&manual)? {
            ensure!(
                file.extension().is_some_and(|e| e == "json"),
                "{}: accepted: tables (.json)",
                file.display()
            );
            let part = |p: Option<&std::ffi::OsStr>| {
                p.and_then(|s| s.to_str())
                    .map(str::to_owned)
                    .context("a name that is not UTF-8")
            };
            let id = format!("{}/{}", part(manual.file_name())?, part(file.file_stem())?);
            files.push((file, id));
        }
    }
    Ok(files)
}

fn list(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("{}: cannot be listed", folder.display()))?;
    let mut paths = entries.map(|e| Ok(e?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
