//! Outcomes of a stack over the scale of a motion.

mod job;

use crate::kinds::Kind;

/// Outcomes of a stack over the scale of a motion.
pub const KIND: Kind = Kind {
    name: "stack-scale",
    summary: "outcomes of a stack over the scale factor of a motion, and the least that overturns",
    example: include_str!("../../../../../examples/stack-scale.json"),
    schema: || schemars::schema_for!(job::Scene),
    prepare: job::prepare,
};
