//! Texts of spreadsheets and programs made plain for the readers of columns: quoted cells with commas in them, units
//! that stand behind a comma or a stroke in the name of a column, names with blanks, the typographic minus.

use super::names::{is_unit_of_time, names_a_time};
use super::stated_step::states_a_step;
use super::text::{is_comment, number};
use super::unit;
use std::borrow::Cow;

/// The text with semicolons in place of commas between cells that have commas of their own, with units of columns in
/// brackets, and with the minus of the keyboard; every line keeps its number.
pub fn tidied(text: &str) -> Cow<'_, str> {
    let plain = with_minus(text);
    let lines: Vec<&str> = plain.lines().collect();
    let width = lines.iter().find_map(|line| quoted_with_commas(line));
    let apart = |line: &&str| match width {
        Some(width) => quoted_cells(line)
            .filter(|cells| cells.len() == width)
            .map_or((*line).to_owned(), |cells| cells.join(";")),
        None => (*line).to_owned(),
    };
    let mut made: Vec<String> = lines.iter().map(apart).collect();
    let start = made.iter().position(|line| is_row(line)).unwrap_or(0);
    let row = made.get(start).cloned().unwrap_or_default();
    for line in &mut made[..start] {
        if let Some(named) = with_names_apart(line, &row) {
            *line = named;
        }
        if let Some(named) = with_units_in_brackets(line) {
            *line = named;
        }
    }
    match made.iter().map(String::as_str).eq(lines) {
        true => plain.clone(),
        false => Cow::Owned(made.join("\n")),
    }
}

/// The text with the minus of the keyboard before its numbers.
fn with_minus(text: &str) -> Cow<'_, str> {
    const TYPOGRAPHIC: char = '\u{2212}';
    match text.contains(TYPOGRAPHIC) {
        true => Cow::Owned(text.replace(TYPOGRAPHIC, "-")),
        false => Cow::Borrowed(text),
    }
}

/// The number of cells of a line between commas, one of which has a comma between its quotes.
fn quoted_with_commas(line: &str) -> Option<usize> {
    let cells = quoted_cells(line)?;
    let commas = line.matches(',').count();
    (cells.len() > 1 && commas >= cells.len()).then_some(cells.len())
}

/// The cells of a line between commas, where quotes hold one together; none of a line with other marks between cells,
/// or with text beside quotes.
fn quoted_cells(line: &str) -> Option<Vec<&str>> {
    let mut cells = Vec::new();
    let mut rest = line.trim_end();
    if rest.contains(['\t', ';']) {
        return None;
    }
    loop {
        let (cell, behind) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => rest.split_at(rest.find(',').unwrap_or(rest.len())),
        };
        cells.push(cell);
        match behind.strip_prefix(',') {
            Some(next) => rest = next,
            None if behind.is_empty() => return Some(cells),
            None => return None,
        }
    }
}

/// Whether a line holds numbers only, between marks of any kind.
fn is_row(line: &str) -> bool {
    let of_numbers = |c: char| c.is_ascii_digit() || c.is_whitespace() || "+-.,;eEdD\"".contains(c);
    line.contains(|c: char| c.is_ascii_digit()) && line.chars().all(of_numbers)
}

/// Names between blanks, above a row of three numbers or more, with semicolons between them: two blanks or more part
/// two names, or a unit in brackets ends one.
fn with_names_apart(line: &str, row: &str) -> Option<String> {
    let width = row.split_whitespace().count();
    let numbers = row.split_whitespace().all(|word| number(word).is_some());
    let marked = line.contains([';', '\t', ',']) || is_comment(line);
    // A title may begin with the time step.
    if width < 3 || !numbers || marked || states_a_step(&[line]) {
        return None;
    }
    let by_blanks = line.split("  ").map(str::trim);
    let by_blanks: Vec<String> = by_blanks
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    let mut by_brackets: Vec<String> = Vec::new();
    let mut ended = true;
    for word in line.split_whitespace() {
        match by_brackets.last_mut() {
            Some(name) if !ended => *name = format!("{name} {word}"),
            _ => by_brackets.push(word.to_owned()),
        }
        ended = word.ends_with([')', ']']);
    }
    let names = [by_blanks, by_brackets];
    let mut names = names.into_iter().filter(|names| names.len() == width);
    let names = names.find(|names| names_a_time(&names[0]))?;
    (line.split_whitespace().count() != width).then(|| names.join(";"))
}

/// Names whose units stand behind a comma or a stroke ("Time, s", "a / m/s²"), with these in brackets.
fn with_units_in_brackets(line: &str) -> Option<String> {
    let mark = [';', '\t', ',']
        .into_iter()
        .find(|mark| line.contains(*mark))?;
    let cells: Vec<Cow<'_, str>> = line
        .split(mark)
        .map(|cell| with_unit_in_brackets(cell, mark))
        .collect();
    let changed = cells.iter().any(|cell| matches!(cell, Cow::Owned(_)));
    // A title may have a comma and a letter behind it too.
    let names = cells.iter().any(|cell| names_a_time(cell));
    (changed && names).then(|| cells.join(&mark.to_string()))
}

fn with_unit_in_brackets(cell: &str, mark: char) -> Cow<'_, str> {
    let bare = cell.trim().trim_matches('"');
    let by_comma = (mark != ',').then(|| bare.rsplit_once(',')).flatten();
    let parted = bare.split_once(" / ").or(by_comma);
    match parted {
        Some((name, unit)) if is_unit(unit) => {
            Cow::Owned(format!("{} ({})", name.trim(), unit.trim()))
        }
        _ => Cow::Borrowed(cell),
    }
}

fn is_unit(text: &str) -> bool {
    let upper = text.to_uppercase().replace(' ', "");
    is_unit_of_time(text) || unit::named(&upper).is_some()
}
