//! Series that stand in rows, all times and then all accelerations, as MATLAB and NumPy save a matrix of two rows: one
//! behind the other they make a series that nobody recorded.

use super::names::names_a_time;
use super::text::number;
use crate::refusal::Result;
use crate::table::sheet::Mark;

/// Fewer numbers that rise may be a motion.
const LEAST: usize = 8;
/// No motion rises over so many samples that fill one of a few lines.
const LONG: usize = 100;
/// A time and three components.
const SERIES: usize = 4;

const SEEMS: &str = "all times and then all accelerations, one series behind the other or a line each; write a row a \
    sample, \
    time and acceleration (transpose the matrix before it is saved), or the accelerations alone with step_s";

fn refused<T>() -> Result<T> {
    Err(super::refused::not_a_record(SEEMS))
}

/// Refuses a text with a row that names a time and goes on with its numbers. Where a row of numbers of the same length
/// follows, the numbers are the names of columns.
pub fn refuse_named(text: &str) -> Result<()> {
    let is_row = |line: &str| {
        let blank = |c: char| c.is_whitespace() || ",;".contains(c);
        let mut words = line.split(blank).filter(|word| !word.is_empty());
        let named = words
            .next()
            .is_some_and(|name| names_a_time(name.trim_matches('"')));
        // Its unit may stand in a word of its own.
        let words: Vec<&str> = words.collect();
        let unit = usize::from(words.first().is_some_and(|word| number(word).is_none()));
        let times: Option<Vec<f64>> = words[unit.min(words.len())..]
            .iter()
            .map(|w| number(w))
            .collect();
        named && times.is_some_and(|times| times.len() >= LEAST && rise(&times))
    };
    let lines: Vec<&str> = text.lines().collect();
    let Some(at) = lines.iter().position(|line| is_row(line)) else {
        return Ok(());
    };
    let cells = |line: &str| Mark::of(line).split(line).len();
    let width = cells(lines[at]);
    let is_sample = |line: &&str| {
        let row = Mark::of(line).split(line);
        // A comma may be the decimal mark.
        let first = row.first().map(|cell| cell.replacen(',', ".", 1));
        row.len() == width && first.is_some_and(|cell| number(&cell).is_some())
    };
    match lines[at + 1..].iter().any(is_sample) {
        true => Ok(()),
        false => refused(),
    }
}

/// Refuses rows of values of which one is long and rises, or whose first half, third or quarter rises by the step (s),
/// in seconds or milliseconds, and the rest does not; without a step by equal steps.
pub fn refuse_unnamed(rows: &[(usize, Vec<f64>)], step: Option<f64>) -> Result<()> {
    let width = rows.first().map_or(0, |(_, row)| row.len());
    let few = (2..=SERIES).contains(&rows.len()) && rows.iter().all(|(_, row)| row.len() == width);
    if few && width >= LONG && rows.iter().any(|(_, row)| rise(row)) {
        return refused();
    }
    let values: Vec<f64> = rows
        .iter()
        .flat_map(|(_, row)| row.iter().copied())
        .collect();
    let parts = (2..=SERIES).filter(|n| values.len().is_multiple_of(*n));
    let mut counts = parts
        .map(|n| values.len() / n)
        .filter(|count| *count >= LEAST);
    let steps = match step {
        Some(step) => vec![step, 1e3 * step],
        None => {
            vec![values.get(1).copied().unwrap_or(0.0) - values.first().copied().unwrap_or(0.0)]
        }
    };
    let by_a_step = |count: usize| {
        steps.iter().any(|step| {
            // Half a step off is no rounding.
            let follows = |k: usize| (values[k] - values[0] - k as f64 * step).abs() < 0.5 * step;
            (1..count).all(follows) && !follows(count)
        })
    };
    match counts.any(by_a_step) {
        true => refused(),
        false => Ok(()),
    }
}

fn rise(numbers: &[f64]) -> bool {
    numbers.windows(2).all(|pair| pair[1] > pair[0])
}
