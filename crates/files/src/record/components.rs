//! Columns of components side by side without times, below their names, at a step that is given or stated: three
//! directions of one station, as observatories export them.

use super::RecordError;
use super::channel::{Channel, ReadOptions};
use super::column_units::{names_a_component, stated};
use super::motion_units::check_quantity;
use super::names::names_a_time;
use super::text::{cells, fault, given_or_stated, is_comment, number};
use super::values::stated_in;

/// The components of a text that is such columns; none of another text. Every column has the name of a direction, so
/// that a title above values in rows is not taken for names.
///
/// # Errors
/// A row of another length than the names; a step or a unit that differs from the one given; no unit.
pub fn read(text: &str, options: &ReadOptions) -> Result<Option<Vec<Channel>>, RecordError> {
    let lines: Vec<&str> = text.lines().collect();
    let Some((at, names, start)) = names(&lines) else {
        return Ok(None);
    };
    let header = &lines[..at];
    let of_header = stated_in(header, None, options)?;
    let Some(step) = options.step.or(of_header) else {
        return Ok(None);
    };
    if let Some(other) = of_header
        && (other - step).abs() > 1e-6 * step
    {
        let needed = "the step that is given beside the file, or none";
        return Err(fault(at, needed, &other.to_string()));
    }
    check_quantity(header)?;
    let missing = || {
        let needed = "the unit of the values, given beside the file or stated above them, as in \"UNITS OF G\"";
        fault(at + 1, needed, lines[at])
    };
    let unit = given_or_stated(options.unit, stated(header), header, missing)?;
    let mut columns = vec![Vec::new(); names.len()];
    for (k, line) in lines.iter().enumerate().skip(start) {
        if line.trim().is_empty() || is_comment(line) {
            continue;
        }
        let row: Option<Vec<f64>> = cells(line).into_iter().map(number).collect();
        let needed = "a finite number below each name";
        let row = row.filter(|row| row.len() == names.len());
        let row = row.ok_or_else(|| fault(k + 1, needed, line))?;
        for (column, value) in columns.iter_mut().zip(row) {
            column.push(value * unit.factor());
        }
    }
    // Times and counts rise, whatever they are called.
    let rises = |values: &Vec<f64>| values.len() > 7 && values.windows(2).all(|w| w[1] > w[0]);
    if columns.iter().any(rises) {
        return Ok(None);
    }
    let channels = names.iter().zip(columns);
    let channels = channels.map(|(name, samples)| Channel::new(name, step, samples));
    Ok(Some(channels.collect()))
}

/// The line of the names, the names, and the line of the first row.
fn names<'a>(lines: &[&'a str]) -> Option<(usize, Vec<&'a str>, usize)> {
    let is_row = |line: &str| {
        let row = cells(line);
        row.len() > 1 && row.iter().all(|cell| number(cell).is_some())
    };
    let start = lines
        .iter()
        .position(|line| !is_comment(line) && is_row(line))?;
    let at = (0..start).rfind(|k| !lines[*k].trim().is_empty())?;
    let names = cells(lines[at]);
    // "t" is a time before it is a direction.
    let of_directions = names
        .iter()
        .all(|name| names_a_component(&name.to_lowercase()) && !names_a_time(name));
    let once = (1..names.len()).all(|k| !names[..k].contains(&names[k]));
    let fits = names.len() == cells(lines[start]).len();
    (of_directions && once && fits).then_some((at, names, start))
}
