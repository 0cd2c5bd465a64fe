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
mod fit;
mod flight;
mod force;
pub mod fragility;
mod free;
mod kernel;
mod lanes;
mod map;
mod newmark;
mod rest;
mod restitution;
mod run;
mod spectrum;
pub mod stack;

pub use batch::{BatchOptions, Case, CaseResult, Fate, simulate_batch};
pub use block::{Corner, RockingBlock, Side};
pub use equation::Equation;
pub use error::RockingError;
pub use fit::{Fit, FitWindow, RotationHistory, fit_restitution};
pub use force::{ContactDemand, Regime, pivot_force, regime};
pub use lanes::Instructions;
pub use map::{Class, MapTask, StabilityMap, linspace};
pub use newmark::{Newmark, simulate_newmark};
pub use restitution::{
    Restitution, RestitutionModel, edge_contact, impulse_position, impulse_position_linear,
};
pub use run::{Event, Options, Outcome, OverturningMode, Run, Sample, simulate, simulate_at};
pub use spectrum::{SpectrumPoint, rocking_spectrum};
pub use stack::Stack;
