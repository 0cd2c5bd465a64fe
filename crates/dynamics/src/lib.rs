//! Rigid bodies in time: flight, events, impacts, ensembles.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod distribution;
mod ensemble;
mod special;
mod streams;

pub use distribution::{Distribution, DistributionError, Family};
pub use ensemble::ensemble;
pub use streams::{Purpose, SplitMix64, Streams, open_uniform};
