//! One motion of a stack of blocks.

mod answer;
mod job;
mod limits;
pub mod result;
pub mod scene;
mod verdict;

use crate::kind::Kind;

/// One motion of a stack of blocks.
pub const KIND: Kind = Kind {
    name: "stack",
    summary: "the motion of a stack of up to ten blocks on a moving base, without slip or with friction",
    example: include_str!("../../../../../examples/stack.json"),
    limits: limits::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
