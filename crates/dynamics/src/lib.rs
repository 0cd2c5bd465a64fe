//! Rigid bodies in time: flight, events, impacts, ensembles.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod distribution;
mod ensemble;
pub mod ground_motion;
pub mod ode;
mod special;
mod streams;

pub use distribution::{Distribution, DistributionError, Family};
pub use ensemble::ensemble;
pub use ground_motion::{Component, GroundMotion, Piece};
pub use ode::{Event, OdeSystem};
pub use streams::{Purpose, SplitMix64, Streams, open_uniform};
