//! A rocking spectrum.

mod answer;
mod job;
pub mod result;
pub mod scene;

use crate::kind::Kind;

/// A rocking spectrum.
pub const KIND: Kind = Kind {
    name: "rocking_spectrum",
    summary: "the largest rotation and the largest angular velocity of blocks of many sizes under one motion",
    example: include_str!("../../../../../examples/rocking-spectrum.json"),
    limits: super::rocking_map::LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
