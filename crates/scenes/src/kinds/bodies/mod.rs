//! Bodies in contact: do they stand, where do they come to rest.

mod build;
mod frames;
mod history;
mod job;
mod pictures;
mod place;
mod report;
mod scene;
mod shape;

use crate::kinds::Kind;

/// Bodies in contact: do they stand, where do they come to rest.
pub const KIND: Kind = Kind {
    name: "bodies",
    summary: "convex bodies with friction on planes, in boxes, on moving tables: do they stand, where do they come to rest",
    example: include_str!("../../../../../examples/bodies.json"),
    schema: || schemars::schema_for!(scene::Scene),
    prepare: job::prepare,
};
