//! What is wrong with a scene: every problem with its place in the text.

use std::fmt;
use std::ops::Range;

use crate::spans::{locate, members};

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Line, from 1; 0 where it is not known.
    pub line: usize,
    /// Column, from 1; 0 where it is not known.
    pub column: usize,
    /// Path of the key, as `barriers[0].height_m`; empty for the scene itself.
    pub path: String,
    /// What is wrong, in plain words, and what is accepted.
    pub said: String,
    /// The bytes of the text that it is about, where they are known.
    pub span: Option<Range<usize>>,
    /// A key that the words are about, beside its value.
    pub(crate) key: Option<String>,
}

impl Problem {
    /// A problem of a line.
    #[must_use]
    pub fn at_line(line: usize, path: &str, said: String) -> Self {
        Self {
            line,
            column: 0,
            path: path.to_owned(),
            said,
            span: None,
            key: None,
        }
    }

    /// The byte at its line and column, as the range of its letter.
    pub(crate) fn byte(&self, text: &str) -> Option<Range<usize>> {
        let ends = text
            .bytes()
            .enumerate()
            .filter(|(_, b)| *b == b'\n')
            .map(|(k, _)| k + 1);
        let start = [0].into_iter().chain(ends).nth(self.line.checked_sub(1)?)?;
        let at = (start + self.column.checked_sub(1)?).min(text.len().saturating_sub(1));
        let letter = text.get(at..)?.chars().next();
        Some(at..at + letter.map_or(0, char::len_utf8))
    }

    /// Finds the bytes that the problem is about, and with them its column.
    fn place(&mut self, text: &str) {
        if let Some(key) = &self.key {
            let line = self.line;
            let own = members(text).into_iter().filter(|m| m.name == *key);
            let near = own.min_by_key(|m| line.abs_diff(line_of(text, m.key.start)));
            self.span =
                near.map(|m| m.key.start.saturating_sub(1)..(m.key.end + 1).min(text.len()));
        } else if self.span.is_none() && !self.path.is_empty() {
            self.span = locate(text, &pointer(&self.path));
        }
        if self.span.is_none() && self.line > 0 && self.column > 0 {
            self.span = self.byte(text);
        }
        if let Some(span) = &self.span {
            let start = text[..span.start.min(text.len())]
                .rfind('\n')
                .map_or(0, |k| k + 1);
            self.line = line_of(text, span.start);
            self.column = 1 + text.get(start..span.start).map_or(0, |t| t.chars().count());
        }
    }
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text
        .as_bytes()
        .iter()
        .take(at)
        .filter(|b| **b == b'\n')
        .count()
}

/// `barriers[0].height_m` as steps.
fn pointer(path: &str) -> Vec<String> {
    let parts = path.split(['.', '[']).map(|p| p.trim_end_matches(']'));
    parts.filter(|p| !p.is_empty()).map(str::to_owned).collect()
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.path.as_str()) {
            (0, "") => write!(f, "{}", self.said),
            (0, path) => write!(f, "{path}: {}", self.said),
            (line, "") => write!(f, "line {line}: {}", self.said),
            (line, path) => write!(f, "line {line}, {path}: {}", self.said),
        }
    }
}

/// Everything that is wrong with a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems {
    /// One by one, in the order in which they were found.
    pub list: Vec<Problem>,
    /// The text that they are about.
    pub text: String,
}

impl Problems {
    /// Problems of a text, each with its place.
    #[must_use]
    pub fn new(mut list: Vec<Problem>, text: &str) -> Self {
        list.iter_mut().for_each(|p| p.place(text));
        Self {
            list,
            text: text.to_owned(),
        }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, problem) in self.list.iter().enumerate() {
            if k > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
