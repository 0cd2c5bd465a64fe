#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod body;
mod distribution;
mod ensemble;
mod error;
pub mod ground_motion;
pub mod ode;
mod random_hulls;
pub mod single;
mod special;
mod state;
mod streams;
mod world;

pub use body::Body;
pub use distribution::{Distribution, DistributionError, Family};
pub use ensemble::{EnsembleRoom, ensemble, ensemble_in};
pub use error::DynamicsError;
pub use ground_motion::{Component, GroundMotion, Piece};
pub use ode::{Event, OdeSystem};
pub use random_hulls::random_hulls;
pub use state::{KineticEnergy, State, Twist};
pub use streams::{Purpose, SplitMix64, Streams, open_uniform};
pub use world::{
    Drive, Effort, Role, Sleep, StepReport, Surface, World, WorldContact, WorldLedger,
    WorldSettings, WorldSnapshot,
};
