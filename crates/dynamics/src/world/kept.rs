//! Contacts of pairs that barely move are kept from step to step, where a world is run with a number of sweeps.
//!
//! What a search finds on a pair is remembered on both bodies. As long as no point of the second has moved far in the
//! frame of the first, no search is made: each contact is where its points have gone to, its normal turns with the
//! first body, and its gap is `n·(x_first − x_second)`.
//!
//! **Error.** With a way w since the search, bodies of radius r and faces that are inclined by φ, the error of a gap is
//! estimated as `w tan φ + w²/r`: a corner stays over its face, and is exact up to the turn of the normal, but another
//! point may have come to the end of a face. Contacts are kept while that is at most half the overlap that is left
//! alone ([`WorldSettings::slop`]), and w at most one and a half margins; the end of a face may lie w beside the
//! contact that stands for it. It is no bound: φ is seen only where a pair has several points, and edges that cross at
//! a small angle change their gap faster. In heaps of rough stones gaps were wrong by up to 1.13 times the estimate. A
//! contact that comes into the margin is known before, as the search looks as much farther. Each step says how many
//! contacts were kept and the largest way ([`super::OverlapReport`]). Runs to a residual and automatic effort search in
//! each step.

use super::member::Member;
use super::motion::way;
use super::settings::{Effort, WorldSettings};
use glam::DVec3;
use klast_geometry::{ContactPoint, Manifold, Pose};
use klast_numerics::mutant;

/// Largest way of a pair since its search for which contacts are kept, in margins.
const FARTHEST: f64 = 1.5;
/// Largest estimated error of a kept gap, in slops.
const ERROR: f64 = 0.5;

/// A contact point of a search, and the search.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct KeptPoint {
    pub first: u32,
    pub second: u32,
    feature: u32,
    /// On each body, in its frame (m).
    points: [DVec3; 2],
    /// In the frame of the first.
    normal: DVec3,
    /// Where the second stood in the frame of the first.
    relative: Pose,
    /// Way up to which the points are kept (m), and how far apart those that were found may be.
    room: f64,
    reach: f64,
    /// Overlap along the axis (m).
    depth: f64,
}

/// Contacts of a step that were kept.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Keeping {
    pub contacts: usize,
    /// Largest way since their searches (m).
    pub way: f64,
}

impl Keeping {
    pub fn and(self, other: Self) -> Self {
        Self {
            contacts: self.contacts + other.contacts,
            way: self.way.max(other.way),
        }
    }
}

/// Largest way for which contacts of two bodies with this margin may be kept (m); none where they are not.
pub(super) fn room([a, b]: [&Member; 2], margin: f64, s: &WorldSettings) -> Option<f64> {
    let room = FARTHEST * s.margin;
    let slow = margin - s.margin <= room;
    let kept = matches!(s.effort, Effort::Sweeps(_)) && slow;
    let round = [a, b]
        .iter()
        .any(|m| m.body.sphere_radius().is_some() || m.body.is_round());
    (kept && !round).then_some(room)
}

/// Fills a manifold with the points of the last search that are within the margin; the way since then, or none where a
/// search is due.
pub(super) fn fill(
    kept: &[KeptPoint],
    [a, b]: [&Member; 2],
    margin: f64,
    out: &mut Manifold,
) -> Option<f64> {
    let search = kept.first()?;
    let now = a.state.pose.relative(&b.state.pose);
    let way = way(&now, &search.relative, b.radius);
    let room = search.room * mutant::factor("kept-way", 1.1);
    if way > room || margin + way > search.reach {
        return None;
    }
    (out.depth, out.beside) = (search.depth, false);
    out.points.clear();
    out.points.extend(kept.iter().filter_map(|k| {
        let [on_a, on_b] = [(a, k.points[0]), (b, k.points[1])]
            .map(|(m, point)| m.state.pose.transform_point(point));
        let normal = a.state.pose.transform_vector(k.normal);
        let gap = normal.dot(on_a - on_b);
        (gap <= margin).then(|| ContactPoint {
            point: 0.5 * (on_a + on_b),
            normal,
            gap,
            feature: k.feature,
        })
    }));
    Some(way)
}

/// Remembers the points of a search, given how much farther than the margin it reached (m).
pub(super) fn remember(
    (first, second): (u32, u32),
    [a, b]: [&Member; 2],
    (found, margin, farthest): (&Manifold, f64, f64),
    s: &WorldSettings,
    kept: &mut Vec<KeptPoint>,
) {
    let size = a.radius.min(b.radius);
    let room = farthest.min(way_of_error(
        ERROR * s.slop,
        inclination(&found.points),
        size,
    ));
    let relative = a.state.pose.relative(&b.state.pose);
    kept.extend(found.points.iter().map(|p| {
        let half = p.normal * (0.5 * p.gap);
        KeptPoint {
            first,
            second,
            feature: p.feature,
            points: [
                a.state.pose.inverse_transform_point(p.point + half),
                b.state.pose.inverse_transform_point(p.point - half),
            ],
            normal: a.state.pose.inverse_transform_vector(p.normal),
            relative,
            room,
            reach: margin + farthest,
            depth: found.depth,
        }
    }));
}

/// The way w for which `w tan φ + w²/r` is an error (m).
fn way_of_error(error: f64, slope: f64, size: f64) -> f64 {
    let half = 0.5 * size * slope;
    // The root of `w² + 2 half w = r error`, without a difference of numbers that are nearly the same.
    let product = size * error;
    product / (half + (half * half + product).sqrt()).max(f64::MIN_POSITIVE)
}

/// Tangent of the angle between two faces: the steepest change of the gap between points with one normal.
fn inclination(points: &[ContactPoint]) -> f64 {
    let mut slope = 0.0_f64;
    for (k, p) in points.iter().enumerate() {
        for q in points[..k].iter().filter(|q| q.normal == p.normal) {
            let (apart, change) = ((p.point - q.point).length(), (p.gap - q.gap).abs());
            if change > slope * apart {
                slope = change / apart;
            }
        }
    }
    slope
}

/// Those of a pair in a list that is sorted by pair, from a place before which there are none of it, or from anywhere;
/// the place moves to them. Pairs are asked for in order.
pub(super) fn of_pair<'a>(
    kept: &'a [KeptPoint],
    pair: (u32, u32),
    place: &mut Option<usize>,
) -> &'a [KeptPoint] {
    let of = |k: &KeptPoint| (k.first, k.second);
    let before = |k: &KeptPoint| of(k) < pair;
    let start = match *place {
        None => kept.partition_point(before),
        Some(from) => {
            let rest = kept.get(from..).unwrap_or_default();
            from + rest.iter().take_while(|k| before(k)).count()
        }
    };
    *place = Some(start);
    let rest = kept.get(start..).unwrap_or_default();
    let count = rest.iter().take_while(|k| of(k) == pair).count();
    rest.get(..count).unwrap_or_default()
}
