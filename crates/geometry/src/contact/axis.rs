//! The axis of least overlap of two convex polyhedra, exactly.
//!
//! The overlap along a unit vector n (from A to B) is d(n) = max_A n·x − min_B n·x. Its least value over all n is
//! taken at a facet normal of A, at minus a facet normal of B, or at the common normal of an edge of either whose
//! arcs on the Gauss map cross (Gregorius 2013, "The separating axis test between convex polyhedra").
//!
//! Nearly all of these never need looking at: B contains a sphere (c, r), so d(n) ≥ n·(p − c) + r wherever p is a
//! point of A that is extreme along n. That bound costs one dot product a facet and a few more operations an edge,
//! and only what lies below the best overlap found so far is evaluated. Each candidate that wins is evaluated on
//! all vertices, so no answer rests on the pruning or on the arc test. The result does not depend on the hint.

use super::narrow::Placed;
use crate::{ConvexPolyhedron, Facet};
use glam::{DMat3, DVec3};

/// Edges closer to parallel than this (squared sine) have no common normal; facet normals cover them.
const PARALLEL: f64 = 1e-24;
/// Arcs that miss each other by rounding count as crossing.
const ARC_SLACK: f64 = 1e-12;

/// The features an axis belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AxisFeature {
    /// Normal of a facet of the first body.
    FacetA(u32),
    /// Normal of a facet of the second body.
    FacetB(u32),
    /// Common normal of an edge of each.
    Edges(u32, u32),
}

/// A candidate axis in the frame of A.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    pub normal: DVec3,
    pub depth: f64,
    pub feature: AxisFeature,
}

/// The best axis of each kind.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Least {
    pub facet_a: Option<Axis>,
    pub facet_b: Option<Axis>,
    pub edges: Option<Axis>,
}

impl Least {
    /// The least overlap of all.
    pub fn depth(&self) -> f64 {
        [self.facet_a, self.facet_b, self.edges]
            .iter()
            .flatten()
            .map(|a| a.depth)
            .fold(f64::INFINITY, f64::min)
    }

    /// The least axis; facets go first, those of A before those of B, where they are within `tie` of it.
    pub fn preferred(&self, tie: f64) -> Option<Axis> {
        let limit = self.depth() + tie;
        [self.facet_a, self.facet_b, self.edges]
            .into_iter()
            .flatten()
            .find(|a| a.depth <= limit)
    }
}

/// Two polyhedra, the second seen from the first.
pub(crate) struct Pair<'a> {
    pub a: &'a ConvexPolyhedron,
    pub b: &'a ConvexPolyhedron,
    /// Rotates B's vectors into A's frame.
    pub turn: DMat3,
    /// B's origin in A's frame.
    pub shift: DVec3,
    /// Size of both together (m), the scale of all tolerances.
    pub scale: f64,
}

/// An edge whose arc may hold the least axis, in A's frame.
#[derive(Clone, Copy)]
struct Arc {
    edge: u32,
    point: DVec3,
    direction: DVec3,
    ends: [DVec3; 2],
}

/// Room for the search, kept to save allocations.
#[derive(Debug, Default, Clone)]
pub(crate) struct AxisSearch {
    heights_a: Vec<f64>,
    heights_b: Vec<f64>,
    arcs_a: Vec<Arc>,
    arcs_b: Vec<Arc>,
    /// The axis that showed the bodies of the last query apart, if it belongs to a feature.
    pub apart_along: Option<AxisFeature>,
    /// By how much it did (m).
    pub apart_by: f64,
    /// The two least overlaps of the last query; axes more than `tie` above the least one may be missing.
    pub lowest: Lowest,
}

/// The two least of some overlaps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lowest {
    first: f64,
    pub second: f64,
}

impl Default for Lowest {
    fn default() -> Self {
        Self {
            first: f64::INFINITY,
            second: f64::INFINITY,
        }
    }
}

impl Lowest {
    fn note(&mut self, depth: f64) {
        if depth < self.first {
            self.second = self.first;
            self.first = depth;
        } else if depth < self.second {
            self.second = depth;
        }
    }
}

impl std::fmt::Debug for Arc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Arc {{ edge: {} }}", self.edge)
    }
}

/// Largest n·v over points.
fn highest(points: &[DVec3], n: DVec3) -> f64 {
    points
        .iter()
        .map(|v| v.dot(n))
        .fold(f64::NEG_INFINITY, |m, h| if h > m { h } else { m })
}

impl<'a> Pair<'a> {
    pub fn new(a: Placed<'a>, b: Placed<'a>) -> Self {
        let relative = a.pose.relative(b.pose);
        Self {
            a: a.shape,
            b: b.shape,
            turn: DMat3::from_quat(relative.rotation),
            shift: relative.translation,
            scale: a.shape.radius() + b.shape.radius(),
        }
    }

    /// B's point in A's frame.
    pub fn b_point(&self, p: DVec3) -> DVec3 {
        self.turn * p + self.shift
    }

    /// A's vector in B's frame.
    pub fn to_b(&self, v: DVec3) -> DVec3 {
        self.turn.transpose() * v
    }

    /// The overlap along any unit vector of A's frame.
    pub fn overlap_along(&self, n: DVec3) -> f64 {
        highest(self.a.vertices(), n) + highest(self.b.vertices(), -self.to_b(n))
            - self.shift.dot(n)
    }

    pub fn facet_a_axis(&self, index: usize, facet: &Facet) -> Axis {
        let reach = highest(self.b.vertices(), -self.to_b(facet.normal));
        Axis {
            normal: facet.normal,
            depth: facet.offset + reach - self.shift.dot(facet.normal),
            feature: AxisFeature::FacetA(index as u32),
        }
    }

    pub fn facet_b_axis(&self, index: usize, facet: &Facet) -> Axis {
        let normal = -(self.turn * facet.normal);
        Axis {
            normal,
            depth: facet.offset + highest(self.a.vertices(), normal) - self.shift.dot(normal),
            feature: AxisFeature::FacetB(index as u32),
        }
    }

    /// The axis of a feature found earlier, if the feature exists; and whether the points of the feature are the outermost
    /// ones along it: whether, that is, it makes a facet of the Minkowski difference.
    pub fn axis_of(&self, feature: AxisFeature) -> Option<(Axis, bool)> {
        match feature {
            AxisFeature::FacetA(i) => {
                let facet = self.a.facets().get(i as usize)?;
                Some((self.facet_a_axis(i as usize, facet), true))
            }
            AxisFeature::FacetB(i) => {
                let facet = self.b.facets().get(i as usize)?;
                Some((self.facet_b_axis(i as usize, facet), true))
            }
            AxisFeature::Edges(i, j) => {
                let (x, y) = (self.arc_of_a(i as usize)?, self.arc_of_b(j as usize)?);
                let (normal, distance) = x.crossing(&y)?;
                let depth = self.overlap_along(normal);
                let outermost = depth <= distance + 1e-13 * self.scale;
                let axis = Axis {
                    normal,
                    depth,
                    feature,
                };
                Some((axis, outermost))
            }
        }
    }

    fn arc_of_a(&self, index: usize) -> Option<Arc> {
        let e = self.a.edges().get(index)?;
        Some(Arc {
            edge: index as u32,
            point: self.a.vertex(e.vertices[0]),
            direction: e.direction,
            ends: e.facets.map(|f| self.a.facets()[f as usize].normal),
        })
    }

    /// In A's frame and seen from A: B's normals reversed.
    fn arc_of_b(&self, index: usize) -> Option<Arc> {
        let e = self.b.edges().get(index)?;
        Some(Arc {
            edge: index as u32,
            point: self.b_point(self.b.vertex(e.vertices[0])),
            direction: self.turn * e.direction,
            ends: e
                .facets
                .map(|f| -(self.turn * self.b.facets()[f as usize].normal)),
        })
    }
}

impl Arc {
    /// The common normal of two edges if their arcs cross, and the distance of the edges along it, A's over B's.
    #[inline]
    fn crossing(&self, other: &Arc) -> Option<(DVec3, f64)> {
        if other.ends[0].dot(self.direction) * other.ends[1].dot(self.direction) > ARC_SLACK
            || self.ends[0].dot(other.direction) * self.ends[1].dot(other.direction) > ARC_SLACK
        {
            return None;
        }
        let cross = self.direction.cross(other.direction);
        let squared = cross.length_squared();
        if squared <= PARALLEL {
            return None;
        }
        let toward = if cross.dot(self.ends[0] + self.ends[1]) < 0.0 {
            -cross
        } else {
            cross
        };
        if toward.dot(other.ends[0] + other.ends[1]) <= 0.0 {
            return None;
        }
        let normal = toward / squared.sqrt();
        Some((normal, (self.point - other.point).dot(normal)))
    }
}

impl AxisSearch {
    /// The least overlap of each kind of axis, or nothing if some axis separates the bodies by more than `margin`.
    ///
    /// Axes more than `tie` above the least one may be missing from the kinds that do not hold it.
    pub fn least(
        &mut self,
        pair: &Pair,
        margin: f64,
        tie: f64,
        hint: Option<AxisFeature>,
    ) -> Option<Least> {
        (self.apart_along, self.apart_by) = (None, 0.0);
        let mut bound = f64::INFINITY;
        let (centre_a, radius_a) = pair.a.inner_sphere();
        let (centre_b, radius_b) = pair.b.inner_sphere();
        let towards_b = pair.b_point(centre_b);
        let towards_a = pair.to_b(centre_a - pair.shift);
        if let Some((axis, _)) = hint.and_then(|f| pair.axis_of(f)) {
            bound = axis.depth;
            if bound < -margin {
                return self.apart(&axis);
            }
        }
        if let Some(n) = (towards_b - centre_a).try_normalize() {
            bound = bound.min(pair.overlap_along(n));
        }
        if bound < -margin {
            self.apart_by = -bound;
            return None;
        }
        heights(pair.a, towards_b, &mut self.heights_a);
        heights(pair.b, towards_a, &mut self.heights_b);
        let mut least = Least::default();
        // Bodies that some direction shows apart have a candidate that does, though perhaps by less.
        let mut bound = bound.max(0.0) + tie;
        let mut lowest = Lowest::default();
        let mut note = |axis: Axis| {
            lowest.note(axis.depth);
            axis
        };
        let facet = |i: usize, f: &Facet| note(pair.facet_a_axis(i, f));
        least.facet_a = best_facet(pair.a, &self.heights_a, radius_b, tie, &mut bound, facet);
        let facet = |i: usize, f: &Facet| note(pair.facet_b_axis(i, f));
        least.facet_b = best_facet(pair.b, &self.heights_b, radius_a, tie, &mut bound, facet);
        self.lowest = lowest;
        for facet in [least.facet_a, least.facet_b].into_iter().flatten() {
            if facet.depth < -margin {
                return self.apart(&facet);
            }
        }
        self.collect_arcs(pair, bound, radius_a, radius_b);
        least.edges = self.best_edges(pair, bound, tie);
        if let Some(apart) = least.edges.filter(|e| e.depth < -margin) {
            return self.apart(&apart);
        }
        Some(least)
    }

    fn apart(&mut self, axis: &Axis) -> Option<Least> {
        (self.apart_along, self.apart_by) = (Some(axis.feature), -axis.depth);
        None
    }

    /// The edges whose arcs reach below the bound.
    fn collect_arcs(&mut self, pair: &Pair, bound: f64, radius_a: f64, radius_b: f64) {
        self.arcs_a.clear();
        self.arcs_b.clear();
        for (i, e) in pair.a.edges().iter().enumerate() {
            if arc_low(&self.heights_a, e) + radius_b <= bound {
                self.arcs_a.extend(pair.arc_of_a(i));
            }
        }
        if self.arcs_a.is_empty() {
            return;
        }
        for (i, e) in pair.b.edges().iter().enumerate() {
            if arc_low(&self.heights_b, e) + radius_a <= bound {
                self.arcs_b.extend(pair.arc_of_b(i));
            }
        }
    }

    /// The least axis over the pairs of edges whose arcs cross.
    fn best_edges(&mut self, pair: &Pair, bound: f64, tie: f64) -> Option<Axis> {
        let mut best: Option<Axis> = None;
        let mut low = bound;
        for x in &self.arcs_a {
            for y in &self.arcs_b {
                let Some((normal, distance)) = x.crossing(y) else {
                    continue;
                };
                // Rounding may put a pair that wins just above the bound; the full evaluation below decides.
                if distance >= low + 1e-13 * pair.scale {
                    continue;
                }
                let depth = pair.overlap_along(normal);
                self.lowest.note(depth);
                if depth <= bound && best.is_none_or(|b| depth < b.depth) {
                    low = low.min(depth + tie);
                    best = Some(Axis {
                        normal,
                        depth,
                        feature: AxisFeature::Edges(x.edge, y.edge),
                    });
                }
            }
        }
        best
    }
}

/// Height of each facet's plane above a point.
fn heights(body: &ConvexPolyhedron, point: DVec3, out: &mut Vec<f64>) {
    out.clear();
    out.extend(body.facets().iter().map(|f| f.offset - f.normal.dot(point)));
}

/// The facet of least overlap among those that the inner sphere of the other body does not rule out.
fn best_facet(
    body: &ConvexPolyhedron,
    heights: &[f64],
    other_radius: f64,
    tie: f64,
    bound: &mut f64,
    mut axis: impl FnMut(usize, &Facet) -> Axis,
) -> Option<Axis> {
    let mut best: Option<Axis> = None;
    for (i, (f, height)) in body.facets().iter().zip(heights).enumerate() {
        if height + other_radius > *bound {
            continue;
        }
        let found = axis(i, f);
        if best.is_none_or(|b| found.depth < b.depth) {
            best = Some(found);
            *bound = bound.min(found.depth + tie);
        }
    }
    best
}

/// Least value of n·(p − c) over the arc between the normals of an edge's facets, p on the edge, from its values
/// at the two ends. Along the arc it is a cosine: least at an end, or at −(distance of c from the edge's line) in between.
fn arc_low(heights: &[f64], edge: &crate::Edge) -> f64 {
    let [f, g] = edge.facets.map(|f| {
        heights
            .get(f as usize)
            .copied()
            .unwrap_or(f64::NEG_INFINITY)
    });
    let c = edge.cosine;
    if g < c * f && f < c * g {
        let squared = (f * f + g * g - 2.0 * c * f * g) / (1.0 - c * c).max(f64::MIN_POSITIVE);
        -squared.max(0.0).sqrt()
    } else {
        f.min(g)
    }
}
