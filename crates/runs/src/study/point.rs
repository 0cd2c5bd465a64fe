//! One run of a study: what it answered, as it is kept until the study ends.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::design::number;
use crate::answer::Judgement;
use crate::ensure;
use crate::error::{Context as _, Result};
use crate::job::Outcome;

/// A run and its values of the keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The values of the keys; null where the scene was left as it is, too.
    pub values: Vec<Value>,
    /// What it answered, or why it has no answer.
    pub found: Result<Found, String>,
}

/// What a run answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The name of the outcome.
    pub outcome: String,
    /// What it means.
    pub judgement: Judgement,
    /// The sentence.
    pub verdict: String,
    /// What is allowed and probably not meant, or what the run does not rest on.
    pub warnings: Vec<String>,
    /// The three figures of the answer, with their units in brackets, and the scalars that are looked at.
    pub numbers: Vec<(String, Value)>,
    /// The lists that are looked at.
    pub lists: Vec<(String, Vec<Value>)>,
    /// The value whose change a bisection looks for; null of other studies.
    pub change: Value,
}

impl Found {
    /// What the results of a run say of the paths `look_at`, and of the path `change`.
    ///
    /// # Errors
    /// A path that leads nowhere, or to an object; results of a part.
    pub fn of(outcome: Outcome, look_at: &[String], change: Option<&str>) -> Result<Self> {
        let results = &*outcome.results;
        let answer = results.answer().context("a part of a run has no answer")?;
        let mut numbers = Vec::new();
        for figure in &answer.figures {
            let unit = if figure.unit.is_empty() {
                "-"
            } else {
                figure.unit
            };
            let value = figure.value.map_or(Value::Null, number);
            numbers.push((format!("{} [{unit}]", figure.quantity), value));
        }
        let (mut lists, summary) = (Vec::new(), results.summary()?);
        for path in look_at {
            match at(&summary, path)? {
                Value::Array(items) => lists.push((path.clone(), items.clone())),
                value => numbers.push((path.clone(), value.clone())),
            }
        }
        let change = change.map(|path| at(&summary, path)).transpose()?;
        Ok(Self {
            outcome: answer.outcome,
            judgement: answer.judgement,
            verdict: answer.verdict.replace('\n', " "),
            warnings: outcome.warnings,
            numbers,
            lists,
            change: change.cloned().unwrap_or_default(),
        })
    }
}

/// The value at a path such as `falls.0.time_s`.
fn at<'a>(summary: &'a Value, path: &str) -> Result<&'a Value> {
    let mut place = summary;
    for step in path.split('.') {
        let next = match place {
            Value::Object(keys) => keys.get(step),
            Value::Array(items) => step.parse::<usize>().ok().and_then(|k| items.get(k)),
            // Below what a run did not compute there is nothing.
            Value::Null => return Ok(place),
            _ => None,
        };
        place = next.with_context(|| match place.as_object() {
            Some(keys) => {
                let known: Vec<&str> = keys.keys().map(String::as_str).collect();
                format!(
                    "{path}: no '{step}' in result.json; there: {}",
                    known.join(", ")
                )
            }
            None => format!("{path}: no '{step}' in result.json"),
        })?;
    }
    ensure!(
        !place.is_object(),
        "{path}: an object of result.json; accepted: the path of a number, a word or a list"
    );
    Ok(place)
}
