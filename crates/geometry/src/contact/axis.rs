//! The axis of least overlap of two convex polyhedra, exactly.
//!
//! The overlap along a unit vector n (from A to B) is d(n) = max_A n·x − min_B n·x. Its least value over all n is
//! taken at a facet normal of A, at minus a facet normal of B, or at the common normal of an edge of either whose
//! arcs on the Gauss map cross (Gregorius 2013, "The separating axis test between convex polyhedra").
//!
//! Nearly all of these never need looking at: for any point w of B, d(n) ≥ n·(p − w) wherever p is a point of A that is
//! extreme along n, and where B contains a sphere about w, its radius more (`floor.rs`). That bound costs one dot
//! product a facet and a few more operations an edge, and only what lies below the best overlap found so far is
//! evaluated. Each candidate that wins is evaluated on all vertices, so no answer rests on the pruning or on the arc
//! test (`arcs.rs`). The result does not depend on the hint.

use super::arcs::Arcs;
use super::candidate::{Axis, AxisFeature, Lowest};
use super::floor::{Floor, floors};
use super::pair::Pair;
use crate::{ConvexPolyhedron, Facet};

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

/// Workspace of the search, kept to save allocations.
#[derive(Debug, Default, Clone)]
pub(crate) struct AxisSearch {
    floor_a: Floor,
    floor_b: Floor,
    arcs: Arcs,
    /// The axis that showed the bodies of the last query apart, if it belongs to a feature.
    pub apart_along: Option<AxisFeature>,
    /// By how much it did (m).
    pub apart_by: f64,
    /// The two least overlaps of the last query; axes more than `tie` above the least one may be missing.
    pub lowest: Lowest,
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
        if let Some((axis, _)) = hint.and_then(|f| pair.axis_of(f)) {
            bound = axis.depth;
            if bound < -margin {
                return self.apart(&axis);
            }
        }
        let between = pair.b_point(pair.b.inner_sphere().0) - pair.a.inner_sphere().0;
        let line = between.try_normalize();
        if let Some(n) = line {
            bound = bound.min(pair.overlap_along(n));
        }
        if bound < -margin {
            self.apart_by = -bound;
            return None;
        }
        let witnesses = floors(pair, hint, &mut self.floor_a, &mut self.floor_b);
        let mut least = Least::default();
        // Bodies that some direction shows apart have a candidate that does, though perhaps by less.
        let mut bound = bound.max(0.0) + tie;
        let mut lowest = Lowest::default();
        let mut note = |axis: Axis| {
            lowest.note(axis.depth);
            axis
        };
        let facet = |i: usize, f: &Facet| note(pair.facet_a_axis(i, f));
        least.facet_a = best_facet(pair.a, &self.floor_a, tie, &mut bound, facet);
        let facet = |i: usize, f: &Facet| note(pair.facet_b_axis(i, f));
        least.facet_b = best_facet(pair.b, &self.floor_b, tie, &mut bound, facet);
        self.lowest = lowest;
        for facet in [least.facet_a, least.facet_b].into_iter().flatten() {
            if facet.depth < -margin {
                return self.apart(&facet);
            }
        }
        self.arcs.collect(pair, bound, &self.floor_a, &self.floor_b);
        least.edges = self.arcs.least(pair, bound, witnesses, &mut self.lowest);
        if let Some(apart) = least.edges.filter(|e| e.depth < -margin) {
            return self.apart(&apart);
        }
        Some(least)
    }

    fn apart(&mut self, axis: &Axis) -> Option<Least> {
        (self.apart_along, self.apart_by) = (Some(axis.feature), -axis.depth);
        None
    }
}

/// The facet of least overlap among those that may lie under the bound.
fn best_facet(
    body: &ConvexPolyhedron,
    floor: &Floor,
    tie: f64,
    bound: &mut f64,
    mut axis: impl FnMut(usize, &Facet) -> Axis,
) -> Option<Axis> {
    let mut best: Option<Axis> = None;
    for (i, f) in body.facets().iter().enumerate() {
        if !floor.allows(i, *bound) {
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
