//! Scenes of many bodies: bodies in contact, and a shot through a layer of rock.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod bodies;
pub mod rockfill;
