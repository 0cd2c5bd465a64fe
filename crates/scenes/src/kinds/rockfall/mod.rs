//! Rocks released on a terrain.

pub mod barriers;
mod convert;
mod distribution;
mod job;
pub mod lumped;
pub mod maps;
pub mod paths;
pub mod result;
pub mod scene;
mod sources;

use crate::kind::Kind;

/// Rocks released on a terrain.
pub const KIND: Kind = Kind {
    name: "rockfall",
    summary: "rocks on a raster, profile, mesh or slope: hazard maps, barrier sheets, runout",
    example: include_str!("../../../../../examples/rockfall.json"),
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
