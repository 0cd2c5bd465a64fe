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

mod body;
mod error;
mod random_hulls;
pub mod single;
mod state;
mod world;

pub use body::Body;
pub use error::DynamicsError;
/// The vectors of this crate: the release of `glam` whose types it takes and gives.
pub use glam;
/// The pressure that loads of a world take.
pub use klast_geometry::Pressure;
/// The motion that bases of a world take.
pub use klast_ground_motion::GroundMotion;
pub use random_hulls::random_hulls;
pub use state::{KineticEnergy, State, Twist};
pub use world::{
    Action, Bond, Course, Drive, Effort, End, EnergyExchange, Faces, Failure, Form, Impacts, Load,
    Material, OverlapReport, Restitution, Role, SOLVED_BY_SWEEPS, Sleep, SolverReport, StepEvents,
    StepReport, StoredEnergy, Surface, Tie, TieState, World, WorldContact, WorldLedger,
    WorldSettings, WorldSnapshot,
};
