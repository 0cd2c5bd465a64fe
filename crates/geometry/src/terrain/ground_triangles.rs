//! The triangles of a mesh that are ground.

use super::{Facet, TerrainError};
use glam::DVec3;
use klast_numerics::OutOfRange;

/// One mesh of several, in map coordinates (m).
#[derive(Debug, Clone, Copy)]
pub struct MeshPart<'a> {
    /// Corners.
    pub points: &'a [DVec3],
    /// Triangles of corner numbers.
    pub triangles: &'a [[u32; 3]],
}

/// A triangle whose area is below this part of its longest edge squared has none: its corners stand in a line.
const NO_AREA: f64 = 1e-12;

/// The corner of a mesh with the least x and y, at height 0.
pub(super) fn corner_of<'a>(points: impl Iterator<Item = &'a DVec3>) -> DVec3 {
    let lower = points.fold(DVec3::INFINITY, |a, &p| a.min(p));
    DVec3::new(lower.x, lower.y, 0.0)
}

/// Triangles that are ground, in local coordinates.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) facets: Vec<Facet>,
    pub(super) passed_over: usize,
}

impl Gathered {
    /// Adds the triangles of a mesh.
    pub(super) fn add(&mut self, part: &MeshPart, origin: DVec3) -> Result<(), TerrainError> {
        let MeshPart { points, triangles } = *part;
        if triangles.is_empty() || triangles.len() > u32::MAX as usize {
            return Err(
                OutOfRange::new("number of mesh triangles", triangles.len(), "1 or more").into(),
            );
        }
        if let Some(index) = points.iter().position(|p| !p.is_finite()) {
            return Err(OutOfRange::new(
                "mesh point",
                points[index].x + points[index].y + points[index].z,
                "a finite number",
            )
            .at(index)
            .into());
        }
        let before = self.facets.len();
        self.facets.reserve(triangles.len());
        let (mut area, mut signed) = (DVec3::ZERO, DVec3::ZERO);
        for (index, triangle) in triangles.iter().enumerate() {
            let corner = |k: usize| points.get(triangle[k] as usize).map(|&p| p - origin);
            let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else {
                return Err(TerrainError::Triangle {
                    index,
                    reason: "names a corner that is not in the list",
                });
            };
            let cross = (b - a).cross(c - a);
            let longest = [b - a, c - b, a - c].map(DVec3::length_squared);
            if cross.length() <= NO_AREA * longest.into_iter().fold(0.0, f64::max) {
                self.passed_over += 1;
                continue;
            }
            area += cross.abs();
            signed += cross;
            // A triangle is found by its number: those that are passed over have none.
            match Facet::new(a, b, c, self.facets.len() as u32) {
                Some(facet) => self.facets.push(facet),
                // A wall: the edge above it is one at which the ground ends, under which a steep facet stands.
                None => self.passed_over += 1,
            }
        }
        if let Some((side, axis)) = seen_from_the_side(area, signed) {
            return Err(TerrainError::OnItsSide {
                plan: 0.5 * area.z,
                side: 0.5 * side,
                axis,
            });
        }
        if self.facets.len() == before {
            return Err(
                OutOfRange::new("mesh triangles with an area in plan", 0, "1 or more").into(),
            );
        }
        Ok(())
    }
}

/// Part of the area in plan that is seen from the side of ground that may lie on it: gentle ground whose flanks are
/// wound against each other does not.
const SIDE: f64 = 0.2;

/// Twice the area seen along x or y, where that is the way the ground faces: its triangles turn one side there and both
/// sides to the sky (or none), as relief does that is looked at along the slope. A cliff faces the sky with one side,
/// however steep.
fn seen_from_the_side(area: DVec3, signed: DVec3) -> Option<(f64, &'static str)> {
    let both = signed.z.abs() < 0.5 * area.z;
    [(area.x, signed.x, "x"), (area.y, signed.y, "y")]
        .into_iter()
        .filter(|(side, faced, _)| {
            (both && faced.abs() > 0.9 * side && *side > SIDE * area.z) || area.z < 1e-6 * side
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(side, _, axis)| (side, axis))
}
