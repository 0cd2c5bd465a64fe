//! Rocks released on a terrain.

pub mod barriers;
pub mod by_set;
mod convert;
mod crest;
pub mod design;
mod earthworks;
mod engine;
pub mod frame;
pub mod ground;
mod job;
mod kept_paths;
mod land;
mod limits;
pub mod lumped;
pub mod map;
pub mod maps;
mod materials;
mod meshes;
pub mod more;
mod motion_digest;
pub mod orthophoto;
pub mod paths;
pub mod posterior;
pub mod result;
mod rock_classes;
pub mod rocks;
pub mod scene;
mod scene_engine;
mod scene_ground;
mod scene_protection;
mod screens;
mod sources;
mod starts;
pub mod stations;
mod terrain;
mod terrain_keys;
pub(crate) mod understood;
mod vectors;
mod verdict;

pub use screens::place_name;

pub use convert::simulation;

pub(super) use limits::LIMITS;

use klast_runs::kind::Kind;

/// Rocks released on a terrain.
pub const KIND: Kind = Kind {
    name: "rockfall",
    summary: "hazard maps, results at barriers and runouts of rocks on a raster, a profile, a mesh or a slope",
    example: include_str!("../../../../examples/rockfall.json"),
    files: &[
        (
            "rockfall-terrain.asc",
            include_bytes!("../../../../examples/rockfall-terrain.asc"),
        ),
        (
            "rockfall-release.geojson",
            include_bytes!("../../../../examples/rockfall-release.geojson"),
        ),
    ],
    limits: LIMITS,
    scene: || schemars::schema_for!(scene::Scene),
    results: || schemars::schema_for!(result::Results),
    prepare: job::prepare,
};
