//! The one reader of cells between marks: what parts them, quotes, and the decimal marks of the country.

use std::borrow::Cow;

use super::marks;
use crate::text::without_sep;

/// What parts the cells of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A semicolon, a tab or a comma.
    Sign(char),
    /// Any number of blanks or tabs.
    Blanks,
}

impl Mark {
    /// The mark of a line: the first that it has of semicolon, tab and comma.
    #[must_use]
    pub fn of(line: &str) -> Self {
        let mut signs = [';', '\t', ','].into_iter();
        signs
            .find(|sign| line.contains(*sign))
            .map_or(Self::Blanks, Self::Sign)
    }

    /// The cells of a line. Quotes around a cell hold together what has the mark, and two of them are one.
    #[must_use]
    pub fn split(self, line: &str) -> Vec<Cow<'_, str>> {
        let Self::Sign(sign) = self else {
            let words = line.split_whitespace();
            return words
                .map(|word| Cow::Borrowed(word.trim_matches('"')))
                .collect();
        };
        let mut cells = Vec::new();
        let mut rest = line;
        loop {
            let (cell, behind) = match rest.trim_start().strip_prefix('"').and_then(quoted) {
                Some((cell, behind)) => {
                    let (more, behind) = cut(behind, sign);
                    match more.trim() {
                        "" => (cell, behind),
                        more => (Cow::Owned(format!("{cell}{more}")), behind),
                    }
                }
                None => {
                    let (cell, behind) = cut(rest, sign);
                    (Cow::Borrowed(cell.trim()), behind)
                }
            };
            cells.push(cell);
            match behind {
                Some(behind) => rest = behind,
                None => return cells,
            }
        }
    }
}

/// What stands before a sign, and what behind it if it is there.
fn cut(text: &str, sign: char) -> (&str, Option<&str>) {
    match text.split_once(sign) {
        Some((before, behind)) => (before, Some(behind)),
        None => (text, None),
    }
}

/// What stands before the quote that ends a cell, and what behind it.
fn quoted(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let (mut cell, mut rest) = (Cow::Borrowed(""), text);
    loop {
        let (part, behind) = rest.split_once('"')?;
        cell += part;
        match behind.strip_prefix('"') {
            Some(more) => {
                cell += "\"";
                rest = more;
            }
            None => return Some((cell.trim().to_owned().into(), behind)),
        }
    }
}

/// A row of cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its number among the rows with cells, from 1.
    pub row: usize,
    /// Its line, from 1.
    pub line: usize,
    /// Its cells.
    pub cells: Vec<String>,
}

/// A table below a line of names.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// Names of the columns, as they stand.
    pub names: Vec<String>,
    /// The line of the names, from 1.
    pub at: usize,
    /// The rows that are not empty.
    pub rows: Vec<Line>,
}

impl Sheet {
    /// The table of a text whose first line that is not empty holds the names; lines that begin with # are comments if
    /// `comments` says so. Decimal commas between other marks become points.
    #[must_use]
    pub fn read(text: &str, comments: bool) -> Option<Self> {
        let text = without_sep(text.strip_prefix('\u{feff}').unwrap_or(text));
        let mut lines = whole_lines(text).into_iter().filter(|(_, line)| {
            let comment = comments && line.trim_start().starts_with('#');
            !line.trim().is_empty() && !comment
        });
        let (at, header) = lines.next()?;
        let mark = Mark::of(&header);
        let owned = |line: &str| mark.split(line).into_iter().map(Cow::into_owned).collect();
        let names: Vec<String> = owned(&header);
        let numbered = lines.enumerate().map(|(k, (line, text))| Line {
            row: k + 1,
            line,
            cells: owned(&text),
        });
        // Spreadsheets leave rows without content below a table.
        let empty = |line: &Line| line.cells.iter().all(|cell| cell.is_empty());
        let mut rows: Vec<Line> = numbered.filter(|line| !empty(line)).collect();
        let cells = || rows.iter().flat_map(|line| &line.cells);
        if mark != Mark::Sign(',') && marks::are_commas(cells().map(String::as_str)) {
            for cell in rows.iter_mut().flat_map(|line| &mut line.cells) {
                *cell = marks::with_point(cell).unwrap_or_else(|| std::mem::take(cell));
            }
        }
        Some(Self { names, at, rows })
    }

    /// The rows that have fewer cells than there are names, or more that are not empty; spreadsheets leave empty
    /// columns beside a table.
    pub fn uneven(&self) -> impl Iterator<Item = &Line> {
        let width = self.names.len();
        let beyond = move |line: &Line| line.cells.iter().skip(width).any(|cell| !cell.is_empty());
        let uneven = move |line: &&Line| line.cells.len() < width || beyond(line);
        self.rows.iter().filter(uneven)
    }
}

/// The lines with their numbers from 1; a quote that is open at the end of one goes on in the next.
fn whole_lines(text: &str) -> Vec<(usize, Cow<'_, str>)> {
    let mut whole: Vec<(usize, Cow<'_, str>)> = Vec::new();
    let (mut open, mut quoted) = (false, text.contains('"'));
    // A quote that nothing ends is a letter.
    quoted &= text.matches('"').count().is_multiple_of(2);
    for (k, line) in text.lines().enumerate() {
        match whole.last_mut() {
            Some((_, before)) if open => {
                *before += " ";
                *before += line;
            }
            _ => whole.push((k + 1, Cow::Borrowed(line))),
        }
        open ^= quoted && !line.matches('"').count().is_multiple_of(2);
    }
    whole
}
