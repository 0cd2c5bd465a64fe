//! A lumped mass wedged in a gutter, the hollow edge between two facets.
//!
//! With e along the edge, t1 and t2 in the facets, away from the edge and normal to it, and n1, n2 the normals, both
//! facets carry the rock where both pull it to the edge, g·t1 < 0 and g·t2 < 0. Across the edge N1 n1 + N2 n2 = −g, so
//! N1 = −g·t2/(n1·t2) and N2 = −g·t1/(n2·t1), m/s² as forces per mass. Friction acts along the edge: v̇ = g·e − (μ1
//! N1 + μ2 N2) sign v. All of it is constant along an edge, so a step is exact.

use super::slide::{Path, Slide, SlideEnd};
use glam::DVec3;
use klast_geometry::terrain::Facet;

/// Facets at a smaller angle (rad) are one plane.
const ONE_PLANE: f64 = 1e-9;

/// One way along a hollow edge that holds a rock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gutter {
    /// The facets.
    pub facets: [Facet; 2],
    /// The point of the edge next to the rock (m).
    pub foot: DVec3,
    /// The way along the edge, a unit vector.
    pub along: DVec3,
    /// How far its end is (m).
    length: f64,
    /// N1 and N2 (m/s²).
    reactions: [f64; 2],
}

impl Gutter {
    /// The ways along the hollow edges of some facets that go on from a point for more than `reach` (m) and whose
    /// facets both carry a rock there.
    pub(crate) fn from(
        facets: &[Facet],
        p: DVec3,
        reach: f64,
        gravity: DVec3,
    ) -> impl Iterator<Item = Gutter> {
        let pairs = facets
            .iter()
            .enumerate()
            .flat_map(|(k, a)| facets[k + 1..].iter().map(move |b| (a, b)));
        pairs.flat_map(move |(a, b)| {
            edge(a, b)
                .filter(|(from, _)| is_hollow(a, b, *from))
                .into_iter()
                .flat_map(move |(from, to)| [(from, to), (to, from)])
                .filter_map(move |(from, to)| Gutter::to(a, b, (from, to), p, reach, gravity))
        })
    }

    /// The way to one end of the edge between two facets.
    fn to(
        a: &Facet,
        b: &Facet,
        (from, to): (DVec3, DVec3),
        p: DVec3,
        reach: f64,
        gravity: DVec3,
    ) -> Option<Gutter> {
        let along = (to - from).normalize_or_zero();
        let (behind, length) = ((p - from).dot(along), (to - p).dot(along));
        let foot = from + along * behind;
        if p.distance(foot) > reach || behind < -reach || length <= reach {
            return None;
        }
        // Away from the edge into a facet: towards its third corner.
        let inward = |f: &Facet| {
            let middle = (f.corners[0] + f.corners[1] + f.corners[2]) / 3.0;
            let t = f.normal.cross(along);
            if t.dot(middle - from) > 0.0 { t } else { -t }
        };
        let (ta, tb) = (inward(a), inward(b));
        let (rise_b, rise_a) = (a.normal.dot(tb), b.normal.dot(ta));
        let (pull_a, pull_b) = (gravity.dot(ta), gravity.dot(tb));
        let holds = rise_a > ONE_PLANE && rise_b > ONE_PLANE && pull_a < 0.0 && pull_b < 0.0;
        holds.then(|| Gutter {
            facets: [*a, *b],
            foot,
            along,
            length,
            reactions: [-pull_b / rise_b, -pull_a / rise_a],
        })
    }

    /// The same from a point further along the edge.
    pub(crate) fn further(self, p: DVec3) -> Gutter {
        let way = (p - self.foot).dot(self.along);
        Gutter {
            foot: self.foot + self.along * way,
            length: self.length - way,
            ..self
        }
    }

    /// One step along the edge at a speed (m/s) ≥ 0, with the friction of each facet.
    pub(crate) fn slide(&self, speed: f64, gravity: DVec3, mu: [f64; 2]) -> Slide {
        let hold = mu[0] * self.reactions[0] + mu[1] * self.reactions[1];
        let pull = gravity.dot(self.along);
        let holds = pull.abs() <= hold;
        let rate = pull - hold;
        if speed <= 0.0 && (holds || rate <= 0.0) {
            // Uphill a rock that friction does not hold turns round.
            let end = if holds {
                SlideEnd::Stopped
            } else {
                SlideEnd::Turned
            };
            return Slide {
                duration: 0.0,
                path: Path::Even(DVec3::ZERO),
                end,
            };
        }
        // speed t + ½ rate t² = length, the first root.
        let square = speed * speed + 2.0 * rate * self.length;
        let edge = if square >= 0.0 {
            2.0 * self.length / (speed + square.sqrt())
        } else {
            f64::INFINITY
        };
        let slowed = if rate < 0.0 {
            speed / -rate
        } else {
            f64::INFINITY
        };
        let (duration, end) = match (slowed < edge, holds) {
            (false, _) => (edge, SlideEnd::Edge),
            (true, true) => (slowed, SlideEnd::Stopped),
            (true, false) => (slowed, SlideEnd::Turned),
        };
        Slide {
            duration,
            path: Path::Even(self.along * rate),
            end,
        }
    }
}

/// Whether the edge between two facets may be hollow: neither lies below the other's plane. A quick look.
fn is_hollow(a: &Facet, b: &Facet, corner: DVec3) -> bool {
    let above = |f: &Facet, other: &Facet| {
        other
            .corners
            .iter()
            .any(|c| f.normal.dot(*c - corner) > 0.0)
    };
    above(a, b) && above(b, a)
}

/// The edge that two facets share: corners are shared bit for bit.
fn edge(a: &Facet, b: &Facet) -> Option<(DVec3, DVec3)> {
    let mut shared = a.corners.into_iter().filter(|c| b.corners.contains(c));
    match (shared.next(), shared.next(), shared.next()) {
        (Some(from), Some(to), None) => Some((from, to)),
        _ => None,
    }
}
