//! Every kind of scene: one entry, and `run`, `check`, `new` and `schema` know it.
//!
//! A kind lives in a folder of its own (`src/rocking/`, `src/rockfall/`, …): the scene's type (serde
//! with `deny_unknown_fields`, `JsonSchema`, units in every key), its conversion into the runtime
//! types whose constructors validate, and its [`Job`]. Its example stands in `examples/` at the top
//! of the workspace and is both what `klast new` prints and what the tests run. Commands of its own
//! (`klast rocking map …`) are a clap `Subcommand` in the same folder with one line in `main.rs`.

mod assembly;
mod assembly_sweep;
mod assess;
mod bodies;
pub mod rockfall;
mod rockfall_calibration;
pub mod rockfill;
mod rocking;
pub mod rocking_fit;
mod rocking_fragility;
mod rocking_map;
mod rocking_spectrum;
mod stack;
mod stack_map;
mod stack_scale;

use anyhow::{Context as _, Result, bail};

use crate::scene::SceneText;
use crate::session::Session;

/// A scene that was read and validated, ready to run.
pub trait Job {
    /// One or a few lines: what would be run, with counts.
    fn describe(&self) -> String;

    /// Whether `--shard` can split it.
    fn has_parts(&self) -> bool {
        false
    }

    /// Whether an interrupted run keeps its state, and the same command goes on from it.
    fn keeps_state(&self) -> bool {
        false
    }

    /// Whether a seed decides its numbers.
    fn draws(&self) -> bool {
        false
    }

    /// Runs it and writes the results into the session's folder.
    ///
    /// # Errors
    /// What kept the run from ending; [`crate::failure::Interrupted`] if the user stopped it.
    fn run(&self, session: &mut Session) -> Result<()>;

    /// Writes the results of the whole from the folders of all parts, in order.
    ///
    /// # Errors
    /// A kind that has no parts; a part that cannot be read.
    fn merge(&self, _parts: &[std::path::PathBuf], _session: &mut Session) -> Result<()> {
        bail!("runs of this kind have no parts to join")
    }
}

/// One kind of scene.
pub struct Kind {
    /// The value of the scene's `kind`.
    pub name: &'static str,
    /// One line for the list of kinds.
    pub summary: &'static str,
    /// A runnable example.
    pub example: &'static str,
    /// The JSON Schema of the scene's type.
    pub schema: fn() -> schemars::Schema,
    /// Reads and validates; reads every file that the scene names.
    pub prepare: fn(&SceneText) -> Result<Box<dyn Job>>,
}

/// Every kind.
pub const KINDS: &[Kind] = &[
    rockfall::KIND,
    rockfall_calibration::KIND,
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
        "rocking-fit",
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
    let nearest = names()
        .into_iter()
        .max_by(|a, b| strsim::jaro_winkler(name, a).total_cmp(&strsim::jaro_winkler(name, b)));
    let hint = nearest.map_or(String::new(), |n| format!("; nearest known: {n}"));
    bail!(
        "unknown kind '{name}'{hint}; accepted: {}",
        names().join(", ")
    )
}

/// Reads and validates a scene by its kind.
///
/// # Errors
/// What is wrong with it.
pub fn prepare(scene: &SceneText) -> Result<Box<dyn Job>> {
    let kind = find(&scene.kind).with_context(|| scene.name.clone())?;
    (kind.prepare)(scene).map_err(|error| {
        // Readers and checks of single values know their key, not the scene it stands in.
        if error.to_string().starts_with(&scene.name) {
            error
        } else {
            error.context(scene.name.clone())
        }
    })
}
