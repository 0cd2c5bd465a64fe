//! The faults behind the first: what is wrong is told, put right in a copy, and the copy read again.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use serde_path_to_error::Segment;

use super::plain;
use super::words::{MOST_ERRORS, cause, hint, told};
use crate::problems::Problem;
use crate::spans::locate;

/// A step on the way to a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Key(String),
    Item(usize),
}

type Way = Vec<Step>;

/// Adds the first fault and those behind it. What was put right by us, and what lies within, is not told of.
pub fn faults<T: DeserializeOwned>(text: &str, first: Problem, found: &mut Vec<Problem>) {
    let misspelled = |said: &str, found: &[Problem]| {
        let key = said.strip_suffix(" is missing");
        key.is_some_and(|key| {
            found
                .iter()
                .any(|p| p.said.ends_with(&format!("nearest known: {key}")))
        })
    };
    let told_first = (first.path.clone(), first.said.clone());
    if !misspelled(&first.said, found) {
        found.push(first);
    }
    // What is no object has no keys to be wrong.
    let Some(mut value) = serde_json::from_str::<Value>(text)
        .ok()
        .filter(Value::is_object)
    else {
        return;
    };
    let mut ours: BTreeMap<Way, usize> = BTreeMap::new();
    for _ in 0..4 * MOST_ERRORS {
        let Err(error) = serde_path_to_error::deserialize::<_, T>(value.clone()) else {
            return;
        };
        let message = error.inner().to_string();
        let cause = cause(&message);
        let Some(mut way) = way_of(error.path()) else {
            return;
        };
        let missing = cause
            .strip_prefix("missing field `")
            .and_then(|k| k.strip_suffix('`'));
        let unknown = cause
            .strip_prefix("unknown field `")
            .and_then(|k| k.split('`').next());
        if let Some(key) = missing {
            way.push(Step::Key(key.to_owned()));
        } else if unknown.is_none()
            && let Some(inner) = lost(&value, &way, cause)
        {
            way = inner;
        }
        let known = ours.keys().any(|own| way.starts_with(own));
        let mut said = plain(cause);
        if let Some(hint) = hint(cause) {
            said += &hint;
        }
        let place = if missing.is_some() {
            &way[..way.len() - 1]
        } else {
            &way[..]
        };
        let next = problem(text, place, said);
        // The first fault was told with more of a hint than can be known here.
        let same = next.path == told_first.0;
        let again = next.said == told_first.1
            || (same && told_first.1.starts_with(&next.said))
            || (same && !next.path.is_empty() && missing.is_none());
        if !again && !known && found.len() < MOST_ERRORS && !misspelled(&next.said, found) {
            found.push(next);
        }
        let put = match unknown {
            Some(key) => at(&mut value, &way)
                .and_then(|v| v.as_object_mut()?.remove(key))
                .is_some(),
            None => put_right(&mut value, &way, cause, &mut ours),
        };
        if !put {
            return;
        }
    }
}

/// A value that may pass, another at each try.
fn put_right(value: &mut Value, way: &Way, cause: &str, ours: &mut BTreeMap<Way, usize>) -> bool {
    let tries = ours.entry(way.clone()).or_insert(0);
    let expected = cause.rsplit_once("expected ").map_or("", |(_, e)| e);
    let form = cause
        .strip_prefix("unknown variant `")
        .and_then(|rest| rest.split('`').nth(2).map(str::to_owned));
    let wanted = match expected {
        _ if form.is_some() => form.map(Value::from),
        e if e.starts_with("f64") => Some(json!(1.0)),
        e if e.starts_with(['u', 'i', 'n']) => Some(json!(1)),
        e if e.contains("string") => Some(json!("")),
        e if e.contains("sequence") || e.contains("tuple") || e.contains("array") => {
            Some(json!([]))
        }
        e if e.contains("bool") => Some(json!(false)),
        _ => None,
    };
    let others = [
        json!(1.0),
        json!(1),
        json!({}),
        json!([]),
        json!([1.0, 1.0]),
        json!([1.0, 1.0, 1.0]),
        json!(""),
    ];
    let new = match (*tries, wanted) {
        (0, Some(wanted)) => wanted,
        (k, _) if k < others.len() => others[k].clone(),
        _ => return false,
    };
    *tries += 1;
    let Some((last, parent)) = way.split_last() else {
        return false;
    };
    match (at(value, parent), last) {
        (Some(Value::Object(keys)), Step::Key(key)) => {
            keys.insert(key.clone(), new);
            true
        }
        (Some(Value::Array(items)), Step::Item(k)) => match items.get_mut(*k) {
            Some(item) => {
                *item = new;
                true
            }
            None => false,
        },
        _ => false,
    }
}

fn way_of(path: &serde_path_to_error::Path) -> Option<Way> {
    path.iter()
        .filter_map(|segment| match segment {
            Segment::Map { key } => Some(Some(Step::Key(key.clone()))),
            Segment::Seq { index } => Some(Some(Step::Item(*index))),
            // A form of a value has no key of its own where its name is a key already.
            Segment::Enum { variant } => Some(Some(Step::Key(variant.clone()))),
            Segment::Unknown => None,
        })
        .collect()
}

fn at<'a>(value: &'a mut Value, way: &[Step]) -> Option<&'a mut Value> {
    way.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get_mut(key),
        Step::Item(k) => value.get_mut(k),
    })
}

/// The one value within a place that a fault is about, where the way to it was lost.
fn lost(value: &Value, way: &Way, cause: &str) -> Option<Way> {
    let said = ["invalid type: ", "invalid value: "]
        .iter()
        .find_map(|s| cause.strip_prefix(s))?;
    let place = way.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Item(k) => value.get(k),
    })?;
    let mut open = vec![(way.clone(), place)];
    let mut found = Vec::new();
    while let Some((way, value)) = open.pop() {
        let like = said
            .strip_prefix(&told(value))
            .is_some_and(|rest| rest.starts_with(", expected"));
        if like {
            found.push(way.clone());
        }
        match value {
            Value::Object(keys) => open.extend(
                keys.iter()
                    .map(|(k, v)| ([&way[..], &[Step::Key(k.clone())]].concat(), v)),
            ),
            Value::Array(items) => open.extend(
                items
                    .iter()
                    .enumerate()
                    .map(|(k, v)| ([&way[..], &[Step::Item(k)]].concat(), v)),
            ),
            _ => {}
        }
    }
    (found.len() == 1).then(|| found.remove(0))
}

/// A problem at a place of the text.
fn problem(text: &str, way: &[Step], said: String) -> Problem {
    let mut path = String::new();
    let mut pointer = Vec::new();
    for step in way {
        match step {
            Step::Key(key) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
                pointer.push(key.clone());
            }
            Step::Item(k) => {
                path.push_str(&format!("[{k}]"));
                pointer.push(k.to_string());
            }
        }
    }
    let span = locate(text, &pointer);
    let start = span.as_ref().map_or(0, |s| s.start);
    let line = 1 + text.as_bytes()[..start]
        .iter()
        .filter(|b| **b == b'\n')
        .count();
    Problem {
        span,
        ..Problem::at_line(line, &path, said)
    }
}
