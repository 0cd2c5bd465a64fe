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

use super::candidate::{Axis, AxisFeature, Lowest};
use super::edge_axes::Arcs;
use super::lower_bound::{Floor, floors};
use super::pair::Pair;
use pulp::{Arch, Simd, WithSimd};

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
        Arch::new().dispatch(Query {
            search: self,
            pair,
            margin,
            tie,
            hint,
        })
    }

    #[inline(always)]
    fn least_here(
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
        least.facet_a = best_facet::<true>(pair, &self.floor_a, tie, &mut bound, &mut lowest);
        least.facet_b = best_facet::<false>(pair, &self.floor_b, tie, &mut bound, &mut lowest);
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

    #[inline(always)]
    fn apart(&mut self, axis: &Axis) -> Option<Least> {
        (self.apart_along, self.apart_by) = (Some(axis.feature), -axis.depth);
        None
    }
}

/// A search, to be compiled for the vector unit of the machine: with the same bits on each.
struct Query<'a, 'b> {
    search: &'a mut AxisSearch,
    pair: &'a Pair<'b>,
    margin: f64,
    tie: f64,
    hint: Option<AxisFeature>,
}

impl WithSimd for Query<'_, '_> {
    type Output = Option<Least>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Option<Least> {
        self.search
            .least_here(self.pair, self.margin, self.tie, self.hint)
    }
}

/// The facet of least overlap among those of A, or of B, that may lie under the bound; the overlaps along all that are
/// looked at are noted.
#[inline(always)]
fn best_facet<const OF_A: bool>(
    pair: &Pair,
    floor: &Floor,
    tie: f64,
    bound: &mut f64,
    lowest: &mut Lowest,
) -> Option<Axis> {
    let body = if OF_A { pair.a } else { pair.b };
    let mut best: Option<Axis> = None;
    for number in 0..floor.words() {
        for bit in floor.word(number, *bound) {
            let i = 64 * number + bit;
            // The bound may have come down since.
            let Some(facet) = body.facets().get(i).filter(|_| floor.allows(i, *bound)) else {
                continue;
            };
            let found = if OF_A {
                pair.facet_a_axis(i, facet)
            } else {
                pair.facet_b_axis(i, facet)
            };
            lowest.note(found.depth);
            if best.is_none_or(|b| found.depth < b.depth) {
                best = Some(found);
                *bound = bound.min(found.depth + tie);
            }
        }
    }
    best
}
