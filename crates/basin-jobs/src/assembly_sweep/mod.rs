//! The long-time response of a row of blocks over one or two parameters.

mod job;
mod part;
pub mod result;
pub mod scene;
mod verdict;

use klast_runs::kind::Kind;

/// The long-time response of a row of blocks over one or two parameters.
pub const KIND: Kind = Kind {
    name: "assembly_sweep",
    summary: "periods, patterns and impacts of a row of blocks for many values of one or two parameters",
    example: include_str!("../../../../examples/assembly-sweep.json"),
    files: &[],
    limits: super::assembly::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
