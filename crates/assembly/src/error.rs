//! What can be wrong with the input of a row of blocks.

use klast_numerics::{ModelError, OutOfRange};
use thiserror::Error;

/// An input that cannot be a row of blocks in a basin, with what was found and what is accepted.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum AssemblyError {
    /// A number, or the length of a list, outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
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

impl ModelError for AssemblyError {
    fn number(&self) -> Option<f64> {
        match self {
            Self::OutOfRange(out) => out.number(),
            _ => None,
        }
    }
}
