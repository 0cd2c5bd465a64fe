//! Printed numbers, each counted once: which one a cell stands for, with what inputs it is met, and to how many digits.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use crate::cell::{Cell, Value};
use crate::verdict::Verdict;
use crate::{CellResult, Column, Row};

/// What a document shows where a cell is taken from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// A number or a range, printed with digits.
    Number,
    /// A statement in words, an outcome, or what a figure shows without a number; a range of our own may stand for it.
    Statement,
    /// A formula. The number in the cell is our evaluation of it and stands nowhere in the document.
    Formula,
    /// An input that the case takes over as it is printed, or a default. To give it back is no reproduction.
    Echo,
}

/// What a case is given beside what the document states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inputs {
    /// Nothing: only inputs as the document states them.
    Stated,
    /// More digits of an input than the document prints.
    MoreDigits,
    /// Settings that were found from the printed results.
    Fitted,
}

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

/// What a table says of its printed cells: of a column, or of a row against its columns.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Print {
    /// Of a row: its place in the document, if another row has the same printed number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Of a column: the name of the printed column, if another column has the same printed numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// What the document shows there. Without it a number is a number and a word a statement; a range must say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Shown>,
    /// What the case is given; required of a column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Inputs>,
    /// The inputs that have more digits, or the fitted settings, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<String>,
    /// The unit of the last printed digit. Of a row: this. Of a column: this, or that of the digits of the cell if they
    /// go further; zeros at the end of a number are lost in a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_digit: Option<f64>,
}

impl Print {
    /// Checks what one row or column says.
    pub(crate) fn check(&self) -> Result<()> {
        let named = !self.settings.is_empty() && self.settings.iter().all(|s| !s.trim().is_empty());
        ensure!(
            match self.inputs {
                None | Some(Inputs::Stated) => self.settings.is_empty(),
                Some(Inputs::MoreDigits | Inputs::Fitted) => named,
            },
            "inputs {:?} with settings {:?}; accepted: 'more_digits' and 'fitted' with the settings by name, 'stated' without",
            self.inputs,
            self.settings
        );
        let digit = self.last_digit.unwrap_or(1.0);
        ensure!(
            digit.is_finite() && digit > 0.0,
            "last_digit {digit}; accepted: above 0"
        );
        Ok(())
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

/// What a cell of this row and column shows.
pub(crate) fn shown(row: &Row, column: &Column, cell: &Cell) -> Result<Shown> {
    let said = row.printed.as_ref().and_then(|p| p.shown);
    let said = said.or(column.printed.as_ref().and_then(|p| p.shown));
    match (said, cell.value()) {
        (Some(Shown::Number), Value::Word(word)) => {
            anyhow::bail!("shown number, but the cell is '{word}'; accepted: a number or a range")
        }
        (Some(shown), _) => Ok(shown),
        (None, Value::Number(_)) => Ok(Shown::Number),
        (None, Value::Word(_)) => Ok(Shown::Statement),
        (None, Value::Range(_)) => anyhow::bail!(
            "a range without 'shown'; accepted: 'number' if the document prints its ends, 'statement' if they are ours"
        ),
    }
}

/// The place in the document of the printed number of a cell: said by its row, or its row and printed column.
pub(crate) fn place(table: &str, row: &Row, column: &Column) -> String {
    if let Some(at) = row.printed.as_ref().and_then(|p| p.at.clone()) {
        return at;
    }
    let said = column.printed.as_ref().and_then(|p| p.column.as_ref());
    format!("{table}#{} [{}]", row.id, said.unwrap_or(&column.id))
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

/// Distinct printed numbers or statements by how they are met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Distinct {
    /// All of them.
    pub of: usize,
    /// Met with the stated inputs, numbers to half a last printed digit.
    pub stated: usize,
    /// Met with more digits of an input.
    pub more_digits: usize,
    /// Met with fitted settings.
    pub fitted: usize,
    /// Not met.
    pub not: usize,
    /// Of those not met: within a stated tolerance that is wider than half a digit.
    pub within_tolerance: usize,
    /// Of those not met: the print is wrong.
    pub misprints: usize,
}

impl Distinct {
    /// Counts what the cells stand for, each place of a document once: by the cell that meets it best.
    #[must_use]
    pub fn new<'a>(
        cells: impl IntoIterator<Item = (&'a str, &'a CellResult)>,
        shown: Shown,
    ) -> Self {
        let mut best: BTreeMap<(&str, &str), (Met, Verdict)> = BTreeMap::new();
        for (document, cell) in cells {
            let Some(printed) = cell.printed.as_ref().filter(|p| p.shown == shown) else {
                continue;
            };
            let found = (printed.met, cell.verdict);
            let entry = best.entry((document, &printed.at)).or_insert(found);
            *entry = (*entry).min(found);
        }
        let mut count = Self::default();
        for (met, verdict) in best.into_values() {
            count.of += 1;
            *match met {
                Met::Stated => &mut count.stated,
                Met::MoreDigits => &mut count.more_digits,
                Met::Fitted => &mut count.fitted,
                Met::Not => &mut count.not,
            } += 1;
            if met == Met::Not {
                count.within_tolerance += usize::from(verdict == Verdict::Reproduced);
                count.misprints += usize::from(verdict == Verdict::Misprint);
            }
        }
        count
    }

    /// The four classes, in the order of [`Met::ALL`].
    #[must_use]
    pub fn classes(&self) -> [usize; 4] {
        [self.stated, self.more_digits, self.fitted, self.not]
    }

    /// Those that are met, with whatever inputs.
    #[must_use]
    pub fn met(&self) -> usize {
        self.of - self.not
    }

    /// The classes that are not empty, in words: `51 met with stated inputs, 91 with fitted settings, 25 not met`.
    #[must_use]
    pub fn words(&self) -> String {
        let part = |(met, n): (Met, usize)| (n > 0).then(|| format!("{n} {}", met.words()));
        let parts: Vec<_> = Met::ALL
            .into_iter()
            .zip(self.classes())
            .filter_map(part)
            .collect();
        let within = match self.within_tolerance {
            0 => None,
            n => Some(format!("{n} of these within a wider tolerance")),
        };
        let wrong = match self.misprints {
            0 => None,
            n => Some(format!("{n} wrong in print")),
        };
        let why: Vec<_> = [within, wrong].into_iter().flatten().collect();
        match why.is_empty() {
            true => parts.join(", "),
            false => format!("{} ({})", parts.join(", "), why.join(", ")),
        }
    }
}
