//! Stacks of up to a hundred blocks, rocking without sliding and without jumping.
//!
//! Each of the N interfaces (base under the lowest block, then block under block) is in contact at its left corner, at
//! its right corner or all along: 3^N configurations, generated from one lever table ([`Configuration`]). Opening is a
//! complementarity problem on accelerations, closing one on impulses; fallen blocks leave and the rest goes on. Angles
//! are clockwise positive, x to the right, z up, SI units and radians.
//!
//! The model ends where an interface would have to pull (N < 0) or where it would need more friction than there is:
//! every run reports the least N over weight and the largest |T/N| it met ([`Diagnostics`]).
//!
//! ```
//! use klast_ground_motion::{Component, Frequency, GroundMotion};
//! use klast_stacks::{Stack, StackBlock, StackOptions, StackOutcome, StackState};
//!
//! // Two blocks of 0.8 m by 3.1 m under one sine wave of 13.3 m/s² and 12 rad/s.
//! let stack = Stack::uniform(2, StackBlock::new(0.79466, 3.11215, 1.0)?, 9.81)?;
//! let wave = Component::waves(13.329, Frequency::rad_per_s(12.0), 0.0, 1.0)?;
//! let motion = GroundMotion::horizontal(wave);
//! let run = stack.run(&motion, &StackState::rest(2), &StackOptions::until(10.0))?;
//! assert_eq!(run.events[0].state.configuration().to_string(), "3a"); // as one block, to the left
//! assert!((run.events[2].state.time - 0.8117).abs() < 1e-3); // the first impact on the base
//! assert_eq!(run.outcome(), StackOutcome::Rocking);
//! assert!(run.diagnostics.friction.value < 0.5); // the friction coefficient the motion takes
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
#![allow(
    clippy::needless_range_loop,
    reason = "several fixed-size arrays run side by side over the blocks or powers"
)]

mod balance;
mod base;
mod block;
mod chain;
mod closing;
mod complementarity;
mod configuration;
#[cfg(feature = "contact")]
mod contact;
mod corners;
mod diagnose;
mod first_event;
#[cfg(feature = "fragility")]
mod fragility;
mod history;
mod impact;
mod impact_outcome;
mod instant;
mod map;
mod motion;
mod observe;
#[cfg(feature = "contact")]
mod offset;
mod opening;
mod options;
mod restitution;
mod roots;
mod run;
mod scale;
mod series;
mod sincos;
mod state;
mod step_event;
mod struck_stack;

pub use block::{Stack, StackBlock};
pub use configuration::{Configuration, Pivot};
#[cfg(feature = "contact")]
pub use contact::{ContactOptions, ContactRun};
pub use history::{
    Diagnostics, Extreme, Fall, StackEvent, StackEventKind, StackOutcome, StackRun, StackSample,
    StackStop,
};
pub use impact_outcome::NoOutcome;
pub use instant::{InterfaceForce, StackImpact};
pub use map::{MapClass, MapDoubts, StackMap, StackMapGrid};
#[cfg(feature = "contact")]
pub use offset::Offset;
pub use options::StackOptions;
pub use restitution::InterfaceRestitution;
pub use run::StackWorkspace;
pub use scale::ScaledOutcome;
pub use state::StackState;

/// The most blocks a stack can have.
pub const MAX_BLOCKS: usize = 100;

/// Blocks whose numbers lie in place, without memory of their own.
const NEAR: usize = 4;

/// A value for each block or group.
type List<T> = smallvec::SmallVec<[T; NEAR]>;

/// A number for each block or group.
type Row = List<f64>;
