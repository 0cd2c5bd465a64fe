//! A hull with fewer vertices: rocks from scans have more than contact can tell.

use super::ConvexPolyhedron;
use crate::GeometryError;
use glam::DVec3;

/// Directions whose farthest vertices begin the reduced hull: axes and diagonals of a cube.
fn beginnings() -> impl Iterator<Item = DVec3> {
    let three = [-1.0, 0.0, 1.0];
    let all = three.into_iter().flat_map(move |x| {
        three
            .into_iter()
            .flat_map(move |y| three.map(|z| DVec3::new(x, y, z)))
    });
    all.filter(|d| *d != DVec3::ZERO)
}

impl ConvexPolyhedron {
    /// The hull of some of the vertices, such that none of the others stands out of it by more than `tolerance` (m).
    ///
    /// Farthest vertices are added until that holds, for each facet the one farthest over it, so the number of vertices
    /// falls about with the inverse of the tolerance. The reduced hull lies inside the given one; with a tolerance of 0
    /// it is the given one.
    pub fn reduced(&self, tolerance: f64) -> Result<Self, GeometryError> {
        let mut chosen = vec![false; self.vertices.len()];
        for direction in beginnings() {
            if let Some(c) = chosen.get_mut(self.support(direction)) {
                *c = true;
            }
        }
        loop {
            let kept = self.vertices.iter().zip(&chosen).filter(|(_, c)| **c);
            let points: Vec<DVec3> = kept.map(|(v, _)| *v).collect();
            let hull = Self::from_points(&points)?;
            let mut grown = false;
            for facet in hull.facets() {
                let farthest = self.support(facet.normal);
                let over = self.reach(facet.normal) - facet.offset;
                if let Some(c) = chosen.get_mut(farthest)
                    && over > tolerance
                    && !*c
                {
                    (*c, grown) = (true, true);
                }
            }
            if !grown {
                return Ok(hull);
            }
        }
    }
}
