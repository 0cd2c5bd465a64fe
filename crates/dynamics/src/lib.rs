#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::disallowed_methods
    )
)]

#[cfg(feature = "bodies")]
mod body;
#[cfg(feature = "chance")]
mod distribution;
mod ensemble;
mod error;
#[cfg(all(feature = "bodies", feature = "chance"))]
mod random_hulls;
#[cfg(feature = "bodies")]
pub mod single;
#[cfg(feature = "chance")]
mod special;
#[cfg(feature = "bodies")]
mod state;
#[cfg(feature = "chance")]
mod streams;
#[cfg(feature = "bodies")]
mod world;

#[cfg(feature = "bodies")]
pub use body::Body;
#[cfg(feature = "chance")]
pub use distribution::{Distribution, DistributionError, Family, student_quantile};
pub use ensemble::{EnsembleWorkspace, ensemble};
pub use error::DynamicsError;
/// The vectors of this crate: the release of `glam` whose types it takes and gives.
#[cfg(feature = "bodies")]
pub use glam;
/// The pressure that loads of a world take.
#[cfg(feature = "bodies")]
pub use klast_geometry::Pressure;
/// The motion that bases of a world take.
#[cfg(feature = "bodies")]
pub use klast_ground_motion::GroundMotion;
#[cfg(all(feature = "bodies", feature = "chance"))]
pub use random_hulls::random_hulls;
#[cfg(feature = "bodies")]
pub use state::{KineticEnergy, State, Twist};
#[cfg(feature = "chance")]
pub use streams::{Purpose, SplitMix64, Streams, open_uniform};
#[cfg(feature = "bodies")]
pub use world::{
    Action, Bond, Course, Drive, Effort, End, EnergyExchange, Faces, Failure, Form, Impacts, Load,
    Material, OverlapReport, Restitution, Role, SOLVED_BY_SWEEPS, Sleep, SolverReport, StepEvents,
    StepReport, StoredEnergy, Surface, Tie, TieState, World, WorldContact, WorldLedger,
    WorldSettings, WorldSnapshot,
};
