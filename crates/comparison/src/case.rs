use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::progress::Progress;
use crate::{Table, Value};

/// How the suite is run.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The long run: studies and large samples too.
    pub full: bool,
    /// Where finished long tables are kept, so that a run that was stopped goes on. The folder belongs to one build.
    pub kept: Option<PathBuf>,
    /// Which tables run and how many are done.
    pub progress: Progress,
}

/// A function that runs the product for the table of the same id.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The table's id.
    pub id: &'static str,
    /// Fills in what the product computes.
    pub run: fn(&Table, &Context) -> anyhow::Result<Outcome>,
}

/// An SVG picture for the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// File name without ending, unique in its table.
    pub name: String,
    /// One line under the picture.
    pub caption: String,
    /// The SVG text.
    pub svg: String,
}

/// What a case computed: values by row and series, pictures, and remarks for the report.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Outcome {
    values: BTreeMap<String, BTreeMap<String, Value>>,
    /// Pictures, in order.
    pub pictures: Vec<Picture>,
    /// Sentences for the report: what was measured beside the cells.
    pub notes: Vec<String>,
}

impl Outcome {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Records the computed value of a row in a series.
    pub fn set(&mut self, row: &str, series: &str, value: impl Into<Value>) {
        self.values
            .entry(row.to_owned())
            .or_default()
            .insert(series.to_owned(), value.into());
    }

    /// The computed value of a row in a series.
    #[must_use]
    pub fn get(&self, row: &str, series: &str) -> Option<&Value> {
        self.values.get(row)?.get(series)
    }

    /// Adds a picture.
    pub fn draw(&mut self, name: &str, caption: &str, svg: String) {
        self.pictures.push(Picture {
            name: name.to_owned(),
            caption: caption.to_owned(),
            svg,
        });
    }

    /// Adds a remark.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }
}
