//! Measurement files of LabVIEW (.lvm): a header of keys that ends with `***End_of_Header***`, one of channels that
//! ends the same, the names of the columns, then rows (NI, "Specification for the LabVIEW measurement file"). Rows
//! begin with a time, with one for each channel, or with an empty cell (`X_Columns` One, Multi, No).

use super::RecordError;
use super::channel::{Channel, ReadOptions};
use super::text::{fault, given_or_stated, number};
use super::unit;
use klast_dynamics::ground_motion::AccelerationUnit;

const END: &str = "***End_of_Header***";

pub fn is_one(text: &str) -> bool {
    text.trim_start().starts_with("LabVIEW Measurement")
}

/// The cells of a file and what its header says of them.
struct File<'a> {
    lines: Vec<&'a str>,
    mark: char,
    comma: bool,
}

impl<'a> File<'a> {
    fn cells(&self, line: &'a str) -> Vec<&'a str> {
        line.split(self.mark).map(str::trim).collect()
    }

    fn number(&self, cell: &str) -> Option<f64> {
        match self.comma {
            true => number(&cell.replacen(',', ".", 1)),
            false => number(cell),
        }
    }

    /// The cells behind a key of the lines up to `end`, with the number of its line (from 0); the last such line
    /// counts.
    fn value(&self, key: &str, end: usize) -> Option<(usize, Vec<&'a str>)> {
        let lines = self.lines[..end].iter().enumerate();
        let mut found = lines.filter_map(|(k, line)| {
            let cells = self.cells(line);
            (cells[0] == key).then(|| (k, cells[1..].to_vec()))
        });
        found.next_back()
    }
}

pub fn read(text: &str, options: &ReadOptions) -> Result<Vec<Channel>, RecordError> {
    let lines: Vec<&str> = text.lines().collect();
    // Keys stand before a tab, or before a comma where that is the separator.
    let stated = |key: &str, value: &str| {
        let is = |line: &&str| {
            let rest = line
                .strip_prefix(key)
                .and_then(|rest| rest.strip_prefix(['\t', ',']));
            rest.is_some_and(|rest| {
                rest.split('\t')
                    .next()
                    .is_some_and(|v| v.trim_end() == value)
            })
        };
        lines.iter().any(is)
    };
    let mark = if stated("Separator", "Comma") {
        ','
    } else {
        '\t'
    };
    let comma = mark == '\t' && stated("Decimal_Separator", ",");
    let file = File { lines, mark, comma };
    let ends: Vec<usize> = (0..file.lines.len())
        .filter(|k| file.lines[*k].starts_with(END))
        .collect();
    let [_, end] = ends[..] else {
        let needed = "two lines ***End_of_Header***, as a file of one segment of channels has";
        let last = ends.last().copied().unwrap_or(0);
        return Err(fault(last + 1, needed, file.lines[last]));
    };
    channels(&file, end, options)
}

/// Where the values and the times of a channel stand in a row.
fn columns(file: &File, end: usize, channel: usize) -> (usize, Option<usize>) {
    let x = file.value("X_Columns", end);
    match x.as_ref().and_then(|(_, cells)| cells.first().copied()) {
        Some("Multi") => (2 * channel + 1, Some(2 * channel)),
        Some("No") => (channel + 1, None),
        _ => (channel + 1, Some(0)),
    }
}

fn channels(file: &File, end: usize, options: &ReadOptions) -> Result<Vec<Channel>, RecordError> {
    let count = file.value("Channels", end);
    let count = count.and_then(|(_, cells)| cells.first()?.parse::<usize>().ok());
    let needed = "a line Channels with their number above the second ***End_of_Header***";
    let count = count
        .filter(|n| (1..=64).contains(n))
        .ok_or_else(|| fault(end + 1, needed, file.lines[end]))?;
    let names = file
        .lines
        .get(end + 1)
        .map_or(Vec::new(), |line| file.cells(line));
    (0..count)
        .map(|channel| {
            let (at, time) = columns(file, end, channel);
            let samples = samples(file, end + 2, at)?;
            let factor = unit(file, end, channel, options)?.factor();
            let step = step(file, end, channel, time, samples.len())?;
            let name = names.get(at).copied().unwrap_or_default();
            let name = if count == 1 { "" } else { name };
            let samples = samples.into_iter().map(|v| factor * v).collect();
            let mut made = Channel::new(name, step, samples);
            if file.comma {
                let said = "the commas in the numbers are decimal marks, as the header says";
                made.remarks.push(said.to_owned());
            }
            Ok(made)
        })
        .collect()
}

/// The unit of a channel: that of its label, or the one given beside the file.
fn unit(
    file: &File,
    end: usize,
    channel: usize,
    options: &ReadOptions,
) -> Result<AccelerationUnit, RecordError> {
    let label = file.value("Y_Unit_Label", end);
    let line = label.as_ref().map_or(end, |(k, _)| *k);
    let label = label.and_then(|(_, cells)| cells.get(channel).copied());
    let label = label.filter(|label| !label.is_empty());
    let needed = "a unit of acceleration as Y_Unit_Label (g, m/s2, m/s^2, cm/s2), or one given beside the file where the \
        header has none";
    let refused = || fault(line + 1, needed, file.lines[line]);
    let stated = match label {
        Some(label) => Some(unit::named(&label.to_uppercase()).ok_or_else(refused)?),
        None => None,
    };
    given_or_stated(options.unit, Ok(stated), &file.lines[..=line], refused)
}

/// The step of a channel: that of its times, or of the header where rows have none.
fn step(
    file: &File,
    end: usize,
    channel: usize,
    time: Option<usize>,
    count: usize,
) -> Result<f64, RecordError> {
    let delta = file.value("Delta_X", end);
    let line = delta.as_ref().map_or(end, |(k, _)| *k);
    let delta = delta.and_then(|(_, cells)| file.number(cells.get(channel).or(cells.first())?));
    let Some(column) = time else {
        let needed = "a Delta_X above 0 s, as rows have no times";
        return delta
            .filter(|step| *step > 0.0)
            .ok_or_else(|| fault(line + 1, needed, file.lines[line]));
    };
    let times = samples(file, end + 2, column)?;
    let step = match times[..] {
        [first, .., last] => (last - first) / (times.len() - 1) as f64,
        _ => 0.0,
    };
    // Times are printed to a few digits.
    let off = times
        .windows(2)
        .position(|pair| (pair[1] - pair[0] - step).abs() > 0.02 * step);
    let needed = "times at equal steps above 0 s, one for each value";
    if let Some(k) = off.or((step <= 0.0 || times.len() != count).then_some(0)) {
        let at = (end + 3 + k).min(file.lines.len() - 1);
        return Err(fault(at + 1, needed, file.lines[at]));
    }
    let stated = delta.filter(|delta| (delta - step).abs() <= 0.02 * step);
    Ok(stated.unwrap_or(step))
}

/// The numbers of a column down to the first row that has none there.
fn samples(file: &File, from: usize, column: usize) -> Result<Vec<f64>, RecordError> {
    let mut values = Vec::new();
    for (k, line) in file.lines.iter().enumerate().skip(from) {
        let Some(cell) = file
            .cells(line)
            .get(column)
            .copied()
            .filter(|c| !c.is_empty())
        else {
            if line.trim().is_empty() {
                continue;
            }
            let has_one = |line: &&str| {
                let cells = file.cells(line);
                cells.get(column).is_some_and(|c| file.number(c).is_some())
            };
            if file.lines[k + 1..].iter().any(has_one) {
                let needed = "no empty cell between the values of a channel";
                return Err(fault(k + 1, needed, line));
            }
            break;
        };
        let needed = "finite numbers between the separators that the header states";
        values.push(
            file.number(cell)
                .ok_or_else(|| fault(k + 1, needed, line))?,
        );
    }
    if values.is_empty() {
        let needed = "a column of numbers for each of the Channels that the header announces";
        let at = from.min(file.lines.len() - 1);
        return Err(fault(at + 1, needed, file.lines[at]));
    }
    Ok(values)
}
