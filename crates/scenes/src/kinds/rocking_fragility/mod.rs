//! A fragility of a rocking block.

mod job;
mod pictures;
mod scene;

use crate::kinds::Kind;

/// A fragility of a rocking block.
pub const KIND: Kind = Kind {
    name: "rocking-fragility",
    summary: "probability of damage states over the intensity of scaled records",
    example: include_str!("../../../../../examples/rocking-fragility.json"),
    schema: || schemars::schema_for!(scene::Scene),
    prepare: job::prepare,
};
