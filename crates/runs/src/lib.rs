//! What a run of a scene needs and what no subject is named in: the text of a scene and its faults, the job, the
//! results, the files and folders that they are written to, the parts of a run.
//!
//! A kind of scene is a [`kind::Kind`] in the crate of its subject; `klast-scenes` lists them all. Faults of a scene
//! name the line, the path, what was found, what is accepted and the nearest known key.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod answer;
pub mod commented;
pub mod common;
pub mod error;
pub mod faults;
pub mod files;
pub mod fit;
pub mod job;
pub mod kind;
pub mod manifest;
pub mod nearest;
mod parse;
pub mod parts;
pub mod pieces;
pub mod plausible;
pub mod progress;
pub mod results;
pub mod run_folder;
pub mod shard;
pub mod spans;
pub mod study;
pub mod table;
pub mod text;
pub mod title_block;

pub use answer::Answer;
pub use error::Error;
pub use job::{Job, Keeps, Outcome, Run};
pub use progress::{Progress, Silent};
pub use results::Results;
