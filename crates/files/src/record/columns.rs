//! Columns below their names, or two without names: a time and accelerations, or accelerations at a known step.

use std::borrow::Cow;

use super::RecordFormat;
use super::channel::{Channel, ReadOptions};
use super::commas::part;
use super::names::{
    Role, header_cells, is_unit_of_time, names_a_component, names_a_spectrum, names_a_time, role,
    unit_of_names,
};
use super::text::{announced, fault, given_or_stated, is_comment, number, stated, unknown_unit};
use super::values::{self, stated_in};
use crate::foreign::KEYS;
use crate::refusal::{Kind, Refusal, Result};
use crate::table::sheet::Mark;
use klast_dynamics::ground_motion::{AccelerationUnit, Record};

/// What the reader of a result has to know of a file with decimal commas.
pub const COMMAS: &str = "the commas in the numbers are read as decimal marks";
const MILLISECONDS: &str = "the times are milliseconds, as the header says";
const COUNTED: &str = "the first column counts the rows and is not used";
/// A first time from which a clock counts from 1970, in seconds or parts of them: 1e8 s are three years.
const SINCE_1970: f64 = 1e8;
/// Rows from which whole numbers without a name are taken for a count: a motion sampled once a second is none, and a
/// handful of rows is typed by hand.
const FEWEST: usize = 8;
const COUNT: &str = "times (s) in the first column, which counts samples here: give step_s and acceleration_column, or name the \
    column time_s if these are seconds";
const UNIT: &str = "before the numbers the unit of the accelerations, or one given beside the file: a header \
    \"time_s,acceleration_m_s2\" (or _cm_s2, _g), \"acceleration (g)\" or \"UNITS OF G\"";

const CLOCK: &str = "times in seconds; of a table with times of a clock its accelerations alone, by acceleration_column and \
    step_s beside the file";
const ROWS: &str = "a record: two columns of numbers, time (s) and acceleration, between commas, semicolons, blanks or tabs; or \
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
    let mut above = above.take_while(|line| {
        !super::text::bare(line)
            .trim_start()
            .to_uppercase()
            .starts_with("TIME")
    });
    if above.any(|line| names_a_spectrum(&header_cells(line, table.width()))) {
        return Err(super::not_a_record(
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

/// Where the numbers begin: behind names of a time and an acceleration, or at the first line that is meant as numbers.
fn first_row(lines: &[&str]) -> Option<usize> {
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
fn is_row(line: &str) -> bool {
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

/// A table whose cells are parted.
struct Table<'a> {
    lines: &'a [&'a str],
    /// Lines above the names.
    header: usize,
    /// Names, empty where there are none.
    names: Vec<String>,
    /// What stands below the names.
    units: Vec<String>,
    /// The rows with their lines (from 0).
    rows: Vec<(usize, Vec<Cow<'a, str>>)>,
    time: Option<usize>,
    /// The columns of accelerations, if they are told.
    chosen: Option<Vec<usize>>,
    /// Without names, a time and an acceleration.
    pairs: bool,
}

impl<'a> Table<'a> {
    fn below(lines: &'a [&'a str], start: usize) -> Self {
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

    /// The columns that keys name, or count from 1.
    fn by_keys(lines: &'a [&'a str], options: &ReadOptions) -> Result<Self> {
        let keys = [
            options.time_column.as_deref(),
            options.acceleration_column.as_deref(),
        ];
        let mut wanted: Vec<&str> = keys.into_iter().flatten().map(str::trim).collect();
        let is = |cell: &str, name: &str| {
            let short = cell.split(['(', '[']).next().unwrap_or_default().trim();
            cell.eq_ignore_ascii_case(name) || short.eq_ignore_ascii_case(name)
        };
        let width = |line: &str| cells(line, Mark::of(line)).len();
        let named = lines.iter().position(|line| {
            if is_row(line) {
                return false;
            }
            let cells = header_cells(line, width(line));
            wanted
                .iter()
                .all(|name| cells.iter().any(|cell| is(cell, name)))
        });
        let counted = wanted
            .iter()
            .all(|name| name.parse::<usize>().is_ok_and(|n| n > 0));
        let first = named.map_or(0, |k| k + 1);
        let missing = || {
            let place = format!("columns {}", wanted.join(", "));
            let refusal = Refusal::new(Kind::Missing, "no line of names has them");
            refusal
                .accepting("names as they stand above the numbers, or numbers of columns from 1")
                .at(place)
        };
        if named.is_none() && !counted {
            return Err(missing());
        }
        let names = named.map_or(Vec::new(), |k| header_cells(lines[k], width(lines[k])));
        let mark = match named.map(|k| Mark::of(super::text::bare(lines[k]))) {
            Some(sign @ Mark::Sign(_)) => sign,
            _ => mark_of(
                lines.iter().skip(first).copied().filter(|l| is_row(l)),
                &lines[..first],
            ),
        };
        let place = |name: &&str| match named {
            Some(_) => names.iter().position(|cell| is(cell, name)),
            None => name.parse::<usize>().ok()?.checked_sub(1),
        };
        let places: Vec<usize> = wanted.drain(..).filter_map(|name| place(&name)).collect();
        let numeric = |line: &str| {
            let row = cells(line, mark);
            places
                .iter()
                .all(|j| row.get(*j).is_some_and(|cell| decimal(cell).is_some()))
        };
        let start = (first..lines.len()).find(|k| !is_comment(lines[*k]) && numeric(lines[*k]));
        let Some(start) = start else {
            return Err(fault(
                Kind::Missing,
                first + 1,
                "numbers in the columns that the keys name",
                "",
            ));
        };
        let units = (first..start).map(|k| header_cells(lines[k], names.len()));
        let units = units
            .filter(|cells| cells.len() == names.len())
            .next()
            .unwrap_or_default();
        let data = lines.iter().enumerate().skip(start);
        let data = data.filter(|(_, line)| !line.trim().is_empty() && !is_comment(line));
        let (time, acceleration) = match (keys, &places[..]) {
            ([Some(_), Some(_)], [time, acceleration]) => (Some(*time), Some(*acceleration)),
            ([Some(_), None], [time]) => (Some(*time), None),
            (_, [acceleration]) => (None, Some(*acceleration)),
            _ => (None, None),
        };
        let mut table = Self {
            lines,
            header: named.unwrap_or(start),
            names,
            units,
            rows: data.map(|(k, line)| (k, cells(line, mark))).collect(),
            time,
            chosen: acceleration.map(|j| vec![j]),
            pairs: false,
        };
        if table.time.is_none() && options.step.is_none() {
            table.time = table.time().filter(|time| Some(*time) != acceleration);
        }
        Ok(table)
    }

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

    /// The column of the times by its name: the first, one behind a count of the rows, or one beside a clock that counts
    /// from 1970.
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
            let needed = "times (s) in the first column, which counts samples here and leaves some out: write the count times \
                the step in its place";
            return Err(fault(
                Kind::Step,
                self.header + 1,
                needed,
                self.lines[self.header],
            ));
        }
        if counted && !known {
            return Err(fault(
                Kind::Step,
                self.header + 1,
                COUNT,
                self.lines[self.header],
            ));
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
        let spoken = header.iter().any(|line| {
            super::names::words(&line.to_uppercase())
                .iter()
                .any(|w| w.1 == "TIME")
        });
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
            return Err(fault(
                Kind::Missing,
                self.header + 1,
                needed,
                self.lines[self.header],
            ));
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
        fault(
            Kind::Step,
            1,
            "no step_s, as the file has times of its own",
            first,
        )
    }

    /// The columns of accelerations and their units.
    fn accelerations(&self, options: &ReadOptions) -> Result<Vec<(usize, AccelerationUnit)>> {
        let first = self.rows.first().map_or(0, |(k, _)| *k);
        let header = &self.lines[..if self.names.is_empty() {
            first
        } else {
            self.header
        }];
        let all = || (0..self.width()).filter(|j| Some(*j) != self.time);
        let named = |j: usize| match self.role(j) {
            Role::Acceleration(unit) => Some((j, unit)),
            _ => None,
        };
        let chosen: Vec<usize> = match &self.chosen {
            Some(chosen) => chosen.clone(),
            None => all().collect(),
        };
        let at = if self.names.is_empty() {
            first
        } else {
            self.header
        };
        let line = self.lines.get(at).copied().unwrap_or("");
        let stated_names: Vec<(usize, AccelerationUnit)> =
            chosen.iter().filter_map(|j| named(*j)).collect();
        if chosen.iter().any(|j| self.role(*j) == Role::Factor) && stated_names.is_empty() {
            let needed = "the unit of the values without a factor beside it: multiply the values by the factor, and leave it out";
            return Err(fault(Kind::Unit, at + 1, needed, line));
        }
        if !stated_names.is_empty() {
            let with = |(j, unit): (usize, AccelerationUnit)| {
                let settled =
                    given_or_stated(options.unit, Ok(Some(unit)), &self.lines[..=at], || {
                        fault(Kind::Unit, 1, UNIT, line)
                    });
                settled.map(|unit| (j, unit))
            };
            return stated_names.into_iter().map(with).collect();
        }
        let above = if self.width() > 2 { at } else { first };
        super::motion_units::refuse(&self.lines[..above])?;
        let other = |j: &usize| matches!(self.role(*j), Role::Other | Role::OtherTime);
        let bare: Vec<usize> = chosen
            .iter()
            .copied()
            .filter(|j| self.role(*j) == Role::Bare)
            .collect();
        let bare: Vec<usize> = match self.chosen {
            Some(_) => chosen.iter().copied().filter(|j| !other(j)).collect(),
            None => bare.into_iter().filter(|j| !self.rises(*j)).collect(),
        };
        if bare.is_empty() {
            if let Some(refused) = unknown_unit(&self.lines[..first]) {
                return Err(refused);
            }
            let needed = "accelerations in m/s2, cm/s2, mm/s2, gal or g in a column; no velocity, no displacement, no mass";
            return Err(fault(Kind::Quantity, at + 1, needed, line));
        }
        let stated = if self.pairs {
            stated(header)
        } else {
            stated(header).map(|s| s.or(announced(header)))
        };
        let missing = || {
            let bracket = header.iter().rposition(|line| line.contains(['(', '[']));
            let (at, shown) = match bracket {
                Some(k) if self.names.is_empty() => (k, header[k]),
                _ => (at, line),
            };
            fault(Kind::Unit, at + 1, UNIT, shown)
        };
        let unit = given_or_stated(options.unit, stated, &self.lines[..first], missing)?;
        Ok(bare.into_iter().map(|j| (j, unit)).collect())
    }

    fn read(&self, options: &ReadOptions) -> Result<Columns> {
        let factor = match self.time.map(|j| self.role(j)) {
            Some(Role::OtherTime) => {
                let needed =
                    "two columns, time (s) before acceleration: times in seconds or milliseconds";
                return Err(fault(
                    Kind::Unit,
                    self.header + 1,
                    needed,
                    self.lines[self.header],
                ));
            }
            Some(Role::Time(factor)) => factor,
            _ => 1.0,
        };
        let accelerations = self.accelerations(options)?;
        let mut remarks = self.remarks(&accelerations, factor);
        let wanted: Vec<usize> = self
            .time
            .into_iter()
            .chain(accelerations.iter().map(|(j, _)| *j))
            .collect();
        let comma = self.has_decimal_commas(&wanted);
        if comma {
            remarks.push(COMMAS.to_owned());
        }
        let columns = self.numbers(&wanted, comma)?;
        let chosen: Vec<usize> = accelerations.iter().map(|(j, _)| *j).collect();
        let (times, values) = match self.time {
            Some(_) => (
                Some(columns[0].iter().map(|t| t * factor).collect::<Vec<f64>>()),
                &columns[1..],
            ),
            None => (None, &columns[..]),
        };
        if let Some(times) = &times {
            if options.step.is_some() {
                return Err(self.no_step());
            }
            self.check_times(times)?;
        }
        let mut components = Vec::new();
        for ((j, unit), values) in accelerations.iter().zip(values) {
            let samples: Vec<f64> = values.iter().map(|value| value * unit.factor()).collect();
            let record = match &times {
                Some(times) => Record::new(times.clone(), samples)?,
                None => Channel::new("", self.step(options)?, samples).record()?,
            };
            let name = match self.width() {
                2 if times.is_some() => String::new(),
                _ => self.told_apart(*j, &chosen),
            };
            components.push((name, record));
        }
        let format = match self.width() {
            2 if times.is_some() => RecordFormat::Columns,
            _ => RecordFormat::Table,
        };
        Ok(Columns {
            format,
            components,
            remarks,
        })
    }

    /// The step of columns without times.
    fn step(&self, options: &ReadOptions) -> Result<f64> {
        let stated = stated_in(&self.lines[..self.header], None, options)?;
        let line = self.lines.get(self.header).copied().unwrap_or("");
        match (options.step, stated) {
            (Some(given), Some(stated)) if (stated - given).abs() > 1e-6 * given => {
                let needed = "the step that is given beside the file, or none";
                Err(fault(
                    Kind::Contradiction,
                    self.header + 1,
                    needed,
                    &stated.to_string(),
                ))
            }
            (given, stated) => given.or(stated).ok_or_else(|| {
                fault(
                    Kind::Step,
                    self.header + 1,
                    "time_column or step_s beside the file",
                    line,
                )
            }),
        }
    }

    fn check_times(&self, times: &[f64]) -> Result<()> {
        values::refuse_deepsoil(times)?;
        let (header, line) = (
            self.header,
            self.lines.get(self.header).copied().unwrap_or(""),
        );
        if self.time.is_some_and(|j| self.role(j) == Role::Count) && self.counts() {
            return Err(fault(Kind::Step, header + 1, COUNT, line));
        }
        refuse_spectrum(times)?;
        if let Some(at) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
            let needed = "a time after that of the row before; for times that were rounded to fewer digits than the step has: \
                the accelerations alone, with step_s";
            let row = self.rows[at + 1].0;
            return Err(fault(Kind::Step, row + 1, needed, self.lines[row]));
        }
        Ok(())
    }

    /// The numbers of columns.
    fn numbers(&self, wanted: &[usize], comma: bool) -> Result<Vec<Vec<f64>>> {
        let mut columns = vec![Vec::with_capacity(self.rows.len()); wanted.len()];
        for (k, row) in &self.rows {
            let whole = !self.pairs && self.chosen.is_some()
                || row.len() == self.width() && (!self.pairs || row.len() == 2);
            let value = |j: &usize| {
                let cell = row.get(*j).filter(|_| whole)?;
                if comma {
                    number(&cell.replacen(',', ".", 1))
                } else {
                    number(cell)
                }
            };
            let values: Option<Vec<f64>> = wanted.iter().map(value).collect();
            let needed = match self.width() {
                0..=2 => {
                    "two finite numbers, time (s) and acceleration, between them a comma, a semicolon, blanks or a tab \
                    (a PEER .AT2 file has NPTS and DT within its first ten lines)"
                }
                _ => "a time and finite numbers, as many as columns have names",
            };
            let line = self.lines[*k];
            let refused = || match line.contains(':') {
                true => fault(Kind::Step, k + 1, CLOCK, line),
                false => fault(Kind::Value, k + 1, needed, line),
            };
            let values = values.ok_or_else(refused)?;
            for (column, value) in columns.iter_mut().zip(values) {
                column.push(value);
            }
        }
        Ok(columns)
    }

    /// Whether commas in cells are decimal marks: no number has a point, and all have digits on both sides of at most
    /// one comma.
    fn has_decimal_commas(&self, wanted: &[usize]) -> bool {
        let cells = || {
            self.rows
                .iter()
                .flat_map(|(_, row)| wanted.iter().filter_map(|j| row.get(*j)))
        };
        let good = |cell: &Cow<str>| {
            let (whole, part) = cell.split_once(',').unwrap_or((cell, "0"));
            let of_digits = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
            of_digits(whole.trim_start_matches(['+', '-']))
                && of_digits(part)
                && !part.contains(',')
                && !cell.contains('.')
        };
        cells().any(|cell| cell.contains(',')) && cells().all(good)
    }

    fn remarks(&self, accelerations: &[(usize, AccelerationUnit)], factor: f64) -> Vec<String> {
        let mut remarks = Vec::new();
        let used = |j: usize| Some(j) == self.time || accelerations.iter().any(|(k, _)| *k == j);
        let left = self
            .names
            .iter()
            .enumerate()
            .filter(|(j, name)| !used(*j) && !name.is_empty());
        let left: Vec<&str> = left
            .filter(|(j, _)| self.role(*j) != Role::Count)
            .map(|(_, name)| name.as_str())
            .collect();
        if !left.is_empty() && self.width() > 2 && self.chosen.is_none() {
            remarks.push(format!(
                "columns that are not used, as their names state no unit of acceleration: {}",
                left.join(", ")
            ));
        }
        if !self.names.is_empty()
            && self.role(0) == Role::Count
            && !used(0)
            && self.chosen.is_none()
        {
            remarks.push(COUNTED.to_owned());
        }
        if factor != 1.0 {
            remarks.push(MILLISECONDS.to_owned());
        }
        remarks
    }

    /// The name of a component: the short one, or as much more as tells it from the others.
    fn told_apart(&self, j: usize, chosen: &[usize]) -> String {
        let Some(whole) = self.names.get(j) else {
            return String::new();
        };
        let short = |j: usize| {
            let name = &self.names[j];
            let short = name.split(['(', '[']).next().unwrap_or(name).trim();
            if short.is_empty() {
                name.clone()
            } else {
                short.to_owned()
            }
        };
        let alone = |name: &dyn Fn(usize) -> String| {
            let mut others = chosen.iter().filter(|k| **k != j);
            others.all(|k| !name(*k).eq_ignore_ascii_case(&name(j)))
        };
        match () {
            () if chosen.len() == 1 && self.chosen.is_some() => String::new(),
            () if alone(&short) => short(j),
            () if alone(&|k| self.names[k].clone()) => whole.clone(),
            () => format!("{whole} (column {})", j + 1),
        }
    }
}

/// What parts the cells of rows.
fn mark_of<'a>(rows: impl Iterator<Item = &'a str> + Clone, header: &[&str]) -> Mark {
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
fn cells(line: &str, mark: Mark) -> Vec<Cow<'_, str>> {
    let mut cells = mark.split(line.trim_end());
    if cells.len() > 2 && cells.last().is_some_and(|cell| cell.is_empty()) {
        cells.pop();
    }
    cells
}

/// A number, whose decimal mark may be a comma.
fn decimal(cell: &str) -> Option<f64> {
    number(cell).or_else(|| number(&cell.replacen(',', ".", 1)))
}

/// Refuses times whose steps grow from row to row, as the periods of a spectrum do.
fn refuse_spectrum(times: &[f64]) -> Result<()> {
    let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
        return Ok(());
    };
    // Periods are printed to two digits, so a step may fall a little.
    let grows = steps.windows(2).all(|pair| pair[1] >= 0.8 * pair[0]);
    match steps.len() >= 8 && *first > 0.0 && grows && *last > 5.0 * first {
        true => Err(super::not_a_record(
            "a spectrum, as its first column grows in ever longer steps",
        )),
        false => Ok(()),
    }
}
