//! What the `klast` program is made of: its commands. Scenes, jobs and results are `klast-scenes`.

// A full disk or a reader that has gone must not panic: see `output::say` and `output::tell`.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod commands;

#[doc = include_str!("../../../README.md")]
#[cfg(doctest)]
struct Readme;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct CrateReadme;
