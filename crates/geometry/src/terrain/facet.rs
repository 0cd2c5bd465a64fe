//! Flat triangles of ground.

use super::Area;
use glam::{DVec2, DVec3};

/// A flat triangle of ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facet {
    /// Corners, counter-clockwise from above (m), local coordinates.
    pub corners: [DVec3; 3],
    /// Unit normal, upwards.
    pub normal: DVec3,
    /// Number: a profile's segment, a raster cell's triangle, a mesh's triangle.
    pub id: u32,
}

impl Facet {
    /// A facet from three corners in any order; `None` when they enclose no area in plan.
    pub fn new(a: DVec3, b: DVec3, c: DVec3, id: u32) -> Option<Self> {
        let cross = (b - a).cross(c - a);
        let length = cross.length();
        if !(length > 0.0 && cross.z != 0.0 && length.is_finite()) {
            return None;
        }
        let up = cross.z > 0.0;
        Some(Facet {
            corners: if up { [a, b, c] } else { [a, c, b] },
            normal: if up { cross / length } else { -cross / length },
            id,
        })
    }

    /// The least rectangle in plan that holds it.
    pub fn plan(&self) -> Area {
        let [a, b, c] = self.corners.map(|c| c.truncate());
        Area {
            lower: a.min(b).min(c),
            upper: a.max(b).max(c),
        }
    }

    /// Height of its plane under a point in plan (m).
    pub fn height_at(&self, plan: DVec2) -> f64 {
        let (n, c) = (self.normal, self.corners[0]);
        c.z - (n.x * (plan.x - c.x) + n.y * (plan.y - c.y)) / n.z
    }

    /// Signed height of a point above the facet's plane, along the normal (m).
    pub fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point - self.corners[0])
    }

    /// How far a point lies inside the facet's outline in plan (m); below zero is outside.
    pub fn inside(&self, point: DVec3) -> f64 {
        let mut least = f64::INFINITY;
        for k in 0..3 {
            let (a, b) = (self.corners[k], self.corners[(k + 1) % 3]);
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            let cross = dx * (point.y - a.y) - dy * (point.x - a.x);
            least = least.min(cross / (dx * dx + dy * dy).sqrt());
        }
        least
    }

    /// Whether a point lies outside of the facet's outline in plan by more than a distance (m).
    pub(super) fn is_beside(&self, point: DVec3, by: f64) -> bool {
        (0..3).any(|k| {
            let (a, b) = (self.corners[k], self.corners[(k + 1) % 3]);
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            let cross = dx * (point.y - a.y) - dy * (point.x - a.x);
            cross / (dx * dx + dy * dy).sqrt() < -by
        })
    }

    /// Whether a point lies inside the facet's outline in plan or on it: whether [`Facet::inside`] is not negative.
    pub fn holds(&self, point: DVec3) -> bool {
        (0..3).all(|k| {
            let (a, b) = (self.corners[k], self.corners[(k + 1) % 3]);
            (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) >= 0.0
        })
    }

    /// How far the facet reaches in plan along a horizontal direction (m).
    pub fn width(&self, direction: DVec2) -> f64 {
        let along = self.corners.map(|c| direction.dot(c.truncate()));
        let [a, b, c] = along;
        a.max(b).max(c) - a.min(b).min(c)
    }

    /// The slope of its plane: how height grows along x and y.
    pub fn gradient(&self) -> DVec2 {
        -self.normal.truncate() / self.normal.z
    }
}

/// Distance in plan from a facet, as a part of a body's radius, within which a vertex may have come through it.
const BESIDE: f64 = 1e-3;

/// A body in the ground, as [`entered_through`] sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Buried {
    /// A point inside the body (m).
    pub centre: DVec3,
    /// No vertex is farther from the centre (m).
    pub radius: f64,
}

/// The facet through which a vertex of a body has come into the ground, and its depth there, up to the radius: that of
/// the least depth among those with the centre of the body before them. A body does not come out on the other side of a
/// thin wall. A face that is nearly vertical is narrow in plan, and a vertex in it stands under the ground behind; one
/// that is also in the ground before it comes out a little below it.
pub(super) fn entered_through(
    facets: &[Facet],
    vertex: DVec3,
    body: Buried,
) -> Option<(&Facet, f64)> {
    let beside = BESIDE * body.radius;
    let least = |before: bool| {
        facets
            .iter()
            .filter(|facet| !before || facet.height(body.centre) > 0.0)
            .map(|facet| (facet, facet.height(vertex)))
            .filter(|(facet, gap)| {
                let surface = vertex - facet.normal * *gap;
                *gap <= 0.0
                    && *gap >= -body.radius
                    && !facet.is_beside(surface, beside)
                    && !is_hidden(facets, surface, beside)
            })
            .max_by(|a, b| a.1.total_cmp(&b.1))
    };
    // With its centre in the ground a body comes out anywhere.
    least(true).or_else(|| least(false))
}

/// Whether a point lies under a facet, by more than a distance (m) in plan and in height: where facets lie above each
/// other, the highest is the ground.
fn is_hidden(facets: &[Facet], point: DVec3, by: f64) -> bool {
    let hides = |facet: &Facet| facet.inside(point) > by && facet.height(point) < -by;
    facets.iter().any(hides)
}
