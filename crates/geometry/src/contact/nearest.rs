//! Contact of bodies that are apart and whose facets do not face each other: a corner or an edge of one is nearest to a
//! corner or an edge of the other, and no facet normal need be the direction between them.

use super::bodies::{CLIP_SLACK, FACING, crossing_point, feature_name, foremost_point};
use super::candidate::{Axis, AxisFeature};
use super::clip::Corner;
use super::closest::nearest_points;
use super::narrow::NarrowPhase;
use super::pair::{Pair, Placed};
use super::separating_axis::PassingAxis;
use super::{ContactPoint, Manifold};
use crate::{ConvexPolyhedron, Edge};
use glam::DVec3;

/// Gaps under this (relative to the size) have no direction that is sure to 1e-7: there the axis that separates most
/// stands in.
const TOUCH: f64 = 1e-6;
/// Edges lie along each other, and across the direction between the bodies, up to this sine (10°).
const ALONG: f64 = 0.174;

impl NarrowPhase {
    /// Fills `out` from the nearest points of two bodies: one point, or the ends of the stretch that two edges have in
    /// common. Nothing where they are farther apart than the margin.
    pub(super) fn fill_nearest(
        &mut self,
        pair: &Pair,
        axis: &Axis,
        margin: f64,
        out: &mut Manifold,
    ) {
        if axis.depth <= 0.0
            && let Some((on_a, on_b)) = nearest_points(pair.a, pair.b, &pair.relative)
        {
            let gap = on_a.distance(on_b);
            if gap > margin {
                return;
            }
            if gap > TOUCH * pair.scale {
                Nearest::new(pair, on_a, on_b).fill(margin, out);
                return;
            }
        }
        let slack = 2.0 * TOUCH * pair.scale;
        self.clip_along(pair, axis.line(), (margin, slack), out);
        merge(&mut out.points, 2.0 * slack);
        if out.points.is_empty() {
            out.points.push(match axis.feature {
                AxisFeature::Edges(i, j) => crossing_point(pair, axis, i, j),
                _ => foremost_point(pair, axis),
            });
        }
    }

    /// Turns a manifold to another axis: the points over the facet of that axis, if it has one that the other body
    /// stands over, else the points as they are with its normal and gap. For a pair whose motion shows that it will
    /// meet along that axis, not along the one of least overlap: what slides over the flush joint of two bodies meets
    /// the next one along the normal of the face it slides on.
    pub fn turn_manifold(
        &mut self,
        a: Placed,
        b: Placed,
        (axis, margin): (&PassingAxis, f64),
        out: &mut Manifold,
    ) {
        let pair = Pair::new(a, b);
        let margin = margin.max(0.0) + CLIP_SLACK * pair.scale;
        let found = match axis.facet {
            Some(AxisFeature::FacetA(i)) => pair
                .a
                .facets()
                .get(i as usize)
                .map(|f| pair.facet_a_line(i as usize, f)),
            Some(AxisFeature::FacetB(i)) => pair
                .b
                .facets()
                .get(i as usize)
                .map(|f| pair.facet_b_line(i as usize, f)),
            _ => None,
        };
        let mut over = std::mem::take(&mut self.spare);
        over.points.clear();
        if let Some(facet) = found {
            self.clip_along(&pair, facet, (margin, CLIP_SLACK * pair.scale), &mut over);
        }
        if over.points.is_empty() {
            for p in &mut out.points {
                (p.normal, p.gap) = (axis.normal, axis.gap);
            }
        } else {
            for p in &mut over.points {
                p.point = a.pose.transform_point(p.point);
                p.normal = a.pose.transform_vector(p.normal);
            }
            over.points.sort_by_key(|p| p.feature);
            std::mem::swap(&mut over.points, &mut out.points);
        }
        self.spare = over;
    }
}

/// The nearest points of two bodies that are apart, in A's frame.
struct Nearest<'a> {
    pair: &'a Pair<'a>,
    on_a: DVec3,
    on_b: DVec3,
    /// From B to A.
    normal: DVec3,
    gap: f64,
}

impl<'a> Nearest<'a> {
    fn new(pair: &'a Pair<'a>, on_a: DVec3, on_b: DVec3) -> Self {
        let way = on_a - on_b;
        let gap = way.length();
        Self {
            pair,
            on_a,
            on_b,
            normal: way / gap,
            gap,
        }
    }

    fn fill(&self, margin: f64, out: &mut Manifold) {
        if let Some((i, j)) = self.edges_along_each_other() {
            self.fill_stretch(i, j, margin, out);
        }
        if out.points.is_empty() {
            out.points.push(ContactPoint {
                point: (self.on_a + self.on_b) * 0.5,
                normal: self.normal,
                gap: self.gap,
                feature: self.name(),
            });
        }
    }

    /// An edge of each that the points lie on, if two of them run along each other; those that do most.
    fn edges_along_each_other(&self) -> Option<(usize, usize)> {
        let mut best = (FACING, None);
        let near = CLIP_SLACK * self.pair.scale;
        for (i, e) in edges_at(self.pair.a, self.on_a, near) {
            if e.direction.dot(self.normal).abs() > ALONG {
                continue;
            }
            for (j, f) in edges_at(self.pair.b, self.b_local(self.on_b), near) {
                let along = self.pair.turn * f.direction;
                let cosine = e.direction.dot(along).abs();
                if cosine > best.0 && along.dot(self.normal).abs() <= ALONG {
                    best = (cosine, Some((i, j)));
                }
            }
        }
        best.1
    }

    /// The ends of what two edges have in common, seen along the normal.
    fn fill_stretch(&self, i: usize, j: usize, margin: f64, out: &mut Manifold) {
        let pair = self.pair;
        let (Some(e), Some(f)) = (pair.a.edges().get(i), pair.b.edges().get(j)) else {
            return;
        };
        let along = e.direction;
        let place = |p: DVec3| (p - self.on_a).dot(along);
        let ends_a = e.vertices.map(|v| (place(pair.a.vertex(v)), v, true));
        let of_b = f.vertices.map(|v| pair.b_point(pair.b.vertex(v)));
        let ends_b = [0, 1].map(|k| (place(of_b[k]), f.vertices[k], false));
        let sorted = |[x, y]: [(f64, u32, bool); 2]| if x.0 <= y.0 { (x, y) } else { (y, x) };
        let ((low_a, high_a), (low_b, high_b)) = (sorted(ends_a), sorted(ends_b));
        let low = if low_a.0 >= low_b.0 { low_a } else { low_b };
        let high = if high_a.0 <= high_b.0 { high_a } else { high_b };
        if high.0 - low.0 <= CLIP_SLACK * pair.scale {
            return;
        }
        let rise = (of_b[1] - of_b[0]) / (ends_b[1].0 - ends_b[0].0);
        for (s, vertex, of_a) in [low, high] {
            let on_a = self.on_a + along * s;
            let on_b = of_b[0] + rise * (s - ends_b[0].0);
            let gap = self.normal.dot(on_a - on_b);
            if gap <= margin {
                out.points.push(ContactPoint {
                    point: (on_a + on_b) * 0.5,
                    normal: self.normal,
                    gap,
                    feature: vertex_name(vertex, of_a),
                });
            }
        }
    }

    /// The corner that is nearest, of A if both are corners; else the two edges.
    fn name(&self) -> u32 {
        let near = CLIP_SLACK * self.pair.scale;
        let on_b = self.b_local(self.on_b);
        let corner = |body: &ConvexPolyhedron, p: DVec3| {
            let mut corners = body.vertices().iter();
            corners.position(|v| v.distance(p) <= near)
        };
        let edge = |body: &ConvexPolyhedron, p: DVec3| {
            edges_at(body, p, near).next().map_or(0, |e| e.0 as u32)
        };
        if let Some(v) = corner(self.pair.a, self.on_a) {
            vertex_name(v as u32, true)
        } else if let Some(v) = corner(self.pair.b, on_b) {
            vertex_name(v as u32, false)
        } else {
            let (i, j) = (edge(self.pair.a, self.on_a), edge(self.pair.b, on_b));
            feature_name(Corner::Crossing(j, i), true)
        }
    }

    fn b_local(&self, p: DVec3) -> DVec3 {
        self.pair.to_b(p - self.pair.shift)
    }
}

fn vertex_name(vertex: u32, of_a: bool) -> u32 {
    let corner = if of_a {
        Corner::Reference(vertex)
    } else {
        Corner::Incident(vertex)
    };
    feature_name(corner, true)
}

/// Leaves one of points that are this close: a strip as wide as the slack has two corners at either end.
fn merge(points: &mut Vec<ContactPoint>, near: f64) {
    let mut k = 0;
    while k < points.len() {
        let at = points[k].point;
        if points[..k].iter().any(|p| p.point.distance(at) <= near) {
            points.remove(k);
        } else {
            k += 1;
        }
    }
}

/// The edges of a body that a point of it lies on.
fn edges_at(body: &ConvexPolyhedron, p: DVec3, near: f64) -> impl Iterator<Item = (usize, &Edge)> {
    body.edges().iter().enumerate().filter(move |(_, e)| {
        let [start, end] = e.vertices.map(|v| body.vertex(v));
        let s = (p - start).dot(e.direction).clamp(0.0, start.distance(end));
        p.distance(start + e.direction * s) <= near
    })
}
