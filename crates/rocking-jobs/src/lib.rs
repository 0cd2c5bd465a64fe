//! Scenes of blocks, stacks and columns that stand free on a moving base.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod assess;
pub mod column;
pub mod common;
pub mod rocking;
pub mod rocking_fit;
pub mod rocking_fragility;
pub mod rocking_map;
pub mod stack;
pub mod stack_map;
