//! Whether bodies stand.

use schemars::JsonSchema;
use serde::Serialize;

/// Outcome of the bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No centre moved by more than `stands_within_m`, and none still moves at the end.
    Stands,
    /// A centre moved by more than `stands_within_m`.
    Falls,
    /// The residual of the contact problems is too large for a verdict, or a body still moves at the end: in the last
    /// tenth of the run it gets farther from its start than ever before, or goes on without turning round.
    Undecided,
}
