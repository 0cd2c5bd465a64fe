//! What a table says of its printed cells.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

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
