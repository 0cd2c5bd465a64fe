//! A prism, a cylinder or a column of drums in space.

mod job;
mod limits;
pub mod result;
pub mod scene;
mod verdict;

use klast_runs::kind::Kind;

/// A prism, a cylinder or a column of drums in space.
pub const KIND: Kind = Kind {
    name: "column",
    summary: "the tilts, turns and offsets of a prism, a cylinder or a column of drums on a base that moves in three directions",
    example: include_str!("../../../../examples/column.json"),
    files: &[],
    limits: limits::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
