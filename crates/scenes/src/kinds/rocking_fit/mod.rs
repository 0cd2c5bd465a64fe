//! A fit of the restitution to a measured history.

mod job;

pub use job::result;

use crate::kinds::Kind;

/// A fit of the restitution to a measured history.
pub const KIND: Kind = Kind {
    name: "rocking-fit",
    summary: "coefficient of restitution from a measured rotation history",
    example: include_str!("../../../../../examples/rocking-fit.json"),
    schema: || schemars::schema_for!(job::Scene),
    prepare: job::prepare,
};
