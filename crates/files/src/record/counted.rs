//! Columns that count the rows, as loggers, spreadsheets and pandas write them before the times or in place of them,
//! and as decks of cards have behind the values.

use super::RecordError;
use super::channel::ReadOptions;
use super::names::{counts_rows, names_a_time, speaks_of_time};
use super::stated_step::states_a_step;
use super::text::{cells, ended, fault, is_comment, without_first_cell};

/// What the reader of a result has to know of a file whose rows are counted.
pub const REMARK: &str = "the first column counts the rows and is not used";

/// The same of values at equal steps whose lines are counted.
pub const LAST_REMARK: &str = "the last column counts the lines and is not used";

/// Rows from which whole seconds without a name are taken for a count: a motion sampled once a second is none, and a
/// handful of rows is typed by hand.
const FEWEST: usize = 8;

/// The text without a first column that counts the rows; none of another text. Such a column is named as a number or
/// has no name and stands before a time, or it stands in place of the times and the step is known.
///
/// # Errors
/// A column that counts the rows in place of the times, without a step.
pub fn without(text: &str, options: &ReadOptions) -> Result<Option<String>, RecordError> {
    let lines: Vec<&str> = text.lines().collect();
    let Some(table) = Table::of(&lines) else {
        return Ok(None);
    };
    let header = &lines[..table.start];
    // Names, and perhaps units below them.
    let near = (0..table.start).filter(|k| !lines[*k].trim().is_empty());
    let near = near.rev().take(2).map(|k| (k, cells(lines[k])));
    let near: Vec<(usize, Vec<&str>)> = near
        .filter(|(_, names)| names.len() == table.width)
        .collect();
    let from = near.last().map_or(table.start, |(k, _)| *k);
    let named = near.iter().any(|(_, names)| counts_rows(names[0]));
    if table.width > 2 {
        let timed = named && near.iter().any(|(_, names)| names_a_time(names[1]));
        return Ok(timed.then(|| table.dropped(&lines, from)));
    }
    let times_named = header.iter().any(|line| speaks_of_time(line));
    let bare = !times_named && table.rows >= FEWEST && [0, 1].contains(&table.first);
    if !named && !bare {
        return Ok(None);
    }
    if options.step.is_some() || states_a_step(header) {
        return Ok(Some(table.dropped(&lines, from)));
    }
    let needed = "times (s) in the first column, which counts samples here: give the step (step_s), or name the column \
        time_s if these are seconds";
    Err(fault(from + 1, needed, lines[from]))
}

/// Rows of equally many cells, the first of which rises by one.
struct Table {
    start: usize,
    width: usize,
    rows: usize,
    first: i64,
}

impl Table {
    fn of(lines: &[&str]) -> Option<Self> {
        let count = |line: &str| cells(line).first()?.parse::<i64>().ok();
        let start = lines
            .iter()
            .position(|line| !is_comment(line) && cells(line).len() > 1 && count(line).is_some())?;
        let first = count(lines[start])?;
        let width = cells(lines[start]).len();
        let rows = lines[start..]
            .iter()
            .filter(|line| !line.trim().is_empty() && !is_comment(line));
        let mut number = 0;
        for line in rows {
            let expected = first.checked_add(i64::try_from(number).ok()?)?;
            if cells(line).len() != width || count(line) != Some(expected) {
                return None;
            }
            number += 1;
        }
        (number > 1).then_some(Self {
            start,
            width,
            rows: number,
            first,
        })
    }

    /// The text without its first column, every row on its line.
    fn dropped(&self, lines: &[&str], from: usize) -> String {
        let kept = |(k, line): (usize, &&str)| {
            let cut = k >= from && cells(line).len() == self.width;
            match cut && (k < self.start || !is_comment(line)) {
                true => without_first_cell(ended(line)).to_owned(),
                false => (*line).to_owned(),
            }
        };
        let made: Vec<String> = lines.iter().enumerate().map(kept).collect();
        made.join("\n")
    }
}

/// Takes the last number out of rows of values where it counts the lines, as the programs SHAKE write it behind eight
/// values; tells whether it did. Only a count that is written in digits beside values with points is one for sure.
///
/// # Errors
/// A last column that rises by the same whole number in each row, but may be one of values.
pub fn leave_out_last(rows: &mut [(usize, Vec<f64>)], lines: &[&str]) -> Result<bool, RecordError> {
    let last: Option<Vec<f64>> = rows.iter().map(|(_, row)| row.last().copied()).collect();
    let last = last.unwrap_or_default();
    let by = last.get(1).map_or(0.0, |second| second - last[0]);
    let even = last.windows(2).all(|pair| pair[1] - pair[0] == by);
    let counts = by >= 1.0 && by.fract() == 0.0 && last[0].fract() == 0.0 && even;
    let width = rows.first().map_or(0, |(_, row)| row.len());
    let alone = rows.iter().any(|(_, row)| row.len() < 2);
    if !counts || last.len() < 4 || width < 3 || alone {
        return Ok(false);
    }
    for (line, _) in rows.iter() {
        let said = lines[line - 1];
        let words = said.rsplit(|c: char| c.is_whitespace() || ",;".contains(c));
        let mut words = words.filter(|word| !word.is_empty());
        let digits = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
        if !(words.next().is_some_and(digits) && words.all(|word| word.contains('.'))) {
            let needed = "values of one series: the last column rises by the same whole number in each line, as a count of \
                the lines does; leave it out";
            return Err(fault(*line, needed, said));
        }
    }
    for (_, row) in rows {
        row.pop();
    }
    Ok(true)
}
