//! Two columns, time (s) and acceleration, below a header or without one.

use super::super::GroundMotionError;
use super::AccelerationUnit;
use super::text::{fault, given_or_stated, is_comment, number, unit_after_units};

const COLUMNS: [(&str, AccelerationUnit); 3] = [
    ("acceleration_m_s2", AccelerationUnit::MetrePerSecondSquared),
    (
        "acceleration_cm_s2",
        AccelerationUnit::CentimetrePerSecondSquared,
    ),
    ("acceleration_g", AccelerationUnit::StandardGravity),
];

/// Times (s), accelerations in the unit, and the unit.
pub fn read(
    text: &str,
    given: Option<AccelerationUnit>,
) -> Result<(Vec<f64>, Vec<f64>, AccelerationUnit), GroundMotionError> {
    let lines: Vec<&str> = text.lines().collect();
    let Some(start) = first_row(&lines) else {
        let needed = "a record: two columns of numbers, time (s) and acceleration, between commas, semicolons, blanks or \
            tabs; or a PEER .AT2 file, with NPTS and DT within the first ten lines";
        return Err(fault(1, needed, lines.first().copied().unwrap_or("")));
    };
    let header = &lines[..start];
    check_names(header)?;
    let unit = unit(header, given, lines.get(start).copied().unwrap_or(""))?;
    let (mut times, mut accelerations) = (Vec::new(), Vec::new());
    for (k, line) in lines.iter().enumerate().skip(start) {
        if line.trim().is_empty() || is_comment(line) {
            continue;
        }
        let pair = match fields(line)[..] {
            [time, acceleration] => number(time).zip(number(acceleration)),
            _ => None,
        };
        let (time, acceleration) = pair.ok_or_else(|| {
            let needed = "two finite numbers, time (s) and acceleration, between them a comma, a semicolon, blanks or a tab \
                (a PEER .AT2 file has NPTS and DT within its first ten lines)";
            fault(k + 1, needed, line)
        })?;
        times.push(time);
        accelerations.push(acceleration);
    }
    Ok((times, accelerations, unit))
}

/// The fields of a line, by the first of its marks that it has: a semicolon, a comma, blanks.
fn fields(line: &str) -> Vec<&str> {
    let bare = |field| str::trim(field).trim_matches('"');
    match [';', ','].into_iter().find(|mark| line.contains(*mark)) {
        Some(mark) => line.split(mark).map(bare).collect(),
        None => line.split_whitespace().map(bare).collect(),
    }
}

/// Where the numbers begin: behind the names of our own columns, or at the first line that is meant as numbers.
fn first_row(lines: &[&str]) -> Option<usize> {
    lines.iter().enumerate().find_map(|(k, line)| {
        if is_comment(line) {
            None
        } else if column(line).is_some() {
            Some(k + 1)
        } else {
            is_row(line).then_some(k)
        }
    })
}

/// Whether a line is meant as numbers, good ones or not: a bad first row is to be refused, not taken for a header.
fn is_row(line: &str) -> bool {
    let of_numbers = |c: char| c.is_ascii_digit() || c.is_whitespace() || "+-.,;eEdD".contains(c);
    if line.contains(|c: char| c.is_ascii_digit()) && line.chars().all(of_numbers) {
        return true;
    }
    // Also NaN and infinity.
    let is_number = |word: &str| number(word).is_some() || word.parse::<f64>().is_ok();
    match fields(line)[..] {
        [first] | [first, _] => is_number(first),
        [first, second, ..] => is_number(first) && is_number(second),
        [] => false,
    }
}

/// The unit that a line of names states by the name of a column of ours.
fn column(line: &str) -> Option<AccelerationUnit> {
    let fields = fields(line);
    let mut known = COLUMNS.into_iter();
    known
        .find(|(name, _)| fields.contains(name))
        .map(|(_, unit)| unit)
}

/// The unit given or stated.
fn unit(
    header: &[&str],
    given: Option<AccelerationUnit>,
    first: &str,
) -> Result<AccelerationUnit, GroundMotionError> {
    let missing = || {
        let needed = "before the numbers the unit of the accelerations, or one given beside the file: a header \
            \"time_s,acceleration_m_s2\" (or _cm_s2, _g), \"acceleration (g)\" or \"UNITS OF G\"";
        fault(header.len() + 1, needed, first)
    };
    given_or_stated(given, stated_unit(header), header, missing)
}

/// The unit that a header states: by our names, after UNITS, or in brackets.
fn stated_unit(header: &[&str]) -> Result<Option<AccelerationUnit>, GroundMotionError> {
    let rows = || header.iter().filter(|line| !is_comment(line));
    if let Some(unit) = rows().find_map(|line| column(line)) {
        return Ok(Some(unit));
    }
    if let Some(unit) = unit_after_units(header)? {
        return Ok(Some(unit));
    }
    let mut found = None;
    for (k, line) in header.iter().enumerate() {
        for unit in in_brackets(line) {
            if found.is_some_and(|other| other != unit) {
                return Err(fault(k + 1, "one unit of acceleration in brackets", line));
            }
            found = Some(unit);
        }
    }
    Ok(found)
}

/// Units of acceleration in (brackets) or [brackets]; what else stands in brackets says nothing of them.
fn in_brackets(line: &str) -> impl Iterator<Item = AccelerationUnit> {
    line.split(['(', '[']).skip(1).filter_map(|rest| {
        let (inside, _) = rest.split_once([')', ']'])?;
        AccelerationUnit::named(&inside.to_uppercase().replace(' ', ""))
    })
}

/// Refuses columns that a header calls otherwise than time in seconds before acceleration. Comments count where they speak of
/// a time, as names of columns do.
fn check_names(header: &[&str]) -> Result<(), GroundMotionError> {
    const NOT_SECONDS: [&str; 11] = [
        "MS",
        "MSEC",
        "MILLISECOND",
        "MILLISECONDS",
        "US",
        "MIN",
        "MINUTE",
        "MINUTES",
        "H",
        "HOUR",
        "HOURS",
    ];
    for (k, line) in header.iter().enumerate() {
        let upper = line.to_uppercase();
        let words: Vec<&str> = upper
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| !word.is_empty())
            .collect();
        let time = words.iter().position(|word| *word == "TIME");
        if time.is_none() && is_comment(line) {
            continue;
        }
        let unit = time.and_then(|at| words.get(at + 1));
        let in_seconds = unit.is_none_or(|unit| !NOT_SECONDS.contains(unit));
        let backwards =
            matches!(fields(&upper)[..], [a, t] if a.starts_with("ACC") && t.starts_with("TIME"));
        let other = words.iter().find_map(|word| quantity(word)) == Some(Quantity::Other);
        if !in_seconds || backwards || other {
            let needed = "two columns, time (s) before acceleration; no velocity, no displacement";
            return Err(fault(k + 1, needed, line));
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Quantity {
    Acceleration,
    Other,
}

/// What a word (capitals) calls the values; the first one of a line counts, as others may be told of behind it.
fn quantity(word: &str) -> Option<Quantity> {
    if word.starts_with("ACC") {
        Some(Quantity::Acceleration)
    } else if word.starts_with("VELOC")
        || word.starts_with("DISPLAC")
        || word == "VEL"
        || word == "DISP"
    {
        Some(Quantity::Other)
    } else {
        None
    }
}
