//! Many convex polyhedra with a penalty law.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod cell;
mod error;
mod facet;
mod fill;
mod grading;
mod hash;
mod judge;
mod law;
mod laws;
mod link;
mod neighbours;
mod observe;
mod packing;
mod particle;
mod penetration;
mod projectile;
mod remedy;
mod rotation;
mod saved;
#[cfg(feature = "store")]
mod store;
mod study;
mod voronoi;
mod wall;
mod world;

pub use cell::{Cell, CellFace, CellMeasure, FaceSource};
pub use error::DemError;
pub use facet::{Feature, facet_depth, gap_along};
pub use grading::{Grading, SizeClass, shrink_fraction};
pub use judge::{Judgement, Statement, judge};
pub use law::{PenaltyLaw, Release, no_tension_restitution};
pub use laws::LawTable;
pub use neighbours::{NeighbourList, Pair};
pub use observe::{Energy, PairContact, Warning};
pub use packing::{Packing, PackingProgress, PackingReport, PackingSpec};
pub use particle::{Motion, Particle};
pub use penetration::{ContactParameters, Flight, Penetration, Sample, Shot};
pub use projectile::{Cavity, NoseSpacing, Ogive};
pub use rotation::Rotation;
#[cfg(feature = "store")]
pub use store::{Stage, Store, StudyResult, StudyStatus};
pub use study::{RunSummary, Seeds, StudyPlan, StudyRun, Variation};
pub use voronoi::Voronoi;
pub use wall::Wall;
pub use world::{Settings, Total, World};
