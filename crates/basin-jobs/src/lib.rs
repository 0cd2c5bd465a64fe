//! Scenes of a row of blocks in a shaken basin.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod assembly;
mod row;
