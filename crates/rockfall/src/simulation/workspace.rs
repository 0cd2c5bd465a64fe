//! What one rock leaves to the next.

use crate::material::MaterialSample;
use crate::seeder::DrawnRock;
use crate::watch::WatchWorkspace;
use klast_dynamics::Body;
use klast_dynamics::single::Workspace;
use klast_geometry::ConvexPolyhedron;
use klast_geometry::terrain::{Facet, FacetPatch};

/// What a rock needs while it runs and leaves to the next one: buffers, and its body, which may be that of the next one
/// too.
#[derive(Default)]
pub(super) struct RockWorkspace {
    pub(super) samples: Vec<MaterialSample>,
    /// The set of ground parameters and the class of rock that they were drawn for.
    pub(super) sampled: Option<(usize, usize)>,
    pub(super) facets: Vec<Facet>,
    pub(super) patch: FacetPatch,
    pub(super) rigid: Workspace,
    /// None while a rock is watched, and before the first.
    pub(super) watch: Option<Box<WatchWorkspace>>,
    pub(super) body: Option<(usize, DrawnRock, Body)>,
    /// The shape of a rock in its size.
    pub(super) scaled: Option<ConvexPolyhedron>,
}
