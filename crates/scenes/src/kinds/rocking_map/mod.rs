//! The fate of a block over two parameters.

mod job;
mod quantity;
mod result;

use crate::kinds::Kind;

/// The fate of a block over two parameters.
pub const KIND: Kind = Kind {
    name: "rocking-map",
    summary: "fate of a block over two parameters (amplitude, frequency, duration, size, restitution, tilt)",
    example: include_str!("../../../../../examples/rocking-map.json"),
    schema: || schemars::schema_for!(job::Scene),
    prepare: job::prepare,
};
