//! The columns of a table as times and accelerations in their units.

use std::borrow::Cow;

use super::parted::Table;
use super::{CLOCK, COMMAS, COUNT, COUNTED, Columns, MILLISECONDS, UNIT};
use crate::record::RecordFormat;
use crate::record::channel::{Channel, ReadOptions};
use crate::record::names::{Role, stated};
use crate::record::text::{announced, fault, given_or_stated, number, one_step, unknown_unit};
use crate::record::values::{self, stated_in};
use crate::refusal::{Kind, Result};
use klast_ground_motion::{AccelerationUnit, Record};

impl Table<'_> {
    /// The columns of accelerations and their units.
    pub(super) fn accelerations(
        &self,
        options: &ReadOptions,
    ) -> Result<Vec<(usize, AccelerationUnit)>> {
        let first = self.rows.first().map_or(0, |(k, _)| *k);
        let at = match self.names.is_empty() {
            true => first,
            false => self.header,
        };
        let header = &self.lines[..at];
        let all = || (0..self.width()).filter(|j| Some(*j) != self.time);
        let named = |j: usize| match self.role(j) {
            Role::Acceleration(unit) => Some((j, unit)),
            _ => None,
        };
        let chosen: Vec<usize> = match &self.chosen {
            Some(chosen) => chosen.clone(),
            None => all().collect(),
        };
        let line = self.lines.get(at).copied().unwrap_or("");
        let stated_names: Vec<(usize, AccelerationUnit)> =
            chosen.iter().filter_map(|j| named(*j)).collect();
        if chosen.iter().any(|j| self.role(*j) == Role::Factor) && stated_names.is_empty() {
            let needed = "the unit of the values without a factor beside it: multiply the values by the factor, and \
                leave it out";
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
        crate::record::motion_units::refuse(&self.lines[..above])?;
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
            let needed = "accelerations in m/s2, cm/s2, mm/s2, gal or g in a column; no velocity, no displacement, \
                no mass";
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

    pub(super) fn read(&self, options: &ReadOptions) -> Result<Columns> {
        let factor = match self.time.map(|j| self.role(j)) {
            Some(Role::OtherTime) => {
                let needed =
                    "two columns, time (s) before acceleration: times in seconds or milliseconds";
                return Err(self.fault(Kind::Unit, needed));
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
    pub(super) fn step(&self, options: &ReadOptions) -> Result<f64> {
        let stated = stated_in(&self.lines[..self.header], None, options)?;
        let needed = "time_column or step_s beside the file";
        let step = one_step(options.step, stated, self.header + 1)?;
        step.ok_or_else(|| self.fault(Kind::Step, needed))
    }

    pub(super) fn check_times(&self, times: &[f64]) -> Result<()> {
        values::refuse_deepsoil(times)?;
        if self.time.is_some_and(|j| self.role(j) == Role::Count) && self.counts() {
            return Err(self.fault(Kind::Step, COUNT));
        }
        refuse_spectrum(times)?;
        if let Some(at) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
            let needed = "a time after that of the row before; for times that were rounded to fewer digits than the \
                step has: \
                the accelerations alone, with step_s";
            let row = self.rows[at + 1].0;
            return Err(fault(Kind::Step, row + 1, needed, self.lines[row]));
        }
        Ok(())
    }

    /// The numbers of columns.
    pub(super) fn numbers(&self, wanted: &[usize], comma: bool) -> Result<Vec<Vec<f64>>> {
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
    pub(super) fn has_decimal_commas(&self, wanted: &[usize]) -> bool {
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

    pub(super) fn remarks(
        &self,
        accelerations: &[(usize, AccelerationUnit)],
        factor: f64,
    ) -> Vec<String> {
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
    pub(super) fn told_apart(&self, j: usize, chosen: &[usize]) -> String {
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

/// Refuses times whose steps grow from row to row, as the periods of a spectrum do.
fn refuse_spectrum(times: &[f64]) -> Result<()> {
    let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
        return Ok(());
    };
    // Periods are printed to two digits, so a step may fall a little.
    let grows = steps.windows(2).all(|pair| pair[1] >= 0.8 * pair[0]);
    match steps.len() >= 8 && *first > 0.0 && grows && *last > 5.0 * first {
        true => Err(crate::record::refused::not_a_record(
            "a spectrum, as its first column grows in ever longer steps",
        )),
        false => Ok(()),
    }
}
