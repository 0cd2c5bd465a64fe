//! A body thrown on a plane or a profile and measured: its friction, its restitution, its law of impact.

mod answer;
mod found;
mod job;
mod limits;
pub mod result;
mod rows;
pub mod scene;
mod tracks;

use crate::kind::Kind;

/// A body thrown on a plane or a profile and measured.
pub const KIND: Kind = Kind {
    name: "thrown",
    summary: "the friction, the restitution and the impact law of a body from measured throws",
    example: include_str!("../../../../../examples/thrown.json"),
    limits: limits::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
