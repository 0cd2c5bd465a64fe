//! Rocks released on a terrain.

pub mod barriers;
mod class_raster;
mod convert;
mod crest_loss;
pub mod design;
mod earthworks;
mod engine;
pub mod frame;
mod given_starts;
pub mod ground;
mod ground_extent;
pub mod ground_spread;
pub(crate) mod input_remarks;
mod job;
mod kept_paths;
mod limits;
pub mod lumped;
pub mod map;
pub mod maps;
mod materials;
mod meshes;
mod motion_digest;
pub mod orthophoto;
pub mod part;
pub mod paths;
pub mod posterior;
pub mod result;
mod rock_classes;
mod rock_columns;
pub mod rock_table;
pub mod rocks;
pub mod scene;
mod scene_engine;
mod scene_ground;
mod scene_protection;
mod screens;
pub mod sensitivity;
mod sources;
pub mod stations;
mod terrain;
mod terrain_keys;
mod tile_part;
mod tiled;
pub mod tiled_result;
mod tiles;
mod told;
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
