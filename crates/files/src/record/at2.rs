//! PEER .AT2: lines of text, a line with NPTS and DT, values at equal steps.

use super::channel::{Channel, ReadOptions};
use super::motion_units::check_quantity;
use super::text::{
    fault, given_or_stated, is_comment, lacks, miscount, number, run_together, stated_unit, words,
};
use crate::refusal::{Kind, Result};
use klast_ground_motion::AccelerationUnit;

/// Whether a text is one: a comment may tell of the file that a table of two columns was made from.
pub fn has_header(text: &str) -> bool {
    let mut lines = text.lines().take(10);
    lines.any(|line| is_header(line) && !is_comment(line))
}

fn is_header(line: &str) -> bool {
    let upper = line.to_uppercase();
    upper.contains("NPTS") && upper.contains("DT")
}

/// The component; samples are in m/s².
pub fn read(text: &str, options: &ReadOptions) -> Result<Channel> {
    let lines: Vec<&str> = text.lines().collect();
    let Some(at) = lines.iter().take(10).position(|line| is_header(line)) else {
        let needed = "a header line with NPTS and DT within the first ten lines";
        return Err(lacks(&lines, needed));
    };
    let header = &lines[..=at];
    check_quantity(header)?;
    let unit = settle_unit(header, options.unit)?;
    let (count, step) = counts(lines[at]).ok_or_else(|| {
        let needed = "NPTS and DT with a number each, DT in seconds (S, SEC or no unit)";
        fault(Kind::Step, at + 1, needed, lines[at])
    })?;
    let mut samples = Vec::with_capacity(count.min(1 << 20));
    for (number, line) in lines.iter().enumerate().skip(at + 1) {
        if samples.len() >= count && is_closing(line) {
            break;
        }
        for word in line.split_whitespace() {
            push(&mut samples, word).ok_or_else(|| {
                let needed = "finite numbers between blanks (as 0.01, 1.0E-02, 1.0D-02), or ones of fixed width, \
                    each with a point, parted by their signs";
                fault(Kind::Value, number + 1, needed, word)
            })?;
        }
    }
    if samples.len() != count {
        return Err(miscount(count, samples.len()));
    }
    let samples = samples.iter().map(|value| value * unit.factor()).collect();
    Ok(Channel::new(vertical_name(header), step, samples))
}

/// The last word of a title where it says that the component is vertical, as in "El Centro Array #9, UP"; of others the
/// title says only an azimuth, or anything else.
fn vertical_name<'a>(header: &[&'a str]) -> &'a str {
    let titles = &header[..header.len().saturating_sub(1)];
    let mut last = titles.iter().filter_map(|line| {
        let (_, last) = line.trim().rsplit_once(',')?;
        let last = last.trim();
        let named = [
            "UP", "DOWN", "DWN", "DN", "VERT", "VERTICAL", "UD", "V", "Z",
        ];
        named
            .iter()
            .any(|name| last.eq_ignore_ascii_case(name))
            .then_some(last)
    });
    last.next_back().unwrap_or("")
}

/// Whether a line behind the last value is one of text, as an end mark; numbers there are too many.
fn is_closing(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| {
        let first = word.chars().next().unwrap_or(' ');
        number(word).is_none() && !first.is_ascii_digit() && !"+-.".contains(first)
            || word.starts_with("--")
    })
}

/// The number that a word is, or those that it is made of.
fn push(samples: &mut Vec<f64>, word: &str) -> Option<()> {
    match number(word) {
        Some(value) => samples.push(value),
        None => samples.extend(run_together(word)?),
    }
    Some(())
}

/// The unit given or after UNITS, without which the values mean nothing.
fn settle_unit(header: &[&str], given: Option<AccelerationUnit>) -> Result<AccelerationUnit> {
    // The line of NPTS and DT is not where a unit is looked for.
    let titles = &header[..header.len().saturating_sub(1)];
    let missing = || {
        let found = titles.last().copied().unwrap_or("");
        let needed = "the unit of the values, as in \"UNITS OF G\"";
        fault(Kind::Unit, titles.len(), needed, found)
    };
    given_or_stated(given, stated_unit(titles), titles, missing)
}

/// Number of points and step (s) from "NPTS=  4000, DT= .01000 SEC" or the older "4000  .0100  NPTS, DT".
fn counts(line: &str) -> Option<(usize, f64)> {
    let words = words(line);
    let after = |key: &str| {
        let at = words.iter().position(|word| word == key)?;
        Some((words.get(at + 1), words.get(at + 2)))
    };
    let (npts, dt) = (after("NPTS")?, after("DT")?);
    // "DT=.0050SEC" without a space occurs.
    let (step, unit) = match dt.0.map(|word| (leading_number(word), word)) {
        Some((Some((step, "")), _)) => (Some(step), dt.1.map(String::as_str)),
        Some((Some((step, tail)), _)) => (Some(step), Some(tail)),
        Some((None, word)) => (None, Some(word.as_str())),
        None => (None, None),
    };
    if !unit.is_none_or(|word| is_second(word) || word == "," || word == "NPTS") {
        return None;
    }
    let count = npts.0.and_then(|word| word.parse::<f64>().ok());
    let (count, step) = count.zip(step).or_else(|| {
        let mut numbers = words.iter().filter_map(|word| word.parse::<f64>().ok());
        numbers.next().zip(numbers.next())
    })?;
    let whole = count >= 0.0 && count.fract() == 0.0 && count < 1e9;
    whole.then_some((count as usize, step))
}

/// The number a word begins with, and the rest of the word.
fn leading_number(word: &str) -> Option<(f64, &str)> {
    let ends = (1..=word.len()).rev();
    ends.filter_map(|end| word.split_at_checked(end))
        .find_map(|(number, rest)| Some((number.parse().ok()?, rest)))
}

fn is_second(word: &str) -> bool {
    let word = word.trim_end_matches('.');
    // "SE" is cut off by the width of its field.
    ["S", "SE", "SEC", "SECS", "SECOND", "SECONDS"].contains(&word)
}
