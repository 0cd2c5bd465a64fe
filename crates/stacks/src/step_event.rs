//! What ends a step of a stack.

use super::configuration::Pivot;

/// What a step ended with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum StepEvent {
    /// The step was followed to its end.
    Nothing,
    /// The interface under a group came down.
    Closing { group: usize },
    /// A corner of a shut interface lost its load.
    Release { interface: usize, to: Pivot },
    /// A group reached a quarter turn.
    Overturning { group: usize },
}
