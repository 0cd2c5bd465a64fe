//! A block, or a stack of N, under base motion.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod batch;
mod block;
pub mod closed_form;
mod elliptic;
mod equation;
mod error;
mod flight;
mod force;
mod free;
mod kernel;
mod lanes;
mod map;
mod newmark;
mod rest;
mod restitution;
mod run;
pub mod stack;

pub use batch::{BatchOptions, Case, CaseResult, Fate, simulate_batch};
pub use block::{Corner, RockingBlock, Side};
pub use equation::Equation;
pub use error::RockingError;
pub use force::{ContactDemand, Regime, pivot_force, regime};
pub use lanes::Instructions;
pub use map::{Class, MapTask, StabilityMap, linspace};
pub use newmark::{Newmark, simulate_newmark};
pub use restitution::{
    Restitution, RestitutionModel, edge_contact, impulse_position, impulse_position_linear,
};
pub use run::{Event, Options, Outcome, OverturningMode, Run, Sample, simulate};
pub use stack::Stack;
