//! Why a record was refused.

use klast_dynamics::ground_motion::GroundMotionError;
use klast_numerics::OutOfRange;
use thiserror::Error;

/// What can be wrong with a file of records.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RecordError {
    /// A number outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// Samples that are no record.
    #[error(transparent)]
    Samples(#[from] GroundMotionError),
    /// A record cannot be read.
    #[error("record, line {line}: {needed}; found \"{found}\"")]
    Format {
        /// Line number from 1, 0 when no single line is meant.
        line: usize,
        /// What is needed there.
        needed: &'static str,
        /// What was found.
        found: String,
    },
    /// A file is no acceleration over seconds.
    #[error(
        "this seems to be {seems}; accepted: accelerations over seconds as PEER AT2, two columns, a time and columns with their units, values at a stated step, \
         K-NET/KiK-net, ESM/ITACA, CSMIP/CESMD V1 and V2, COSMOS, SMC, GeoNet V1A/V2A, ObsPy SLIST and TSPAIR, GeoCSV, LabVIEW, or \
         the text formats of the Turkish, Mexican, Japanese (JMA), Taiwanese and Chinese networks"
    )]
    NotARecord {
        /// What it seems to be.
        seems: &'static str,
    },
    /// A file of several components of which none or no known one was asked for.
    #[error("component {asked}: the file has the components {available}; accepted: one of them")]
    Component {
        /// What was asked for.
        asked: String,
        /// The names in the file.
        available: String,
    },
    /// A record has another number of values than its header states.
    #[error("the header announces {announced} values, found {found}")]
    Count {
        /// Number in the header.
        announced: usize,
        /// Number of values.
        found: usize,
    },
}
