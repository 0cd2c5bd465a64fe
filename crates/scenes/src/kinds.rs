//! Every kind of scene: one entry, and `run`, `check`, `new` and `schema` know it.
//!
//! A kind lives in a folder of the crate of its subject: `scene.rs` has the scene's type (serde with
//! `deny_unknown_fields`, `JsonSchema`, units in every key), `job.rs` its conversion into the runtime types whose
//! constructors validate and the [`klast_runs::Job`], `result.rs` what it gives, `verdict.rs` what that says,
//! `limits.rs` what its model leaves out. Its figures are `klast-report`'s. Its example stands in `examples/` at the
//! top of the workspace and is both what `klast new` prints and what the tests run.

use klast_basin_jobs::assembly;
use klast_bodies_jobs::{bodies, rockfill};
use klast_rockfall_jobs::{rockfall, rockfall_calibration, rockfall_study, thrown};
use klast_rocking_jobs::{
    assess, column, rocking, rocking_fit, rocking_fragility, rocking_map, stack, stack_map,
};
use klast_runs::bail;
use klast_runs::error::Result;
use klast_runs::kind::Kind;
use klast_runs::nearest::nearest;
use klast_runs::study;

/// Every kind.
pub const KINDS: &[Kind] = &[
    study::kind(|text| study::prepare(text, find)),
    rockfall::KIND,
    rockfall_calibration::KIND,
    rockfall_study::KIND,
    thrown::KIND,
    rockfill::KIND,
    assembly::KIND,
    rocking::KIND,
    rocking_map::KIND,
    rocking_fit::KIND,
    rocking_fragility::KIND,
    assess::KIND,
    stack::KIND,
    stack_map::KIND,
    column::KIND,
    bodies::KIND,
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
