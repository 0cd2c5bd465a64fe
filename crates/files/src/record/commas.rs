//! Numbers with decimal commas that stand alone in their lines, or one behind the other between blanks.

use super::channel::ReadOptions;
use super::names::names_a_time;
use super::stated_step::states_a_step;
use super::text::{fault, is_comment};
use crate::refusal::{Kind, Result};

/// The text of one column, or of lines of three values and more, with points in place of its decimal commas; none of
/// another text. A line "10,1" is a number with a decimal comma where the step is known, and may be a time and an
/// acceleration elsewhere.
///
/// # Errors
/// One comma a line where nothing says what it parts.
pub fn one_column(text: &str, options: &ReadOptions) -> Result<Option<String>> {
    let lines: Vec<&str> = text.lines().collect();
    let is_row =
        |line: &&str| !line.trim().is_empty() && words(line).all(|word| part(word).is_some());
    let Some(start) = lines.iter().position(is_row) else {
        return Ok(None);
    };
    let (header, body) = lines.split_at(start);
    let rows = || {
        body.iter()
            .filter(|line| !line.trim().is_empty() && !is_comment(line))
    };
    let commas = rows().filter(|line| line.contains(',')).count();
    if commas == 0 || !rows().all(is_row) || rows().any(|line| words(line).count() == 2) {
        return Ok(None);
    }
    let ambiguous = rows().all(|line| words(line).count() == 1 && line.contains(','))
        && !rows().any(|line| line.contains('"'));
    if ambiguous {
        // Two names above the rows, the first a time's, are those of two columns; a title may have a comma too.
        let is_names = |line: &&str| {
            let cells = line.trim_start_matches(['#', '%', '!', '/']).split(',');
            let cells: Vec<&str> = cells.filter(|cell| !cell.trim().is_empty()).collect();
            let backwards = |a: &str| a.trim_start().to_uppercase().starts_with("ACC");
            match cells[..] {
                [first, second] => names_a_time(first) || backwards(first) && names_a_time(second),
                // pandas gives the column that counts the rows no name.
                [only] => line.starts_with(',') && part(only).is_none(),
                _ => false,
            }
        };
        if header.iter().any(is_names) {
            return Ok(None);
        }
        if options.step.is_none() && !states_a_step(header) {
            let needed = "one comma a line that is a decimal mark or parts a time from an acceleration: for a time \
                and an \
                acceleration a header as \"time_s,acceleration_m_s2\", for accelerations alone their step (step_s), or \
                points as decimal marks";
            return Err(fault(Kind::Syntax, start + 1, needed, lines[start]));
        }
    }
    let pointed = |(k, line): (usize, &&str)| match k >= start && !is_comment(line) {
        true => line.replace(',', ".").replace('"', ""),
        false => (*line).to_owned(),
    };
    let made: Vec<String> = lines.iter().enumerate().map(pointed).collect();
    Ok(Some(made.join("\n")))
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().map(|word| word.trim_matches('"'))
}

/// What stands behind the comma of a whole word of digits, one comma at most; empty without one.
pub fn part(word: &str) -> Option<&str> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (mantissa, exponent) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
    let (whole, behind) = mantissa.split_once(',').unwrap_or((mantissa, ""));
    let good = digits(whole.trim_start_matches(['+', '-']))
        && (behind.is_empty() && !mantissa.contains(',') || digits(behind))
        && digits(exponent.trim_start_matches(['+', '-']));
    good.then_some(behind)
}
