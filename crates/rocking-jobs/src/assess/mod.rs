//! An assessment of an object that stands free.

mod findings;
mod job;
mod pose;
pub mod reserve;
pub mod result;
pub mod scene;
mod verdict;

use klast_runs::kind::Kind;

/// An assessment of an object that stands free.
pub const KIND: Kind = Kind {
    name: "assess",
    summary: "verdicts on the limit states of a free-standing object under records",
    example: include_str!("../../../../examples/assess.json"),
    files: &[],
    limits: super::rocking::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
