//! The long-time response of a row of blocks over one or two parameters.

mod job;

use crate::kinds::Kind;

/// The long-time response of a row of blocks over one or two parameters.
pub const KIND: Kind = Kind {
    name: "assembly-sweep",
    summary: "periods, patterns and impacts of a row of blocks over one or two parameters",
    example: include_str!("../../../../../examples/assembly-sweep.json"),
    schema: || schemars::schema_for!(job::Scene),
    prepare: job::prepare,
};
