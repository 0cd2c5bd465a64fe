use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use rayon::prelude::*;

use crate::compare::compare;
use crate::coverage::Document;
use crate::files::{self, File};
use crate::report::Program;
use crate::{Case, Context, Errata, Outcome, Report, Table, TableResult};

/// Folder of the lists of what the documents show.
const COVERAGE: &str = "coverage/";

/// Folder of the errata of the documents.
const ERRATA: &str = "errata/";

/// Tables joined with their cases, and the lists of what the documents show joined with the tables.
#[derive(Debug)]
pub struct Suite {
    entries: Vec<(Table, Case)>,
    documents: Vec<Document>,
    errata: Vec<Errata>,
}

impl Suite {
    /// Reads every `<manual>/<id>.json` under `root` and joins it with the case of the same id; the lists of
    /// `coverage/<document>.json` with the tables that they name.
    ///
    /// # Errors
    /// A table that cannot be read, a table without a case, a case without a table, an item of a document without a
    /// row.
    pub fn open(root: &Path, cases: &[Case]) -> Result<Self> {
        Self::join(files::read(root)?, cases).with_context(|| root.display().to_string())
    }

    /// The same from names and texts of files.
    ///
    /// # Errors
    /// As [`Suite::open`].
    pub fn join(files: Vec<File>, cases: &[Case]) -> Result<Self> {
        let mut by_id = BTreeMap::new();
        for case in cases {
            ensure!(
                by_id.insert(case.id, *case).is_none(),
                "two cases are called '{}'",
                case.id
            );
        }
        let (mut entries, mut documents, mut errata) = (Vec::new(), Vec::new(), Vec::new());
        for (name, text) in files {
            if name.starts_with(COVERAGE) {
                documents.push(Document::parse(&text).with_context(|| name.clone())?);
                continue;
            }
            if name.starts_with(ERRATA) {
                errata.push(Errata::parse(&text).with_context(|| name.clone())?);
                continue;
            }
            let id = name.strip_suffix(".json").unwrap_or(&name);
            let Some(case) = by_id.remove(id) else {
                bail!("{name}: a table without a case '{id}'");
            };
            entries.push((Table::parse(&text, id).with_context(|| name.clone())?, case));
        }
        if let Some(id) = by_id.keys().next() {
            bail!("case '{id}' has no table {id}.json");
        }
        let mut ids = BTreeSet::new();
        let twice = errata
            .iter()
            .flat_map(Errata::ids)
            .find(|id| !ids.insert(*id));
        ensure!(twice.is_none(), "two errata are called alike: {twice:?}");
        let suite = Self {
            entries,
            documents,
            errata,
        };
        let tables: BTreeMap<&str, &Table> = suite
            .entries
            .iter()
            .map(|(t, _)| (t.id.as_str(), t))
            .collect();
        for document in &suite.documents {
            document.check(&tables)?;
        }
        Ok(suite)
    }

    /// The tables that a filter names: all without one; those of a document or of its chapter (`thesis`, `thesis/7`);
    /// else those whose id contains it.
    ///
    /// # Errors
    /// A filter that names no table.
    pub fn chosen(&self, filter: Option<&str>) -> Result<Vec<&Table>> {
        Ok(self
            .entries_of(filter)?
            .into_iter()
            .map(|(t, _)| t)
            .collect())
    }

    fn entries_of(&self, filter: Option<&str>) -> Result<Vec<&(Table, Case)>> {
        let Some(filter) = filter else {
            return Ok(self.entries.iter().collect());
        };
        let named: BTreeSet<&str> = self
            .documents
            .iter()
            .flat_map(|d| d.tables(filter))
            .collect();
        let wanted = |id: &str| match named.is_empty() {
            true => id.contains(filter),
            false => named.contains(id),
        };
        let chosen: Vec<_> = self.entries.iter().filter(|(t, _)| wanted(&t.id)).collect();
        ensure!(
            !chosen.is_empty(),
            "no table matches '{filter}'; accepted: part of a table's id, or a document ({}) with its chapter",
            self.documents
                .iter()
                .map(|d| d.document.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        );
        Ok(chosen)
    }

    /// Runs the tables that the filter names, long ones only if the context says so. The items of the documents are
    /// judged too: all without a filter, else those of the document or chapter that it names.
    ///
    /// # Errors
    /// A filter that names no table.
    pub fn run(&self, filter: Option<&str>, context: &Context) -> Result<Report> {
        let (run, skipped): (Vec<_>, Vec<_>) = self
            .entries_of(filter)?
            .into_iter()
            .partition(|(t, _)| context.full || !t.full);
        context.progress.expect(run.len());
        let results = run
            .par_iter()
            .map(|(table, case)| {
                context
                    .progress
                    .table(&table.id, || run_one(table, case, context))
            })
            .collect();
        let mut report = Report {
            program: Program::this(),
            tables: results,
            skipped: skipped.iter().map(|(t, _)| t.id.clone()).collect(),
            items: Vec::new(),
            errata: self.errata.clone(),
        };
        let documents = self.documents.iter();
        report.items = documents.flat_map(|d| d.judge(&report, filter)).collect();
        Ok(report)
    }
}

fn run_one(table: &Table, case: &Case, context: &Context) -> TableResult {
    let start = Instant::now();
    let outcome = match table.full {
        true => kept(table, case, context),
        false => (case.run)(table, context),
    };
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

/// What a long table found, from an earlier run of the same build where there is one.
fn kept(table: &Table, case: &Case, context: &Context) -> Result<Outcome> {
    let Some(folder) = &context.kept else {
        return (case.run)(table, context);
    };
    // The inputs are part of the name: a table may be changed without a build.
    let inputs = serde_json::to_string(table)?;
    let hash = files::hash(inputs.as_bytes());
    let file = folder.join(format!("{}-{hash:016x}.json", table.id.replace('/', "-")));
    let before = std::fs::read_to_string(&file).ok();
    if let Some(outcome) = before.and_then(|text| serde_json::from_str(&text).ok()) {
        return Ok(outcome);
    }
    let outcome = (case.run)(table, context)?;
    crate::report::write_whole(&file, &serde_json::to_string(&outcome)?)?;
    Ok(outcome)
}
