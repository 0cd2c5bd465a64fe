//! The section of a convex polyhedron with a plane.

use super::ConvexPolyhedron;
use glam::DVec3;

/// Area and centroid of a plane section.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Section {
    /// Area (m²).
    pub area: f64,
    /// Centroid, in the coordinates of the body (m).
    pub centroid: DVec3,
}

impl ConvexPolyhedron {
    /// The section with the plane n·p = offset, with a unit normal n: the sum of the triangles between one point of it
    /// and the chord of each facet. Empty where the plane passes beside the body. `corners`, if wanted, gets the points
    /// where edges cross the plane, in no order.
    ///
    /// A facet that lies in the plane belongs to the side below.
    pub fn section(
        &self,
        normal: DVec3,
        offset: f64,
        mut corners: Option<&mut Vec<DVec3>>,
    ) -> Section {
        let mut fixed = None;
        let (mut area, mut moment) = (0.0, DVec3::ZERO);
        for (k, facet) in self.facets.iter().enumerate() {
            let Some((a, b)) = self.chord(k, normal, offset) else {
                continue;
            };
            let reference = *fixed.get_or_insert(a);
            // Twice the triangle; outward facets make it positive whatever way the chord runs.
            let across = normal.cross(b - a);
            let double = (a - reference).dot(across).abs();
            area += 0.5 * double;
            moment += 0.5 * double * (reference + a + b) / 3.0;
            if let Some(list) = corners.as_deref_mut() {
                // Each corner ends two chords: the one from which its facet is entered counts.
                let outward = facet.normal - normal * facet.normal.dot(normal);
                list.push(if across.dot(outward) > 0.0 { b } else { a });
            }
        }
        let centroid = match area > 0.0 {
            true => moment / area,
            false => fixed.unwrap_or_default(),
        };
        Section { area, centroid }
    }

    /// Where the border of a facet crosses a plane.
    fn chord(&self, facet: usize, normal: DVec3, offset: f64) -> Option<(DVec3, DVec3)> {
        let mut ends = [None, None];
        for edge in self.facet_edges(facet) {
            let edge = self.edges.get(*edge as usize)?;
            let at = |end: u32| self.vertices.get(end as usize).copied();
            let (p, q) = (at(edge.vertices[0])?, at(edge.vertices[1])?);
            let (low, high) = (normal.dot(p) - offset, normal.dot(q) - offset);
            if (low <= 0.0) == (high <= 0.0) {
                continue;
            }
            let crossing = p + (q - p) * (low / (low - high));
            match ends {
                [None, _] => ends[0] = Some(crossing),
                _ => ends[1] = Some(crossing),
            }
        }
        ends[0].zip(ends[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Solid;

    /// A cube of side 2: across a face a square of area 4; across its diagonal, through the centre, a regular hexagon
    /// of area 3√3; at a height z above a corner an equilateral triangle of area (3√3/2) z².
    #[test]
    fn sections_of_a_cube() {
        let cube = Solid::Cube.with_size(2.0).unwrap();
        let mut corners = Vec::new();
        let square = cube.section(DVec3::Z, 0.3, Some(&mut corners));
        assert!((square.area - 4.0).abs() < 1e-14, "{square:?}");
        assert!(square.centroid.distance(DVec3::new(0.0, 0.0, 0.3)) < 1e-14);
        assert_eq!(corners.len(), 4);
        let diagonal = DVec3::ONE.normalize();
        let root = libm::sqrt(3.0);
        let hexagon = cube.section(diagonal, 0.0, None);
        assert!((hexagon.area - 3.0 * root).abs() < 1e-13, "{hexagon:?}");
        assert!(hexagon.centroid.length() < 1e-14);
        for z in [1e-6, 0.1, 0.5] {
            let triangle = cube.section(diagonal, z - root, None);
            let area = 1.5 * root * z * z;
            assert!((triangle.area / area - 1.0).abs() < 1e-9, "{triangle:?}");
            let below = diagonal * (z - root);
            assert!(triangle.centroid.distance(below) < 1e-12 + 1e-9 * z);
        }
        assert_eq!(cube.section(DVec3::Z, 2.0, None).area, 0.0);
    }
}
