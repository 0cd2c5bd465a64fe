//! Rocks released on terrain.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::disallowed_methods
    )
)]

mod arc;
mod batch;
mod beside;
mod by_station;
pub mod calibrate;
mod cell_statistics;
mod collector;
mod collector_statistics;
#[cfg(feature = "serde")]
pub mod columns;
mod error;
mod footprint;
mod ground;
pub mod ground_class;
mod ground_spread;
mod heights;
mod histogram;
mod kept_path;
mod layout;
pub mod lumped;
mod material;
mod merged;
mod outline;
#[cfg(feature = "serde")]
mod packed;
mod polygon;
mod polygon_index;
mod raster;
mod release;
mod release_area;
mod release_ground;
mod restitution_scaling;
mod results;
pub mod rigid;
mod ring;
mod rock_group;
mod rock_result;
mod scene;
pub mod score;
mod seeder;
mod simulation;
mod stop;
pub mod thrown;
mod touching;
mod visited;
mod watch;
mod window;

pub use arc::{Arc, Motion};
pub use cell_statistics::{CellStatistics, CellVisit};
pub use collector::{Barrier, Collector, FlexibleBarrier, Passage};
pub use collector_statistics::{CollectorStatistics, DesignSheet, Settled};
pub use error::{LineFault, RockfallError};
/// The vectors of this crate: the release of `glam` whose types it takes and gives.
pub use glam;
pub use ground::{Alternative, Ground};
pub use ground_spread::{BySet, SetCell, SetCollector, Spread};
pub use histogram::Histogram;
pub use kept_path::KeptPath;
pub use layout::Layout;
pub use lumped::{LumpedMass, LumpedRock};
pub use material::{
    DragSample, GroundCoefficients, MaterialDrag, MaterialPenetration, MaterialSample,
    MaterialScarring, MaximumFriction, SlopeMaterial,
};
pub use polygon::Polygon;
pub use raster::{HazardRaster, RasterFrame};
pub use release_area::{Release, steep_cells};
pub use restitution_scaling::{MassScaling, RestitutionScaling, SpeedScaling};
pub use results::{Account, Results};
pub use rigid::RigidRock;
pub use rock_group::{Attitude, RockGroup, RockShape, RockSize};
pub use rock_result::RockResult;
pub use scene::{Engine, Scene};
pub use seeder::{DrawnRock, GivenStart, Seeder};
pub use simulation::{CutoffEffect, Simulation, taken_evenly};
pub use stop::{Outcome, StopConditions};
pub use window::Window;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
