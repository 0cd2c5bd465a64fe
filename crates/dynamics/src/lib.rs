#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod audit;
mod body;
mod distribution;
mod ensemble;
mod error;
mod event_driven;
mod first_contact;
mod flight;
pub mod ground_motion;
mod impact;
mod material;
mod moreau;
pub mod ode;
mod random_hulls;
mod recorder;
mod special;
mod state;
mod staying;
mod streams;
mod top;
mod world;

pub use audit::{EnergyAudit, EnergyLedger};
pub use body::Body;
pub use distribution::{Distribution, DistributionError, Family};
pub use ensemble::{EnsembleRoom, ensemble, ensemble_in};
pub use error::DynamicsError;
pub use event_driven::{EventDriven, EventRoom, Limits, Motion};
pub use first_contact::{FirstContact, first_contact};
pub use flight::{Flight, FlightRoom, FollowedFlight};
pub use ground_motion::{Component, GroundMotion, Piece};
pub use impact::{FewContacts, Impact, impact};
pub use material::ContactMaterial;
pub use moreau::{MoreauMidpoint, MoreauRoom, MoreauStep};
pub use ode::{Event, OdeSystem};
pub use random_hulls::random_hulls;
pub use recorder::{Recorder, StopReason};
pub use state::{KineticEnergy, State, Twist};
pub use streams::{Purpose, SplitMix64, Streams, open_uniform};
pub use world::{
    Drive, Effort, Role, Sleep, StepReport, Surface, World, WorldContact, WorldLedger,
    WorldSettings, WorldSnapshot,
};
