//! This crate has shapes with their mass properties, terrain, and the contacts between two of them.
//!
//! # Axes, units, signs
//! SI units, radians, right-handed axes with z up. Facet normals point outwards and their loops run
//! counter-clockwise seen from outside. A contact normal points from the second body (or the ground) to the
//! first; a gap below zero is overlap. A [`Pose`] maps body coordinates to world coordinates.
//!
//! # Exactness
//! Contacts must be right also for touching facets (gap 0) and for facets with more than four vertices. The
//! crate therefore contains all code that determines a contact. Hulls are built with exact signs of orientations.
//! Coplanar triangles are merged into facets at 1e-12 of the size, and contacts follow from these facets and from pairs
//! of edges.
//!
//! ```
//! use klast_geometry::{Manifold, Plane, Pose, Solid, plane_contact};
//! let cube = Solid::Cube.with_volume(1.0)?;
//! let ground = Plane::new(glam::DVec3::Z, 0.0)?;
//! let resting = Pose::from_translation(glam::DVec3::new(0.0, 0.0, 0.5));
//! let mut contact = Manifold::default();
//! plane_contact(&cube, &resting, &ground, 0.0, &mut contact);
//! assert_eq!(contact.points.len(), 4);
//! assert!(contact.points.iter().all(|p| p.gap == 0.0));
//! assert!((cube.mass_properties(2700.0)?.mass - 2700.0).abs() < 1e-9);
//! # Ok::<(), klast_geometry::GeometryError>(())
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

pub mod boxes;
mod contact;
mod error;
mod frustum;
mod mass;
mod mesh_inside;
mod mesh_mass;
mod plane;
mod polyhedron;
mod pose;
mod pressure;
pub mod ring;
mod solids;
pub mod terrain;

pub use contact::{
    AxisFeature, Closest, ContactPoint, FollowedPoint, Hold, Manifold, NarrowPhase, Overlap,
    OverlapKind, PairMemory, PassingAxis, Placed, Proximity, Round, Sphere, closest_points,
    lowest_vertex, passing_axis, passing_axis_of_known, plane_contact, round_on_plane,
    round_on_round,
};
pub use error::GeometryError;
pub use frustum::Frustum;
/// The vectors of this crate: the release of `glam` whose types it takes and gives.
pub use glam;
pub use mass::MassProperties;
pub use mesh_mass::{MeshFill, StandingSection, mesh_mass, standing_section};
pub use plane::Plane;
pub use polyhedron::{ConvexPolyhedron, Edge, Facet, Section};
pub use pose::Pose;
pub use pressure::Pressure;
pub use solids::{Solid, extruded};
