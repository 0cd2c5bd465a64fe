//! Whether bodies stand.

use schemars::JsonSchema;
use serde::Serialize;

/// Outcome of the bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No centre moved by more than `stands_within_m`.
    Stands,
    /// A centre moved by more than `stands_within_m`.
    Falls,
    /// The residual of the contact problems is too large for a verdict, or a body is still moving away at the end.
    Undecided,
}
