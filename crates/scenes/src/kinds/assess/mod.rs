//! An assessment of an object that stands free.

mod job;
mod scene;
mod told;

use crate::kinds::Kind;

/// An assessment of an object that stands free.
pub const KIND: Kind = Kind {
    name: "assess",
    summary: "verdicts on the limit states of a free-standing object under records",
    example: include_str!("../../../../../examples/assess.json"),
    schema: || schemars::schema_for!(scene::Scene),
    prepare: job::prepare,
};
