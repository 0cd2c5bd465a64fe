//! Scenes: kinds of scene, readers and writers of files, checked jobs, results.
//!
//! A scene is one JSON file with `schema`, `kind` and keys that carry their units. Each
//! [`kinds::Kind`] knows how to read and validate its scenes, an example, its JSON Schema, and how
//! to run. Errors of input name the file, the line, the key, the cause and the nearest known key;
//! results are whole files in one folder with a manifest.
//!
//! ```
//! use klast_scenes::scene::SceneText;
//!
//! let broken = "{\"schema\": 1,\n \"kind\": 7}".to_owned();
//! let error = SceneText::new("hill.json", ".".into(), broken).unwrap_err();
//! assert!(format!("{error:#}").starts_with("hill.json: line 2, kind: invalid type"));
//! ```

// A full disk or a reader that has gone must not panic: see `output::say` and `output::tell`.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod commented;
mod common;
pub mod failure;
pub mod formats;
pub mod kinds;
pub mod output;
pub mod page;
pub mod progress;
pub mod reading;
pub mod scene;
pub mod session;

pub use common::mesh_block;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct CrateReadme;
