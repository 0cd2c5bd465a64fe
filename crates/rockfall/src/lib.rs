//! Rocks released on terrain.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod arc;
mod error;
pub mod lumped;
mod material;
pub mod rigid;
mod stop;

pub use arc::{Arc, Motion};
pub use error::RockfallError;
pub use lumped::LumpedMass;
pub use material::{Ground, Layout, MaterialSample, Polygon, SlopeMaterial};
pub use rigid::RigidRock;
pub use stop::{Outcome, StopConditions};
