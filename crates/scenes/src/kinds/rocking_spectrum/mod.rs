//! A rocking spectrum.

mod job;

use crate::kinds::Kind;

/// A rocking spectrum.
pub const KIND: Kind = Kind {
    name: "rocking-spectrum",
    summary: "largest rotation and angular velocity over the size of a block",
    example: include_str!("../../../../../examples/rocking-spectrum.json"),
    schema: || schemars::schema_for!(job::Scene),
    prepare: job::prepare,
};
