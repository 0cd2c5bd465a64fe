//! One motion of a row of blocks in a shaken basin.

mod job;
mod limits;
pub mod result;
pub mod scene;
mod verdict;

pub(super) use limits::LIMITS;

use klast_runs::kind::Kind;

/// One motion of a row of blocks in a shaken basin.
pub const KIND: Kind = Kind {
    name: "assembly",
    summary: "the motion of a row of blocks in a shaken basin, and all impacts, stops and starts of sliding",
    example: include_str!("../../../../examples/assembly.json"),
    files: &[],
    limits: LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
