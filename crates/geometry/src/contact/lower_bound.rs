//! From below: what the overlap along a direction is at least.
//!
//! Let w be a point of B. Along n the overlap is at least n·(p − w), p the point of A farthest along n: for the normal
//! of a facet of A that is the height of its plane above w. Two points serve. One is the middle of the sphere inside B,
//! with its radius added: it rules out what looks away from B. The other is the middle of the facet of B that faces A
//! where the two probably touch: it rules out what is not there.

use super::candidate::AxisFeature;
use super::pair::Pair;
use crate::polyhedron::columns::{ABREAST, Bits};
use crate::{ConvexPolyhedron, Edge};
use glam::DVec3;

/// Edges of both bodies together from which on it pays to look at what is near.
const WORTH_IT: usize = 48;

/// Blocks of heights whose facets fill the bits of a word.
const WORD: usize = 64 / ABREAST;

/// For the facets of one body, four abreast: the overlap along the normal is at least `rise` over the height. What
/// fills the last lanes is no facet.
#[derive(Debug, Default, Clone)]
struct Heights {
    above: Vec<[f64; ABREAST]>,
    rise: f64,
}

/// What the overlap is at least along the normals of one body's facets, and between them.
#[derive(Debug, Default, Clone)]
pub(super) struct Floor {
    wide: Heights,
    near: Heights,
}

impl Heights {
    #[inline(always)]
    fn of(&self, facet: usize) -> Option<f64> {
        self.above.as_flattened().get(facet).copied()
    }

    #[inline(always)]
    fn under(&self, facet: usize, bound: f64) -> bool {
        self.of(facet).is_none_or(|x| x + self.rise <= bound)
    }

    /// Of the facets from 64 times a number on those that come down to a bound, as bits.
    #[inline(always)]
    fn word(&self, number: usize, bound: f64) -> u64 {
        let mut bits = 0;
        let blocks = self.above.iter().skip(number * WORD).take(WORD);
        for (heights, block) in blocks.zip(0..) {
            bits |= Bits::of(heights.map(|x| x + self.rise <= bound)).0 << (ABREAST * block);
        }
        bits
    }

    #[inline(always)]
    fn words(&self) -> usize {
        self.above.len().div_ceil(WORD)
    }

    /// Whether the overlap may come down to `bound` over the arc between the normals of an edge's facets. Along the arc
    /// the height of the edge is a cosine: least at an end, or in between at −(distance of w from the edge's line).
    ///
    /// All conditions are evaluated: which of them decides is hard to predict.
    #[inline(always)]
    fn reach(&self, edge: &Edge, bound: f64) -> bool {
        let limit = bound - self.rise;
        let [f, g] = edge.facets;
        let (Some(f), Some(g)) = (self.of(f as usize), self.of(g as usize)) else {
            return true;
        };
        let c = edge.cosine;
        let at_end = (f <= limit) | (g <= limit);
        let between = (g < c * f) & (f < c * g);
        let squared = f * f + g * g - 2.0 * c * f * g;
        let near = (limit >= 0.0) | (squared >= limit * limit * edge.sine_squared);
        at_end | (between & near)
    }
}

impl Floor {
    /// Number of words of 64 facets.
    #[inline(always)]
    pub fn words(&self) -> usize {
        self.wide.words()
    }

    /// Of the facets from 64 times a number on those along whose normals the overlap may come down to `bound`, as bits;
    /// and perhaps bits behind the last facet.
    #[inline(always)]
    pub fn word(&self, number: usize, bound: f64) -> Bits {
        let wide = self.wide.word(number, bound);
        if self.near.above.is_empty() {
            return Bits(wide);
        }
        Bits(wide & self.near.word(number, bound))
    }

    /// Whether the overlap may come down to `bound` along the normal of a facet.
    #[inline(always)]
    pub fn allows(&self, facet: usize, bound: f64) -> bool {
        self.near.under(facet, bound) && self.wide.under(facet, bound)
    }

    /// The edges over whose arcs the overlap may come down to `bound`, in no order.
    ///
    /// Over an arc the height above a point cannot fall below a bound that is not negative unless it does at an end;
    /// and where it falls below zero it does so at an end as well.
    #[inline(always)]
    pub fn edges(&self, body: &ConvexPolyhedron, bound: f64, out: &mut Vec<u32>) {
        let edges = body.edges();
        out.resize(edges.len(), 0);
        let mut found = 0;
        let (ends, low) = match self.near.above.is_empty() {
            true => (&self.wide, bound.max(self.wide.rise)),
            false => (&self.near, bound),
        };
        for number in 0..ends.words() {
            for bit in Bits(ends.word(number, low)) {
                let f = 64 * number + bit;
                for &e in body.facet_edges(f) {
                    let Some(edge) = edges.get(e as usize) else {
                        continue;
                    };
                    let [p, q] = edge.facets;
                    let other = if p as usize == f { q } else { p } as usize;
                    // An edge between two of them is taken at the first.
                    let taken = (other < f) & ends.under(other, low);
                    // It is written down, and counted only if it is one: a branch would be hard to predict.
                    if let Some(place) = out.get_mut(found) {
                        *place = e;
                    }
                    found += usize::from(!taken & self.wide.reach(edge, bound));
                }
            }
        }
        out.truncate(found);
    }
}

/// A point of either body where they probably touch, in A's frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Witnesses {
    pub of_a: DVec3,
    pub of_b: DVec3,
}

/// What the overlap is at least along the normals of A and of B, if they touch about where the feature is; and the
/// points that say so.
#[inline(always)]
pub(super) fn floors(
    pair: &Pair,
    hint: Option<AxisFeature>,
    a: &mut Floor,
    b: &mut Floor,
) -> Option<Witnesses> {
    let (centre, radius) = pair.b.inner_sphere();
    pair.a
        .heights_above(pair.b_point(centre), &mut a.wide.above);
    a.wide.rise = radius;
    let (centre, radius) = pair.a.inner_sphere();
    let centre = pair.to_b(centre - pair.shift);
    pair.b.heights_above(centre, &mut b.wide.above);
    b.wide.rise = radius;
    a.near.above.clear();
    b.near.above.clear();
    // Boxes have too few edges for more, and a guess too little worth.
    if pair.a.edges().len() + pair.b.edges().len() < WORTH_IT {
        return None;
    }
    let n = direction(pair, hint)?;
    let of_b = middle(pair.b, pair.b.facing(-pair.to_b(n)));
    let of_a = middle(pair.a, pair.a.facing(n));
    pair.a.heights_above(pair.b_point(of_b), &mut a.near.above);
    pair.b
        .heights_above(pair.to_b(of_a - pair.shift), &mut b.near.above);
    Some(Witnesses {
        of_a,
        of_b: pair.b_point(of_b),
    })
}

/// The axis of a feature, whatever it is worth.
#[inline(always)]
fn direction(pair: &Pair, hint: Option<AxisFeature>) -> Option<DVec3> {
    match hint? {
        AxisFeature::FacetA(f) => pair.a.facets().get(f as usize).map(|f| f.normal),
        AxisFeature::FacetB(f) => {
            let facet = pair.b.facets().get(f as usize)?;
            Some(-(pair.turn * facet.normal))
        }
        AxisFeature::Edges(i, j) => {
            let (e, f) = (
                pair.a.edges().get(i as usize)?,
                pair.b.edges().get(j as usize)?,
            );
            let facets = pair.a.facets();
            let [p, q] = e.facets.map(|f| facets.get(f as usize));
            let cross = e.direction.cross(pair.turn * f.direction);
            let out = p?.normal + q?.normal;
            Some(if cross.dot(out) < 0.0 { -cross } else { cross })
        }
    }
}

/// The mean of a facet's corners.
#[inline(always)]
fn middle(body: &ConvexPolyhedron, facet: usize) -> DVec3 {
    let corners = body.facet_vertices(facet);
    let sum: DVec3 = corners.iter().map(|&v| body.vertex(v)).sum();
    sum / corners.len().max(1) as f64
}
