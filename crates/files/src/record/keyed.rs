//! Networks whose files are a header of keys, then values at equal steps: K-NET and KiK-net (NIED), ESM and ITACA (DYNA
//! 1.x). What tells one from another is data.

use super::channel::{Channel, ReadOptions, uncorrected};
use super::text::{agree, fault, miscount, number};
use super::unit;
use crate::refusal::{Kind, Result};
use klast_ground_motion::AccelerationUnit;

/// The lines of a network's files.
pub struct Layout {
    /// What its first line begins with, perhaps nothing.
    first: &'static str,
    /// What two lines of its header begin with.
    magic: [&'static str; 2],
    /// Where the value of a key begins; none where a colon parts the two.
    column: Option<usize>,
    /// What the last line of the header begins with; none where the first line without a key ends it.
    last: Option<&'static str>,
    /// The key of the step (s), or of the rate (Hz).
    step: &'static str,
    is_rate: bool,
    /// The key of the unit of the values, or of gal a count, "a(gal)/b".
    unit: &'static str,
    counts: bool,
    /// The key of the number of values.
    count: Option<&'static str>,
    /// Keys of the name of the component.
    names: [&'static str; 2],
    /// The key of the peak (cm/s²).
    peak: &'static str,
}

/// K-NET and KiK-net ASCII: 17 lines of header, then counts, eight a line. An acceleration (gal) is the count times the
/// scale factor less the mean of the record: the counts carry the offset of the instrument, and the header's largest
/// acceleration is meant without it (NIED, "About K-NET ASCII format").
pub const K_NET: Layout = Layout {
    first: "Origin Time",
    magic: ["Scale Factor", "Origin Time"],
    // Keys fill 18 characters.
    column: Some(18),
    last: Some("Memo"),
    step: "Sampling Freq",
    is_rate: true,
    unit: "Scale Factor",
    counts: true,
    count: None,
    names: ["Dir.", "Dir."],
    peak: "Max",
};

/// ESM and ITACA ASCII: a header of "KEY: value" lines, then one value a line.
pub const ESM: Layout = Layout {
    first: "",
    magic: ["SAMPLING_INTERVAL_S:", "NDATA:"],
    column: None,
    last: None,
    step: "SAMPLING_INTERVAL_S",
    is_rate: false,
    unit: "UNITS",
    counts: false,
    count: Some("NDATA"),
    names: ["STREAM", "COMPONENT"],
    peak: "PGA_CM/S^2",
};

/// A header has 64 lines at most; others of the family have fewer.
const MOST_HEADER_LINES: usize = 100;

impl Layout {
    /// Whether a text is one.
    pub fn fits(&self, text: &str) -> bool {
        let head = || text.lines().take(MOST_HEADER_LINES);
        let has = |key: &&str| head().any(|line| line.starts_with(key));
        head()
            .next()
            .is_some_and(|line| line.starts_with(self.first))
            && self.magic.iter().all(has)
    }

    /// The component of a text.
    ///
    /// # Errors
    /// A key that is missing or says something else than a number, a unit or a type; a value that is no number; another
    /// number of them than the header says.
    pub fn read(&self, text: &str, options: &ReadOptions) -> Result<Vec<Channel>> {
        let lines: Vec<&str> = text.lines().collect();
        let end = match self.last {
            Some(last) => lines
                .iter()
                .position(|line| line.starts_with(last))
                .map(|k| k + 1),
            None => lines.iter().position(|line| !is_key(line)),
        };
        let end = end.unwrap_or(lines.len());
        let header = &lines[..end];
        let field = |key: &str| self.field(header, key);
        let needed = |key: &'static str| {
            let last = header.last().copied().unwrap_or("");
            field(key).ok_or_else(|| fault(Kind::Missing, end, key, last))
        };
        if let Some((line, said)) = field("DATA_TYPE") {
            check_type(line, said)?;
        }
        let (line, said) = needed(self.unit)?;
        let factor = match self.counts {
            true => {
                agree(
                    options.unit,
                    AccelerationUnit::CentimetrePerSecondSquared,
                    line,
                )?;
                let needed = "a scale factor as 3920(gal)/6182761";
                gal_a_count(said).ok_or_else(|| fault(Kind::Value, line, needed, said))?
            }
            false => {
                let unit = unit::named(&said.to_uppercase());
                let needed = "UNITS: cm/s^2, m/s^2, mm/s^2 or g";
                let unit = unit.ok_or_else(|| fault(Kind::Unit, line, needed, said))?;
                agree(options.unit, unit, line)?.factor()
            }
        };
        let (line, said) = needed(self.step)?;
        let step = number(said.trim_end_matches("Hz").trim()).filter(|step| *step > 0.0);
        let step = step.ok_or_else(|| fault(Kind::Step, line, "a step or a rate above 0", said))?;
        let step = if self.is_rate { 1.0 / step } else { step };
        let mut values = values(&lines, end, self.counts)?;
        if let Some(key) = self.count {
            let (line, said) = needed(key)?;
            let whole = || fault(Kind::Value, line, "a whole number of values", said);
            let announced: usize = said.parse().map_err(|_| whole())?;
            if announced != values.len() {
                return Err(miscount(announced, values.len()));
            }
        }
        let mut remarks = Vec::new();
        let samples = match self.counts {
            true => {
                let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
                values.iter_mut().for_each(|count| *count -= mean);
                remarks.push(format!(
                    "the mean of the record ({:.4} m/s²), the offset of the instrument, is taken off, as the format \
                        asks; \
                     the record is otherwise as recorded",
                    mean * factor * 0.01
                ));
                remarks.extend(cut(field("Duration Time"), step, values.len()));
                values.iter().map(|count| count * factor * 0.01).collect()
            }
            false => values.iter().map(|value| value * factor).collect(),
        };
        let name = self
            .names
            .iter()
            .find_map(|key| field(key))
            .map_or("", |(_, name)| name);
        let mut channel = Channel::new(component(name, self.counts), step, samples);
        channel.remarks = remarks;
        if field("DATA_TYPE").is_some_and(|(_, said)| said.to_uppercase().starts_with("UN")) {
            channel.remarks.push(uncorrected());
        }
        let removed = field("BASELINE_CORRECTION");
        if removed.is_some_and(|(_, said)| said.to_uppercase().contains("NOT REMOVED")) {
            channel
                .remarks
                .push("the header says that the baseline is not removed".to_owned());
        }
        channel.stated_peak = field(self.peak)
            .and_then(|(_, gal)| number(gal))
            .map(|gal| 0.01 * gal);
        Ok(vec![channel])
    }

    /// The line of a key (from 1) and its value.
    fn field<'a>(&self, header: &[&'a str], key: &str) -> Option<(usize, &'a str)> {
        header.iter().enumerate().find_map(|(k, line)| {
            let value = match self.column {
                Some(column) => line
                    .starts_with(key)
                    .then(|| line.get(column..).unwrap_or(""))?,
                None => {
                    line.split_once(':')
                        .filter(|(name, _)| name.trim() == key)?
                        .1
                }
            };
            Some((k + 1, value.trim()))
        })
    }
}

/// Refuses another type of data than accelerations; ITACA's first headers tell the state of the data here.
fn check_type(line: usize, said: &str) -> Result<()> {
    let quantity = said.to_uppercase();
    let (state, of) = quantity.rsplit_once(' ').unwrap_or(("", &quantity));
    let known = ["", "UNPROCESSED", "PROCESSED", "UNCORRECTED", "CORRECTED"];
    match of == "ACCELERATION" && known.contains(&state.trim()) {
        true => Ok(()),
        false => {
            let needed = "DATA_TYPE: ACCELERATION, a series of accelerations";
            Err(fault(Kind::Quantity, line, needed, said))
        }
    }
}

/// The numbers behind a header.
fn values(lines: &[&str], from: usize, whole: bool) -> Result<Vec<f64>> {
    let mut values = Vec::new();
    for (k, line) in lines.iter().enumerate().skip(from) {
        for word in line.split_whitespace() {
            let value = number(word).filter(|value| !whole || value.fract() == 0.0);
            let needed = if whole {
                "whole numbers (counts) between blanks"
            } else {
                "one finite number"
            };
            values.push(value.ok_or_else(|| fault(Kind::Value, k + 1, needed, word))?);
        }
    }
    Ok(values)
}

/// What is said of another duration (s) than the header has.
fn cut(duration: Option<(usize, &str)>, step: f64, count: usize) -> Option<String> {
    let duration = number(duration?.1)?;
    let found = count as f64 * step;
    let differs = (duration - found).abs() > 1.0;
    differs.then(|| format!("the header announces {duration} s, the values last {found} s"))
}

/// gal a count, from "a(gal)/b".
fn gal_a_count(text: &str) -> Option<f64> {
    let (gal, counts) = text.split_once('/')?;
    let gal = number(gal.trim().strip_suffix("(gal)")?.trim())?;
    let factor = gal / number(counts.trim())?;
    (factor.is_finite() && factor > 0.0).then_some(factor)
}

/// The direction; KiK-net numbers its six channels, of which the first three are underground.
fn component(direction: &str, numbered: bool) -> &str {
    match direction {
        "1" if numbered => "N-S underground",
        "2" if numbered => "E-W underground",
        "3" if numbered => "U-D underground",
        "4" if numbered => "N-S",
        "5" if numbered => "E-W",
        "6" if numbered => "U-D",
        other => other,
    }
}

/// "KEY: value", where the key is of capitals, digits and signs.
fn is_key(line: &str) -> bool {
    line.split_once(':').is_some_and(|(key, _)| {
        let good = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "_/^ ".contains(c);
        key.contains(|c: char| c.is_ascii_uppercase()) && key.chars().all(good)
    })
}
