//! GeoCSV of EarthScope: comments `# key: value` that begin with `# dataset: GeoCSV`, a line of names, then a value, or
//! a date and a value, a line. A file may hold several of these, one a channel.

use super::RecordError;
use super::channel::{Channel, ReadOptions};
use super::clock;
use super::text::{agree, fault, number};
use super::unit;

pub fn is_one(text: &str) -> bool {
    text.lines().next().is_some_and(begins)
}

fn begins(line: &str) -> bool {
    key(line).is_some_and(|(key, value)| key == "dataset" && value.starts_with("GeoCSV"))
}

/// The key (small letters) and the value of a comment.
fn key(line: &str) -> Option<(String, &str)> {
    let (key, value) = line.trim_start().strip_prefix('#')?.split_once(':')?;
    Some((key.trim().to_lowercase(), value.trim()))
}

pub fn read(text: &str, options: &ReadOptions) -> Result<Vec<Channel>, RecordError> {
    let lines: Vec<&str> = text.lines().collect();
    let heads: Vec<usize> = (0..lines.len()).filter(|k| begins(lines[*k])).collect();
    let ends = heads.iter().skip(1).copied().chain([lines.len()]);
    let series = heads.iter().zip(ends);
    series
        .map(|(&from, to)| one(&lines[..to], from, options))
        .collect()
}

/// What the comments of a channel state, each with its line (from 0).
struct Head<'a> {
    from: usize,
    entries: Vec<(usize, String, &'a str)>,
}

impl<'a> Head<'a> {
    fn value(&self, key: &str) -> Option<(usize, &'a str)> {
        let mut entries = self.entries.iter();
        let found = entries.find(|(_, own, _)| own == key);
        found.map(|(k, _, value)| (*k, *value))
    }

    fn number(&self, key: &'static str) -> Result<Option<f64>, RecordError> {
        let Some((k, value)) = self.value(key) else {
            return Ok(None);
        };
        let needed = "a number above 0 for sample_rate_hz and sample_count of GeoCSV";
        let number = number(value).filter(|number| *number > 0.0);
        Ok(Some(number.ok_or_else(|| fault(k + 1, needed, value))?))
    }

    /// The last field of a list: the value stands behind the date.
    fn last(&self, key: &str, mark: char) -> Option<(usize, &'a str)> {
        let (k, value) = self.value(key)?;
        Some((k, value.rsplit(mark).next().unwrap_or(value).trim()))
    }

    fn step(&self, options: &ReadOptions) -> Result<f64, RecordError> {
        let stated = self.number("sample_rate_hz")?.map(|rate| 1.0 / rate);
        let needed = "a line \"# sample_rate_hz: R\", or step_s beside the file";
        stated
            .or(options.step)
            .ok_or_else(|| fault(self.from + 1, needed, ""))
    }

    /// The factor of the values to m/s²; counts and velocities have none.
    fn factor(&self, mark: char, options: &ReadOptions) -> Result<f64, RecordError> {
        let needed = "\"# field_unit:\" with a unit of acceleration for the values (M/S**2, CM/S**2, G), or without one a unit beside the \
            file: counts, velocities and displacements are no accelerations (ask the service for the response removed, as \
            acceleration)";
        let whole = self
            .last("field_type", mark)
            .is_some_and(|(_, kind)| kind.eq_ignore_ascii_case("INTEGER"));
        match (options.unit, self.last("field_unit", mark)) {
            // Whole numbers without a unit are counts.
            (Some(given), None | Some((_, ""))) if !whole => Ok(given.factor()),
            (_, Some((k, unit))) => {
                let stated = unit::named(&unit.to_uppercase());
                let stated = stated.ok_or_else(|| fault(k + 1, needed, unit))?;
                Ok(agree(options.unit, stated, k + 1)?.factor())
            }
            _ => Err(fault(self.from + 1, needed, "")),
        }
    }
}

/// The channel whose comments begin at line `from` (from 0) and that ends with the lines.
fn one(lines: &[&str], from: usize, options: &ReadOptions) -> Result<Channel, RecordError> {
    let comments = lines.iter().enumerate().skip(from);
    let entries = comments.filter_map(|(k, line)| key(line).map(|(key, value)| (k, key, value)));
    let head = Head {
        from,
        entries: entries.collect(),
    };
    // The blank around a comma may have gone with the value.
    let mark = head.value("delimiter").and_then(|(_, v)| v.chars().next());
    let mark = mark.unwrap_or(',');
    let step = head.step(options)?;
    let factor = head.factor(mark, options)?;
    let rows = lines.iter().enumerate().skip(from);
    let mut rows = rows.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    if let Some((k, names)) = rows.next()
        && names
            .rsplit(mark)
            .next()
            .and_then(|name| number(name.trim()))
            .is_some()
    {
        let needed =
            "a line of names above the values, as GeoCSV has it: \"Time, Sample\" or \"Sample\"";
        return Err(fault(k + 1, needed, names));
    }
    let mut samples = Vec::new();
    let mut dates = Vec::new();
    for (k, line) in rows {
        let fields: Vec<&str> = line.split(mark).map(str::trim).collect();
        let needed = "a finite number a line, or a date and a finite number, between the delimiter of the file";
        let refused = || fault(k + 1, needed, line);
        let value = match fields[..] {
            [value] if dates.is_empty() => value,
            [date, value] if dates.len() == samples.len() => {
                dates.push((k, date));
                value
            }
            _ => return Err(refused()),
        };
        samples.push(factor * number(value).ok_or_else(refused)?);
    }
    if let Some(announced) = head.number("sample_count")?
        && announced != samples.len() as f64
    {
        return Err(RecordError::Count {
            announced: announced as usize,
            found: samples.len(),
        });
    }
    check_dates(&dates, step)?;
    // NET_STA_LOC_CHA: the channel tells components of a station apart.
    let name = head.value("sid").map_or("", |(_, name)| name);
    let channel = name
        .rsplit('_')
        .next()
        .filter(|channel| !channel.is_empty());
    Ok(Channel::new(channel.unwrap_or(name), step, samples))
}

/// Refuses dates that do not follow each other by the step of the rate.
fn check_dates(dates: &[(usize, &str)], step: f64) -> Result<(), RecordError> {
    let Some((first, date)) = dates.first() else {
        return Ok(());
    };
    let rows: Vec<String> = dates.iter().map(|(_, date)| format!("{date};0")).collect();
    let needed = "dates as 2019-07-06T03:19:40.010000Z that rise by the step of the sample rate";
    let seconds =
        clock::in_seconds(&rows.join("\n")).ok_or_else(|| fault(first + 1, needed, date))?;
    for (j, (row, (k, date))) in seconds.lines().zip(dates).enumerate() {
        let time = row.split(';').next().and_then(number);
        // Half a step off is another sample.
        let near = |time: f64| (time - j as f64 * step).abs() < 0.5 * step;
        if !time.is_some_and(near) {
            return Err(fault(k + 1, needed, date));
        }
    }
    Ok(())
}
