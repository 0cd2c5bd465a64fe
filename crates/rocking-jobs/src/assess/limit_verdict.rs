//! The verdict on a limit state, as a value of `result.json`.

use klast_rocking::assess::Verdict;
use klast_runs::answer::Judgement;
use schemars::JsonSchema;
use serde::Serialize;

/// Verdict on a limit state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum LimitVerdict {
    /// The probability is at most what is allowed.
    #[serde(rename = "met")]
    Met,
    /// The probability is above what is allowed.
    #[serde(rename = "not met")]
    NotMet,
    /// The records or the runs cannot decide.
    #[serde(rename = "undecided")]
    Undecided,
}

impl From<Verdict> for LimitVerdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Met => Self::Met,
            Verdict::NotMet => Self::NotMet,
            Verdict::Undecided => Self::Undecided,
        }
    }
}

impl LimitVerdict {
    /// Its name in `result.json`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Met => Verdict::Met.word(),
            Self::NotMet => Verdict::NotMet.word(),
            Self::Undecided => Verdict::Undecided.word(),
        }
    }
}

impl From<LimitVerdict> for Judgement {
    fn from(verdict: LimitVerdict) -> Self {
        match verdict {
            LimitVerdict::Met => Self::Holds,
            LimitVerdict::NotMet => Self::Fails,
            LimitVerdict::Undecided => Self::Undecided,
        }
    }
}
