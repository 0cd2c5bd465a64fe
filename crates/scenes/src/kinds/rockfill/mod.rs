//! A shot through a layer of rock.

mod answer;
mod frames;
pub mod job;
mod limits;
pub mod result;
pub mod scene;

use crate::kind::Kind;

/// A shot through a layer of rock.
pub const KIND: Kind = Kind {
    name: "rockfill",
    summary: "the path of a projectile through a layer of convex rocks",
    example: include_str!("../../../../../examples/rockfill.json"),
    limits: limits::LIMITS,
    scene: || schemars::schema_for!(scene::Rockfill),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
