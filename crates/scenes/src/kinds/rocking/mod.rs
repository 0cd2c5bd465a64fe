//! One motion of one rocking block.

mod job;

use crate::kinds::Kind;

/// One motion of one rocking block.
pub const KIND: Kind = Kind {
    name: "rocking",
    summary: "one block under base motion: events, history, pictures",
    example: include_str!("../../../../../examples/rocking.json"),
    schema: || schemars::schema_for!(job::Scene),
    prepare: job::prepare,
};
