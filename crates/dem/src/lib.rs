//! Many convex polyhedra with a penalty law.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod cell;
mod error;
mod law;
mod overlap;
mod rotation;
mod voronoi;

pub use cell::{Cell, CellFace, CellMeasure, FaceSource};
pub use error::DemError;
pub use law::{PenaltyLaw, Release, no_tension_restitution};
pub use overlap::{Contact, Feature, Touch, Workspace, facet_depth, gap_along, overlap};
pub use rotation::Rotation;
pub use voronoi::Voronoi;
