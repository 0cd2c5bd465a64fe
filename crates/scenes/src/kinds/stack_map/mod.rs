//! Overturning of a stack over the amplitude and the frequency of a wave.

mod job;

use crate::kinds::Kind;

/// Overturning of a stack over the amplitude and the frequency of a wave.
pub const KIND: Kind = Kind {
    name: "stack-map",
    summary: "partial and total overturning of a stack over amplitude and frequency",
    example: include_str!("../../../../../examples/stack-map.json"),
    schema: || schemars::schema_for!(job::Scene),
    prepare: job::prepare,
};
