//! Times of day, with a date or without, in place of seconds: as pandas and loggers write them.

use super::names::names_a_time;
use super::text::{cells, ended, is_comment, without_first_cell};

/// What the reader of a result has to know of a file with times of day.
pub const REMARK: &str = "the times are those of a clock: they are read as seconds after the first";

const SECOND: i64 = 1_000_000_000;

/// The text with seconds after its first row in place of the clock's times in its first column, between commas,
/// semicolons or tabs; none of another text. Dates are years, months and days, or the same in every row.
pub fn in_seconds(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let start = lines
        .iter()
        .position(|line| !is_comment(line) && moment(line).is_some())?;
    let first = moment(lines[start])?;
    let width = cells(lines[start]).len();
    let mut made: Vec<String> = lines[..start].iter().map(|l| (*l).to_owned()).collect();
    for (k, name) in names_in_seconds(&lines[..start], width) {
        made[k] = with_first(lines[k], name);
    }
    // Decimal commas in the other column are those of the whole text, whatever parts the date and the seconds.
    let comma = |line: &&str| {
        let rest = without_first_cell(line);
        line.contains([';', '\t']) && rest.contains(',') && !rest.contains('.')
    };
    let comma = lines[start..].iter().any(comma);
    for line in &lines[start..] {
        if line.trim().is_empty() || is_comment(line) {
            made.push((*line).to_owned());
            continue;
        }
        let after = moment(line)?.after(&first)?;
        // A double has 15 digits: nanoseconds of some days.
        let seconds = (after as f64 / SECOND as f64).to_string();
        let point = if comma { "," } else { "." };
        made.push(with_first(ended(line), &seconds.replace('.', point)));
    }
    Some(made.join("\n"))
}

/// The lines of names, and perhaps units below them, and what their first cells say now: the column of times is one of
/// seconds, whatever its name said ("Time [hh:mm:ss]").
fn names_in_seconds(header: &[&str], width: usize) -> Vec<(usize, &'static str)> {
    let near = (0..header.len()).rev();
    let near: Vec<usize> = near
        .filter(|k| !header[*k].trim().is_empty())
        .take(2)
        .collect();
    let of_width = |k: usize| cells(header[k]).len() == width;
    let of_time = |k: usize| {
        cells(header[k])
            .first()
            .is_some_and(|cell| names_a_time(cell))
    };
    match near[..] {
        [units, names]
            if of_width(units) && of_width(names) && of_time(names) && !of_time(units) =>
        {
            vec![(names, "time_s"), (units, "s")]
        }
        [names, ..] if of_width(names) => vec![(names, "time_s")],
        _ => Vec::new(),
    }
}

/// The time of day that a line begins with, parted from what follows by a mark.
fn moment(line: &str) -> Option<Moment<'_>> {
    let first = cells(line).into_iter().next()?;
    Moment::of(first).filter(|_| line.contains([',', ';', '\t']))
}

/// A line with another first cell.
fn with_first(line: &str, cell: &str) -> String {
    let rest = without_first_cell(line);
    let mark = line[..line.len() - rest.len()].chars().next_back();
    format!("{cell}{}{rest}", mark.unwrap_or(','))
}

/// A time of day.
struct Moment<'a> {
    /// What stands before it: a date, or nothing.
    date: &'a str,
    /// Its time zone, as it is written.
    zone: &'a str,
    nanoseconds: i64,
}

impl<'a> Moment<'a> {
    /// "2023-02-06 01:17:32.010+00:00", "06.02.2023 01:17:32", "01:17:32.01".
    fn of(cell: &'a str) -> Option<Self> {
        let (date, clock) = cell.rsplit_once([' ', 'T']).unwrap_or(("", cell));
        let is_date = |c: char| c.is_ascii_digit() || "-./".contains(c);
        let at = clock.find(['Z', '+', '-']).unwrap_or(clock.len());
        let (clock, zone) = clock.split_at(at);
        let (whole, part) = clock.split_once(['.', ',']).unwrap_or((clock, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let mut fields = whole.split(':');
        let fields = [fields.next()?, fields.next()?, fields.next()?];
        let good = date.trim().chars().all(is_date)
            && fields.iter().all(|field| digits(field) && field.len() <= 2)
            && whole.matches(':').count() == 2
            && digits(part)
            && part.len() <= 9;
        if !good {
            return None;
        }
        let [hours, minutes, seconds] = fields.map(|field| field.parse::<i64>().ok());
        let (hours, minutes, seconds) = (hours?, minutes?, seconds?);
        let inside = hours < 24 && minutes < 60 && seconds < 60;
        let part: i64 = format!("{part:0<9}").parse().ok()?;
        inside.then_some(Self {
            date: date.trim(),
            zone,
            nanoseconds: (3600 * hours + 60 * minutes + seconds) * SECOND + part,
        })
    }

    /// Nanoseconds after another moment.
    fn after(&self, first: &Self) -> Option<i64> {
        if self.zone != first.zone {
            return None;
        }
        let days = match self.date == first.date {
            true => 0,
            false => day(self.date)? - day(first.date)?,
        };
        let days = days.checked_mul(86_400 * SECOND)?;
        days.checked_add(self.nanoseconds - first.nanoseconds)
    }
}

/// The number of a day of the Gregorian calendar, "2023-02-06" or "2023/02/06".
fn day(date: &str) -> Option<i64> {
    let mut parts = date.split(['-', '/']);
    let year = parts.next().filter(|year| year.len() == 4)?;
    let (year, month, day): (i64, i64, i64) = (
        year.parse().ok()?,
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
    );
    if parts.next().is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years that begin in March end with the leap day.
    let (year, month) = match month {
        1 | 2 => (year - 1, month + 9),
        _ => (year, month - 3),
    };
    Some(365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day)
}
