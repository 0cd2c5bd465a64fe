//! The printed number for which a cell stands, with what inputs it is met, and to how many digits.

use serde::Serialize;

use crate::cell::{Cell, Value};
use crate::print::{Inputs, Print, Shown};
use crate::table::{Column, Row, place, shown};
use crate::verdict::Verdict;

/// How a printed number or statement is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Met {
    /// With the stated inputs, a number to half a last printed digit.
    Stated,
    /// The same with more digits of an input.
    MoreDigits,
    /// The same with fitted settings.
    Fitted,
    /// Not so.
    Not,
}

impl Met {
    /// All of them, from the strongest to none.
    pub const ALL: [Met; 4] = [Met::Stated, Met::MoreDigits, Met::Fitted, Met::Not];

    /// As a report says it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Met::Stated => "met with stated inputs",
            Met::MoreDigits => "with more digits of an input",
            Met::Fitted => "with fitted settings",
            Met::Not => "not met",
        }
    }
}

/// The printed number or statement for which a cell stands, and how it is met.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PrintedCell {
    /// Its place: cells with the same document and place stand for the same printed number.
    pub at: String,
    /// What the document shows there.
    pub shown: Shown,
    /// What the case was given.
    pub inputs: Inputs,
    /// The settings beside the stated inputs, by name.
    pub settings: Vec<String>,
    /// Half a unit of the last printed digit; none for a word, a range and a statement.
    pub half_digit: Option<f64>,
    /// How it is met.
    pub met: Met,
}

/// Half a unit of the last printed digit of a number.
fn half_digit(row: &Row, column: &Column, value: f64) -> f64 {
    let of = |p: &Option<Print>| p.as_ref().and_then(|p| p.last_digit);
    let text = value.to_string();
    let decimals = text.split_once('.').map_or(0, |(_, tail)| tail.len());
    let seen = 10.0_f64.powi(-(decimals as i32));
    0.5 * of(&row.printed).unwrap_or_else(|| of(&column.printed).map_or(seen, |d| d.min(seen)))
}

/// The printed number of a cell, judged. Half a digit is judged here and the tolerance of the table is not: a wider
/// tolerance holds the cell, but does not meet the number.
pub(crate) fn judge(
    table: &str,
    (row, column, cell): (&Row, &Column, &Cell),
    computed: Option<&Value>,
    verdict: Verdict,
) -> Option<PrintedCell> {
    let shown = shown(row, column, cell).ok()?;
    let of_column = column.printed.as_ref()?;
    let of_row = row.printed.as_ref();
    // Inputs of a row replace those of its columns, with their settings.
    let source = of_row.filter(|p| p.inputs.is_some()).unwrap_or(of_column);
    let inputs = source.inputs?;
    let half_digit = match (shown, cell.value()) {
        (Shown::Number, Value::Number(v)) => Some(half_digit(row, column, *v)),
        _ => None,
    };
    let given = match (half_digit, computed, cell.value()) {
        (Some(half), Some(Value::Number(c)), Value::Number(e)) => within(*c, *e, half),
        _ => verdict == Verdict::Reproduced,
    };
    let met = match (given, inputs) {
        (false, _) => Met::Not,
        (true, Inputs::Stated) => Met::Stated,
        (true, Inputs::MoreDigits) => Met::MoreDigits,
        (true, Inputs::Fitted) => Met::Fitted,
    };
    Some(PrintedCell {
        at: place(table, row, column),
        shown,
        inputs,
        settings: source.settings.clone(),
        half_digit,
        met,
    })
}

impl PrintedCell {
    /// What the cell stands for and how it is met, with the settings by name.
    #[must_use]
    pub fn words(&self) -> String {
        let met = match self.settings.is_empty() || self.met == Met::Not {
            true => self.met.words().to_owned(),
            false => format!("{}: {}", self.met.words(), self.settings.join(", ")),
        };
        match self.shown {
            Shown::Number | Shown::Statement => met,
            Shown::Formula => "none: a formula".to_owned(),
            Shown::Echo => "none: an input".to_owned(),
        }
    }
}

/// Within half a digit; a value that lies on the half itself may be rounded either way, within the rounding of sums.
fn within(computed: f64, printed: f64, half: f64) -> bool {
    (computed - printed).abs() <= half * (1.0 + 1e-9) + 4.0 * f64::EPSILON * printed.abs()
}
