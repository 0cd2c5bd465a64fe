//! Rigid bodies in time: flight, events, impacts, ensembles.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod body;
mod distribution;
mod ensemble;
mod error;
mod first_contact;
mod flight;
pub mod ground_motion;
pub mod ode;
mod special;
mod state;
mod streams;
mod top;

pub use body::Body;
pub use distribution::{Distribution, DistributionError, Family};
pub use ensemble::ensemble;
pub use error::DynamicsError;
pub use first_contact::{FirstContact, first_contact};
pub use flight::Flight;
pub use ground_motion::{Component, GroundMotion, Piece};
pub use ode::{Event, OdeSystem};
pub use state::{KineticEnergy, State, Twist};
pub use streams::{Purpose, SplitMix64, Streams, open_uniform};
