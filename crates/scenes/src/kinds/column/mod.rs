//! A prism, a cylinder or a column of drums in space.

mod answer;
mod job;
pub mod result;
pub mod scene;

use crate::kind::Kind;

/// A prism, a cylinder or a column of drums in space.
pub const KIND: Kind = Kind {
    name: "column",
    summary: "a prism, a cylinder or a column of drums in space, on a base that moves in three directions: tilts, turns, offsets",
    example: include_str!("../../../../../examples/column.json"),
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
