//! A fragility of a rocking block.

mod curves;
mod job;
pub mod result;
pub mod scene;
pub mod sheet;
mod structure;
mod verdict;

use klast_runs::kind::Kind;

/// A fragility of a rocking block.
pub const KIND: Kind = Kind {
    name: "rocking_fragility",
    summary: "the probability of damage states as a function of the intensity of scaled records",
    example: include_str!("../../../../examples/rocking-fragility.json"),
    files: &[],
    limits: super::rocking::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
