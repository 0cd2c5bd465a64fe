//! The ground around a place that has none.

use super::{Area, Facet, Terrain};

/// The lowest ground (m) in an area, grown by the size of a facet until there is some and then by twice as much each
/// time: what a flight over missing data must fall below to be in the hole. `None` where the terrain has no ground.
/// `facets` is a buffer.
pub fn lowest_around(terrain: &dyn Terrain, area: Area, facets: &mut Vec<Facet>) -> Option<f64> {
    let all = terrain.extent();
    let mut margin = terrain.resolution();
    loop {
        let looked_at = area.grown(margin);
        facets.clear();
        terrain.facets(looked_at, facets);
        let heights = facets.iter().flat_map(|f| f.corners).map(|c| c.z);
        let lowest = heights.reduce(f64::min);
        let whole = looked_at.contains(all.lower) && looked_at.contains(all.upper);
        if lowest.is_some() || whole || !margin.is_finite() {
            return lowest;
        }
        margin *= 2.0;
    }
}
