//! Overturning of a stack over the amplitude and the frequency of a wave.

mod job;
mod limits;
pub mod result;
pub mod scene;
mod verdict;

use klast_runs::kind::Kind;

/// Overturning of a stack over the amplitude and the frequency of a wave.
pub const KIND: Kind = Kind {
    name: "stack_map",
    summary: "partial and total overturning of a stack for many amplitudes and frequencies",
    example: include_str!("../../../../examples/stack-map.json"),
    files: &[],
    limits: limits::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
