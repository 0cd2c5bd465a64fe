//! The one way from bytes to text: byte order marks, UTF-16, Latin-1, line ends of all systems.

use crate::refusal::{Result, bail, refusal};

/// The text of a file whose words may be of any script (a scene, GeoJSON): UTF-8, or UTF-16 with its mark.
///
/// # Errors
/// The first byte that is neither.
pub fn strict(bytes: &[u8]) -> Result<String> {
    match marked(bytes)? {
        Some(text) => Ok(text),
        None => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(lines_of_all_systems(text)),
            Err(e) => {
                bail!(
                    Letters, "byte {} is not UTF-8", e.valid_up_to(); "UTF-8 text, or UTF-16 with its byte order mark"
                )
            }
        },
    }
}

/// The text of a file whose content is ASCII (grids, meshes, tables of numbers): other letters stand in names and
/// comments only, so that what is not UTF-8 is read as Latin-1.
///
/// # Errors
/// UTF-16 that breaks off.
pub fn ascii(bytes: &[u8]) -> Result<String> {
    match marked(bytes)? {
        Some(text) => Ok(text),
        None => Ok(lines_of_all_systems(&match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|&b| char::from(b)).collect(),
        })),
    }
}

/// A table without the first line `sep=;` by which Excel is told the mark between cells; lines keep their numbers.
#[must_use]
pub fn without_sep(text: &str) -> &str {
    let told = text
        .get(..4)
        .is_some_and(|t| t.eq_ignore_ascii_case("sep="));
    let ends = text.find('\n').filter(|_| told);
    ends.map_or(text, |at| &text[at..])
}

/// A line short enough for a message.
#[must_use]
pub fn excerpt(line: &str) -> String {
    const LONGEST: usize = 60;
    let line = line.trim();
    match line.chars().count() > LONGEST {
        true => line.chars().take(LONGEST).chain("…".chars()).collect(),
        false => line.to_owned(),
    }
}

/// The first line (from 1) of a text whose commas can only be decimal marks.
pub(super) fn first_decimal_comma(bytes: &[u8]) -> Option<usize> {
    let text = ascii(bytes).ok()?;
    Some(text.lines().position(has_decimal_commas)? + 1)
}

/// Whether commas of a line of several words can only be decimal marks: one at most in a word, between digits.
pub(super) fn has_decimal_commas(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace().peekable();
    // The key of a header.
    words.next_if(|word| word.starts_with(|c: char| c.is_alphabetic()));
    let words: Vec<&str> = words.collect();
    let alone = line.trim_start().starts_with(|c: char| c.is_alphabetic());
    let number = |word: &&str| word.replacen(',', ".", 1).parse::<f64>().is_ok();
    line.contains(',') && (alone || words.len() > 1) && words.iter().all(number)
}

/// The text of a file that begins with a byte order mark; none of one that does not.
fn marked(bytes: &[u8]) -> Result<Option<String>> {
    let pairs = |rest: &[u8], unit: fn([u8; 2]) -> u16| -> Result<Option<String>> {
        let units: Vec<u16> = rest
            .chunks(2)
            .map(|p| unit([p[0], *p.get(1).unwrap_or(&0)]))
            .collect();
        let text = match rest.len() % 2 {
            0 => String::from_utf16(&units).ok(),
            _ => None,
        };
        let text =
            text.ok_or_else(|| refusal!(Truncated, "UTF-16 that breaks off"; "UTF-8 text"))?;
        Ok(Some(lines_of_all_systems(&text)))
    };
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => strict(rest).map(Some),
        [0xff, 0xfe, rest @ ..] => pairs(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => pairs(rest, u16::from_be_bytes),
        _ => Ok(None),
    }
}

/// Lines that end as on Unix, or with a carriage return before that; those of old Macs end with it alone. DOS ended a
/// text with Ctrl-Z.
fn lines_of_all_systems(text: &str) -> String {
    let text = text.trim_end().strip_suffix('\u{1a}').unwrap_or(text);
    match text.contains('\n') {
        true => text.to_owned(),
        false => text.replace('\r', "\n"),
    }
}
