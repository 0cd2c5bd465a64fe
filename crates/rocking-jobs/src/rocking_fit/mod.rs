//! A fit of the restitution to a measured history.

pub mod job;
mod limits;
pub mod result;
pub mod scene;
mod verdict;

use klast_runs::kind::Kind;

/// A fit of the restitution to a measured history.
pub const KIND: Kind = Kind {
    name: "rocking_fit",
    summary: "the coefficient of restitution of a block from a measured rotation history",
    example: include_str!("../../../../examples/rocking-fit.json"),
    files: &[(
        "rocking-history.csv",
        include_bytes!("../../../../examples/rocking-history.csv"),
    )],
    limits: limits::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
