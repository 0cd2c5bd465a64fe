//! Queries on pairs of polyhedra, with their working room.

use super::Manifold;
use super::axis::AxisSearch;
use super::clip::Clip;

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
