//! A row of rigid blocks in a driven basin, in one dimension.
//!
//! Blocks slide on a moving floor with Coulomb friction, collide with each other and with the walls, stick, slip and
//! form clusters. The times of all events are roots that are found exactly; between events the motion has a closed
//! form. Lengths are in m, times in s and masses in kg. Positions grow to the right, and the left wall is at the
//! position of the basin.
//!
//! Rigid-body mechanics does not determine the result of an impact on blocks that touch. Each run must choose a rule
//! for such impacts ([`ImpactRule`]).
//!
//! ```
//! use klast_assembly::{Assembly, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule, Restitution};
//! use klast_assembly::{Start, StartVelocity};
//!
//! let row = BlockRow::uniform(4, Block { size: 0.04, mass: 0.05224, friction: 0.03 })?;
//! let basin = Basin::new(0.394, BasinMotion::harmonic(0.04, Frequency::hertz(2.0))?, Restitution::new(0.6, 0.6)?)?;
//! let start = Start::touching(4, StartVelocity::AtRest);
//! let mut run = Assembly::new(basin, &row, &start, ImpactRule::LowestFirst)?;
//! run.advance_to(1.0)?;
//! let first = run.state()[0];
//! assert!((first.left - 0.10658092706874).abs() < 1e-9);
//! assert!(run.energy().relative_residual().abs() < 1e-12);
//! # Ok::<(), klast_assembly::AssemblyError>(())
//! ```
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::disallowed_methods
    )
)]

pub mod analysis;
mod assembly;
mod bounce;
mod chain;
mod chain_impact;
mod clock;
mod closing;
mod cluster;
mod energy;
mod error;
mod event;
mod events;
mod frames;
mod groups;
mod isotonic;
mod model;
mod motion;
mod observe;
mod pair_impact;
mod predictor;
mod queue;
mod record;
mod regroup;
mod restart;
mod row;
mod run;
mod schedule;
mod settle;
mod slide;
mod start;
mod state;

pub use assembly::{Assembly, DEFAULT_CUTOFF};
pub use chain::ImpactRule;
pub use energy::EnergyBalance;
pub use error::AssemblyError;
pub use event::{Collision, Event};
pub use klast_ground_motion::Frequency;
pub use motion::{BasinMotion, Kinematics, Wave};
pub use observe::BlockState;
pub use record::{Counts, Grazing, InterfaceRecord, LargestImpact};
pub use row::{Basin, Block, BlockRow, Restitution, Start, StartVelocity};
