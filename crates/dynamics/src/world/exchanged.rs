//! What the contacts of an island exchange with its bodies and with what moves them.

/// What an island of a step exchanged (J).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Exchanged {
    /// What boundaries and taking out overlap gave to its bodies, less what its springs stored.
    pub given: f64,
    /// What its contacts took, and what its springs hold.
    pub handled: f64,
}
