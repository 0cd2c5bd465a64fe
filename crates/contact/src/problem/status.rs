//! Why a solver returned.

/// Why a solver returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The residual is at or under the tolerance.
    Converged,
    /// The iterations are used up; the impulses are the best that were seen.
    IterationLimit,
    /// The strategy stopped by itself above the tolerance; the impulses are the best that were seen.
    Stalled,
}

impl Status {
    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::IterationLimit => "iteration limit",
            Self::Stalled => "stalled",
        }
    }
}
