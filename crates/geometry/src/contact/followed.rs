//! Contact points that follow their features: while a pair of bodies moves, the gap of a vertex over a facet, or of one
//! edge over another, is exact without a search for the features that touch.

use super::ContactPoint;
use super::pair::Placed;
use crate::{ConvexPolyhedron, Facet, Pose};
use glam::{DMat3, DVec3};

/// Square of the distance of unit normals that are the same but for rounding.
const SAME: f64 = 1e-20;
/// Distance that is rounding, relative to the size.
const ROUNDING: f64 = 1e-9;
/// Least sine or cosine at which an edge or a facet is crossed: below it the crossing runs away from the contact.
const LEAST: f64 = 0.02;

/// A contact point of two polyhedra, given by its features. The reference body is that whose facet or edge the gap is
/// measured from.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FollowedPoint {
    feature: u32,
    reference_is_a: bool,
    features: Features,
}

/// The features; of the reference body in its frame, and of the other in that one's.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Features {
    /// A vertex of the other body over a facet.
    Vertex {
        vertex: DVec3,
        normal: DVec3,
        offset: f64,
    },
    /// A corner of a facet under a facet of the other body.
    Corner {
        corner: DVec3,
        normal: DVec3,
        facing: DVec3,
        offset: f64,
    },
    /// An edge of the other body (a point and its direction) over the side of a facet.
    Side {
        from: DVec3,
        along: DVec3,
        normal: DVec3,
        corner: DVec3,
        outward: DVec3,
    },
    /// Two edges along their common normal, each a point and its direction.
    Edges { own: [DVec3; 2], other: [DVec3; 2] },
}

impl FollowedPoint {
    /// The features of a point that a query of a manifold has found on two bodies; nothing if its normal is neither
    /// that of a facet nor of two edges, or its edges run nearly along each other.
    pub fn of(point: &ContactPoint, a: Placed, b: Placed) -> Option<Self> {
        const NAME: u32 = (1 << 30) - 1;
        let name = point.feature & NAME;
        let kind = point.feature >> 30;
        let (of_a, of_b) = (facet_of(a, -point.normal), facet_of(b, point.normal));
        let (reference_is_a, features) = match (kind, of_a, of_b) {
            (0, _, Some(f)) => (false, over(a.shape, name, f)?),
            (1, Some(f), _) => (true, over(b.shape, name, f)?),
            (0, Some(f), _) => (true, under((a.shape, name, f), point, b)?),
            (1, _, Some(f)) => (false, under((b.shape, name, f), point, a)?),
            (2, of_a, of_b) => {
                let [e, f] = [(a, name >> 15), (b, name & 0x7fff)].map(|(m, e)| line(m.shape, e));
                let (e, f) = (e?, f?);
                match (of_a, of_b) {
                    (Some(plane), _) => (true, side(e, f, plane)),
                    (None, Some(plane)) => (false, side(f, e, plane)),
                    (None, None) => {
                        let along = b.pose.transform_vector(f[1]);
                        let leads_in = a.pose.transform_vector(e[1]).cross(along).dot(point.normal);
                        let other = [f[0], if leads_in > 0.0 { -f[1] } else { f[1] }];
                        (true, Features::Edges { own: e, other })
                    }
                }
            }
            _ => return None,
        };
        let followed = Self {
            feature: point.feature,
            reference_is_a,
            features,
        };
        let relative = a.pose.relative(b.pose);
        let found = followed.at(&relative, &DMat3::from_quat(relative.rotation))?;
        let near = ROUNDING * (a.shape.radius() + b.shape.radius());
        let turned = found.normal - a.pose.inverse_transform_vector(point.normal);
        let beside = found.point - a.pose.inverse_transform_point(point.point);
        let same = (found.gap - point.gap).abs() <= near
            && turned.length_squared() <= ROUNDING * ROUNDING
            && beside.length_squared() <= 16.0 * near * near;
        same.then_some(followed)
    }

    /// The point in A's frame, with B at a pose in the frame of A and that pose's rotation; nothing where its edges run
    /// nearly along each other.
    #[inline]
    pub fn at(&self, relative: &Pose, turn: &DMat3) -> Option<ContactPoint> {
        let back = turn.transpose();
        let place = |p: DVec3| match self.reference_is_a {
            true => *turn * p + relative.translation,
            false => back * (p - relative.translation),
        };
        let rotate = |v: DVec3| match self.reference_is_a {
            true => *turn * v,
            false => back * v,
        };
        let (normal, on_other, gap) = self.features.seen(place, rotate)?;
        let middle = on_other - normal * (0.5 * gap);
        let (point, normal) = match self.reference_is_a {
            true => (middle, -normal),
            false => (*turn * middle + relative.translation, *turn * normal),
        };
        Some(ContactPoint {
            point,
            normal,
            gap,
            feature: self.feature,
        })
    }
}

impl Features {
    /// Outward normal of the reference body, the point of the other body and the gap, in the frame of the reference
    /// body; `place` and `rotate` lead there from that of the other.
    #[inline]
    fn seen(
        &self,
        place: impl Fn(DVec3) -> DVec3,
        rotate: impl Fn(DVec3) -> DVec3,
    ) -> Option<(DVec3, DVec3, f64)> {
        match *self {
            Self::Vertex {
                vertex,
                normal,
                offset,
            } => {
                let p = place(vertex);
                Some((normal, p, normal.dot(p) - offset))
            }
            Self::Corner {
                corner,
                normal,
                facing,
                offset,
            } => {
                let n = rotate(facing);
                let slope = n.dot(normal);
                let level = offset + n.dot(place(DVec3::ZERO)) - n.dot(corner);
                let gap = level / slope;
                (slope < -LEAST).then_some((normal, corner + normal * gap, gap))
            }
            Self::Side {
                from,
                along,
                normal,
                corner,
                outward,
            } => {
                let (p, d) = (place(from), rotate(along));
                let crosses = outward.dot(d);
                let on = p + d * (outward.dot(corner - p) / crosses);
                (crosses.abs() > LEAST).then_some((normal, on, normal.dot(on - corner)))
            }
            Self::Edges {
                own: [corner, edge],
                other: [from, along],
            } => {
                let (p, d) = (place(from), rotate(along));
                let cross = edge.cross(d);
                let sine = cross.length();
                if sine < LEAST {
                    return None;
                }
                // Directions of edges are chosen so that this leads out of the reference body.
                let normal = cross / sine;
                let apart = p - corner;
                let on = p + d * (apart.cross(edge).dot(cross) / (sine * sine));
                Some((normal, on, normal.dot(apart)))
            }
        }
    }
}

/// The facet of a body with this outward normal (world axes).
fn facet_of<'a>(body: Placed<'a>, outward: DVec3) -> Option<&'a Facet> {
    let outward = body.pose.inverse_transform_vector(outward);
    let mut facets = body.shape.facets().iter();
    facets.find(|f| (f.normal - outward).length_squared() < SAME)
}

/// A vertex of the other body over a facet.
fn over(other: &ConvexPolyhedron, vertex: u32, facet: &Facet) -> Option<Features> {
    ((vertex as usize) < other.vertices().len()).then(|| Features::Vertex {
        vertex: other.vertex(vertex),
        normal: facet.normal,
        offset: facet.offset,
    })
}

/// A corner of a facet under that facet of the other body on which the contact is.
fn under(
    (own, vertex, facet): (&ConvexPolyhedron, u32, &Facet),
    point: &ContactPoint,
    other: Placed,
) -> Option<Features> {
    let near = ROUNDING * other.shape.radius();
    let outward = other.pose.inverse_transform_vector(point.normal);
    let half = outward * (0.5 * point.gap);
    let middle = other.pose.inverse_transform_point(point.point);
    let is_on = |f: &&Facet| {
        [middle - half, middle + half]
            .iter()
            .any(|p| (f.normal.dot(*p) - f.offset).abs() <= near)
    };
    let facing = |f: &&Facet| f.normal.dot(outward).abs();
    let facets = other.shape.facets().iter().filter(is_on);
    let opposite = facets.max_by(|f, g| facing(f).total_cmp(&facing(g)))?;
    ((vertex as usize) < own.vertices().len()).then(|| Features::Corner {
        corner: own.vertex(vertex),
        normal: facet.normal,
        facing: opposite.normal,
        offset: opposite.offset,
    })
}

/// An edge of the other body over one of a facet.
fn side([corner, edge]: [DVec3; 2], [from, along]: [DVec3; 2], facet: &Facet) -> Features {
    Features::Side {
        from,
        along,
        normal: facet.normal,
        corner,
        outward: edge.cross(facet.normal),
    }
}

/// A point of an edge and its direction.
fn line(body: &ConvexPolyhedron, edge: u32) -> Option<[DVec3; 2]> {
    let edge = body.edges().get(edge as usize)?;
    Some([body.vertex(edge.vertices[0]), edge.direction])
}
