//! What is wrong with a scene: every fault with the path of the value at which it was found.

use std::fmt;
use std::ops::Range;

use klast_files::Kind;
use klast_files::command::Command;
use serde_json::Value;

use crate::spans::{locate, members};

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// Path of the value, as `barriers[0].height_m`; empty for the scene itself.
    pub path: String,
    /// What was found there, in words.
    pub found: String,
    /// What is accepted in its place, in words.
    pub accepted: Option<String>,
    /// What was probably meant.
    pub hint: Option<String>,
    /// Whether it is about the key at the end of the path, and not about its value.
    pub is_key: bool,
    /// What is wrong with the file that it is about, if it is about one.
    pub kind: Option<Kind>,
    /// The command that cures the file that it is about, if one does; it stands in `found` too.
    pub remedy: Option<Box<Command>>,
    /// What may stand in its place so that the rest of the scene can be checked all the same.
    pub(crate) mend: Option<Mend>,
    /// Line, from 1; 0 where it is not known.
    pub line: usize,
    /// Column, from 1; 0 where it is not known.
    pub column: usize,
    /// The bytes of the text that it is about, where they are known.
    pub span: Option<Range<usize>>,
    /// The number that an engine refused, which stands somewhere below the path.
    pub(super) refused: Option<f64>,
}

/// What may stand in the place of what is of the wrong shape.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mend {
    /// Nothing: the key is none.
    Remove,
    /// The same value under the key that was meant.
    Rename(String),
    /// A value of the right type.
    Replace(Value),
}

impl Fault {
    /// What was found at a path.
    #[must_use]
    pub fn new(path: impl Into<String>, found: impl fmt::Display) -> Self {
        Self {
            path: path.into(),
            found: found.to_string(),
            accepted: None,
            hint: None,
            is_key: false,
            kind: None,
            remedy: None,
            mend: None,
            line: 0,
            column: 0,
            span: None,
            refused: None,
        }
    }

    /// What was found in a file that a scene names; its path is that of the key.
    #[must_use]
    pub fn of_file(file: &str, found: impl fmt::Display) -> Self {
        Self::new("", format!("{file}: {found}"))
    }

    /// The same with what is accepted.
    #[must_use]
    pub fn accepted(mut self, accepted: impl fmt::Display) -> Self {
        self.accepted = Some(accepted.to_string());
        self
    }

    /// The same with the name that was probably meant.
    #[must_use]
    pub fn nearest(mut self, name: Option<&str>) -> Self {
        self.hint = name.map(|name| format!("nearest known: `{name}`"));
        self
    }

    /// What was found, what is accepted and what was meant, in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let mut said = self.found.clone();
        if let Some(accepted) = &self.accepted {
            said += &format!("; accepted: {accepted}");
        }
        if let Some(hint) = &self.hint {
            said += &format!("; {hint}");
        }
        said
    }

    /// Below another path, and with no place yet: the text of a part is not that of the scene.
    pub(super) fn within(mut self, parent: &str) -> Self {
        (self.line, self.column, self.span) = (0, 0, None);
        self.path = match (parent, self.path.as_str()) {
            ("", _) => return self,
            (parent, "") => parent.to_owned(),
            (parent, path) if path.starts_with('[') => format!("{parent}{path}"),
            (parent, path) => format!("{parent}.{path}"),
        };
        self
    }

    /// Puts what may stand in its place into a scene, where there is such a thing.
    pub(crate) fn mend_in(&self, scene: &mut Value) {
        let steps = steps(&self.path);
        let (Some(mend), Some((last, parents))) = (&self.mend, steps.split_last()) else {
            return;
        };
        let own = parents
            .iter()
            .try_fold(scene, |value, step| below(value, step));
        match (own, mend) {
            (Some(Value::Object(keys)), Mend::Remove) => {
                keys.remove(last);
            }
            (Some(Value::Object(keys)), Mend::Rename(name)) => {
                let value = keys.remove(last);
                keys.extend(value.map(|value| (name.clone(), value)));
            }
            (Some(own), Mend::Replace(value)) => {
                if let Some(place) = below(own, last) {
                    *place = value.clone();
                }
            }
            _ => {}
        }
    }

    /// Whether another fault is about what was put in the place of this one: it is at or below the path, or it is about
    /// a whole of which this is a part, and no other number was refused there.
    pub(crate) fn stands_for(&self, other: &Self) -> bool {
        let Some(Mend::Replace(value)) = &self.mend else {
            return false;
        };
        let parts = (steps(&self.path), steps(&other.path));
        let whole = parts.1.len() < parts.0.len();
        let another = whole && other.refused.is_some() && other.refused != value.as_f64();
        !another && parts.0.iter().zip(&parts.1).all(|(a, b)| a == b)
    }

    /// Ends the path at the number that an engine refused, if one number below it is that.
    pub(super) fn narrow(&mut self, scene: &Value) {
        let own = steps(&self.path)
            .iter()
            .try_fold(scene, |value, step| match value {
                Value::Object(keys) => keys.get(step),
                Value::Array(items) => items.get(step.parse::<usize>().ok()?),
                _ => None,
            });
        let (Some(refused), Some(own)) = (self.refused, own) else {
            return;
        };
        let mut found = Vec::new();
        numbers(own, String::new(), &mut |path, number| {
            if (number - refused).abs() <= 1e-12 * refused.abs() {
                found.push(path.to_owned());
            }
        });
        if let [one] = &found[..] {
            let mut below = Self::new(one.as_str(), "").within(&self.path);
            std::mem::swap(&mut self.path, &mut below.path);
        }
    }

    /// Finds the bytes that the fault is about, and with them its line and column.
    fn place(&mut self, text: &str) {
        let value = locate(text, &steps(&self.path)).filter(|_| !self.path.is_empty());
        if self.is_key {
            let own = members(text)
                .into_iter()
                .find(|m| Some(&m.value) == value.as_ref());
            let quoted = |m: crate::spans::Member| m.key.start.saturating_sub(1)..m.key.end + 1;
            self.span = own.map(quoted);
        }
        if self.span.is_none() && self.line == 0 {
            self.span = value;
        }
        if let Some(span) = &self.span {
            let before = text.get(..span.start).unwrap_or(text);
            let start = before.rfind('\n').map_or(0, |k| k + 1);
            self.line = 1 + before.matches('\n').count();
            self.column = 1 + before.get(start..).map_or(0, |t| t.chars().count());
        }
    }
}

/// The value one step below another.
fn below<'a>(value: &'a mut Value, step: &str) -> Option<&'a mut Value> {
    match value {
        Value::Object(keys) => keys.get_mut(step),
        Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        _ => None,
    }
}

/// `barriers[0].height_m` as steps.
fn steps(path: &str) -> Vec<String> {
    let parts = path.split(['.', '[']).map(|p| p.trim_end_matches(']'));
    parts.filter(|p| !p.is_empty()).map(str::to_owned).collect()
}

/// Every number below a place, with its path from there.
fn numbers(value: &Value, path: String, each: &mut impl FnMut(&str, f64)) {
    match value {
        Value::Number(number) => {
            if let Some(number) = number.as_f64() {
                each(&path, number);
            }
        }
        Value::Array(items) => {
            for (k, item) in items.iter().enumerate() {
                numbers(item, format!("{path}[{k}]"), each);
            }
        }
        Value::Object(keys) => {
            for (key, value) in keys {
                let dot = if path.is_empty() { "" } else { "." };
                numbers(value, format!("{path}{dot}{key}"), each);
            }
        }
        _ => {}
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = self.sentence();
        match (self.line, self.path.as_str()) {
            (0, "") => write!(f, "{said}"),
            (0, path) => write!(f, "{path}: {said}"),
            (line, "") => write!(f, "line {line}: {said}"),
            (line, path) => write!(f, "line {line}, {path}: {said}"),
        }
    }
}

impl std::error::Error for Fault {}

impl From<Vec<Fault>> for Faults {
    fn from(list: Vec<Fault>) -> Self {
        let text = String::new();
        Self { list, text }
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        vec![fault].into()
    }
}

/// Everything that is wrong with a scene, or with a part of it.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    /// One by one, in the order in which they were found.
    pub list: Vec<Fault>,
    /// The text that they are about, once they have their places in it.
    pub text: String,
}

impl Faults {
    /// Faults of a text, each with its place.
    #[must_use]
    pub fn of(mut list: Vec<Fault>, text: &str) -> Self {
        list.iter_mut().for_each(|fault| fault.place(text));
        // In the order of the text; what has no place comes last.
        list.sort_by_key(|fault| match fault.line {
            0 => (usize::MAX, 0),
            line => (line, fault.column),
        });
        Self {
            list,
            text: text.to_owned(),
        }
    }

    /// Keeps a fault unless a condition holds.
    pub fn check(&mut self, holds: bool, fault: impl FnOnce() -> Fault) {
        if !holds {
            self.list.push(fault());
        }
    }

    /// What is made of the parts, if nothing is wrong with them.
    ///
    /// # Errors
    /// The faults.
    pub fn or_all<T>(self, parts: impl FnOnce() -> Option<T>) -> Result<T, Self> {
        let parts = self.list.is_empty().then(parts).flatten();
        parts.ok_or(self)
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, fault) in self.list.iter().enumerate() {
            if k > 0 {
                writeln!(f)?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
