//! One motion of one rocking block.

pub mod event;
mod job;
mod limits;
pub mod result;
pub mod scene;
pub mod slip;
pub mod slope;
pub mod verdict;

pub(super) use limits::LIMITS;

use klast_runs::kind::Kind;

/// One motion of one rocking block.
pub const KIND: Kind = Kind {
    name: "rocking",
    summary: "the motion of one block on a moving base, and all its impacts",
    example: include_str!("../../../../examples/rocking.json"),
    files: &[],
    limits: LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
