//! The facet of the Minkowski difference that makes an overlap, and its depth as a function of the poses.
//!
//! The overlap of two convex polyhedra is the least of the depths along the facets of their Minkowski difference
//! ([`klast_geometry::NarrowPhase::overlap`] finds it). Each facet is a face of one body against a vertex of the other,
//! or two edges; its own depth is a smooth closed formula of the poses, on both sides of the place where another facet
//! takes over.

use glam::DVec3;
use klast_geometry::{AxisFeature, ConvexPolyhedron, Overlap, Pose};

/// A facet of the Minkowski difference of A and B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Feature {
    /// A face of A and the vertex of B that lies deepest under it.
    FaceVertex {
        /// Face of A.
        face: u32,
        /// Vertex of B.
        vertex: u32,
    },
    /// A vertex of A under a face of B.
    VertexFace {
        /// Vertex of A.
        vertex: u32,
        /// Face of B.
        face: u32,
    },
    /// Two crossing edges.
    EdgeEdge {
        /// Edge of A.
        a: u32,
        /// Edge of B.
        b: u32,
    },
}

impl Feature {
    /// The facet that an overlap lies on.
    #[must_use]
    pub fn of(
        overlap: &Overlap,
        a: &ConvexPolyhedron,
        pose_a: &Pose,
        b: &ConvexPolyhedron,
        pose_b: &Pose,
    ) -> Self {
        match overlap.axis {
            AxisFeature::FacetA(face) => {
                let vertex = b.support(pose_b.inverse_transform_vector(-overlap.normal));
                Feature::FaceVertex {
                    face,
                    vertex: vertex as u32,
                }
            }
            AxisFeature::FacetB(face) => {
                let vertex = a.support(pose_a.inverse_transform_vector(overlap.normal));
                Feature::VertexFace {
                    vertex: vertex as u32,
                    face,
                }
            }
            AxisFeature::Edges(a, b) => Feature::EdgeEdge { a, b },
        }
    }

    /// The same facet as a hint for the next query.
    #[must_use]
    pub fn axis(self) -> AxisFeature {
        match self {
            Feature::FaceVertex { face, .. } => AxisFeature::FacetA(face),
            Feature::VertexFace { face, .. } => AxisFeature::FacetB(face),
            Feature::EdgeEdge { a, b } => AxisFeature::Edges(a, b),
        }
    }
}

/// Gap along `direction` (world, from A to B); positive means apart.
#[must_use]
pub fn gap_along(
    a: &ConvexPolyhedron,
    pose_a: &Pose,
    b: &ConvexPolyhedron,
    pose_b: &Pose,
    direction: DVec3,
) -> f64 {
    let in_a = pose_a.inverse_transform_vector(direction);
    let in_b = pose_b.inverse_transform_vector(-direction);
    let reach = |body: &ConvexPolyhedron, d: DVec3| {
        body.vertices()
            .iter()
            .fold(f64::NEG_INFINITY, |m, v| m.max(v.dot(d)))
    };
    (pose_b.translation - pose_a.translation).dot(direction) - reach(a, in_a) - reach(b, in_b)
}

/// Depth along one facet of the Minkowski difference, whether or not it is the nearest; smooth in the poses.
/// With it come the normal and the middle of the two contact points, in world coordinates.
#[must_use]
pub fn facet_depth(
    a: &ConvexPolyhedron,
    pose_a: &Pose,
    b: &ConvexPolyhedron,
    pose_b: &Pose,
    feature: Feature,
) -> Option<(f64, DVec3, DVec3)> {
    match feature {
        Feature::FaceVertex { face, vertex } => {
            let facet = a.facets().get(face as usize)?;
            let normal = pose_a.transform_vector(facet.normal);
            let point = pose_b.transform_point(*b.vertices().get(vertex as usize)?);
            let depth = facet.offset - normal.dot(point - pose_a.translation);
            Some((depth, normal, point + normal * (0.5 * depth)))
        }
        Feature::VertexFace { vertex, face } => {
            let facet = b.facets().get(face as usize)?;
            let normal = -pose_b.transform_vector(facet.normal);
            let point = pose_a.transform_point(*a.vertices().get(vertex as usize)?);
            let depth = facet.offset + normal.dot(point - pose_b.translation);
            Some((depth, normal, point - normal * (0.5 * depth)))
        }
        Feature::EdgeEdge { a: ea, b: eb } => {
            let ends = |body: &ConvexPolyhedron, pose: &Pose, edge: u32| {
                let edge = body.edges().get(edge as usize)?;
                let [p, q] = edge.vertices.map(|v| body.vertices().get(v as usize));
                Some((
                    pose.transform_point(*p?),
                    pose.transform_point(*q?),
                    edge.facets,
                ))
            };
            let (p0, p1, facets) = ends(a, pose_a, ea)?;
            let (q0, q1, _) = ends(b, pose_b, eb)?;
            let outward: DVec3 = facets
                .iter()
                .filter_map(|f| a.facets().get(*f as usize))
                .map(|f| f.normal)
                .sum();
            let outward = pose_a.transform_vector(outward);
            let cross = (p1 - p0).cross(q1 - q0).normalize_or_zero();
            let normal = if cross.dot(outward) < 0.0 {
                -cross
            } else {
                cross
            };
            let depth = normal.dot(p0 - q0);
            let (x, y) = closest_on_lines(p0, p1 - p0, q0, q1 - q0);
            Some((depth, normal, 0.5 * (x + y)))
        }
    }
}

/// Feet of the common perpendicular of two lines.
fn closest_on_lines(p: DVec3, u: DVec3, q: DVec3, v: DVec3) -> (DVec3, DVec3) {
    let r = p - q;
    let (uu, vv, uv) = (u.dot(u), v.dot(v), u.dot(v));
    let denominator = uu * vv - uv * uv;
    if denominator <= 0.0 {
        return (p, q);
    }
    let s = (uv * v.dot(r) - vv * u.dot(r)) / denominator;
    let t = (uu * v.dot(r) - uv * u.dot(r)) / denominator;
    (p + u * s, q + v * t)
}
