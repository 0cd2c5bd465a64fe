//! What stands behind a value, what it claims of the product, and what became of it.

use serde::{Deserialize, Serialize};

/// What stands behind a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// An exact solution, or an independent computation converged to rounding.
    ClosedForm,
    /// Printed in a publication.
    Published,
    /// What an independent program computes.
    Peer,
    /// Measured.
    Experiment,
    /// What the same case must give as a scene with the defaults that a user gets.
    AsShipped,
    /// A value of our own that was found once: no truth, but a change of it is seen.
    Pinned,
    /// A bar that we set ourselves.
    Requirement,
}

impl Kind {
    /// What a column of this kind claims.
    #[must_use]
    pub fn claim(self) -> Claim {
        match self {
            Kind::Published | Kind::Experiment => Claim::Printed,
            Kind::ClosedForm | Kind::Peer => Claim::Reference,
            Kind::AsShipped => Claim::Shipped,
            Kind::Pinned | Kind::Requirement => Claim::Own,
        }
    }
}

/// What a value claims of the product. The first three are counted apart and never mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// The cell is taken from what a document shows: it holds within a stated tolerance. How many distinct printed
    /// numbers are met, and with what inputs, is counted apart (`Distinct`).
    Printed,
    /// The product gives an exact solution or what an independent program computes.
    Reference,
    /// A scene with the defaults gives it too.
    Shipped,
    /// The product keeps a bar or a value of our own; nothing outside stands behind it.
    Own,
}

impl Claim {
    /// All of them, in the order of reports.
    pub const ALL: [Claim; 4] = [Claim::Printed, Claim::Reference, Claim::Shipped, Claim::Own];

    /// As a heading says it.
    #[must_use]
    pub fn heading(self) -> &'static str {
        match self {
            Claim::Printed => "compared with printed values",
            Claim::Reference => "exact reference",
            Claim::Shipped => "as shipped",
            Claim::Own => "limits and pinned values of our own",
        }
    }
}

/// What became of one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A printed value that the product gives within its stated tolerance; whether the number is met is another
    /// question.
    Reproduced,
    /// An exact or independent reference that the product gives.
    Exact,
    /// What a scene with the defaults gives too.
    AsShipped,
    /// A bar or a pinned value of our own that is kept.
    Kept,
    /// A value that the product does not give, for a stated reason.
    NotReproduced,
    /// A printed value known to be wrong, and outside the tolerance as it should be.
    Misprint,
    /// Outside the tolerance.
    Fail,
    /// A stated difference that is none: the reason itself is wrong.
    AgreesAfterAll,
    /// Outside the band of our own.
    OutsideAcceptance,
    /// The case computed nothing for the cell.
    Missing,
    /// The case computed a number that is not finite, or a word for a number.
    Invalid,
}

impl Verdict {
    /// Whether the run may pass with it.
    #[must_use]
    pub fn holds(self) -> bool {
        self <= Verdict::Misprint
    }

    /// Whether the product gives the value.
    #[must_use]
    pub fn agrees(self) -> bool {
        self <= Verdict::Kept
    }

    /// As a report says it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Reproduced => "within the tolerance",
            Verdict::Exact => "exact",
            Verdict::AsShipped => "as shipped",
            Verdict::Kept => "kept",
            Verdict::NotReproduced => "not reproduced",
            Verdict::Misprint => "not reproduced: misprint",
            Verdict::Fail => "FAIL",
            Verdict::AgreesAfterAll => "FAIL: agrees after all",
            Verdict::OutsideAcceptance => "FAIL: outside our band",
            Verdict::Missing => "FAIL: not computed",
            Verdict::Invalid => "FAIL: invalid",
        }
    }
}
