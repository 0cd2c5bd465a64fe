//! Clipping one facet against the sides of another (Sutherland & Hodgman 1974), with names for the corners.

use crate::ConvexPolyhedron;
use glam::DVec3;

/// Where a corner of the clipped polygon comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Corner {
    /// A vertex of the incident body.
    Incident(u32),
    /// A vertex of the reference body.
    Reference(u32),
    /// An edge of the incident body over an edge of the reference body.
    Crossing(u32, u32),
}

/// What a side of the polygon lies on.
#[derive(Debug, Clone, Copy)]
enum Side {
    Incident(u32),
    Reference(u32),
}

/// A corner of the polygon and the side that leaves it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClipPoint {
    pub point: DVec3,
    pub corner: Corner,
    side: Side,
}

/// Workspace of clipping, kept to save allocations.
#[derive(Debug, Default, Clone)]
pub(crate) struct Clip {
    pub points: Vec<ClipPoint>,
    spare: Vec<ClipPoint>,
    heights: Vec<f64>,
}

impl Clip {
    /// Starts with a polygon of the incident body: the corners `keep` of a facet, in the reference body's frame.
    #[inline(always)]
    pub fn start(
        &mut self,
        incident: &ConvexPolyhedron,
        facet: usize,
        place: impl Fn(DVec3) -> DVec3,
        keep: impl Fn(u32) -> bool,
    ) {
        self.points.clear();
        for (&v, &e) in incident
            .facet_vertices(facet)
            .iter()
            .zip(incident.facet_edges(facet))
        {
            if keep(v) {
                let point = place(incident.vertex(v));
                self.points.push(ClipPoint {
                    point,
                    corner: Corner::Incident(v),
                    side: Side::Incident(e),
                });
            }
        }
    }

    /// Keeps what lies over a facet of the reference body; corners within `slack` outside a side count as inside.
    #[inline(always)]
    pub fn against(&mut self, reference: &ConvexPolyhedron, facet: usize, slack: f64) {
        let Some(plane) = reference.facets().get(facet) else {
            return;
        };
        for (&v, &e) in reference
            .facet_vertices(facet)
            .iter()
            .zip(reference.facet_edges(facet))
        {
            let Some(edge) = reference.edges().get(e as usize) else {
                return;
            };
            let along = if edge.facets[0] as usize == facet {
                edge.direction
            } else {
                -edge.direction
            };
            let outward = along.cross(plane.normal);
            let level = reference.vertex(v).dot(outward);
            self.heights.clear();
            self.heights
                .extend(self.points.iter().map(|p| p.point.dot(outward) - level));
            self.cut(reference, slack, (v, e));
            if self.points.is_empty() {
                return;
            }
        }
    }

    /// Cuts off what has a height above zero; `at` is the reference facet's corner and edge there. A corner within
    /// the slack of the plane is itself the corner of the cut: no second one is made beside it.
    #[inline(always)]
    fn cut(&mut self, reference: &ConvexPolyhedron, slack: f64, at: (u32, u32)) {
        if self.heights.iter().all(|h| *h <= slack) {
            return;
        }
        self.spare.clear();
        let count = self.points.len();
        for (i, (p, &h)) in self.points.iter().zip(&self.heights).enumerate() {
            let j = if i + 1 == count { 0 } else { i + 1 };
            let (q, k) = (&self.points[j], self.heights[j]);
            let (inside, next_inside) = (h <= slack, k <= slack);
            if inside {
                let leaves_here = !next_inside && h >= -slack;
                let side = if leaves_here {
                    Side::Reference(at.1)
                } else {
                    p.side
                };
                self.spare.push(ClipPoint { side, ..*p });
            }
            let on_plane = if inside { h >= -slack } else { k >= -slack };
            if inside != next_inside && !on_plane {
                let point = p.point + (q.point - p.point) * (h / (h - k));
                let corner = meeting(reference, p.side, at);
                let side = if inside {
                    Side::Reference(at.1)
                } else {
                    p.side
                };
                self.spare.push(ClipPoint {
                    point,
                    corner,
                    side,
                });
            }
        }
        std::mem::swap(&mut self.points, &mut self.spare);
    }
}

/// The name of the corner where a side of the polygon meets the reference facet's edge `at.1`.
#[inline(always)]
fn meeting(reference: &ConvexPolyhedron, side: Side, at: (u32, u32)) -> Corner {
    match side {
        Side::Incident(e) => Corner::Crossing(e, at.1),
        Side::Reference(e) => {
            let ends = |e: u32| {
                reference
                    .edges()
                    .get(e as usize)
                    .map_or([u32::MAX; 2], |e| e.vertices)
            };
            let (mine, other) = (ends(at.1), ends(e));
            Corner::Reference(mine.into_iter().find(|v| other.contains(v)).unwrap_or(at.0))
        }
    }
}
