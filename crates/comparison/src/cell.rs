//! One expected value of a table, and what may be said of it.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use crate::verdict::Claim;

/// An allowed difference: `|computed − expected| ≤ max(abs, rel · |expected|)`.
///
/// Equal `abs` and `rel` therefore mean `tolerance · max(1, |expected|)`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// Absolute part, in the unit of the row.
    pub abs: f64,
    /// Relative part.
    #[serde(default)]
    pub rel: f64,
    /// The reason for the size.
    pub why: String,
}

impl Tolerance {
    /// The allowed difference at an expected value.
    #[must_use]
    pub fn bound(&self, expected: f64) -> f64 {
        self.abs.max(self.rel * expected.abs())
    }
}

/// A number, or a word (an outcome, a class, a sequence of names).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Compared within the tolerance.
    Number(f64),
    /// Compared letter by letter.
    Word(String),
    /// A printed range, both ends in it.
    Range([f64; 2]),
}

impl From<f64> for Value {
    fn from(v: f64) -> Self {
        Value::Number(v)
    }
}

impl From<&str> for Value {
    fn from(v: &str) -> Self {
        Value::Word(v.to_owned())
    }
}

impl From<String> for Value {
    fn from(v: String) -> Self {
        Value::Word(v)
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(v) => write!(f, "{v}"),
            Value::Word(v) => write!(f, "{v}"),
            Value::Range([from, to]) => write!(f, "{from} to {to}"),
        }
    }
}

/// One expected value, bare or with a tolerance of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// Judged by the column's tolerance.
    Bare(Value),
    /// Judged by its own.
    Full(FullCell),
}

/// A cell with more to say than its value.
///
/// Neither a misprint nor a printed value that we do not reproduce may agree: an explained difference that goes away is
/// news.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FullCell {
    /// The expected value.
    pub value: Value,
    /// Its own tolerance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Tolerance>,
    /// Why the printed value, or that of another program, is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erratum: Option<String>,
    /// Why we do not get the value, which need not be wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_reproduced: Option<String>,
    /// Where our own value must lie all the same. To lie there is not to reproduce the print.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance: Option<Acceptance>,
}

/// A band of our own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acceptance {
    /// Lower end, in the unit of the row.
    pub from: f64,
    /// Upper end.
    pub to: f64,
    /// What the band rests on.
    pub why: String,
}

impl Acceptance {
    /// Whether a value lies in the band; a word and a number that is not finite lie in none.
    #[must_use]
    pub fn holds(&self, value: &Value) -> bool {
        matches!(value, Value::Number(v) if (self.from..=self.to).contains(v))
    }
}

impl std::fmt::Display for Acceptance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to {}", self.from, self.to)
    }
}

impl Cell {
    /// The expected value.
    #[must_use]
    pub fn value(&self) -> &Value {
        match self {
            Cell::Bare(value) => value,
            Cell::Full(full) => &full.value,
        }
    }

    /// The reason why the printed value is known to be wrong.
    #[must_use]
    pub fn erratum(&self) -> Option<&str> {
        match self {
            Cell::Bare(_) => None,
            Cell::Full(full) => full.erratum.as_deref(),
        }
    }

    /// The reason why we do not get the value.
    #[must_use]
    pub fn not_reproduced(&self) -> Option<&str> {
        match self {
            Cell::Bare(_) => None,
            Cell::Full(full) => full.not_reproduced.as_deref(),
        }
    }

    /// The band of our own.
    #[must_use]
    pub fn acceptance(&self) -> Option<&Acceptance> {
        match self {
            Cell::Bare(_) => None,
            Cell::Full(full) => full.acceptance.as_ref(),
        }
    }

    /// What may be said of a cell of a column with this claim.
    pub(crate) fn check(&self, claim: Claim) -> Result<()> {
        match self.value() {
            Value::Number(v) => ensure!(v.is_finite(), "not finite"),
            Value::Range([from, to]) => ensure!(
                from.is_finite() && to.is_finite() && from < to,
                "range {from} to {to}; accepted: two ascending numbers"
            ),
            Value::Word(_) => {}
        }
        for (key, reason) in [
            ("erratum", self.erratum()),
            ("not_reproduced", self.not_reproduced()),
        ] {
            ensure!(
                reason.is_none_or(|r| !r.trim().is_empty()),
                "{key} without a reason"
            );
        }
        ensure!(
            self.erratum().is_none() || self.not_reproduced().is_none(),
            "erratum and not_reproduced; accepted: one of them"
        );
        ensure!(
            self.erratum().is_none() || matches!(claim, Claim::Printed | Claim::Reference),
            "erratum; accepted: in a column of printed, measured or reference values"
        );
        ensure!(
            self.not_reproduced().is_none() || matches!(claim, Claim::Printed | Claim::Shipped),
            "not_reproduced; accepted: in a column of printed, measured or shipped values"
        );
        if let Some(band) = self.acceptance() {
            ensure!(
                band.from < band.to && !band.why.trim().is_empty(),
                "acceptance {band}; accepted: an ascending band with its reason"
            );
            ensure!(
                claim == Claim::Printed,
                "acceptance; accepted: in a column of printed or measured values"
            );
        }
        Ok(())
    }

    pub(crate) fn own_tolerance(&self) -> Option<&Tolerance> {
        match self {
            Cell::Bare(_) => None,
            Cell::Full(full) => full.tolerance.as_ref(),
        }
    }
}
