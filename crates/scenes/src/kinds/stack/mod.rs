//! One motion of a stack of blocks.

mod answer;
mod job;
pub mod result;
pub mod scene;
mod verdict;

use crate::kind::Kind;

/// One motion of a stack of blocks.
pub const KIND: Kind = Kind {
    name: "stack",
    summary: "a stack of up to ten blocks under base motion: events, history, figures; without slip, by Newmark or with friction",
    example: include_str!("../../../../../examples/stack.json"),
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
