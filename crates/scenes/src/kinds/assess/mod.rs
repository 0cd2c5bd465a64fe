//! An assessment of an object that stands free.

mod answer;
mod findings;
mod job;
pub mod result;
pub mod scene;
mod told;

use crate::kind::Kind;

/// An assessment of an object that stands free.
pub const KIND: Kind = Kind {
    name: "assess",
    summary: "verdicts on the limit states of a free-standing object under records",
    example: include_str!("../../../../../examples/assess.json"),
    limits: super::rocking::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
