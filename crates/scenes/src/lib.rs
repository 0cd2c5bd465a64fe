//! The list of the kinds of scene, and a scene of any of them. [`Scene`] reads a scene, checks it with every file that
//! it names, and runs it. It writes nothing to the terminal and draws no pictures.
//!
//! A scene is a JSON text with `schema`, `kind` and further keys, whose names end with their units. The results are
//! typed by kind. They can be written as tables, or stay in memory:
//!
//! ```
//! use klast_rocking_jobs::rocking;
//! use klast_scenes::Scene;
//!
//! let text = r#"{
//!     "schema": 1, "kind": "rocking",
//!     "block": { "kind": "rectangle", "width_m": 0.5, "height_m": 2.0 },
//!     "tilt_rad": 0.1, "duration_s": 10
//! }"#;
//! let (scene, warnings) = Scene::parse(text, ".")?;
//! assert!(warnings.is_empty());
//! let outcome = scene.job()?.run_silently()?;
//! let Some(results) = outcome.results.of::<rocking::result::Results>() else { unreachable!() };
//! assert!(results.summary.max_rotation_rad <= 0.1);
//! // Released at 0.1 rad, a block of this shape loses a fifth of its velocity at its first impact.
//! assert!(results.events.iter().any(|event| event.event == "impact"));
//! # Ok::<(), klast_runs::Error>(())
//! ```
//!
//! Every [`klast_runs::kind::Kind`] has an example, its JSON Schema and the JSON Schema of its results.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod kinds;
mod scene;

pub use scene::Scene;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct CrateReadme;
