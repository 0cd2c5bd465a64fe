//! One inclined plane without an edge.

use super::{Area, Facet, Surface, Terrain, TerrainError};
use crate::Plane;
use glam::{DVec2, DVec3};
use klast_numerics::OutOfRange;

/// An unbounded plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    plane: Plane,
}

impl Slope {
    /// The ground under a plane whose normal points upwards.
    pub fn new(plane: Plane) -> Result<Self, TerrainError> {
        // Below this the ground is a wall, and heights over a point in plan lose their meaning.
        if plane.normal.z > 1e-6 && plane.normal.is_finite() && plane.offset.is_finite() {
            return Ok(Slope { plane });
        }
        Err(OutOfRange::new(
            "normal.z",
            plane.normal.z,
            "a unit normal with an upward part above 1e-6",
        )
        .into())
    }

    /// A plane through the origin that falls towards +x by `angle` (rad), 0 ≤ angle < π/2.
    pub fn downhill_x(angle: f64) -> Result<Self, TerrainError> {
        if !(0.0..std::f64::consts::FRAC_PI_2).contains(&angle) {
            return Err(OutOfRange::new("slope angle", angle, "0 to below π/2 rad").into());
        }
        let normal = DVec3::new(libm::sin(angle), 0.0, libm::cos(angle));
        Self::new(Plane {
            normal,
            offset: 0.0,
        })
    }

    fn point(&self, x: f64, y: f64) -> DVec3 {
        let n = self.plane.normal;
        DVec3::new(x, y, (self.plane.offset - n.x * x - n.y * y) / n.z)
    }
}

impl Terrain for Slope {
    fn surface(&self, x: f64, y: f64) -> Option<Surface> {
        let height = self.point(x, y).z;
        height.is_finite().then_some(Surface {
            height,
            normal: self.plane.normal,
            facet: 0,
        })
    }

    fn facets(&self, area: Area, out: &mut Vec<Facet>) {
        // One triangle with room: its edges are no edges of the ground, so they must lie far outside of the area asked
        // for.
        let centre = 0.5 * (area.lower + area.upper);
        let reach = 8.0 * (area.upper - area.lower).max_element() + 8.0;
        let corner = |d: DVec2| self.point(centre.x + reach * d.x, centre.y + reach * d.y);
        let corners = [
            corner(DVec2::new(-1.0, -1.0)),
            corner(DVec2::new(1.0, -1.0)),
            corner(DVec2::new(0.0, 1.0)),
        ];
        if corners.iter().all(|c| c.is_finite()) {
            out.push(Facet {
                corners,
                normal: self.plane.normal,
                id: 0,
            });
        }
    }

    fn breaks(&self, _: DVec2, _: DVec2, _: &mut Vec<Facet>, _: &mut Vec<f64>) {}

    fn extent(&self) -> Area {
        Area::EVERYWHERE
    }

    fn resolution(&self) -> f64 {
        f64::INFINITY
    }

    fn as_plane(&self) -> Option<Plane> {
        Some(self.plane)
    }

    fn highest(&self, area: Area) -> Option<f64> {
        let (a, b) = (area.lower, area.upper);
        [(a.x, a.y), (b.x, a.y), (a.x, b.y), (b.x, b.y)]
            .into_iter()
            .map(|(x, y)| self.point(x, y).z)
            .reduce(f64::max)
    }
}
