//! What can be wrong with the input of a row of blocks.

use thiserror::Error;

/// An input that cannot be a row of blocks in a basin, with what was found and what is accepted.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum AssemblyError {
    /// A single number lies outside its range, or is not a number.
    #[error("{field} is {found}; accepted: {accepted}")]
    OutOfRange {
        /// Name of the quantity, with its unit.
        field: &'static str,
        /// The value given.
        found: f64,
        /// The range accepted, in words.
        accepted: &'static str,
    },
    /// A number that belongs to one block, wave or sample of a list is out of range.
    #[error("{field} number {index} is {found}; accepted: {accepted}")]
    ItemOutOfRange {
        /// Name of the quantity, with its unit.
        field: &'static str,
        /// Position in the list, from zero.
        index: usize,
        /// The value given.
        found: f64,
        /// The range accepted, in words.
        accepted: &'static str,
    },
    /// The blocks and the gaps between them are longer than the basin.
    #[error(
        "the blocks do not fit: sizes and gaps add up to {needed} m, the basin is {length} m long"
    )]
    DoNotFit {
        /// Sum of block sizes and given gaps, m.
        needed: f64,
        /// Inside length of the basin, m.
        length: f64,
    },
    /// A list has the wrong number of entries.
    #[error("{field} has {found} entries; accepted: {accepted}")]
    WrongCount {
        /// Name of the list.
        field: &'static str,
        /// Entries given.
        found: usize,
        /// Entries needed.
        accepted: usize,
    },
    /// A time lies before what has already been computed.
    #[error("the time {found} s lies before {accepted} s, which is already computed")]
    TimePassed {
        /// The time asked for, s.
        found: f64,
        /// The time reached, s.
        accepted: f64,
    },
    /// An analysis was asked of a motion that does not repeat itself.
    #[error(
        "the basin motion has no period; this analysis needs a harmonic motion without a lead-in ramp, or past it"
    )]
    NoPeriod,
}

/// Checks that `found` is finite and within `[low, high]`.
pub(crate) fn check(
    field: &'static str,
    found: f64,
    low: f64,
    high: f64,
    accepted: &'static str,
) -> Result<(), AssemblyError> {
    if found.is_finite() && found >= low && found <= high {
        Ok(())
    } else {
        Err(AssemblyError::OutOfRange {
            field,
            found,
            accepted,
        })
    }
}
