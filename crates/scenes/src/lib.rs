//! Scenes: the crate reads and checks a scene, runs it, and returns typed results. It writes nothing to the terminal
//! and draws no pictures.
//!
//! A scene is a JSON text with `schema`, `kind` and further keys, whose names end with their units. [`Scene`] reads a
//! scene, checks it with every file that it names, and runs it. The results are typed ([`results::Results`]). They can
//! be written as tables, or stay in memory:
//!
//! ```
//! use klast_scenes::{Results, Scene};
//!
//! let text = r#"{
//!     "schema": 1, "kind": "rocking",
//!     "block": { "kind": "rectangle", "width_m": 0.5, "height_m": 2.0 },
//!     "tilt_rad": 0.1, "duration_s": 10
//! }"#;
//! let (scene, warnings) = Scene::parse(text, ".")?;
//! assert!(warnings.is_empty());
//! let outcome = scene.job()?.run_silently()?;
//! let Results::Rocking(rocking) = &outcome.results else { unreachable!() };
//! assert!(rocking.summary.max_rotation_rad <= 0.1);
//! // Released at 0.1 rad, a block of this shape loses a fifth of its velocity at its first impact.
//! assert!(rocking.events.iter().any(|event| event.event == "impact"));
//! # Ok::<(), anyhow::Error>(())
//! ```
//!
//! Errors of input name the line, the key, the cause and the nearest known key. Every [`kind::Kind`] has an example,
//! its JSON Schema and the JSON Schema of its results. Old spellings of kinds and keys are read with a warning that
//! states the new spelling.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod answer;
pub mod commented;
pub mod common;
pub mod files;
mod hidden;
pub mod job;
pub mod kind;
pub mod kinds;
pub mod manifest;
mod merge;
mod nearest;
mod parse;
pub mod parts;
mod pieces;
mod plain_words;
pub mod plausible;
pub mod problems;
pub mod progress;
pub mod refused;
mod renames;
pub mod results;
pub mod run_folder;
mod scene;
pub mod shard;
pub mod spans;
pub mod table;
pub mod text;
pub mod title_block;

pub use answer::Answer;
pub use job::{Job, Keeps, Outcome, Run};
pub use progress::{Progress, Silent};
pub use results::Results;
pub use scene::Scene;

pub use common::mesh_block;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct CrateReadme;
