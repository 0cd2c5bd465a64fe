//! Every kind of scene: one entry, and `run`, `check`, `new` and `schema` know it.
//!
//! A kind lives in a folder of its own: `scene.rs` has the scene's type (serde with `deny_unknown_fields`,
//! `JsonSchema`, units in every key), `job.rs` its conversion into the runtime types whose constructors validate and
//! the [`crate::job::Job`], `result.rs` what it gives. Its figures are `klast-report`'s. Its example stands in
//! `examples/` at the top of the workspace and is both what `klast new` prints and what the tests run.

pub mod assembly;
pub mod assembly_sweep;
pub mod assess;
pub mod bodies;
pub mod column;
pub mod rockfall;
pub mod rockfall_calibration;
pub mod rockfall_study;
pub mod rockfill;
pub mod rocking;
pub mod rocking_fit;
pub mod rocking_fragility;
pub mod rocking_map;
pub mod rocking_spectrum;
pub mod stack;
pub mod stack_map;
pub mod stack_scale;
pub mod thrown;

use anyhow::{Result, bail};

use crate::kind::Kind;
use crate::nearest::nearest;

/// Every kind.
pub const KINDS: &[Kind] = &[
    rockfall::KIND,
    rockfall_calibration::KIND,
    rockfall_study::KIND,
    thrown::KIND,
    rockfill::KIND,
    assembly::KIND,
    assembly_sweep::KIND,
    rocking::KIND,
    rocking_map::KIND,
    rocking_fit::KIND,
    rocking_spectrum::KIND,
    rocking_fragility::KIND,
    assess::KIND,
    stack::KIND,
    stack_map::KIND,
    stack_scale::KIND,
    column::KIND,
    bodies::KIND,
];

/// The files that the examples name: kind, name, bytes.
pub const FILES: &[(&str, &str, &[u8])] = &[
    (
        "rockfall",
        "rockfall-terrain.asc",
        include_bytes!("../../../../examples/rockfall-terrain.asc"),
    ),
    (
        "rockfall",
        "rockfall-release.geojson",
        include_bytes!("../../../../examples/rockfall-release.geojson"),
    ),
    (
        "rockfall_calibration",
        "rockfall-terrain.asc",
        include_bytes!("../../../../examples/rockfall-terrain.asc"),
    ),
    (
        "rockfall_calibration",
        "rockfall-calibration-releases.csv",
        include_bytes!("../../../../examples/rockfall-calibration-releases.csv"),
    ),
    (
        "rockfall_calibration",
        "rockfall-calibration-depositions.csv",
        include_bytes!("../../../../examples/rockfall-calibration-depositions.csv"),
    ),
    (
        "rockfall_calibration",
        "rockfall-calibration-blocks.csv",
        include_bytes!("../../../../examples/rockfall-calibration-blocks.csv"),
    ),
    (
        "thrown",
        "thrown-tracks.csv",
        include_bytes!("../../../../examples/thrown-tracks.csv"),
    ),
    (
        "rocking_fit",
        "rocking-history.csv",
        include_bytes!("../../../../examples/rocking-history.csv"),
    ),
];

/// The names, for messages.
pub fn names() -> Vec<&'static str> {
    KINDS.iter().map(|k| k.name).collect()
}

/// The kind of a name.
///
/// # Errors
/// An unknown name, with the nearest known one.
pub fn find(name: &str) -> Result<&'static Kind> {
    if let Some(kind) = KINDS.iter().find(|k| k.name == name) {
        return Ok(kind);
    }
    let hint = nearest(name, names()).map_or(String::new(), |n| format!("; nearest known: {n}"));
    bail!(
        "unknown kind '{name}'{hint}; accepted: {}",
        names().join(", ")
    )
}
