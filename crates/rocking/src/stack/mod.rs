//! Stacks of up to ten blocks, rocking without sliding and without jumping.
//!
//! Each of the N interfaces (base under the lowest block, then block under block) is in contact at its left corner, at its right corner or all along:
//! 3^N configurations, generated from one lever table ([`Configuration`]). Opening is a complementarity problem on accelerations, closing one on
//! impulses; fallen blocks leave and the rest goes on. Angles are clockwise positive, x to the right, z up, SI units and radians.
//!
//! The model ends where an interface would have to pull (N < 0) or where it would need more friction than there is: every run reports the
//! least N over weight and the largest |T/N| it met ([`Diagnostics`]).
#![allow(
    clippy::needless_range_loop,
    reason = "several fixed-size arrays run side by side over the blocks or powers"
)]

mod base;
mod block;
mod chain;
mod complementarity;
mod configuration;
mod contact;
mod diagnose;
mod happening;
mod history;
mod impact;
mod instant;
mod linear;
mod map;
mod motion;
mod newmark;
mod observe;
mod opening;
mod options;
mod restitution;
mod roots;
mod run;
mod scale;
mod series;
mod sincos;
mod state;

pub use block::{Stack, StackBlock};
pub use configuration::{Configuration, Pivot};
pub use contact::{ContactOptions, ContactRun};
pub use history::{
    Diagnostics, Extreme, Fall, StackEvent, StackEventKind, StackOutcome, StackRun, StackSample,
    StackStop,
};
pub use instant::{InterfaceForce, StackImpact};
pub use map::{MapClass, StackMap, StackMapGrid};
pub use options::StackOptions;
pub use restitution::InterfaceRestitution;
pub use scale::ScaledOutcome;
pub use state::StackState;

/// The most blocks a stack can have.
pub const MAX_BLOCKS: usize = 10;
