//! Two columns, time (s or ms) and acceleration, below a header or without one.

use super::RecordError;
use super::column_units::{of_a_column, stated};
use super::factors::refuse_factors;
use super::names::{refuse_counts, refuse_other_units, time_factor};
use super::spectral::refuse_spectral_names;
use super::text::{fault, fields, given_or_stated, is_comment, number};
use klast_dynamics::ground_motion::{AccelerationUnit, Record};

/// The record, and what its reader has to know.
pub fn read(
    text: &str,
    given: Option<AccelerationUnit>,
) -> Result<(Record, Vec<String>), RecordError> {
    let lines: Vec<&str> = text.lines().collect();
    let Some(start) = first_row(&lines) else {
        let needed = "a record: two columns of numbers, time (s) and acceleration, between commas, semicolons, blanks or \
            tabs; or a PEER .AT2 file, with NPTS and DT within the first ten lines";
        // What begins with a digit was meant as a row.
        let digit = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
        let at = lines.iter().position(digit).unwrap_or(0);
        let line = lines.get(at).copied().unwrap_or("");
        let clock = "times in seconds, or those of a clock between commas, semicolons or tabs: 01:17:32.010, 2023-02-06 \
            01:17:32.010, another form of date if it is the same in all rows";
        let needed = if line.contains(':') { clock } else { needed };
        return Err(fault(at + 1, needed, line));
    };
    let header = &lines[..start];
    let to_seconds = time_factor(header)?;
    refuse_other_units(header)?;
    super::motion_units::refuse(header)?;
    refuse_factors(header)?;
    refuse_spectral_names(header)?;
    let unit = unit(header, given, lines.get(start).copied().unwrap_or(""))?;
    let comma = has_decimal_commas(&lines[start..]);
    let (mut times, mut accelerations, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for (k, line) in lines.iter().enumerate().skip(start) {
        if line.trim().is_empty() || is_comment(line) {
            continue;
        }
        let (time, acceleration) = two_numbers(line, comma).ok_or_else(|| {
            let needed = "two finite numbers, time (s) and acceleration, between them a comma, a semicolon, blanks or a tab \
                (a PEER .AT2 file has NPTS and DT within its first ten lines)";
            fault(k + 1, needed, line)
        })?;
        rows.push(k);
        times.push(time * to_seconds);
        accelerations.push(acceleration * unit.factor());
    }
    super::values::refuse_deepsoil(&times)?;
    refuse_counts(header, &times)?;
    refuse_spectrum(&times)?;
    if let Some(at) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
        let needed = "a time after that of the row before; for times that were rounded to fewer digits than the step has: \
            the accelerations alone, with step_s";
        return Err(fault(rows[at + 1] + 1, needed, lines[rows[at + 1]]));
    }
    let mut remarks = Vec::new();
    if comma {
        remarks.push(super::commas::REMARK.to_owned());
    }
    if to_seconds != 1.0 {
        remarks.push("the times are milliseconds, as the header says".to_owned());
    }
    Ok((Record::new(times, accelerations)?, remarks))
}

/// The two numbers of a row; `comma` is whether commas are decimal marks.
pub fn two_numbers(line: &str, comma: bool) -> Option<(f64, f64)> {
    let point = |field: &str| number(&field.replacen(',', ".", 1));
    let read = |field: &str| if comma { point(field) } else { number(field) };
    match fields(line, comma)[..] {
        [time, acceleration] => read(time).zip(read(acceleration)),
        _ => None,
    }
}

/// Whether commas are decimal marks: no number has a point, and every row is two numbers between a semicolon, a tab or
/// blanks, with digits on both sides of at most one comma each; the first row that is none of these is told as it
/// stands.
pub fn has_decimal_commas(rows: &[&str]) -> bool {
    let rows = || {
        rows.iter()
            .filter(|line| !line.trim().is_empty() && !is_comment(line))
    };
    let good = |field: &str| {
        let (whole, part) = field.split_once(',').unwrap_or((field, "0"));
        let whole = whole.trim_start_matches(['+', '-']);
        let of_digits = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        of_digits(whole) && of_digits(part) && !part.contains(',')
    };
    rows().any(|line| line.contains(','))
        && rows().all(|line| {
            !line.contains('.')
                && fields(line, true).len() == 2
                && fields(line, true).into_iter().all(good)
        })
}

/// Where the numbers begin: behind the names of our own columns, or at the first line that is meant as numbers.
fn first_row(lines: &[&str]) -> Option<usize> {
    lines.iter().enumerate().find_map(|(k, line)| {
        if is_comment(line) {
            None
        } else if of_a_column(line).is_some() {
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
    match fields(line, false)[..] {
        [first] | [first, _] => is_number(first),
        [first, second, ..] => is_number(first) && is_number(second),
        [] => false,
    }
}

/// The unit given or stated.
fn unit(
    header: &[&str],
    given: Option<AccelerationUnit>,
    first: &str,
) -> Result<AccelerationUnit, RecordError> {
    let missing = || {
        let needed = "before the numbers the unit of the accelerations, or one given beside the file: a header \
            \"time_s,acceleration_m_s2\" (or _cm_s2, _g), \"acceleration (g)\" or \"UNITS OF G\"";
        // A unit that is not known stands in brackets.
        match header.iter().rposition(|line| line.contains(['(', '['])) {
            Some(k) => fault(k + 1, needed, header[k]),
            None => fault(header.len() + 1, needed, first),
        }
    };
    given_or_stated(given, stated(header), header, missing)
}

/// Refuses times whose steps grow from row to row, as the periods of a spectrum do.
fn refuse_spectrum(times: &[f64]) -> Result<(), RecordError> {
    let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
        return Ok(());
    };
    // Periods are printed to two digits, so a step may fall a little.
    let grows = steps.windows(2).all(|pair| pair[1] >= 0.8 * pair[0]);
    if steps.len() >= 8 && *first > 0.0 && grows && *last > 5.0 * first {
        return Err(RecordError::NotARecord {
            seems: "a spectrum, as its first column grows in ever longer steps",
        });
    }
    Ok(())
}
