//! What the documents show, item by item, and where each is computed.
//!
//! `verification/coverage/<document>.json` lists every table, figure, numbered equation group, algorithm step and
//! stated conclusion. Each item names the rows that compute it, or the pictures that draw it, or says why it has
//! neither.

mod judge;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::Table;
use crate::count::Count;
use crate::distinct::Distinct;

/// What kind of thing a document shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// A numbered table.
    Table,
    /// A numbered figure.
    Figure,
    /// A group of numbered equations.
    Equations,
    /// Steps of a procedure, or an input that is stated in the text.
    Procedure,
    /// A stated conclusion.
    Conclusion,
}

impl ItemKind {
    /// As a report says it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            ItemKind::Table => "table",
            ItemKind::Figure => "figure",
            ItemKind::Equations => "equations",
            ItemKind::Procedure => "procedure",
            ItemKind::Conclusion => "conclusion",
        }
    }
}

/// One thing that a document shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// `<chapter>/<name>`, unique in the document.
    pub id: String,
    /// Its kind.
    pub kind: ItemKind,
    /// What it shows, in a few words of our own.
    pub shows: String,
    /// The rows that compute it: `<table>` or `<table>#<beginning of the row ids>`.
    #[serde(default)]
    pub rows: Vec<String>,
    /// The pictures that draw it: `<table>#<picture>`.
    #[serde(default)]
    pub pictures: Vec<String>,
    /// Why it is not judged, or not in full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// All that one document shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Version of the format.
    pub schema: u32,
    /// Short name, as filters use it.
    pub document: String,
    /// Author, title, year.
    pub title: String,
    /// How many items of each kind there are, asserted, so that none can drop out.
    pub counts: BTreeMap<ItemKind, usize>,
    /// The items.
    pub items: Vec<Item>,
}

/// What became of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemVerdict {
    /// Every value that is shown is met with stated inputs, or with more digits of them.
    Reproduced,
    /// Every value is met, but some only with fitted settings.
    WithFitted,
    /// Some are.
    InPart,
    /// None is.
    NotReproduced,
    /// The document shows no value for it; ours are held against a reference or a bar of our own.
    Computed,
    /// Drawn from our model, with nothing to hold it against.
    Drawn,
    /// Neither computed nor drawn, for a stated reason.
    NotComputed,
    /// Only with the long run.
    LeftToFull,
    /// A row that fails or is missing, or a picture that is missing.
    Failed,
}

impl ItemVerdict {
    /// As a report says it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            ItemVerdict::Reproduced => "reproduced",
            ItemVerdict::WithFitted => "only with fitted settings",
            ItemVerdict::InPart => "reproduced in part",
            ItemVerdict::NotReproduced => "not reproduced",
            ItemVerdict::Computed => "computed; no value is shown",
            ItemVerdict::Drawn => "drawn; no value is shown",
            ItemVerdict::NotComputed => "not computed",
            ItemVerdict::LeftToFull => "left to the full run",
            ItemVerdict::Failed => "FAIL",
        }
    }
}

/// One item, judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemResult {
    /// The document.
    pub document: String,
    /// Its author, title and year.
    pub title: String,
    /// The item.
    #[serde(flatten)]
    pub item: Item,
    /// The verdict.
    pub verdict: ItemVerdict,
    /// Distinct printed numbers.
    pub numbers: Distinct,
    /// Distinct printed statements.
    pub statements: Distinct,
    /// Cells that evaluate a printed formula or repeat an input, in words.
    pub not_shown: Vec<String>,
    /// Cells by claim, in the order of `Claim::ALL`.
    pub counts: [Count; 4],
    /// What failed or why the values are not reproduced.
    pub because: Vec<String>,
}

/// The two parts of `<table>#<rest>`.
fn parts(selector: &str) -> (&str, &str) {
    selector.split_once('#').unwrap_or((selector, ""))
}

impl Document {
    /// Reads and checks one list.
    ///
    /// # Errors
    /// Anything that is not as [`Item`] says.
    pub fn parse(text: &str) -> Result<Self> {
        let list: Document = serde_json::from_str(text)?;
        ensure!(list.schema == 1, "schema {}; accepted: 1", list.schema);
        let mut ids = BTreeSet::new();
        let mut counts = BTreeMap::new();
        for item in &list.items {
            ensure!(ids.insert(&item.id), "two items are called '{}'", item.id);
            ensure!(
                item.id.contains('/'),
                "item '{}'; accepted: <chapter>/<name>",
                item.id
            );
            *counts.entry(item.kind).or_insert(0) += 1;
            let reason = item.reason.as_deref().map(str::trim);
            ensure!(
                reason != Some("") && (!item.rows.is_empty() || reason.is_some()),
                "item '{}' has no row; accepted: rows, or the reason why there are none",
                item.id
            );
        }
        ensure!(
            counts == list.counts,
            "counts {counts:?}; accepted: the stated {:?}",
            list.counts
        );
        Ok(list)
    }

    /// Joins the items with the tables, strictly.
    ///
    /// # Errors
    /// A table that is none, or no row of it with that beginning.
    pub fn check(&self, tables: &BTreeMap<&str, &Table>) -> Result<()> {
        for item in &self.items {
            let place = || format!("{}: item '{}'", self.document, item.id);
            for selector in &item.rows {
                let (table, row) = parts(selector);
                let table = tables
                    .get(table)
                    .with_context(|| format!("no table '{table}'"))
                    .with_context(place)?;
                ensure!(
                    table.rows.iter().any(|r| r.id.starts_with(row)),
                    "{}: no row of '{}' begins with '{row}'",
                    place(),
                    table.id
                );
            }
            let printed = |selector: &String| {
                let (table, row) = parts(selector);
                tables.get(table).is_some_and(|t| t.shows(row))
            };
            ensure!(
                item.kind != ItemKind::Conclusion
                    || item.reason.is_some()
                    || item.rows.iter().any(printed),
                "{}: a conclusion without a value that the document shows; accepted: the reason, which says what ours is",
                place()
            );
            for selector in &item.pictures {
                let (table, picture) = parts(selector);
                ensure!(
                    tables.contains_key(table) && !picture.is_empty(),
                    "{}: picture '{selector}'; accepted: <table>#<picture>",
                    place()
                );
            }
        }
        Ok(())
    }

    /// The items that a filter `<document>` or `<document>/<beginning of the item>` names.
    #[must_use]
    pub fn named(&self, filter: &str) -> Vec<&Item> {
        let rest = filter.strip_prefix(self.document.as_str());
        let beginning = match rest {
            Some("") => "",
            Some(rest) => match rest.strip_prefix('/') {
                Some(beginning) => beginning.trim_end_matches('/'),
                None => return Vec::new(),
            },
            None => return Vec::new(),
        };
        // `7` is chapter 7 and not chapter 70.
        let within = format!("{beginning}/");
        let named = |item: &&Item| {
            beginning.is_empty() || item.id == beginning || item.id.starts_with(&within)
        };
        self.items.iter().filter(named).collect()
    }

    /// Tables of the items that a filter names.
    #[must_use]
    pub fn tables(&self, filter: &str) -> BTreeSet<&str> {
        self.named(filter)
            .into_iter()
            .flat_map(|item| item.rows.iter().chain(&item.pictures))
            .map(|selector| parts(selector).0)
            .collect()
    }
}
