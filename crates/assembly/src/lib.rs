//! A row of blocks in a driven basin, in one dimension.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod analysis;
mod assembly;
mod chain;
mod cluster;
mod error;
mod event;
mod groups;
mod impact;
mod isotonic;
mod ledger;
mod motion;
mod predict;
mod queue;
mod restart;
mod roots;
mod row;

pub use assembly::{Assembly, BlockState, DEFAULT_CUTOFF};
pub use chain::ImpactRule;
pub use error::AssemblyError;
pub use event::{Collision, Event};
pub use ledger::{Counts, EnergyBalance, Grazing, InterfaceRecord, LargestImpact};
pub use motion::{BasinMotion, Kinematics, Wave};
pub use row::{Basin, Block, BlockRow, Restitution, Start, StartVelocity};
