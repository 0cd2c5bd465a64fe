//! Queries on pairs of polyhedra, with their working room.

use super::Manifold;
use super::axis::AxisSearch;
use super::clip::Clip;
use crate::{ConvexPolyhedron, Pose};

/// A shape and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// The shape.
    pub shape: &'a ConvexPolyhedron,
    /// Its pose.
    pub pose: &'a Pose,
}

/// Contact queries between two convex polyhedra: [`overlap`](NarrowPhase::overlap) and
/// [`manifold`](NarrowPhase::manifold). It holds nothing but room to work in: one per thread, reused, and no answer
/// depends on what it was used for before.
#[derive(Debug, Default, Clone)]
pub struct NarrowPhase {
    pub(super) search: AxisSearch,
    pub(super) clip: Clip,
    /// Points that are put in another's stead.
    pub(super) spare: Manifold,
}
