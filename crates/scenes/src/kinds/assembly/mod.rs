//! One motion of a row of blocks in a shaken basin.

mod job;

use crate::kinds::Kind;

/// One motion of a row of blocks in a shaken basin.
pub const KIND: Kind = Kind {
    name: "assembly",
    summary: "a row of blocks in a shaken basin: events, indices, period, pictures",
    example: include_str!("../../../../../examples/assembly.json"),
    schema: || schemars::schema_for!(job::Scene),
    prepare: job::prepare,
};
