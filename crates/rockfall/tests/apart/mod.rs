//! How far a rock and the ground are apart, found anew.

use klast_dynamics::Body;
use klast_geometry::Pose;
use klast_geometry::terrain::{Area, FacetPatch, Grid, Terrain, terrain_separation};

/// Separation (m), below zero an overlap; the rock's radius where nothing is near.
pub fn separation(grid: &Grid, body: &Body, pose: &Pose) -> f64 {
    let mut facets = Vec::new();
    let reach = body.shape().radius();
    grid.facets(
        Area::around(pose.translation.truncate(), reach),
        &mut facets,
    );
    let mut patch = FacetPatch::default();
    let nearest = terrain_separation(body.shape(), pose, &facets, reach, &mut patch);
    nearest.map_or(reach, |n| n.gap)
}
