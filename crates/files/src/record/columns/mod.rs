//! Columns below their names, or two without names: a time and accelerations, or accelerations at a known step.

mod by_keys;
mod parted;
mod settled;

use super::RecordFormat;
use super::channel::ReadOptions;
use super::names::{
    Role, header_cells, names_a_component, names_a_spectrum, names_a_time, role, words,
};
use super::text::{bare, fault, is_comment};
use super::values::{self, stated_in};
use crate::foreign::KEYS;
use crate::refusal::{Kind, Refusal, Result};
use klast_ground_motion::Record;
use parted::{Table, decimal, first_row};

/// What the reader of a result has to know of a file with decimal commas.
pub const COMMAS: &str = "the commas in the numbers are read as decimal marks";
const MILLISECONDS: &str = "the times are milliseconds, as the header says";
const COUNTED: &str = "the first column counts the rows and is not used";
/// A first time from which a clock counts from 1970, in seconds or parts of them: 1e8 s are three years.
const SINCE_1970: f64 = 1e8;
/// Rows from which whole numbers without a name are taken for a count: a motion sampled once a second is none, and a
/// handful of rows is typed by hand.
const FEWEST: usize = 8;
const COUNT: &str = "times (s) in the first column, which counts samples here: give step_s and acceleration_column, \
    or name the \
    column time_s if these are seconds";
const UNIT: &str = "before the numbers the unit of the accelerations, or `unit` (--unit) beside the file: a header \
    \"time_s,acceleration_m_s2\" (or _cm_s2, _g), \"acceleration (g)\" or \"UNITS OF G\"";

const CLOCK: &str = "times in seconds; of a table with times of a clock its accelerations alone, by \
    acceleration_column and \
    step_s beside the file";
const ROWS: &str = "a record: two columns of numbers, time (s) and acceleration, between commas, semicolons, blanks \
    or tabs; or \
    a PEER .AT2 file, with NPTS and DT within the first ten lines";

/// What the columns of a text hold.
pub struct Columns {
    pub format: RecordFormat,
    pub components: Vec<(String, Record)>,
    pub remarks: Vec<String>,
}

/// The columns of a text; none of a text of values at equal steps.
///
/// # Errors
/// A row of other cells than the others; no unit, no times; another quantity than accelerations.
pub fn read(text: &str, options: &ReadOptions) -> Result<Option<Columns>> {
    let lines: Vec<&str> = text.lines().collect();
    if options.has_columns() {
        return Table::by_keys(&lines, options)?.read(options).map(Some);
    }
    let Some(start) = first_row(&lines) else {
        return Err(no_rows(&lines));
    };
    let table = Table::below(&lines, start);
    let above = lines[..start]
        .iter()
        .rev()
        .filter(|line| !line.trim().is_empty())
        .take(2);
    let mut above =
        above.take_while(|line| !bare(line).trim_start().to_uppercase().starts_with("TIME"));
    if above.any(|line| names_a_spectrum(&header_cells(line, table.width()))) {
        return Err(crate::record::refused::not_a_record(
            "a spectrum over periods or frequencies",
        ));
    }
    let time = table.time();
    if time.is_some() || table.sits_side_by_side(options)? {
        return table.with_time(time).read(options).map(Some);
    }
    if values::is_one(text, options) {
        return Ok(None);
    }
    super::motion_units::refuse(&lines[..start])?;
    table.pairs(options)?.read(options).map(Some)
}

/// What is said of a text without a row of numbers.
fn no_rows(lines: &[&str]) -> Refusal {
    // What begins with a digit was meant as a row.
    let digit = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let at = lines.iter().position(digit).unwrap_or(0);
    let line = lines.get(at).copied().unwrap_or("");
    match line.contains(':') {
        true => fault(Kind::Step, at + 1, CLOCK, line),
        false => fault(Kind::Foreign, at + 1, ROWS, line),
    }
}

impl<'a> Table<'a> {
    fn width(&self) -> usize {
        self.names
            .len()
            .max(self.rows.first().map_or(0, |(_, row)| row.len()))
    }

    fn role(&self, j: usize) -> Role {
        let at = |list: &'_ [String]| list.get(j).cloned().unwrap_or_default();
        match self.names.is_empty() {
            true => Role::Bare,
            false => role(&at(&self.names), &at(&self.units)),
        }
    }

    /// The column of the times by its name: the first, one behind a count of the rows, or one beside a clock that
    /// counts from 1970.
    fn time(&self) -> Option<usize> {
        let is_time = |j: &usize| matches!(self.role(*j), Role::Time(_) | Role::OtherTime);
        let first = |j: usize| self.rows.first().and_then(|(_, row)| decimal(row.get(j)?));
        let late = |j: &usize| first(*j).is_some_and(|time| time >= SINCE_1970);
        let mut times = (0..self.names.len()).filter(is_time);
        let time = times.next()?;
        let time = if late(&time) {
            times.find(|j| !late(j)).unwrap_or(time)
        } else {
            time
        };
        let before = (0..time).all(|j| matches!(self.role(j), Role::Count | Role::Time(_)));
        before.then_some(time)
    }

    /// A refusal of the names.
    fn fault(&self, kind: Kind, needed: &'static str) -> Refusal {
        let line = self.lines.get(self.header).copied().unwrap_or("");
        fault(kind, self.header + 1, needed, line)
    }

    fn with_time(self, time: Option<usize>) -> Self {
        Self { time, ..self }
    }

    /// Whether the columns are accelerations without times, by their names: of directions only, so that a title is not
    /// taken for names, or with units beside a count; and the step is known.
    fn sits_side_by_side(&self, options: &ReadOptions) -> Result<bool> {
        if self.names.is_empty() {
            return Ok(false);
        }
        let known = options.step.is_some()
            || stated_in(&self.lines[..self.header], None, options)?.is_some();
        let directions = self
            .names
            .iter()
            .all(|name| names_a_component(&name.to_lowercase()) && !names_a_time(name));
        let once = (1..self.names.len()).all(|k| !self.names[..k].contains(&self.names[k]));
        let roles = || (0..self.width()).map(|j| self.role(j));
        let accelerations = roles().any(|role| matches!(role, Role::Acceleration(_)))
            && roles().all(|role| matches!(role, Role::Acceleration(_) | Role::Count));
        let counted =
            self.role(0) == Role::Count && (self.counts() || self.width() == 2 && self.is_whole(0));
        if counted && !self.counts() {
            let needed = "times (s) in the first column, which counts samples here and leaves some out: write the \
                count times \
                the step in its place";
            return Err(self.fault(Kind::Step, needed));
        }
        if counted && !known {
            return Err(self.fault(Kind::Step, COUNT));
        }
        let uneven = self.rows.iter().any(|(_, row)| row.len() != self.width());
        // Times and counts rise, whatever they are called.
        let rises = (0..self.width()).any(|j| self.role(j) != Role::Count && self.rises(j));
        Ok(known && (directions && once && !rises && !uneven || accelerations))
    }

    fn column(&self, j: usize) -> Option<Vec<f64>> {
        self.rows
            .iter()
            .map(|(_, row)| decimal(row.get(j)?))
            .collect()
    }

    /// Whether a column rises from each of eight rows or more to the next, as times and counts do and no motion does.
    fn rises(&self, j: usize) -> bool {
        let values = self.column(j);
        values.is_some_and(|v| v.len() >= FEWEST && v.windows(2).all(|pair| pair[1] > pair[0]))
    }

    /// Whether the first column rises by one.
    fn counts(&self) -> bool {
        let values = self.column(0);
        values.is_some_and(|v| v.len() > 1 && v.windows(2).all(|pair| pair[1] - pair[0] == 1.0))
    }

    fn is_whole(&self, j: usize) -> bool {
        self.column(j)
            .is_some_and(|v| v.iter().all(|value| value.fract() == 0.0))
    }

    /// Without the name of a time: a time and an acceleration.
    fn pairs(mut self, options: &ReadOptions) -> Result<Self> {
        let header = &self.lines[..self.rows.first().map_or(0, |(k, _)| *k)];
        let spoken = header
            .iter()
            .any(|line| words(&line.to_uppercase()).iter().any(|w| w.1 == "TIME"));
        let whole = self.counts() && self.column(0).is_some_and(|v| v[0] == 0.0 || v[0] == 1.0);
        if !spoken && self.rows.len() >= FEWEST && whole && self.width() == 2 {
            let line = self.rows.first().map_or(0, |(k, _)| *k);
            return Err(fault(Kind::Step, line + 1, COUNT, self.lines[line]));
        }
        // Names between marks of which none is known say what the columns are; a line of two words is a title.
        let marked = self
            .lines
            .get(self.header)
            .is_some_and(|line| line.contains([',', ';', '\t']) && !is_comment(line));
        // Whatever times are called in a language: their unit is none in letters.
        let bracket = self
            .names
            .first()
            .and_then(|name| name.split_once(['(', '[']));
        let lettered = bracket.is_some_and(|(_, unit)| unit.contains(char::is_alphabetic));
        let known = matches!(self.role(1), Role::Acceleration(_))
            && matches!(self.role(0), Role::Bare | Role::Other)
            && !lettered;
        if !self.names.is_empty() && marked && !known && self.width() == 2 {
            let backwards = matches!(self.role(1), Role::Time(_) | Role::OtherTime);
            let needed = if backwards {
                "two columns, time (s) before acceleration"
            } else {
                KEYS
            };
            return Err(self.fault(Kind::Missing, needed));
        }
        if options.step.is_some() {
            return Err(self.no_step());
        }
        (self.time, self.chosen, self.pairs) = (Some(0), Some(vec![1]), true);
        self.names.clear();
        Ok(self)
    }

    fn no_step(&self) -> Refusal {
        let first = self.lines.first().copied().unwrap_or("");
        let needed = "no step_s, as the file has times of its own";
        fault(Kind::Step, 1, needed, first)
    }
}
