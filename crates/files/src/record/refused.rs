//! What is accepted as a record, and the refusal of what is none.

use crate::refusal::{Kind, Refusal};

/// What is accepted as a record.
pub const ACCEPTED: &str = "accelerations over seconds as PEER AT2, two columns, a time and columns with \
    their units, values \
    at a stated step, K-NET/KiK-net, ESM/ITACA, CSMIP/CESMD V1 and V2, COSMOS, GeoNet V1A/V2A, ObsPy SLIST and \
    TSPAIR; or \
    the columns of any table that acceleration_column and time_column name";

/// The refusal of what is no acceleration over seconds.
pub fn not_a_record(seems: &str) -> Refusal {
    Refusal::new(Kind::Quantity, format!("this seems to be {seems}")).accepting(ACCEPTED)
}
