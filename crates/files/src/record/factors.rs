//! Factors beside the unit of a column or in a line above the values, by which the values are meant to be multiplied.

use super::RecordError;
use super::names::{names_a_time, names_another_quantity};
use super::text::{fault, fields, number};

/// Refuses a unit with a factor beside it ("Acc (g) x10", "Acc*100 (g)"), or that is a part of another
/// ("(m/s2)/sqrt(Hz)"): values in the unit itself are meant to be others. Refuses grams too.
pub fn refuse_factors(header: &[&str]) -> Result<(), RecordError> {
    for (k, line) in header.iter().enumerate() {
        let upper = line.to_uppercase();
        let [first, second] = fields(upper.trim_start_matches(['#', '%', '!', '/']), false)[..]
        else {
            continue;
        };
        // Sentences have commas too.
        if !names_a_time(first) {
            continue;
        }
        if names_another_quantity(second) {
            let needed =
                "accelerations in the second column; no velocity, no displacement, no mass";
            return Err(fault(k + 1, needed, line));
        }
        let Some((before, rest)) = second.split_once(['(', '[']) else {
            continue;
        };
        let behind = rest.split_once([')', ']']).map_or("", |(_, behind)| behind);
        if begins_with_factor(behind) || ends_with_factor(before) {
            let needed = "the unit of the values without a factor beside it: multiply the values by the factor, and leave it out";
            return Err(fault(k + 1, needed, line));
        }
    }
    Ok(())
}

fn begins_with_factor(text: &str) -> bool {
    let text = text.trim_start();
    let times = |rest: &str| rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
    text.starts_with(['*', '×', '/', '^']) || text.strip_prefix('X').is_some_and(times)
}

/// A letter X may also name an axis, and a number behind it a sensor: only a power of ten is a factor there.
fn ends_with_factor(text: &str) -> bool {
    let text = text.trim_end();
    let rest = text.trim_end_matches(|c: char| c.is_ascii_digit() || ".^-".contains(c));
    let number = &text[rest.len()..];
    let ten =
        number.len() > 1 && number.starts_with("10") && number[2..].bytes().all(|b| b == b'0');
    let rest = rest.trim_end();
    !number.is_empty() && (rest.ends_with(['*', '×']) || ten && rest.ends_with(" X"))
}

/// The remark on a factor that a line above the numbers states ("scale = 0.5"): the values may be meant with it.
pub fn factor_told(text: &str) -> Option<String> {
    let is_row = |line: &&str| {
        let mut cells = line
            .split([',', ';', ' ', '\t'])
            .filter(|cell| !cell.is_empty());
        cells.clone().next().is_some() && cells.all(|cell| number(cell).is_some())
    };
    let above = text.lines().take(60).take_while(|line| !is_row(line));
    // "Full scale 2" and a magnitude on a scale are none.
    let mut stating = above
        .enumerate()
        .filter(|(_, line)| line.contains(['=', ':']));
    stating.find_map(|(k, line)| {
        let words = super::text::words(line);
        let named = |word: &String| ["SCALE", "SCALING", "FACTOR", "MULTIPLIER"].contains(&word.as_str());
        let at = words.iter().position(named)?;
        let between = |word: &&String| named(word) || ["OF", "IS", "BY"].contains(&word.as_str());
        let value = number(words[at..].iter().find(|word| !between(word))?)?;
        (value != 1.0).then(|| {
            format!("line {} states a factor of {value}, which is not applied: are the values those behind it?", k + 1)
        })
    })
}
