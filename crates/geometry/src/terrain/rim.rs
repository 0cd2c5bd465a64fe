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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::Grid;
    use glam::DVec2;

    /// Heights fall by a metre a column; columns 3 to 5 are missing, so that the ground ends at x = 2 and begins again
    /// at x = 6. From x = 4 both sides are met at once, and the farther corners of their facets lie at −7 m.
    #[test]
    fn ground_on_both_sides_of_a_hole_is_found() {
        let height = |k: u32| match k % 9 {
            3..=5 => f64::NAN,
            column => -f64::from(column),
        };
        let grid = Grid::new(9, 9, 1.0, DVec2::ZERO, (0..81).map(height).collect()).unwrap();
        let place = |x: f64| Area::around(DVec2::new(x, 4.0), 0.1);
        let mut facets = Vec::new();
        assert_eq!(lowest_around(&grid, place(4.0), &mut facets), Some(-7.0));
        // By x = 2.5 the ground above is nearer.
        assert_eq!(lowest_around(&grid, place(2.5), &mut facets), Some(-2.0));
    }
}
