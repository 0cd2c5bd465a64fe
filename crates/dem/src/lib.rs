//! Many convex polyhedra with a penalty law.
//!
//! # Scope
//! Bodies that overlap push each other apart with the force `F = k δ^p`, where δ is the Minkowski overlap, with
//! restitution, friction and damping ([`PenaltyLaw`]). Overlaps are small, except where a projectile strikes rocks.
//! Rotations are computed by symplectic splitting ([`Rotation`]). Layers of rock are made from Voronoi cells
//! ([`Packing`]), and a projectile is shot through them ([`Flight`]).
//!
//! # Axes, units, signs
//! SI units and radians, z up. A pair's normal and force point from its first to its second
//! particle. The shape of a particle is given in its principal axes, with the mass centre at the origin. A shot flies
//! along +x through the face x = 0.
//!
//! ```
//! use klast_dem::{LawTable, Motion, Particle, PenaltyLaw, Settings, World};
//! use klast_geometry::{Pose, Solid};
//! let (cube, _) = Particle::solid(&Solid::Cube.with_volume(1.0)?, 1000.0, 0)?;
//! let mut motions = [0.0, 1.01].map(|x| Motion::at(&Pose::from_translation(glam::DVec3::X * x)));
//! motions[1].velocity.x = -1.0;
//! let laws = LawTable::new(1, PenaltyLaw::elastic(1e7, 1.0)?)?;
//! let cubes = vec![cube.clone(), cube];
//! let mut world = World::new(cubes, motions.to_vec(), vec![], laws, Settings::new(1e-4))?;
//! world.run_until(0.1)?;
//! // Equal masses exchange their velocities.
//! assert!((world.motions()[0].velocity.x + 1.0).abs() < 1e-3);
//! # Ok::<(), klast_dem::DemError>(())
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

mod cell;
mod error;
mod event_correction;
mod facet;
mod fill;
mod forces;
mod grading;
mod law;
mod laws;
mod link;
mod load;
mod neighbours;
mod observe;
mod packing;
mod particle;
mod penetration;
mod projectile;
mod rotation;
mod saved;
mod settings;
mod shot;
#[cfg(feature = "store")]
mod store;
mod voronoi;
mod wall;
mod world;

/// Where the chains of hashes of this crate begin; another key would give other names to kept packings.
const HASH_KEY: u64 = 0x6B6C_6173_7464_656D;

pub use cell::{Cell, CellFace, CellMeasure, FaceSource};
pub use error::DemError;
pub use facet::{Feature, facet_depth, gap_along};
/// The vectors of this crate: the release of `glam` whose types it takes and gives.
pub use glam;
pub use grading::{Grading, SizeClass, shrink_fraction};
pub use law::{PenaltyLaw, Release, no_tension_restitution};
pub use laws::LawTable;
pub use observe::{Energy, PairContact, Warning};
pub use packing::{Packing, PackingProgress, PackingReport, PackingSpec};
pub use particle::{Motion, Particle};
pub use penetration::{Flight, Penetration, Sample};
pub use projectile::{Cavity, NoseSpacing, Ogive};
pub use rotation::Rotation;
pub use settings::Settings;
pub use shot::{ContactParameters, Shot};
#[cfg(feature = "store")]
pub use store::Store;
pub use voronoi::Voronoi;
pub use wall::Wall;
pub use world::{Total, World};
