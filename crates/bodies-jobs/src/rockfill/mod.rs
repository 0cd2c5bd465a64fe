//! A shot through a layer of rock.

mod frames;
pub mod job;
mod limits;
pub mod result;
pub mod scene;
mod verdict;

use klast_runs::kind::Kind;

/// A shot through a layer of rock.
pub const KIND: Kind = Kind {
    name: "rockfill",
    summary: "the path of a projectile through a layer of convex rocks",
    example: include_str!("../../../../examples/rockfill.json"),
    files: &[],
    limits: limits::LIMITS,
    scene: || schemars::schema_for!(scene::Rockfill),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
