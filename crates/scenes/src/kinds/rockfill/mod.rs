//! A shot through a layer of rock.

mod frames;
pub mod job;
pub mod scene;

use crate::kinds::Kind;

/// A shot through a layer of rock.
pub const KIND: Kind = Kind {
    name: "rockfill",
    summary: "a projectile through a layer of convex rocks",
    example: include_str!("../../../../../examples/rockfill.json"),
    schema: || schemars::schema_for!(scene::Rockfill),
    prepare: job::prepare,
};
