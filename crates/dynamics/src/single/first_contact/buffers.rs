//! Buffers of a search for the first touch.

use crate::single::flight::Segments;
use klast_geometry::terrain::{Facet, FacetPatch};

/// Buffers of a search.
#[derive(Debug, Clone, Default)]
pub(crate) struct Search {
    pub(crate) facets: Vec<Facet>,
    pub(crate) patch: FacetPatch,
    pub(crate) flight: Segments,
    /// Facets whose planes are touched outside of them: time, number, and when the rock has left them in plan.
    pub(super) open: Vec<(f64, usize, f64)>,
}
