//! The parts of the program `klast`: its arguments, its output on the terminal and its folders of results. The crate
//! `klast-scenes` reads and runs scenes, and `klast-report` makes figures and pages.

// A full disk or a reader that has gone must not panic: see `terminal`.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod commands;
mod date;
pub mod failure;
mod interrupt;
pub mod program;
mod progress;
pub mod scene_file;
pub mod session;
mod terminal;

/// The version of the program with the commit that it was built from, where that is known.
pub const VERSION: &str = env!("KLAST_VERSION");

#[doc = include_str!("../../../README.md")]
#[cfg(doctest)]
struct Readme;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct CrateReadme;

#[doc = include_str!("../../../docs/src/tutorials/rust.md")]
#[cfg(doctest)]
struct RustTutorial;

#[doc = include_str!("../../../docs/src/tutorials/world.md")]
#[cfg(doctest)]
struct WorldTutorial;
