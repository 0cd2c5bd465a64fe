//! Overlap of two convex polyhedra as the Minkowski difference sees it: depth, normal, the two contact points.

use super::candidate::{Axis, AxisFeature};
use super::clip::Clip;
use super::narrow::NarrowPhase;
use super::pair::{Pair, Placed};
use crate::ConvexPolyhedron;
use glam::DVec3;

/// Axes this close (relative to the size) count as equal; facets then go before edges.
pub(super) const TIE: f64 = 1e-12;
/// Vertices this close to the extreme one (relative to the size) belong to the touching feature.
const FLUSH: f64 = 1e-11;

/// Which features touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OverlapKind {
    /// A vertex of one body and a facet of the other.
    VertexFace,
    /// An edge of each.
    EdgeEdge,
    /// An edge of one body lies along a facet of the other.
    EdgeFace,
    /// A facet of each.
    FaceFace,
}

/// The least translation that takes two overlapping bodies apart.
///
/// Moving B by `depth * normal` separates them, and no shorter move does. `point_a` is a point of A, `point_b` one
/// of B, and point_a − point_b = depth · normal. Where an edge or a facet lies along a facet the two points are not
/// unique: they then stand at the middle of the contact set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// Unit normal from A to B, in world coordinates.
    pub normal: DVec3,
    /// Length of the overlap along the normal (m), 0 where the bodies just touch.
    pub depth: f64,
    /// The point of A, deepest in B (m).
    pub point_a: DVec3,
    /// The point of B, deepest in A (m).
    pub point_b: DVec3,
    /// Which features touch.
    pub kind: OverlapKind,
    /// Names the features; pass it as the hint of the next query on the same pair.
    pub axis: AxisFeature,
}

impl Overlap {
    /// Midway between the two contact points (m).
    pub fn middle(&self) -> DVec3 {
        (self.point_a + self.point_b) * 0.5
    }
}

impl NarrowPhase {
    /// The overlap of A and B, or nothing where they are apart. A gap of rounding size (16 ulp of the coordinates)
    /// is a touch.
    ///
    /// `hint` is the axis of an earlier query on the same pair. It makes the query faster and does not change the
    /// answer.
    pub fn overlap(&mut self, a: Placed, b: Placed, hint: Option<AxisFeature>) -> Option<Overlap> {
        let pair = Pair::new(a, b);
        let tie = TIE * pair.scale;
        let margin = rounding(&pair, a, b);
        let axis = self
            .search
            .least(&pair, margin, tie, hint)?
            .preferred(tie)?;
        Some(self.on_axis(&pair, a, &axis))
    }

    /// The overlap along an axis that holds the least one.
    pub(super) fn on_axis(&mut self, pair: &Pair, a: Placed, axis: &Axis) -> Overlap {
        let depth = axis.depth.max(0.0);
        let (point_a, kind) = contact_point(pair, axis, depth, &mut self.clip);
        let normal = a.pose.transform_vector(axis.normal);
        let point_a = a.pose.transform_point(point_a);
        Overlap {
            normal,
            depth,
            point_a,
            point_b: point_a - normal * depth,
            kind,
            axis: axis.feature,
        }
    }
}

/// A gap that is rounding, m.
pub(super) fn rounding(pair: &Pair, a: Placed, b: Placed) -> f64 {
    let reach = pair.scale + a.pose.translation.length() + b.pose.translation.length();
    16.0 * f64::EPSILON * reach
}

/// The deepest point of A in A's frame, and the kind of contact.
fn contact_point(pair: &Pair, axis: &Axis, depth: f64, clip: &mut Clip) -> (DVec3, OverlapKind) {
    let flush = FLUSH * pair.scale;
    match axis.feature {
        AxisFeature::Edges(i, j) => (edge_point(pair, i, j), OverlapKind::EdgeEdge),
        AxisFeature::FacetA(f) => {
            let facing = -pair.to_b(axis.normal);
            let (point, kind) = facet_point(
                (pair.a, f),
                pair.b,
                facing,
                |p| pair.b_point(p),
                flush,
                clip,
            );
            // `point` is of B; its partner lies on the facet of A.
            (point + axis.normal * depth, kind)
        }
        AxisFeature::FacetB(f) => {
            let place = |p: DVec3| pair.to_b(p - pair.shift);
            let (point, kind) = facet_point((pair.b, f), pair.a, axis.normal, place, flush, clip);
            (pair.b_point(point), kind)
        }
    }
}

/// The middle of the incident body's touching feature over the reference facet, in the reference body's frame.
fn facet_point(
    reference: (&ConvexPolyhedron, u32),
    incident: &ConvexPolyhedron,
    facing: DVec3,
    place: impl Fn(DVec3) -> DVec3,
    flush: f64,
    clip: &mut Clip,
) -> (DVec3, OverlapKind) {
    let deepest = incident.support(facing);
    let level = incident.vertex(deepest as u32).dot(facing) - flush;
    let touches = |v: u32| incident.vertex(v).dot(facing) >= level;
    let facet = facing_facet(incident, deepest, facing);
    clip.start(incident, facet, &place, touches);
    let kind = match clip.points.len() {
        0 | 1 => {
            return (
                place(incident.vertex(deepest as u32)),
                OverlapKind::VertexFace,
            );
        }
        2 => OverlapKind::EdgeFace,
        _ => OverlapKind::FaceFace,
    };
    clip.against(reference.0, reference.1 as usize, 0.0);
    if clip.points.is_empty() {
        // Rounding has taken the last sliver: the features touch along a side of the reference facet.
        clip.start(incident, facet, &place, touches);
        clip.against(reference.0, reference.1 as usize, flush);
    }
    (
        middle(clip).unwrap_or_else(|| place(incident.vertex(deepest as u32))),
        kind,
    )
}

/// The facet around a vertex that looks most along a direction, the first of them where several tie.
#[inline(always)]
pub(super) fn facing_facet(body: &ConvexPolyhedron, vertex: usize, direction: DVec3) -> usize {
    let mut best = (f64::NEG_INFINITY, 0);
    for &f in body.vertex_facets(vertex) {
        let along = body.facets()[f as usize].normal.dot(direction);
        if along > best.0 {
            best = (along, f as usize);
        }
    }
    best.1
}

/// Centroid of the clipped polygon; the middle of its extent where it has no area.
fn middle(clip: &Clip) -> Option<DVec3> {
    let first = clip.points.first()?.point;
    let last = clip.points.last()?.point;
    let (mut area, mut moment, mut square) = (DVec3::ZERO, DVec3::ZERO, 0.0f64);
    for w in clip.points.windows(2) {
        let (p, q) = (w[0].point - first, w[1].point - first);
        area += p.cross(q);
        square = square.max(q.length_squared());
    }
    let Some(up) = area
        .try_normalize()
        .filter(|_| area.length() > 1e-9 * square)
    else {
        let far = clip.points.iter().map(|p| p.point).max_by(|p, q| {
            (*p - first)
                .length_squared()
                .total_cmp(&(*q - first).length_squared())
        });
        return Some((first + far.unwrap_or(last)) * 0.5);
    };
    for w in clip.points.windows(2) {
        let (p, q) = (w[0].point - first, w[1].point - first);
        moment += (p + q) * p.cross(q).dot(up);
    }
    Some(first + moment / (3.0 * area.length()))
}

/// Whether the common normal of an edge of each meets both between their ends, up to a slack (m).
pub(super) fn edges_cross(pair: &Pair, (i, j): (u32, u32), slack: f64) -> bool {
    let (Some(e), Some(f)) = (
        pair.a.edges().get(i as usize),
        pair.b.edges().get(j as usize),
    ) else {
        return false;
    };
    let [p, p_end] = e.vertices.map(|v| pair.a.vertex(v));
    let [q, q_end] = f.vertices.map(|v| pair.b_point(pair.b.vertex(v)));
    let along = pair.turn * f.direction;
    let cross = e.direction.cross(along);
    let square = cross.length_squared().max(f64::MIN_POSITIVE);
    let s = (q - p).cross(along).dot(cross) / square;
    let t = (q - p).cross(e.direction).dot(cross) / square;
    let within = |s: f64, length: f64| (-slack..=length + slack).contains(&s);
    within(s, p.distance(p_end)) && within(t, q.distance(q_end))
}

/// The point of A's edge nearest to B's edge, in A's frame.
pub(super) fn edge_point(pair: &Pair, i: u32, j: u32) -> DVec3 {
    let (Some(e), Some(f)) = (
        pair.a.edges().get(i as usize),
        pair.b.edges().get(j as usize),
    ) else {
        return DVec3::ZERO;
    };
    let [p, p_end] = e.vertices.map(|v| pair.a.vertex(v));
    let q = pair.b_point(pair.b.vertex(f.vertices[0]));
    let along = pair.turn * f.direction;
    let cross = e.direction.cross(along);
    let s = (q - p).cross(along).dot(cross) / cross.length_squared().max(f64::MIN_POSITIVE);
    p + e.direction * s.clamp(0.0, (p_end - p).length())
}
