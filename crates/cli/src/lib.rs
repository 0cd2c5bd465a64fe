//! What the `klast` program is made of: arguments, terminal, folders. Scenes, jobs and results are `klast-scenes`,
//! figures and pages `klast-report`.

// A full disk or a reader that has gone must not panic: see `terminal`.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod commands;
pub mod failure;
mod interrupt;
mod progress;
pub mod session;
mod terminal;

#[doc = include_str!("../../../README.md")]
#[cfg(doctest)]
struct Readme;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct CrateReadme;
