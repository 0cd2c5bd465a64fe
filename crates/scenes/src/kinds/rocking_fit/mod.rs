//! A fit of the restitution to a measured history.

mod answer;
pub mod job;
mod limits;
pub mod result;
pub mod scene;

use crate::kind::Kind;

/// A fit of the restitution to a measured history.
pub const KIND: Kind = Kind {
    name: "rocking_fit",
    summary: "the coefficient of restitution of a block from a measured rotation history",
    example: include_str!("../../../../../examples/rocking-fit.json"),
    limits: limits::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
