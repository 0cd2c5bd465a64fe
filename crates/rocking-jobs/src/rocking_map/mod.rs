//! The outcome of a block over two parameters.

mod job;
pub mod quantity;
pub mod result;
pub mod scene;
mod verdict;

use klast_runs::kind::Kind;

/// The outcome of a block over two parameters.
pub const KIND: Kind = Kind {
    name: "rocking_map",
    summary: "the outcomes of a block for many values of two quantities (amplitude, frequency, duration, size, restitution, tilt)",
    example: include_str!("../../../../examples/rocking-map.json"),
    files: &[],
    limits: super::rocking::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
