//! Axes between an edge of either body.
//!
//! On the sphere of directions an edge is the arc between the normals of its two facets. Where the arcs of two edges
//! cross (B's reversed) their common normal belongs to a facet of the Minkowski difference, and the overlap along it is
//! the distance of the edges. Whether two arcs lie on both sides of each other's great circle is four dot products:
//! they are found for four of B's edges at once, and only the few pairs that pass are looked at one by one.

use super::candidate::{Axis, AxisFeature, Lowest};
use super::lower_bound::{Floor, Witnesses};
use super::pair::Pair;
use crate::polyhedron::columns::{ABREAST, Bits, Block};
use glam::DVec3;

/// Edges closer to parallel than this (squared sine) have no common normal; facet normals cover them.
const PARALLEL: f64 = 1e-24;
/// Arcs that miss each other by rounding count as crossing.
const ARC_SLACK: f64 = 1e-12;
/// Of the size: how far the distance of two edges and the overlap along their normal may differ by rounding.
const ROUNDING: f64 = 1e-13;

/// An edge whose arc may hold the least axis, in A's frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arc {
    edge: u32,
    point: DVec3,
    direction: DVec3,
    ends: [DVec3; 2],
}

impl Arc {
    #[inline(always)]
    pub fn of_a(pair: &Pair, index: usize) -> Option<Self> {
        let e = pair.a.edges().get(index)?;
        let [f, g] = e.facets;
        let facets = pair.a.facets();
        Some(Self {
            edge: index as u32,
            point: pair.a.vertex(e.vertices[0]),
            direction: e.direction,
            ends: [
                facets.get(f as usize)?.normal,
                facets.get(g as usize)?.normal,
            ],
        })
    }

    /// In A's frame and seen from A: B's normals reversed.
    #[inline(always)]
    pub fn of_b(pair: &Pair, index: usize) -> Option<Self> {
        let e = pair.b.edges().get(index)?;
        let [f, g] = e.facets;
        let facets = pair.b.facets();
        let (f, g) = (facets.get(f as usize)?, facets.get(g as usize)?);
        Some(Self {
            edge: index as u32,
            point: pair.b_point(pair.b.vertex(e.vertices[0])),
            direction: pair.turn * e.direction,
            ends: [-(pair.turn * f.normal), -(pair.turn * g.normal)],
        })
    }

    /// Whether the ends of either arc lie on both sides of the great circle of the other.
    #[inline(always)]
    pub fn may_cross(&self, other: &Self) -> bool {
        other.ends[0].dot(self.direction) * other.ends[1].dot(self.direction) <= ARC_SLACK
            && self.ends[0].dot(other.direction) * self.ends[1].dot(other.direction) <= ARC_SLACK
    }

    /// Across two edges whose arcs may cross, if they cross on this side of the sphere.
    #[inline(always)]
    pub fn across(&self, other: &Self) -> Option<Across> {
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
        Some(Across {
            toward,
            squared,
            over: (self.point - other.point).dot(toward),
        })
    }
}

/// The common normal of two edges, before it is made a unit vector.
#[derive(Debug, Clone, Copy)]
pub(super) struct Across {
    toward: DVec3,
    squared: f64,
    /// A's edge over B's, times the length.
    over: f64,
}

impl Across {
    #[inline(always)]
    pub fn normal(&self) -> DVec3 {
        self.toward / self.squared.sqrt()
    }

    /// Of A's edge over B's.
    #[inline(always)]
    pub fn distance(&self) -> f64 {
        self.over / self.squared.sqrt()
    }

    /// Whether a distance times the length is surely not below a limit of 0 or more: products, where the distance takes
    /// a root.
    #[inline(always)]
    fn is_beyond(&self, over: f64, limit: f64) -> bool {
        over > 0.0 && over * over > limit * limit * self.squared * (1.0 + 1e-9)
    }
}

/// Four arcs, for the test whether they may cross another.
#[derive(Debug, Clone, Copy, Default)]
struct ArcBlock {
    direction: Block,
    ends: [Block; 2],
}

impl ArcBlock {
    #[inline(always)]
    fn set(&mut self, lane: usize, arc: &Arc) {
        self.direction.set(lane, arc.direction);
        self.ends[0].set(lane, arc.ends[0]);
        self.ends[1].set(lane, arc.ends[1]);
    }

    /// Those of the four that may cross an arc as [`Arc::may_cross`] says, and perhaps lanes without an arc.
    #[inline(always)]
    fn crossing(&self, arc: &Arc) -> Bits {
        let (p, q) = (
            self.ends[0].dot(arc.direction),
            self.ends[1].dot(arc.direction),
        );
        let (r, s) = (
            self.direction.dot(arc.ends[0]),
            self.direction.dot(arc.ends[1]),
        );
        Bits::of(std::array::from_fn(|k| {
            (p[k] * q[k] <= ARC_SLACK) & (r[k] * s[k] <= ARC_SLACK)
        }))
    }
}

/// Two edges whose arcs cross.
#[derive(Debug, Clone, Copy)]
struct Crossing {
    across: Across,
    distance: f64,
    edges: (u32, u32),
}

/// The edges that may hold the least axis, and room for their crossings.
#[derive(Debug, Default, Clone)]
pub(super) struct Arcs {
    of_a: Vec<u32>,
    edges: Vec<u32>,
    of_b: Vec<Arc>,
    blocks: Vec<ArcBlock>,
    crossings: Vec<Crossing>,
}

impl Arcs {
    /// The edges of either body whose arcs may reach below the bound.
    #[inline(always)]
    pub fn collect(&mut self, pair: &Pair, bound: f64, a: &Floor, b: &Floor) {
        self.of_b.clear();
        self.blocks.clear();
        a.edges(pair.a, bound, &mut self.of_a);
        if self.of_a.is_empty() {
            return;
        }
        b.edges(pair.b, bound, &mut self.edges);
        for arc in self
            .edges
            .iter()
            .filter_map(|e| Arc::of_b(pair, *e as usize))
        {
            let lane = self.of_b.len() % ABREAST;
            if lane == 0 {
                self.blocks.push(ArcBlock::default());
            }
            if let Some(block) = self.blocks.last_mut() {
                block.set(lane, &arc);
            }
            self.of_b.push(arc);
        }
    }

    /// The least axis over the pairs of edges whose arcs cross, if it is not above the bound; all overlaps up to the
    /// bound are noted, those that cannot be the least by what they are at least.
    #[inline(always)]
    pub fn least(
        &mut self,
        pair: &Pair,
        bound: f64,
        witnesses: Option<Witnesses>,
        lowest: &mut Lowest,
    ) -> Option<Axis> {
        let rounding = ROUNDING * pair.scale;
        self.find_crossings(pair, bound + rounding, witnesses);
        // The nearest pair first: the overlap of a pair is no less than its distance, so the others mostly need no
        // more.
        let near = |c: &&Crossing, d: &&Crossing| c.distance.total_cmp(&d.distance);
        let nearest = self.crossings.iter().min_by(near)?.edges;
        if let Some(i) = self.crossings.iter().position(|c| c.edges == nearest) {
            self.crossings.swap(0, i);
        }
        let mut best: Option<(Axis, (u32, u32))> = None;
        for c in &self.crossings {
            if best.is_some_and(|(b, _)| c.distance >= b.depth + rounding) {
                lowest.note(c.distance - rounding);
                continue;
            }
            let normal = c.across.normal();
            let depth = pair.overlap_along(normal);
            lowest.note(depth);
            // Of two that are equal the one whose edges come first.
            let less = best
                .is_none_or(|(b, edges)| depth < b.depth || (depth == b.depth && c.edges < edges));
            if depth <= bound && less {
                let feature = AxisFeature::Edges(c.edges.0, c.edges.1);
                let axis = Axis {
                    normal,
                    depth,
                    feature,
                };
                best = Some((axis, c.edges));
            }
        }
        best.map(|(axis, _)| axis)
    }

    /// The pairs of edges whose arcs cross, and that are less than `limit` over one another.
    ///
    /// Of two nearly parallel edges the arcs lie nearly on one circle and seem to cross anywhere on it; a point that is
    /// sure to be deeper than the edges shows most of these.
    #[inline(always)]
    fn find_crossings(&mut self, pair: &Pair, limit: f64, witnesses: Option<Witnesses>) {
        let Self {
            of_a,
            of_b,
            blocks,
            crossings,
            ..
        } = self;
        crossings.clear();
        for x in of_a.iter().filter_map(|e| Arc::of_a(pair, *e as usize)) {
            for (block, arcs) in blocks.iter().zip(of_b.chunks(ABREAST)) {
                for lane in block.crossing(&x) {
                    let Some(y) = arcs.get(lane) else {
                        break;
                    };
                    let Some(across) = x.across(y) else {
                        continue;
                    };
                    let deeper = witnesses.is_some_and(|w| {
                        across.is_beyond((x.point - w.of_b).dot(across.toward), limit)
                            || across.is_beyond((w.of_a - y.point).dot(across.toward), limit)
                    });
                    if deeper || across.is_beyond(across.over, limit) {
                        continue;
                    }
                    let distance = across.distance();
                    if distance < limit {
                        let edges = (x.edge, y.edge);
                        crossings.push(Crossing {
                            across,
                            distance,
                            edges,
                        });
                    }
                }
            }
        }
    }
}

impl Pair<'_> {
    /// The axis of a feature found earlier, if the feature exists; and whether the points of the feature are the
    /// outermost ones along it: whether, that is, it makes a facet of the Minkowski difference.
    #[inline(always)]
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
                let (x, y) = (Arc::of_a(self, i as usize)?, Arc::of_b(self, j as usize)?);
                if !x.may_cross(&y) {
                    return None;
                }
                let across = x.across(&y)?;
                let normal = across.normal();
                let depth = self.overlap_along(normal);
                let outermost = depth <= across.distance() + 1e-13 * self.scale;
                let axis = Axis {
                    normal,
                    depth,
                    feature,
                };
                Some((axis, outermost))
            }
        }
    }
}
