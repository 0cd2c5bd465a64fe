//! Many convex polyhedra with a penalty law.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod cell;
mod error;
mod facet;
mod hash;
mod law;
mod laws;
mod link;
mod neighbours;
mod observe;
mod particle;
mod remedy;
mod rotation;
mod voronoi;
mod wall;
mod world;

pub use cell::{Cell, CellFace, CellMeasure, FaceSource};
pub use error::DemError;
pub use facet::{Feature, facet_depth, gap_along};
pub use law::{PenaltyLaw, Release, no_tension_restitution};
pub use laws::LawTable;
pub use neighbours::{NeighbourList, Pair};
pub use observe::{Energy, PairContact, Warning};
pub use particle::{Motion, Particle};
pub use rotation::Rotation;
pub use voronoi::Voronoi;
pub use wall::Wall;
pub use world::{Settings, Total, World};
