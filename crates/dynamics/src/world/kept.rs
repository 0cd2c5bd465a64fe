//! Contacts of pairs that barely move are kept from step to step, where a world is run with a number of sweeps.
//!
//! What a search finds on a pair is remembered on both bodies. As long as no point of the second has moved in the frame
//! of the first by half the margin, no search is made: each contact is where its points have gone to, its normal
//! turns with the first body, and its gap is `n·(x_first − x_second)`.
//!
//! **Error.** With a way w since the search, bodies of radius r and faces that are inclined by φ, the gap of a contact is
//! wrong by `w sin φ` at most, and by `w²/r` beside that: a corner stays over its face, and is exact up to the turn of
//! the normal; the end of a face may lie w beside the contact that stands for it. A contact that comes into the margin
//! is known before, as the search looks as much farther. Each step says how many contacts were kept and the largest way
//! ([`super::OverlapReport`]). Runs to a residual and automatic effort search in each step.

use super::broad_phase::way;
use super::member::Member;
use super::settings::{Effort, WorldSettings};
use glam::DVec3;
use klast_geometry::{ContactPoint, Manifold, Pose};

/// Way of a pair since its search up to which contacts are kept, in margins.
const KEPT: f64 = 0.5;

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
    /// How far apart the points that were found may be (m).
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

/// Way up to which contacts of two bodies with this margin may be kept in the next step too (m); none where they are
/// not.
pub(super) fn room([a, b]: [&Member; 2], margin: f64, s: &WorldSettings) -> Option<f64> {
    let room = KEPT * s.margin;
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
    (margin, room): (f64, f64),
    out: &mut Manifold,
) -> Option<f64> {
    let search = kept.first()?;
    let now = a.state.pose.relative(&b.state.pose);
    let way = way(&now, &search.relative, b.radius);
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

/// Remembers the points of a search that reached so far (m).
pub(super) fn remember(
    (first, second): (u32, u32),
    [a, b]: [&Member; 2],
    (found, reach): (&Manifold, f64),
    kept: &mut Vec<KeptPoint>,
) {
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
            reach,
            depth: found.depth,
        }
    }));
}

/// Those of a pair in a list that is sorted by pair.
pub(super) fn of_pair(kept: &[KeptPoint], pair: (u32, u32)) -> &[KeptPoint] {
    let of = |k: &KeptPoint| (k.first, k.second);
    let start = kept.partition_point(|k| of(k) < pair);
    let rest = kept.get(start..).unwrap_or_default();
    let count = rest.iter().take_while(|k| of(k) == pair).count();
    rest.get(..count).unwrap_or_default()
}
