//! The unit of length that a mesh states in a comment: OBJ, PLY and STL have no other place for it.

use super::stl;
use crate::refusal::{Context as _, Refusal, Result, refusal};
use crate::text;

/// A unit of length that a comment states.
#[derive(Debug, Clone, PartialEq)]
pub struct StatedUnit {
    /// Where: the format, and the line if there are lines.
    pub place: String,
    /// The comment.
    pub comment: String,
    /// Metres a unit.
    pub metres: f64,
}

impl StatedUnit {
    /// Why it is no mesh in metres, with what would do.
    #[must_use]
    pub fn refusal(&self, accepted: &str) -> Refusal {
        let StatedUnit {
            place,
            comment,
            metres,
        } = self;
        refusal!(Unit, "'{comment}': a unit is {metres} m"; "{accepted}").at(place)
    }

    /// Refuses what is not in metres, with the factor to apply.
    ///
    /// # Errors
    /// Another unit than the metre.
    pub fn in_metres(&self) -> Result<()> {
        match self.metres {
            1.0 => Ok(()),
            metres => Err(self.refusal(&format!(
                "metres (coordinates times {metres}, without this statement)"
            ))),
        }
    }
}

/// The unit that a comment of a mesh states, by the ending of its file: `# File units = millimeters` (OBJ),
/// `comment units mm` (PLY), `solid rock (units: cm)` or the header of 80 bytes (STL); the first that is known.
///
/// # Errors
/// What is no text.
pub fn stated_unit(ending: &str, bytes: &[u8]) -> Result<Option<StatedUnit>> {
    let found = |place: String, comment: &str| {
        Some(StatedUnit {
            place,
            metres: unit_of(comment.trim_start().trim_start_matches('#'))?,
            comment: text::excerpt(comment),
        })
    };
    match ending {
        "obj" => {
            let text = text::ascii(bytes).context("OBJ")?;
            let mut comments = text
                .lines()
                .enumerate()
                .filter(|(_, line)| line.trim_start().starts_with('#'));
            Ok(comments.find_map(|(k, line)| found(format!("OBJ line {}", k + 1), line)))
        }
        "ply" => {
            let mut lines = bytes.split(|b| *b == b'\n').enumerate();
            let is = |line: &[u8], word: &str| line.trim_ascii().starts_with(word.as_bytes());
            Ok(lines
                .by_ref()
                .take_while(|(_, line)| !is(line, "end_header"))
                .filter(|(_, line)| is(line, "comment") || is(line, "obj_info"))
                .find_map(|(k, line)| {
                    found(
                        format!("PLY line {}", k + 1),
                        &String::from_utf8_lossy(line),
                    )
                }))
        }
        "stl" if stl::is_binary(bytes) => {
            let header = bytes.get(..80).unwrap_or_default();
            let ends = header.iter().position(|b| *b == 0).unwrap_or(80);
            Ok(found(
                "STL header".into(),
                &String::from_utf8_lossy(&header[..ends]),
            ))
        }
        "stl" => {
            let text = text::ascii(bytes).context("STL")?;
            let mut named = text.lines().enumerate().filter(|(_, line)| {
                let word = line.trim_start().get(..5);
                word.is_some_and(|w| w.eq_ignore_ascii_case("solid"))
            });
            Ok(named.find_map(|(k, line)| found(format!("STL line {}", k + 1), line)))
        }
        _ => Ok(None),
    }
}

/// Metres a unit by what stands behind the word `unit` of a comment.
fn unit_of(comment: &str) -> Option<f64> {
    let apart = comment
        .to_lowercase()
        .replace(['=', ':', '(', ')', '[', ']', ',', ';', '"', '_'], " ");
    let words: Vec<&str> = apart.split_whitespace().collect();
    let at = words.iter().position(|w| ["unit", "units"].contains(w))?;
    let mut factor = 1.0;
    for (k, word) in words.iter().enumerate().skip(at + 1) {
        let word = word.trim_end_matches('.');
        // "units in mm", but "units: in".
        let more = k + 1 < words.len();
        if ["is", "are", "of", "length", "scale", "system", "name"].contains(&word)
            || (word == "in" && more)
        {
            continue;
        }
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() && number > 0.0 => factor *= number,
            _ => return metres(word).map(|unit| factor * unit),
        }
    }
    None
}

fn metres(name: &str) -> Option<f64> {
    Some(match name {
        "mm" | "millimeter" | "millimeters" | "millimetre" | "millimetres" => 1e-3,
        "cm" | "centimeter" | "centimeters" | "centimetre" | "centimetres" => 1e-2,
        "dm" | "decimeter" | "decimeters" | "decimetre" | "decimetres" => 0.1,
        "m" | "meter" | "meters" | "metre" | "metres" => 1.0,
        "km" | "kilometer" | "kilometers" | "kilometre" | "kilometres" => 1e3,
        "in" | "inch" | "inches" => 0.0254,
        "ft" | "foot" | "feet" => 0.3048,
        "yd" | "yard" | "yards" => 0.9144,
        "mi" | "mile" | "miles" => 1609.344,
        _ => return None,
    })
}
