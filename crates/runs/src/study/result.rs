//! What a study gives.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::design::Choice;
use crate::answer::{Answer, Judgement};
use crate::error::Result;
use crate::files::{Files, FilesExt as _};
use crate::results::KindResults;

/// The results of a scene of kind `study`.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the study: the file `result.json`.
    pub summary: Summary,
    /// Every run: the rows of `study.csv`.
    pub runs: Vec<Row>,
    /// Items of the lists that `look_at` names: the rows of `lists.csv`.
    pub lists: Vec<Item>,
    /// Range of each number over the values of each key, of the method `one_at_a_time`: the rows of `changes.csv`.
    pub changes: Vec<Change>,
    /// Distribution of each number, of the method `sample`: the rows of `quantiles.csv`.
    pub quantiles: Vec<Quantiles>,
    /// Sensitivity indices, of the method `sobol`: the rows of `indices.csv`.
    pub indices: Vec<IndexRow>,
    /// Values of each key, for figures.
    #[serde(skip)]
    pub choices: Vec<Choice>,
    /// Whether a run without an answer kept a bisection from its end.
    #[serde(skip)]
    pub open: bool,
}

/// How the values of a study are chosen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MethodName {
    /// Every combination of the values.
    #[default]
    Grid,
    /// Each key over its values, the others as the scene states them.
    OneAtATime,
    /// Halving of a range around a change of the outcome.
    Bisection,
    /// Values drawn from distributions.
    Sample,
    /// Sets of draws for sensitivity indices.
    Sobol,
}

/// Counts of the study, and the limit that a bisection found.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Summary {
    /// Kind of the scene that was run.
    pub kind: &'static str,
    /// How the values were chosen.
    pub method: MethodName,
    /// The keys, in the order of the columns of `study.csv`.
    pub keys: Vec<String>,
    /// Number of runs.
    pub runs: usize,
    /// Number of runs that came to no answer. Column `verdict` of `study.csv` states why.
    pub failed: usize,
    /// Names of the outcomes, and the number of runs with each.
    pub outcomes: Vec<Count>,
    /// The two values of the key between which the outcome changes; null if the method is no bisection, or if it found
    /// no change.
    pub limit: Option<Limit>,
}

/// Number of runs with one outcome.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Count {
    /// Name of the outcome.
    pub outcome: String,
    /// Number of runs.
    pub runs: usize,
}

/// Values of the key on both sides of a change.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Limit {
    /// Value on the side of the first value of the key.
    pub before: f64,
    /// Value on the other side.
    pub after: f64,
    /// Outcome at `before`.
    pub outcome_before: String,
    /// Outcome at `after`.
    pub outcome_after: String,
}

/// One run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Row {
    /// Values of the keys; empty where the key is as the scene states it.
    #[serde(flatten)]
    pub keys: Cells,
    /// Name of the outcome; `failed` if the run came to no answer.
    pub outcome: String,
    /// Judgement of the verdict; null if the run came to no answer.
    pub judgement: Option<Judgement>,
    /// The three figures of the answer with their units, and the numbers and words that `look_at` names.
    #[serde(flatten)]
    pub numbers: Cells,
    /// The verdict, or why there is none.
    pub verdict: String,
}

/// An item of a list that `look_at` names.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Item {
    /// Values of the keys.
    #[serde(flatten)]
    pub keys: Cells,
    /// Path of the list.
    pub list: String,
    /// Number of the item, from 0.
    pub item: usize,
    /// Value of the item.
    pub value: Value,
}

/// Range of a number over the values of one key, while the other keys are as the scene states them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Change {
    /// The key.
    pub key: String,
    /// The number, with its unit.
    pub number: String,
    /// Least value of the number.
    pub min: f64,
    /// Largest value of the number.
    pub max: f64,
    /// Range over the largest size of the number in all runs, by which numbers of different units are compared.
    pub relative_range: f64,
}

/// Distribution of a number over all runs that have it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Quantiles {
    /// The number, with its unit.
    pub number: String,
    /// Number of runs that have it.
    pub runs: usize,
    /// Mean value of the number.
    pub mean: f64,
    /// Standard deviation of the number.
    pub standard_deviation: f64,
    /// 5 % quantile of the number.
    pub q05: f64,
    /// Median of the number.
    pub q50: f64,
    /// 95 % quantile of the number.
    pub q95: f64,
}

/// Sensitivity indices of a number to a key, each with an interval of 95 %.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct IndexRow {
    /// The number, with its unit.
    pub number: String,
    /// The key.
    pub key: String,
    /// First-order index: part of the variance that the key explains alone.
    pub first_order: f64,
    /// Lower end of the interval of the first-order index.
    pub first_order_lower: f64,
    /// Upper end of the interval of the first-order index.
    pub first_order_upper: f64,
    /// Total index: part of the variance that is left if all other keys are known.
    pub total: f64,
    /// Lower end of the interval of the total index.
    pub total_lower: f64,
    /// Upper end of the interval of the total index.
    pub total_upper: f64,
    /// Number of sets. Sets with a run that does not have the number are left out.
    pub sets: usize,
}

/// Columns whose names depend on the scene, with values of any kind.
#[derive(Debug, Clone, Default, PartialEq, JsonSchema)]
#[schemars(transparent)]
pub struct Cells(
    /// Name and value.
    #[schemars(with = "std::collections::BTreeMap<String, Value>")]
    pub Vec<(String, Value)>,
);

impl Serialize for Cells {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A cell of a table holds no list or object: it has their text.
        let cell = |value: &Value| match value {
            Value::Array(_) | Value::Object(_) => Value::from(value.to_string()),
            value => value.clone(),
        };
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, cell(value))))
    }
}

impl Cells {
    /// Names and values, as many as there are of both.
    pub fn of<'a>(names: &[String], values: impl IntoIterator<Item = &'a Value>) -> Self {
        Self(
            names
                .iter()
                .cloned()
                .zip(values.into_iter().cloned())
                .collect(),
        )
    }

    /// Names without values.
    #[must_use]
    pub fn empty(names: &[String]) -> Self {
        Self(
            names
                .iter()
                .map(|name| (name.clone(), Value::Null))
                .collect(),
        )
    }

    /// A value as it is written in words.
    #[must_use]
    pub fn words(value: &Value) -> Cow<'_, str> {
        value
            .as_str()
            .map_or_else(|| value.to_string().into(), Cow::Borrowed)
    }
}

impl KindResults for Results {
    type Summary = Summary;

    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn verdict(&self) -> Answer {
        self.answer()
    }

    fn write_tables(&self, files: &mut dyn Files) -> Result<()> {
        files.table("study.csv", &self.runs)?;
        if !self.lists.is_empty() {
            files.table("lists.csv", &self.lists)?;
        }
        match self.summary.method {
            MethodName::OneAtATime => files.table("changes.csv", &self.changes),
            MethodName::Sample => files.table("quantiles.csv", &self.quantiles),
            MethodName::Sobol => files.table("indices.csv", &self.indices),
            MethodName::Grid | MethodName::Bisection => Ok(()),
        }
    }
}
