//! A block under base motion.
//!
//! [`simulate`] computes one block ([`RockingBlock`] with a [`Restitution`]) under a
//! [`GroundMotion`](klast_ground_motion::GroundMotion); [`simulate_batch`] and [`MapTask`] compute thousands of blocks.
//! In these functions the block neither slides nor jumps. Every run states the friction that this needs, and the time
//! from which the model does not hold ([`Run::model_end`]). In [`simulate_slide_rock`] the block may slide and jump.
//! The module [`spatial`] has bodies in space; stacks are the crate `klast-stacks`. Units are SI and radians; x is to
//! the right and z upwards. Rotations are clockwise positive; θ > 0 is a rotation about the right corner.
//!
//! ```
//! use klast_ground_motion::{Component, Frequency, GroundMotion};
//! use klast_rocking::{Options, Outcome, Restitution, RockingBlock, simulate};
//!
//! let block = RockingBlock::rectangle(0.5, 2.0, 9.81)?;
//! let amplitude = 2.0 * block.slenderness() * 9.81;
//! let wave = Component::waves(amplitude, Frequency::rad_per_s(2.0 * std::f64::consts::TAU), 0.0, 1.0)?;
//! let motion = GroundMotion::horizontal(wave);
//! let run = simulate(&block, &Restitution::housner(), &motion, &Options::new(10.0))?;
//! assert_eq!(run.outcome, Outcome::Settled);
//! assert!((run.impact_times()[19] - 8.20971722347).abs() < 1e-10);
//! # Ok::<(), klast_rocking::RockingError>(())
//! ```
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::disallowed_methods
    )
)]

#[cfg(feature = "fragility")]
pub mod assess;
#[cfg(feature = "batch")]
mod batch;
mod block;
pub mod closed_form;
pub mod compliant;
#[cfg(feature = "batch")]
mod elliptic;
mod equation;
mod error;
mod fit;
mod flight;
mod force;
#[cfg(feature = "fragility")]
pub mod fragility;
#[cfg(feature = "batch")]
mod free;
mod kernel;
#[cfg(feature = "batch")]
mod lanes;
mod lift_off;
mod limits;
#[cfg(feature = "batch")]
mod map;
#[cfg(feature = "batch")]
mod map_task;
mod planar;
pub mod reserve;
mod rest;
mod restitution;
mod restraint;
mod revolved;
#[cfg(feature = "contact")]
pub mod rigid_world;
mod run;
#[cfg(feature = "contact")]
pub mod spatial;
#[cfg(feature = "batch")]
mod spectrum;

#[cfg(feature = "batch")]
pub use batch::{BatchOptions, BatchWorkspace, Case, CaseResult, Fate, simulate_batch};
pub use block::{Corner, RockingBlock, Side};
pub use equation::Equation;
pub use error::RockingError;
pub use fit::{Fit, FitWindow, RestitutionFit, RotationHistory, fit_restitution};
pub use force::{ContactDemand, ModelEnd, ModelLimit, Regime, pivot_force, regime};
#[cfg(feature = "batch")]
pub use lanes::Instructions;
pub use limits::{OverturningMode, check_samples};
#[cfg(feature = "batch")]
pub use map::{Class, StabilityMap, linspace};
#[cfg(feature = "batch")]
pub use map_task::MapTask;
#[cfg(feature = "batch")]
pub use planar::Engine;
pub use planar::{
    Base, Foot, Friction, Mode, SlideRockEnergy, SlideRockEvent, SlideRockEventKind,
    SlideRockOptions, SlideRockOutcome, SlideRockRun, SlideRockSample, simulate_slide_rock,
};
pub use restitution::{
    Restitution, RestitutionModel, edge_contact, impulse_position, impulse_position_linear,
};
pub use restraint::{MOST_RESTRAINERS, Restrainer, RestrainerReport, Restraint};
pub use run::{Event, Options, Outcome, RestraintReport, Run, Sample, simulate, simulate_at};
#[cfg(feature = "batch")]
pub use spectrum::{SpectrumPoint, rocking_spectrum};
