//! What the reader of a fragility curve has to be warned of.

use super::ENOUGH_RECORDS;

/// What the reader of a curve has to be warned of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FragilityWarning {
    /// Fewer records than hold for others.
    FewRecords {
        /// Their number.
        records: usize,
    },
    /// The band over records at the median is near 0 to 1.
    WideBand {
        /// Its lower end.
        low: f64,
        /// Its upper end.
        high: f64,
    },
    /// Many replicates of the bootstrap gave no line.
    CleanlyCutReplicates {
        /// Their number.
        without_line: usize,
        /// Of how many.
        replicates: usize,
    },
}

impl std::fmt::Display for FragilityWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::FewRecords { records } => write!(
                f,
                "{records} records: too few records to generalise; at least {ENOUGH_RECORDS} are needed"
            ),
            Self::WideBand { low, high } => write!(
                f,
                "at the median the 95 % band over records is {low:.2} to {high:.2}: these records hardly tell the \
                 probability"
            ),
            Self::CleanlyCutReplicates {
                without_line,
                replicates,
            } => write!(
                f,
                "{without_line} of {replicates} bootstrap replicates are cleanly cut: the records are too alike, or too \
                 few, for a band"
            ),
        }
    }
}

/// Distance from 0 and from 1 within which both ends of a band say next to nothing.
pub(super) const WIDE: f64 = 0.05;
