//! One motion of a stack of blocks.

mod job;
mod limits;
pub mod result;
pub mod scene;
mod verdict;

use klast_runs::kind::Kind;

/// One motion of a stack of blocks.
pub const KIND: Kind = Kind {
    name: "stack",
    summary: "the motion of a stack of up to a hundred blocks on a moving base, without slip or with friction",
    example: include_str!("../../../../examples/stack.json"),
    files: &[],
    limits: limits::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
