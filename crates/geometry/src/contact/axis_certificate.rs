//! Overlaps from step to step: how long the facet that holds the overlap stays the nearest one.
//!
//! With the origin at depth δ₁ under the nearest facet of the Minkowski difference K and at δ₂ = δ₁ + 2M or more under
//! all others, let the bodies move so that no point of B moves in the frame of A by over M/2. While the same
//! face and vertex (or the same two edges) still make a facet of K, that facet is still the nearest:
//!
//! * Only this facet has points of the boundary of K within δ₁ + 2M of the origin, so it holds a disc of radius R =
//!   √((δ₁ + 2M)² − δ₁²) about the foot of the origin, and the support function of K at an angle θ to its normal is at
//!   least δ₁ cos θ + R sin θ. That has its largest value δ₁ + 2M at tan θ₀ = R/δ₁.
//! * After the motion, directions beyond θ₀ have a depth of δ₁ + 2M − M/2 or more; the facet itself one of δ₁ + M/2 at
//!   most.
//! * Directions before θ₀: the disc has moved by M/2 at most, is part of the facet still, and keeps a radius of R − M
//!   about the new foot, so all of them have a greater depth if tan(θ₀/2) = 2M/R ≤ (R − M)/(δ₁ + M/2). With R² = 4Mδ₁ +
//!   4M² that is R ≤ 2δ₁ + 3M, which always holds.
//!
//! So the search can be left out as long as no point of B has moved in the frame of A by (δ₂ − δ₁)/4, and its answer is
//! the same. What counts is where the bodies stand, not how far they went: rocks that tremble or fly together hold.

use super::candidate::{Axis, AxisFeature};
use super::narrow::NarrowPhase;
use super::overlap::{Overlap, TIE, rounding};
use super::pair::{Pair, Placed};
use crate::{ConvexPolyhedron, Pose};

/// How B stood to A, and how far it may move from there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hold {
    relative: Pose,
    room: f64,
    /// For a facet: the vertex of the other body that is deepest under it.
    deepest: Option<usize>,
}

impl Hold {
    /// Whether no point of B has moved in the frame of A by as much as the hold allows.
    pub fn lasts(&self, a: Placed, b: Placed) -> bool {
        self.lasts_at(&a.pose.relative(b.pose), b)
    }

    fn lasts_at(&self, now: &Pose, b: Placed) -> bool {
        self.way(now, b.shape) < self.room
    }

    /// Bound on the way of any point of B in the frame of A since then (m).
    fn way(&self, now: &Pose, b: &ConvexPolyhedron) -> f64 {
        let turn = self.relative.rotation.conjugate() * now.rotation;
        // |R x − R₀ x| ≤ 2 sin(θ/2) |x|, and sin(θ/2) is the vector part of the quaternion between the two.
        (now.translation - self.relative.translation).length()
            + 2.0 * turn.xyz().length() * b.radius()
    }
}

/// What a query of a manifold leaves to the next one on the same pair, which it makes faster and never different.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairMemory {
    /// The axis that decided.
    pub(super) axis: Option<AxisFeature>,
    /// How the pair stood, and how far it may move until the axis may be another one.
    hold: Option<Hold>,
    /// How far apart the bodies were then, at least (m); 0 where they were not found to be.
    apart: f64,
}

/// How far above the least overlap a search looks, in ways of the pair since its last search: a hold is a quarter of
/// that. A search that would look farther than `MOST_AHEAD` of the pair's size does not look ahead: it costs more than
/// it saves.
const AHEAD: f64 = 32.0;
const MOST_AHEAD: f64 = 0.01;

/// What a query that looks ahead finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Proximity {
    /// The bodies are apart.
    Apart {
        /// By at least this (m).
        gap: f64,
        /// Along the axis of this feature, if it has one.
        axis: Option<AxisFeature>,
        /// As long as this lasts they still are.
        hold: Hold,
    },
    /// They overlap.
    Touching {
        /// How.
        overlap: Overlap,
        /// As long as this lasts, [`NarrowPhase::held`] gives what a search would.
        hold: Hold,
    },
}

impl NarrowPhase {
    /// As [`NarrowPhase::overlap`], and for how long. Facets up to `slack` (m) above the nearest are looked at: a
    /// larger slack costs more now and may save more later.
    pub fn proximity(
        &mut self,
        a: Placed,
        b: Placed,
        hint: Option<AxisFeature>,
        slack: f64,
    ) -> Proximity {
        let pair = Pair::new(a, b);
        let tie = TIE * pair.scale;
        let slack = slack.max(tie);
        let margin = rounding(&pair, a, b);
        let least = self.search.least(&pair, margin, slack, hint);
        let hold = |room: f64, deepest: Option<usize>| Hold {
            relative: pair.relative,
            // Room within rounding is none.
            room: if room > 2.0 * tie + margin { room } else { 0.0 },
            deepest,
        };
        let Some(axis) = least.and_then(|l| l.preferred(tie)) else {
            let gap = self.search.apart_by;
            return Proximity::Apart {
                gap,
                axis: self.search.apart_along,
                hold: hold(gap, None),
            };
        };
        let room = (self.search.lowest.second - axis.depth).min(slack);
        Proximity::Touching {
            overlap: self.on_axis(&pair, a, &axis),
            hold: hold(0.25 * room, deepest(&pair, &axis)),
        }
    }

    /// The overlap on a feature found by [`NarrowPhase::proximity`], without a search; nothing if the hold is over, the
    /// bodies have parted, or the feature is not the same facet of the Minkowski difference any more.
    pub fn held(
        &mut self,
        a: Placed,
        b: Placed,
        axis: AxisFeature,
        hold: &Hold,
    ) -> Option<Overlap> {
        let relative = a.pose.relative(b.pose);
        if !hold.lasts_at(&relative, b) {
            return None;
        }
        let pair = Pair::placed(a, b, relative);
        let (axis, outermost) = pair.axis_of(axis)?;
        let same = outermost && axis.depth >= 0.0 && deepest(&pair, &axis) == hold.deepest;
        same.then(|| self.on_axis(&pair, a, &axis))
    }
}

impl NarrowPhase {
    /// The axis of least overlap, facets before edges and A before B where they are within `tie` of it; nothing if some
    /// axis shows the bodies apart by more than `margin`.
    pub(super) fn nearest_axis(
        &mut self,
        pair: &Pair,
        (margin, tie): (f64, f64),
        memory: &mut PairMemory,
    ) -> Option<Axis> {
        let before = memory.hold;
        let way = memory.way(&pair.relative, pair.b);
        if let Some(axis) = before.and_then(|hold| memory.still(pair, &hold, way)) {
            return Some(axis);
        }
        let wanted = AHEAD * way;
        let looks_ahead = wanted <= MOST_AHEAD * pair.scale;
        let slack = if looks_ahead { wanted.max(tie) } else { tie };
        let least = self.search.least(pair, margin, slack, memory.axis);
        let axis = least.and_then(|least| least.preferred(tie));
        let room = match &axis {
            Some(axis) if looks_ahead && axis.depth >= 0.0 => {
                0.25 * (self.search.lowest.second - axis.depth).min(slack)
            }
            _ => 0.0,
        };
        // Room within rounding is none.
        let lasts = room > 2.0 * tie;
        let facing = axis.filter(|_| lasts);
        memory.hold = Some(Hold {
            relative: pair.relative,
            room: if lasts { room } else { 0.0 },
            deepest: facing.and_then(|axis| deepest(pair, &axis)),
        });
        memory.apart = self.search.apart_by;
        let found = axis.map(|axis| axis.feature);
        memory.axis = found.or(self.search.apart_along).or(memory.axis);
        axis
    }
}

impl PairMemory {
    /// An axis and nothing else.
    pub(super) fn of(axis: Option<AxisFeature>) -> Self {
        Self {
            axis,
            ..Self::default()
        }
    }

    /// Whether the bodies, with B at a pose in the frame of A, are surely apart by more than a margin (m): they were by
    /// more than B can have come nearer since.
    pub(super) fn are_apart(&self, relative: &Pose, b: &ConvexPolyhedron, margin: f64) -> bool {
        self.apart > margin && self.apart - self.way(relative, b) > margin
    }

    /// Bound on the way of any point of B in the frame of A since the last search (m).
    fn way(&self, relative: &Pose, b: &ConvexPolyhedron) -> f64 {
        let hold = self.hold.as_ref();
        hold.map_or(f64::INFINITY, |hold| hold.way(relative, b))
    }

    /// The axis of the last query at the present poses, `way` from there, if it is sure to be the least one.
    fn still(&self, pair: &Pair, hold: &Hold, way: f64) -> Option<Axis> {
        if way >= hold.room {
            return None;
        }
        let (axis, outermost) = pair.axis_of(self.axis?)?;
        let same = outermost && axis.depth >= 0.0 && deepest(pair, &axis) == hold.deepest;
        same.then_some(axis)
    }
}

/// The vertex of the other body that is deepest under a facet.
fn deepest(pair: &Pair, axis: &Axis) -> Option<usize> {
    match axis.feature {
        AxisFeature::FacetA(_) => Some(pair.b.support(-pair.to_b(axis.normal))),
        AxisFeature::FacetB(_) => Some(pair.a.support(axis.normal)),
        AxisFeature::Edges(..) => None,
    }
}
