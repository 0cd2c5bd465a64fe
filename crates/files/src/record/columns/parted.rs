//! Where the rows of a text begin, and what parts their cells.

use std::borrow::Cow;

use crate::record::commas::part;
use crate::record::names::{header_cells, is_unit_of_time, unit_of_names};
use crate::record::text::{is_comment, number};
use crate::table::sheet::Mark;

/// A table whose cells are parted.
pub(super) struct Table<'a> {
    pub(super) lines: &'a [&'a str],
    /// Lines above the names.
    pub(super) header: usize,
    /// Names, empty where there are none.
    pub(super) names: Vec<String>,
    /// What stands below the names.
    pub(super) units: Vec<String>,
    /// The rows with their lines (from 0).
    pub(super) rows: Vec<(usize, Vec<Cow<'a, str>>)>,
    pub(super) time: Option<usize>,
    /// The columns of accelerations, if they are told.
    pub(super) chosen: Option<Vec<usize>>,
    /// Without names, a time and an acceleration.
    pub(super) pairs: bool,
}

impl<'a> Table<'a> {
    pub(super) fn below(lines: &'a [&'a str], start: usize) -> Self {
        let data = || lines.iter().enumerate().skip(start);
        let data = || data().filter(|(_, line)| !line.trim().is_empty() && !is_comment(line));
        let mark = mark_of(data().map(|(_, line)| *line), &lines[..start]);
        let rows: Vec<(usize, Vec<Cow<str>>)> =
            data().map(|(k, line)| (k, cells(line, mark))).collect();
        let width = rows.first().map_or(0, |(_, row)| row.len());
        let near: Vec<usize> = (0..start)
            .rev()
            .filter(|k| !lines[*k].trim().is_empty())
            .take(2)
            .collect();
        let cells_of = |k: Option<&usize>| {
            k.map(|k| header_cells(lines[*k], width))
                .filter(|c| c.len() == width && width > 1)
        };
        let (first, second) = (cells_of(near.first()), cells_of(near.get(1)));
        let (header, names, units) = match (first, second) {
            (Some(units), names)
                if is_unit_of_time(units.iter().find(|u| !u.is_empty()).map_or("", |u| u)) =>
            {
                let at = if names.is_some() {
                    near.get(1)
                } else {
                    near.first()
                };
                (
                    at.copied(),
                    names.unwrap_or_else(|| vec![String::new(); width]),
                    units,
                )
            }
            (Some(names), _) => (near.first().copied(), names, Vec::new()),
            _ => (None, Vec::new(), Vec::new()),
        };
        Self {
            lines,
            header: header.unwrap_or(start),
            names,
            units,
            rows,
            time: None,
            chosen: None,
            pairs: false,
        }
    }
}

/// Where the numbers begin: behind names of a time and an acceleration, or at the first line that is meant as numbers.
pub(super) fn first_row(lines: &[&str]) -> Option<usize> {
    lines.iter().enumerate().find_map(|(k, line)| {
        if is_comment(line) {
            None
        } else if unit_of_names(line).is_some() {
            Some(k + 1)
        } else {
            is_row(line).then_some(k)
        }
    })
}

/// Whether a line is meant as numbers, good ones or not: a bad first row is to be refused, not taken for a header.
pub(super) fn is_row(line: &str) -> bool {
    let of_numbers = |c: char| c.is_ascii_digit() || c.is_whitespace() || "+-.,;eEdD\"".contains(c);
    if line.contains(|c: char| c.is_ascii_digit()) && line.chars().all(of_numbers) {
        return true;
    }
    // Also NaN and infinity.
    let is_number = |word: &str| number(word).is_some() || word.parse::<f64>().is_ok();
    let mark = if line.contains('\t') && !line.contains(';') {
        Mark::Sign('\t')
    } else {
        Mark::of(line)
    };
    match &mark.split(line)[..] {
        [first] | [first, _] => is_number(first),
        [first, second, ..] => is_number(first) && is_number(second),
        [] => false,
    }
}

/// What parts the cells of rows.
pub(super) fn mark_of<'a>(rows: impl Iterator<Item = &'a str> + Clone, header: &[&str]) -> Mark {
    let has = |sign: char| rows.clone().any(|line| line.contains(sign));
    if has(';') {
        return Mark::Sign(';');
    }
    let names = header.iter().rev().find(|line| !line.trim().is_empty());
    let words = |line: &str| {
        line.split('\t')
            .all(|cell| cell.split_whitespace().count() == 1)
    };
    if has('\t') && (names.is_some_and(|line| line.contains('\t')) || rows.clone().all(words)) {
        return Mark::Sign('\t');
    }
    // Between blanks a comma within each of several words is a decimal mark.
    let decimal = |line: &str| {
        let mut words = line.split_whitespace();
        words.clone().count() > 1 && words.all(|word| part(word).is_some())
    };
    match has(',') && !rows.clone().all(decimal) {
        true => Mark::Sign(','),
        false => Mark::Blanks,
    }
}

/// The cells of a row, without the empty one behind the last of several marks.
pub(super) fn cells(line: &str, mark: Mark) -> Vec<Cow<'_, str>> {
    let mut cells = mark.split(line.trim_end());
    if cells.len() > 2 && cells.last().is_some_and(|cell| cell.is_empty()) {
        cells.pop();
    }
    cells
}

/// A number, whose decimal mark may be a comma.
pub(super) fn decimal(cell: &str) -> Option<f64> {
    number(cell).or_else(|| number(&cell.replacen(',', ".", 1)))
}
