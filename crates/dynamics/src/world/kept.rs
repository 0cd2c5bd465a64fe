//! Contacts of pairs that barely move are kept from step to step, where a world is run with a number of sweeps.
//!
//! What a search finds on a pair is remembered: of each contact the vertex and facet, or the two edges, that it is
//! between ([`FollowedPoint`]). As long as no point of the second body has moved in the frame of the first by more than
//! one and a half margins, no search is made, and each contact is where these features are.
//!
//! **Error.** The gap of a kept contact is that of its features, to rounding. Which features touch is known from the
//! search: the end of a face may lie as far beside its contact as the pair has moved since. A contact that comes into
//! the margin is known before, as the search looks as much farther. Each step says how many contacts were kept and the
//! largest way ([`super::OverlapReport`]). Runs to a residual and automatic effort search in each step.

use super::member::Member;
use super::motion::way;
use super::settings::{Effort, WorldSettings};
use crate::Twist;
use glam::DMat3;
use klast_geometry::{ContactPoint, FollowedPoint, Manifold, Placed, Pose};
use klast_numerics::mutant;

/// Largest way of a pair since its search for which contacts are kept, in margins.
const FARTHEST: f64 = 1.5;

/// A contact point of a search, and the search.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct KeptPoint {
    pub first: u32,
    pub second: u32,
    features: FollowedPoint,
    /// Where the second stood in the frame of the first.
    relative: Pose,
    /// How far apart points that were found may be (m).
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

/// Largest way for which contacts of two bodies with this margin may be kept (m); none where they are not: what goes as
/// far in a step against each other, at the present velocities, is searched for in the next one, and not remembered.
pub(super) fn room(
    [a, b]: [&Member; 2],
    margin: f64,
    present: impl FnOnce() -> [Twist; 2],
    s: &WorldSettings,
) -> Option<f64> {
    let room = FARTHEST * s.margin;
    let round = [a, b]
        .iter()
        .any(|m| m.body.sphere_radius().is_some() || m.body.is_round());
    if round || !matches!(s.effort, Effort::Sweeps(_)) {
        return None;
    }
    let slow = margin - s.margin <= room || {
        let [of_a, of_b] = present();
        let between = b.state.pose.translation - a.state.pose.translation;
        let turning = (of_b.angular - of_a.angular).length() * b.radius;
        s.step * ((of_b.linear - of_a.at(between)).length() + turning) <= room
    };
    slow.then_some(room)
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
    let more = mutant::factor("kept-way", 1.1);
    if way > room * more || margin + way > search.reach * more {
        return None;
    }
    // Along every axis the overlap has changed by the way at most.
    (out.depth, out.beside) = ((search.depth - way).max(0.0), false);
    out.points.clear();
    let [turn, axes] = [now, a.state.pose].map(|pose| DMat3::from_quat(pose.rotation));
    for k in kept {
        let p = k.features.at(&now, &turn)?;
        if p.gap <= margin {
            out.points.push(ContactPoint {
                point: axes * p.point + a.state.pose.translation,
                normal: axes * p.normal,
                ..p
            });
        }
    }
    Some(way)
}

/// Remembers the points of a search that reached so far (m), unless the features of one are not to be followed.
pub(super) fn remember(
    (first, second): (u32, u32),
    [a, b]: [&Member; 2],
    (found, reach): (&Manifold, f64),
    kept: &mut Vec<KeptPoint>,
) {
    let from = kept.len();
    let relative = a.state.pose.relative(&b.state.pose);
    for p in &found.points {
        let places = [a, b].map(|m| Placed {
            shape: m.body.shape(),
            pose: &m.state.pose,
        });
        let Some(features) = FollowedPoint::of(p, places[0], places[1]) else {
            kept.truncate(from);
            return;
        };
        kept.push(KeptPoint {
            first,
            second,
            features,
            relative,
            reach,
            depth: found.depth,
        });
    }
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
