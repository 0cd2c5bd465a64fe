//! Rocks released on a terrain.

pub mod convert;
mod job;
mod report;
mod scene;
mod sources;

use crate::kinds::Kind;

/// Rocks released on a terrain.
pub const KIND: Kind = Kind {
    name: "rockfall",
    summary: "rocks on a raster, profile, mesh or slope: hazard maps, barrier sheets, runout",
    example: include_str!("../../../../../examples/rockfall.json"),
    schema: || schemars::schema_for!(scene::Scene),
    prepare: job::prepare,
};
