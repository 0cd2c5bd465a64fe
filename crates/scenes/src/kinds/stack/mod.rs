//! One motion of a stack of blocks.

mod job;
mod report;

use crate::kinds::Kind;

/// One motion of a stack of blocks.
pub const KIND: Kind = Kind {
    name: "stack",
    summary: "a stack of up to ten blocks under base motion: events, history, pictures; without slip, by Newmark or with friction",
    example: include_str!("../../../../../examples/stack.json"),
    schema: || schemars::schema_for!(job::Scene),
    prepare: job::prepare,
};
