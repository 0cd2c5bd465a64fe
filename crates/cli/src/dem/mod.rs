//! Rockfill of convex polyhedra and a projectile through it.

mod commands;
mod frames;
mod job;
mod scene;

pub use commands::{Command, run};

use crate::kinds::Kind;

/// A shot through a layer of rock.
pub const ROCKFILL: Kind = Kind {
    name: "rockfill",
    summary: "a projectile through a layer of convex rocks",
    example: include_str!("../../../../examples/rockfill.json"),
    schema: || schemars::schema_for!(scene::Rockfill),
    prepare: job::prepare,
};
