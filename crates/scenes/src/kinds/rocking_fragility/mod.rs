//! An overturning fragility.

mod job;

use crate::kinds::Kind;

/// An overturning fragility.
pub const KIND: Kind = Kind {
    name: "rocking-fragility",
    summary: "probability of overturning over the intensity of scaled motions",
    example: include_str!("../../../../../examples/rocking-fragility.json"),
    schema: || schemars::schema_for!(job::Scene),
    prepare: job::prepare,
};
