//! Bodies in contact: do they stand, where do they come to rest.

pub mod build;
mod fallen;
mod forces;
mod frames;
mod history;
mod job;
pub mod joints;
mod limits;
pub mod loads;
mod mortar;
mod place;
pub mod result;
mod rows;
pub mod scene;
mod shaking;
pub mod solver;
pub mod standing;
mod statics;
mod touched;
pub mod verdict;
mod ways;

use klast_runs::kind::Kind;

/// Bodies in contact: do they stand, where do they come to rest.
pub const KIND: Kind = Kind {
    name: "bodies",
    summary: "whether convex bodies with friction stand on planes, in boxes or on moving tables, and where they come to rest",
    example: include_str!("../../../../examples/bodies.json"),
    files: &[],
    limits: limits::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
