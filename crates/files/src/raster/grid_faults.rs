//! What is wrong with the text of an ESRI grid, with the command that makes it right.

use crate::command::Command;
use crate::refusal::{Kind, Refusal};
use crate::text::has_decimal_commas;

/// Lines in which the header of an ESRI grid may stand.
pub const HEADER: usize = 12;

/// What is wrong with a grid, with the command that makes it right if there is one: its decimal marks are commas.
pub fn cured(refusal: Refusal, text: &str) -> Refusal {
    let said = |line: &&str| refusal.kind == Kind::Syntax && refusal.found.contains(line.trim());
    let mut lines = text.lines().filter(|line| has_decimal_commas(line));
    match lines.next().filter(said) {
        None => refusal,
        Some(_) => Refusal {
            found: format!("{}; its decimal marks are commas", refusal.found),
            ..refusal
        }
        .accepting("points")
        .cured_by(Command::new("gdal_translate {in}.asc {out}.tif")),
    }
}
