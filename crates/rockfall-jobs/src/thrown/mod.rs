//! A body thrown on a plane or a profile and measured: its friction, its restitution, its law of impact.

mod found;
mod job;
mod limits;
pub mod result;
mod rows;
pub mod scene;
mod tracks;
mod verdict;

use klast_runs::kind::Kind;

/// A body thrown on a plane or a profile and measured.
pub const KIND: Kind = Kind {
    name: "thrown",
    summary: "the friction, the restitution and the impact law of a body from measured throws",
    example: include_str!("../../../../examples/thrown.json"),
    files: &[(
        "thrown-tracks.csv",
        include_bytes!("../../../../examples/thrown-tracks.csv"),
    )],
    limits: limits::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
