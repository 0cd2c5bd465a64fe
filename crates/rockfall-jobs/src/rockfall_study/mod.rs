//! A rockfall many times over: what its numbers do to it, and which of them explain what was found on the slope.

mod design;
mod findings;
mod job;
pub mod result;
pub mod scene;
mod trial;
mod verdict;

use klast_runs::kind::Kind;

/// A rockfall many times over.
pub const KIND: Kind = Kind {
    name: "rockfall_study",
    summary: "elementary effects of the parameters of a rockfall, a back analysis of observations, or a rockfall on many sections",
    example: include_str!("../../../../examples/rockfall-study.json"),
    files: &[],
    limits: super::rockfall::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
