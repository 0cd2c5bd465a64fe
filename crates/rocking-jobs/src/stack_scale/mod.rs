//! Outcomes of a stack over the scale of a motion.

mod job;
mod limits;
pub mod result;
pub mod scene;
mod verdict;

use klast_runs::kind::Kind;

/// Outcomes of a stack over the scale of a motion.
pub const KIND: Kind = Kind {
    name: "stack_scale",
    summary: "the outcomes of a stack for many scale factors of a motion, and the least factor that overturns the stack",
    example: include_str!("../../../../examples/stack-scale.json"),
    files: &[],
    limits: limits::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
