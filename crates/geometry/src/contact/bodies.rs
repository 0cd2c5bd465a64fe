//! All contact points between two convex polyhedra.

use super::axis_certificate::PairMemory;
use super::candidate::{Axis, AxisFeature, Line};
use super::clip::{Clip, Corner};
use super::narrow::NarrowPhase;
use super::overlap::{edges_cross, facing_facet};
use super::pair::{Pair, Placed};
use super::{ContactPoint, Manifold};
use crate::ConvexPolyhedron;
use glam::DVec3;
use pulp::{Arch, Simd, WithSimd};

/// Axes this close (relative to the size) count as equal; facets then go before edges, A before B.
const TIE: f64 = 1e-9;
/// A facet within this cosine (1°) of the common normal of two edges is used in their stead: the edges then lie
/// along facets that nearly touch, and one point would not hold what rests there.
const NEARLY: f64 = 0.99985;
/// A facet within this cosine (45°) of the common normal of two edges adds its points to theirs.
const BESIDE: f64 = 0.7;
/// A facet may stand in for two edges if its deepest point is as deep as theirs up to this (relative to the size).
const STAND_IN_ERROR: f64 = 1e-4;
/// Facets next to the reference facet, and next to the one that faces it, count as well if they face the same way
/// within this cosine (10°): a body that turns about the edge between them comes down on the other one within a step.
pub(super) const FACING: f64 = 0.985;
/// Corners this far outside the reference facet (relative to the size) still count as over it.
pub(super) const CLIP_SLACK: f64 = 1e-9;

impl NarrowPhase {
    /// Fills `out` with all points where A and B touch or come closer than `margin` (m); `out` is empty where they
    /// are farther apart. Returns the axis that decided, or `hint` where none did: the hint for the next query on the
    /// pair, which makes it faster and does not change its answer. [`NarrowPhase::next_manifold`] remembers more.
    ///
    /// The normal, from B to A, is that of the facet (or pair of edges) of least overlap, the gap is measured along it.
    /// For a facet, the facet of the other body that faces it is clipped to its outline: all corners count, however
    /// many, and a corner at gap 0 is there whatever the rounding. Facets next to either that face nearly the same way
    /// are treated alike, with their own normals and gaps: of two facets almost in one plane, either may be hit next.
    /// Two edges touch in one point; what comes near a facet beside them, and less deep, is there with the facet's own
    /// normal and gap: it is where the bodies meet next when they turn about that point.
    pub fn manifold(
        &mut self,
        a: Placed,
        b: Placed,
        margin: f64,
        hint: Option<AxisFeature>,
        out: &mut Manifold,
    ) -> Option<AxisFeature> {
        let mut memory = PairMemory::of(hint);
        self.next_manifold(a, b, margin, &mut memory, out);
        memory.axis
    }

    /// As [`NarrowPhase::manifold`], for a pair that is looked at again and again: while its bodies hardly move against
    /// each other the search for the axis is left out, as [`Hold`](super::Hold) allows. The answer does not depend on
    /// what is remembered.
    pub fn next_manifold(
        &mut self,
        a: Placed,
        b: Placed,
        margin: f64,
        memory: &mut PairMemory,
        out: &mut Manifold,
    ) {
        out.points.clear();
        (out.beside, out.depth) = (false, 0.0);
        let relative = a.pose.relative(b.pose);
        let scale = a.shape.radius() + b.shape.radius();
        let (margin, tie) = (margin.max(0.0) + CLIP_SLACK * scale, TIE * scale);
        if memory.are_apart(&relative, b.shape, margin + tie) {
            return;
        }
        let pair = Pair::placed(a, b, relative);
        let Some(axis) = self.nearest_axis(&pair, (margin, tie), memory) else {
            return;
        };
        out.depth = axis.depth;
        let apart = axis.depth <= 0.0;
        if !(apart && misses(&pair, &axis)) {
            let crossing = self.fill_facing(&pair, &axis, margin, out);
            out.beside = apart && crossing;
        }
        if out.points.is_empty() {
            out.beside = apart;
            self.fill_nearest(&pair, &axis, margin, out);
            if let Some((_, facet)) = beside(&pair, &axis) {
                self.clip_along(&pair, facet, (margin, CLIP_SLACK * pair.scale), out);
            }
        }
        out.beside &= !out.points.is_empty();
        for p in &mut out.points {
            p.point = a.pose.transform_point(p.point);
            p.normal = a.pose.transform_vector(p.normal);
        }
        out.points.sort_by_key(|p| p.feature);
    }

    /// Points where a facet of one body is over the other, or two edges cross, with the points around; nothing where
    /// the bodies stand beside each other along the axis. Whether two edges are among them.
    fn fill_facing(&mut self, pair: &Pair, axis: &Axis, margin: f64, out: &mut Manifold) -> bool {
        let Some((along, facet)) = beside(pair, axis) else {
            self.fill(pair, axis, margin, out);
            self.fill_around(pair, axis.line(), margin, out);
            return matches!(axis.feature, AxisFeature::Edges(..));
        };
        let crossing = self.fill_beside(pair, axis, (along, facet), margin, out);
        self.fill_around(pair, facet, margin, out);
        crossing
    }

    /// Points along an axis, in A's frame.
    fn fill(&mut self, pair: &Pair, axis: &Axis, margin: f64, out: &mut Manifold) {
        out.points.clear();
        match axis.feature {
            AxisFeature::Edges(i, j) => out.points.push(crossing_point(pair, axis, i, j)),
            _ => self.clip_along(pair, axis.line(), (margin, CLIP_SLACK * pair.scale), out),
        }
    }

    /// Points over the facet of an axis, in A's frame.
    pub(super) fn clip_along(
        &mut self,
        pair: &Pair,
        line: Line,
        within: (f64, f64),
        out: &mut Manifold,
    ) {
        let facet = match line.feature {
            AxisFeature::FacetA(f) => (f as usize, true),
            AxisFeature::FacetB(f) => (f as usize, false),
            AxisFeature::Edges(..) => return,
        };
        Arch::new().dispatch(FacetClip {
            clip: &mut self.clip,
            pair,
            facet,
            normal: line.normal,
            within,
            out,
        });
    }

    /// Points of two edges and of the facet beside them; false where the facet stands in for the edges.
    fn fill_beside(
        &mut self,
        pair: &Pair,
        axis: &Axis,
        (along, facet): (f64, Line),
        margin: f64,
        out: &mut Manifold,
    ) -> bool {
        out.points.clear();
        self.clip_along(pair, facet, (margin, CLIP_SLACK * pair.scale), out);
        let deepest = out
            .points
            .iter()
            .map(|p| p.gap)
            .fold(f64::INFINITY, f64::min);
        let error = (deepest + axis.depth).abs();
        if along > NEARLY && error <= STAND_IN_ERROR * pair.scale {
            return false;
        }
        if let AxisFeature::Edges(i, j) = axis.feature {
            let crossing = crossing_point(pair, axis, i, j);
            out.points
                .retain(|p| p.gap >= crossing.gap && p.feature != crossing.feature);
            out.points.push(crossing);
        }
        true
    }

    /// Points over the facets next to the reference facet that face nearly as it does, with their own normals and gaps,
    /// where they are less deep than all others.
    fn fill_around(&mut self, pair: &Pair, line: Line, margin: f64, out: &mut Manifold) {
        let (body, of_a, facet, facing) = match line.feature {
            AxisFeature::FacetA(f) => (pair.a, true, f, line.normal),
            AxisFeature::FacetB(f) => (pair.b, false, f, -pair.to_b(line.normal)),
            AxisFeature::Edges(..) => return,
        };
        let deepest = out
            .points
            .iter()
            .map(|p| p.gap)
            .fold(f64::INFINITY, f64::min);
        let own = out.points.len();
        for other in next_to(body, facet as usize, facing) {
            let Some(plane) = body.facets().get(other) else {
                continue;
            };
            let line = if of_a {
                pair.facet_a_line(other, plane)
            } else {
                pair.facet_b_line(other, plane)
            };
            self.clip_along(pair, line, (margin, CLIP_SLACK * pair.scale), out);
        }
        let mut at = 0;
        out.points.retain(|p| {
            at += 1;
            at <= own || p.gap >= deepest
        });
    }
}

/// Points over a reference facet (of A if the flag is set) and up to the slack outside it, in A's frame: to be compiled
/// for the vector unit of the machine.
struct FacetClip<'a, 'b> {
    clip: &'a mut Clip,
    pair: &'a Pair<'b>,
    facet: (usize, bool),
    normal: DVec3,
    /// Margin and slack (m).
    within: (f64, f64),
    out: &'a mut Manifold,
}

impl WithSimd for FacetClip<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self {
            clip,
            pair,
            facet: (index, of_a),
            normal,
            within: (margin, slack),
            out,
        } = self;
        let (reference, incident) = if of_a {
            (pair.a, pair.b)
        } else {
            (pair.b, pair.a)
        };
        let Some(plane) = reference.facets().get(index) else {
            return;
        };
        let facing = if of_a { -pair.to_b(normal) } else { normal };
        let opposite = facing_facet(incident, incident.support(facing), facing);
        let place = |p: DVec3| {
            if of_a {
                pair.b_point(p)
            } else {
                pair.to_b(p - pair.shift)
            }
        };
        for face in std::iter::once(opposite).chain(next_to(incident, opposite, facing)) {
            clip.start(incident, face, place, |_| true);
            clip.against(reference, index, slack);
            for p in &clip.points {
                let gap = p.point.dot(plane.normal) - plane.offset;
                if gap > margin {
                    continue;
                }
                let feature = feature_name(p.corner, of_a);
                // Facets share the corners of the edge between them.
                if out.points.iter().any(|known| known.feature == feature) {
                    continue;
                }
                let middle = p.point - plane.normal * (0.5 * gap);
                out.points.push(ContactPoint {
                    point: if of_a { middle } else { pair.b_point(middle) },
                    normal: -normal,
                    gap,
                    feature,
                });
            }
        }
    }
}

/// The facets that share an edge with one and face a direction nearly as it does.
fn next_to(
    body: &ConvexPolyhedron,
    facet: usize,
    facing: DVec3,
) -> impl Iterator<Item = usize> + '_ {
    let across = move |e: &u32| {
        let [a, b] = body.edges().get(*e as usize)?.facets;
        let other = if a as usize == facet { b } else { a } as usize;
        let normal = body.facets().get(other)?.normal;
        (normal.dot(facing) > FACING).then_some(other)
    };
    body.facet_edges(facet).iter().filter_map(across)
}

/// The facet next to two crossing edges that faces most nearly along their normal, if one does, and the cosine.
fn beside(pair: &Pair, axis: &Axis) -> Option<(f64, Line)> {
    let AxisFeature::Edges(i, j) = axis.feature else {
        return None;
    };
    let facets_of = |body: &ConvexPolyhedron, e: u32| {
        body.edges()
            .get(e as usize)
            .map(|e| e.facets)
            .unwrap_or_default()
    };
    let of_a = facets_of(pair.a, i).map(|f| {
        pair.a
            .facets()
            .get(f as usize)
            .map(|x| pair.facet_a_line(f as usize, x))
    });
    let of_b = facets_of(pair.b, j).map(|f| {
        pair.b
            .facets()
            .get(f as usize)
            .map(|x| pair.facet_b_line(f as usize, x))
    });
    let mut best: Option<(f64, Line)> = None;
    for facet in of_a.into_iter().chain(of_b).flatten() {
        let along = facet.normal.dot(axis.normal);
        if along > best.as_ref().map_or(BESIDE, |b| b.0) {
            best = Some((along, facet));
        }
    }
    best
}

/// Whether the axis is that of two edges that do not cross along it: the bodies are nearest elsewhere.
fn misses(pair: &Pair, axis: &Axis) -> bool {
    let AxisFeature::Edges(i, j) = axis.feature else {
        return false;
    };
    !edges_cross(pair, (i, j), CLIP_SLACK * pair.scale)
}

/// The point midway between two crossing edges, in A's frame.
pub(super) fn crossing_point(pair: &Pair, axis: &Axis, i: u32, j: u32) -> ContactPoint {
    let on_a = super::overlap::edge_point(pair, i, j);
    ContactPoint {
        point: on_a - axis.normal * (0.5 * axis.depth),
        normal: -axis.normal,
        gap: -axis.depth,
        feature: feature_name(Corner::Crossing(j, i), true),
    }
}

/// The vertex that comes first along the axis. Near bodies whose facets lie beside each other, corner to corner, have
/// no point over the reference facet; the plane between them still is the one that separates them most, and they touch
/// when the gap along it is zero.
pub(super) fn foremost_point(pair: &Pair, axis: &Axis) -> ContactPoint {
    let (vertex, point, reference_is_a) = if let AxisFeature::FacetB(_) = axis.feature {
        let v = pair.a.support(axis.normal);
        (
            v,
            pair.a.vertex(v as u32) - axis.normal * (0.5 * axis.depth),
            false,
        )
    } else {
        let v = pair.b.support(-pair.to_b(axis.normal));
        (
            v,
            pair.b_point(pair.b.vertex(v as u32)) + axis.normal * (0.5 * axis.depth),
            true,
        )
    };
    ContactPoint {
        point,
        normal: -axis.normal,
        gap: -axis.depth,
        feature: feature_name(Corner::Incident(vertex as u32), reference_is_a),
    }
}

/// A number for a contact point that does not depend on which body was the reference: two bits say what it is (a
/// vertex of A, a vertex of B, an edge of A over an edge of B), 15 bits name each edge. Bodies with over 32 768
/// edges share names; a name only decides which impulse of the last step is the starting guess.
pub(super) fn feature_name(corner: Corner, reference_is_a: bool) -> u32 {
    const EDGE: u32 = (1 << 15) - 1;
    const VERTEX: u32 = (1 << 30) - 1;
    match (corner, reference_is_a) {
        (Corner::Reference(v), true) | (Corner::Incident(v), false) => v & VERTEX,
        (Corner::Reference(v), false) | (Corner::Incident(v), true) => (1 << 30) | (v & VERTEX),
        (Corner::Crossing(of_b, of_a), true) | (Corner::Crossing(of_a, of_b), false) => {
            (2 << 30) | ((of_a & EDGE) << 15) | (of_b & EDGE)
        }
    }
}
