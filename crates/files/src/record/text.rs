//! What the readers of records share: words, numbers as Fortran writes them, the unit a header states, errors.

use super::unit;
use crate::refusal::{Kind, Refusal, Result};
use klast_ground_motion::AccelerationUnit;

/// A refusal at a line (from 1). Of a text of another kind, tabs and control characters are shown as blanks.
pub fn fault(kind: Kind, line: usize, needed: &'static str, found: &str) -> Refusal {
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    let found: String = found.trim_end().chars().take(60).map(shown).collect();
    let refusal = Refusal::new(kind, format!("found \"{found}\"")).accepting(needed);
    refusal.at(format!("record, line {line}"))
}

/// A refusal of a text without what a format has, at its first line.
pub fn lacks(lines: &[&str], needed: &'static str) -> Refusal {
    fault(Kind::Missing, 1, needed, lines.first().unwrap_or(&""))
}

/// The refusal of another number of values than the header states.
pub fn miscount(announced: usize, found: usize) -> Refusal {
    let said = format!("the header announces {announced} values, found {found}");
    Refusal::new(Kind::Truncated, said)
}

/// Whether a line is one that no reader looks for numbers in.
pub fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["#", "%", "!", "//"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// A line without the mark of a comment.
pub fn bare(line: &str) -> &str {
    match is_comment(line) {
        true => line.trim_start().trim_start_matches(['#', '%', '!', '/']),
        false => line,
    }
}

/// A finite number; its exponent may be Fortran's D.
pub fn number(word: &str) -> Option<f64> {
    // Only digits, signs and a point beside the letter: no "infinity" and no word with a d in it.
    let good = |c: char| c.is_ascii_digit() || "+-.eEdD".contains(c);
    if !word.chars().all(good) {
        return None;
    }
    let value: f64 = word.replace(['d', 'D'], "e").parse().ok()?;
    value.is_finite().then_some(value)
}

/// The numbers of a word in which fields of fixed width touch, as "-.1234567E-02-.2345678E-03": cut before each sign
/// that begins no exponent. Only where no other reading is possible: every part has a point, so that "1.0-102" is not
/// taken for two numbers (Fortran leaves the letter out before an exponent of three digits), and all have an exponent
/// or none has.
pub fn run_together(word: &str) -> Option<Vec<f64>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, pair) in word.as_bytes().windows(2).enumerate() {
        let is_sign = matches!(pair[1], b'+' | b'-');
        if is_sign && !matches!(pair[0], b'e' | b'E' | b'd' | b'D') {
            parts.push(word.get(start..=at)?);
            start = at + 1;
        }
    }
    parts.push(word.get(start..)?);
    let exponent = |part: &str| part.contains(['e', 'E', 'd', 'D']);
    let alike = |part: &&str| part.contains('.') && exponent(part) == exponent(parts[0]);
    if !parts.iter().all(alike) {
        return None;
    }
    parts.into_iter().map(number).collect()
}

/// The words of a header line in capitals; a comma is a word, as it ends what stands before it.
pub fn words(line: &str) -> Vec<String> {
    let line = line.to_uppercase().replace(',', " , ");
    let apart = |c: char| c.is_whitespace() || "():;=".contains(c);
    let words = line.split(apart).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// The word after UNITS, UNITS OF or UNITS ARE in a header, with its line (from 1); the word is empty where the line
/// ends. What follows may be the unit of something else.
fn word_after_units(header: &[&str]) -> Option<(usize, String)> {
    header.iter().enumerate().find_map(|(number, line)| {
        let words = words(line);
        let mut after = words.iter().skip_while(|word| *word != "UNITS");
        after.next()?;
        let unit = after
            .find(|word| !["OF", "ARE"].contains(&word.as_str()))
            .map_or("", String::as_str);
        Some((number + 1, unit.trim_end_matches('.').to_owned()))
    })
}

/// The unit that a header states by the word after UNITS, if it has that word.
pub fn unit_after_units(header: &[&str]) -> Result<Option<AccelerationUnit>> {
    let Some((line, unit)) = word_after_units(header) else {
        return Ok(None);
    };
    let needed = "a unit after UNITS OF: G, M/SEC/SEC, M/SEC2, CM/SEC/SEC, CM/SEC2 or GAL";
    let unit = unit::named(&unit).ok_or_else(|| fault(Kind::Unit, line, needed, &unit))?;
    Ok(Some(unit))
}

/// The unit that a header states: after UNITS, in brackets, or behind IN ("acceleration in g").
pub fn stated_unit(header: &[&str]) -> Result<Option<AccelerationUnit>> {
    if let Some(unit) = unit_after_units(header)? {
        return Ok(Some(unit));
    }
    let mut found = None;
    for (k, line) in header.iter().enumerate() {
        for unit in in_brackets(line)
            .chain(behind(line, "IN"))
            .chain(behind(line, "UNIT"))
        {
            if found.is_some_and(|other| other != unit) {
                let needed = "one unit of acceleration";
                return Err(fault(Kind::Several, k + 1, needed, line));
            }
            found = Some(unit);
        }
    }
    Ok(found.or_else(|| announced(header)))
}

/// Words that announce the unit of the values, in the languages that headers come in.
const ANNOUNCE: &str =
    "UNIT UNITS EINHEIT EINHEITEN UNITA UNITÀ UNITE UNITÉ UNITES UNITÉS UNIDAD UNIDADES";

/// Whether a word (capitals) announces the unit of the values.
pub fn announces(word: &str) -> bool {
    ANNOUNCE.split(' ').any(|known| known == word)
}

/// The unit of acceleration that stands behind a word that announces the unit of the values: "UNIDADES : CM/S2".
pub fn announced(header: &[&str]) -> Option<AccelerationUnit> {
    header.iter().find_map(|line| {
        let mut words = words(line).into_iter();
        words.find(|word| announces(&word.to_uppercase()))?;
        unit::named(words.next()?.to_uppercase().trim_end_matches('.'))
    })
}

/// Units of acceleration in (brackets) or [brackets]; what else stands in brackets says nothing of them.
fn in_brackets(line: &str) -> impl Iterator<Item = AccelerationUnit> {
    line.split(['(', '[']).skip(1).filter_map(|rest| {
        let (inside, _) = rest.split_once([')', ']'])?;
        let inside = inside.to_uppercase();
        unit::named(&inside.trim_start_matches("IN ").replace(' ', ""))
    })
}

/// Units of acceleration as the word behind another one.
fn behind(line: &str, word: &str) -> Vec<AccelerationUnit> {
    let words = words(line);
    let pairs = words.windows(2).filter(|pair| pair[0] == word);
    pairs
        .filter_map(|pair| unit::named(pair[1].trim_end_matches('.')))
        .collect()
}

/// The unit that a format is written in, against one that is given beside the file.
pub fn agree(
    given: Option<AccelerationUnit>,
    stated: AccelerationUnit,
    line: usize,
) -> Result<AccelerationUnit> {
    match given {
        Some(AccelerationUnit::Gravity(_)) if stated == AccelerationUnit::StandardGravity => {
            Ok(given.unwrap_or(stated))
        }
        Some(given) if given != stated => {
            let needed = "no unit beside the file, or the one that it states";
            let said = format!("{stated:?}");
            Err(fault(Kind::Contradiction, line, needed, &said))
        }
        _ => Ok(stated),
    }
}

/// Values in lines of at most `per_line` fields of `width` characters, `count` in all.
pub struct Block {
    pub per_line: usize,
    pub width: usize,
    pub count: usize,
}

impl Block {
    pub fn of((per_line, width): (usize, usize), count: usize) -> Self {
        Self {
            per_line,
            width,
            count,
        }
    }

    /// Reads from line `at` (from 0) on; gives the values and the line behind the last.
    pub fn read(&self, lines: &[&str], at: usize) -> Result<(Vec<f64>, usize)> {
        let mut values = Vec::with_capacity(self.count.min(1 << 20));
        let mut next = at;
        while values.len() < self.count {
            let Some(line) = lines.get(next) else {
                return Err(miscount(self.count, values.len()));
            };
            let needed = "finite numbers in fields of the width that the format has";
            let refused = || fault(Kind::Value, next + 1, needed, line);
            values.extend(self.line(line).ok_or_else(refused)?);
            next += 1;
        }
        if values.len() > self.count {
            return Err(miscount(self.count, values.len()));
        }
        Ok((values, next))
    }

    /// The numbers of a line, between blanks or, where they touch, of fixed width.
    pub fn line(&self, line: &str) -> Option<Vec<f64>> {
        let parted: Option<Vec<f64>> = line.split_whitespace().map(number).collect();
        if let Some(values) = parted
            && values.len() <= self.per_line
            && line.split_whitespace().all(|word| word.len() <= self.width)
        {
            return Some(values);
        }
        let line = line.trim_end();
        let fields = (0..line.len().div_ceil(self.width)).map(|k| {
            let end = ((k + 1) * self.width).min(line.len());
            number(line.get(k * self.width..end)?.trim())
        });
        fields.collect()
    }
}

/// Fields a line and their width from a Fortran format in brackets: (8F10.6), (10I8), (1E15.6), (1P8E10.3).
pub fn fortran_format(text: &str) -> Option<(usize, usize)> {
    text.to_uppercase().split('(').skip(1).find_map(|rest| {
        let (inside, _) = rest.split_once(')')?;
        let inside = inside
            .trim()
            .trim_start_matches("1P")
            .trim_start_matches(',')
            .trim();
        let at = inside.find(['F', 'I', 'E', 'G', 'D'])?;
        let count: usize = inside.get(..at)?.trim().parse().ok()?;
        let width = inside
            .get(at + 1..)?
            .split('.')
            .next()?
            .trim()
            .parse()
            .ok()?;
        (count > 0 && count < 1000 && width > 0 && width < 1000).then_some((count, width))
    })
}

/// The step (s) given beside a file, or the one that it states at a line; two that are not the same are a mistake.
pub fn one_step(given: Option<f64>, stated: Option<f64>, line: usize) -> Result<Option<f64>> {
    match (given, stated) {
        (Some(given), Some(stated)) if (stated - given).abs() > 1e-6 * given => {
            let needed = "the step that is given beside the file, or none";
            let said = stated.to_string();
            Err(fault(Kind::Contradiction, line, needed, &said))
        }
        _ => Ok(given.or(stated)),
    }
}

/// The unit given beside a file, or the one that its header states; two that are not the same are a mistake. Where one
/// is given, a header that is not understood does not matter, unless it states something else per s².
pub fn given_or_stated(
    given: Option<AccelerationUnit>,
    stated: Result<Option<AccelerationUnit>>,
    header: &[&str],
    missing: impl FnOnce() -> Refusal,
) -> Result<AccelerationUnit> {
    let Some(given) = given else {
        return stated?.ok_or_else(missing);
    };
    match stated {
        // A gravity of its own is meant for a record in g.
        Ok(Some(AccelerationUnit::StandardGravity))
            if matches!(given, AccelerationUnit::Gravity(_)) =>
        {
            Ok(given)
        }
        Ok(Some(stated)) if stated != given => {
            let needed = "the unit that is given beside the file, or none";
            let last = header.last().unwrap_or(&"");
            Err(fault(Kind::Contradiction, header.len(), needed, last))
        }
        Ok(Some(_)) => Ok(given),
        _ => match unknown_unit(header) {
            Some(refused) => Err(refused),
            None => Ok(given),
        },
    }
}

/// The refusal of a word of a header that is a length per s² of no unit known, or of the unit of an angular
/// acceleration in the last line of it, unless that is the unit of a third column.
pub fn unknown_unit(header: &[&str]) -> Option<Refusal> {
    let needed =
        "a unit of acceleration: m/s2, cm/s2, mm/s2, gal or g; the header states another one";
    let last = header.iter().rposition(|line| !line.trim().is_empty());
    header.iter().enumerate().find_map(|(k, line)| {
        let words = words(&line.replace(['[', ']'], " "));
        let of_the_values = last == Some(k) && line.split([',', ';', '\t']).count() < 3;
        let unknown = |word: &String| {
            let word = word.trim_end_matches('.');
            unit::is_unknown(word) || of_the_values && unit::is_angular(word)
        };
        words
            .iter()
            .find(|word| unknown(word))
            .map(|word| fault(Kind::Unit, k + 1, needed, word))
    })
}
