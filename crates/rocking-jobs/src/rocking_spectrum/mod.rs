//! A rocking spectrum.

mod job;
mod limits;
pub mod result;
pub mod scene;
mod verdict;

use klast_runs::kind::Kind;

/// A rocking spectrum.
pub const KIND: Kind = Kind {
    name: "rocking_spectrum",
    summary: "the largest rotation and the largest angular velocity of blocks of many sizes under one motion",
    example: include_str!("../../../../examples/rocking-spectrum.json"),
    files: &[],
    limits: limits::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
