//! Pseudo-sliding of a lumped mass, (3.1) to (3.8) of the RocFall3 lumped-mass manual: gravity along the ground and
//! friction μ N against the motion, the spin unchanged.
//!
//! a = g_t − μ g_n v̂, with g_n = |g·n|. Along the line of steepest descent a is constant, and elsewhere the motion has
//! a closed form ([`Askew`]): a slide on one facet is one step, exact, to its edge or to where it stops.

use super::askew::{Askew, Moment};
use glam::DVec3;
use klast_geometry::terrain::Facet;

/// A part of the direction (rad) below which a slide is straight: a velocity along the line of descent is rounded, and
/// friction beyond the inverse of it stops a mass before it turns.
const STRAIGHT: f64 = 1e-12;
/// A speed (m/s) that is none: in what a mass does next, its way v²/g would vanish beside any rounding.
const NONE: f64 = 1e-30;

/// A slide on one facet, or a part of one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slide {
    pub duration: f64,
    pub path: Path,
    pub end: SlideEnd,
}

/// How a slide goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Path {
    /// With a constant acceleration (m/s²).
    Even(DVec3),
    /// In closed form, up to a moment.
    Askew(Askew, Moment),
}

/// Why the step ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum SlideEnd {
    /// Friction holds the rock.
    Stopped,
    /// It has come to zero speed straight uphill, and friction does not hold it.
    Turned,
    /// It has come to the edge of the facet.
    Edge,
    /// The time is over.
    Time,
    /// Another material begins here.
    Border,
}

/// The slide from `p` with velocity `v` in the facet's plane, for `limit` (s) at most where it is askew. Friction that
/// holds the rock ends it at rest.
pub(crate) fn slide(
    facet: &Facet,
    p: DVec3,
    v: DVec3,
    gravity: DVec3,
    mu: f64,
    limit: f64,
) -> Slide {
    let n = facet.normal;
    let pull = gravity - n * gravity.dot(n);
    let hold = mu * gravity.dot(n).abs();
    // (3.2) and the static test tan θ ≤ μ.
    let holds = pull.length() <= hold;
    let v = if v.length() > NONE { v } else { DVec3::ZERO };
    let speed = v.length();
    if speed <= 0.0 && holds {
        return Slide {
            duration: 0.0,
            path: Path::Even(DVec3::ZERO),
            end: SlideEnd::Stopped,
        };
    }
    let turning = v.cross(pull).length();
    if turning <= STRAIGHT * speed * pull.length() || pull.length() <= STRAIGHT * hold {
        let against = v.normalize_or(pull.normalize_or_zero()) * hold;
        return straight(facet, p, v, pull - against, holds);
    }
    let askew = Askew::new(n, v, pull, hold);
    let (last, rim) = askew.end(facet, p, limit);
    let end = match rim {
        true => SlideEnd::Edge,
        false if last.sigma.is_finite() => SlideEnd::Time,
        false => SlideEnd::Stopped,
    };
    Slide {
        duration: last.time,
        path: Path::Askew(askew, last),
        end,
    }
}

/// A slide with a constant acceleration, to zero speed or to the edge.
fn straight(facet: &Facet, p: DVec3, v: DVec3, acceleration: DVec3, holds: bool) -> Slide {
    let speed = v.length();
    let slowing = v.dot(acceleration) / speed.max(f64::MIN_POSITIVE);
    let rest = if slowing < 0.0 {
        speed / -slowing
    } else {
        f64::INFINITY
    };
    let edge = leaves(facet, p, v, acceleration);
    let (duration, end) = match (edge <= rest, holds) {
        (true, _) => (edge, SlideEnd::Edge),
        (false, true) => (rest, SlideEnd::Stopped),
        (false, false) => (rest, SlideEnd::Turned),
    };
    Slide {
        duration,
        path: Path::Even(acceleration),
        end,
    }
}

/// Time at which p + v t + ½ a t² leaves the facet in plan.
fn leaves(facet: &Facet, p: DVec3, v: DVec3, a: DVec3) -> f64 {
    let mut first = f64::INFINITY;
    for k in 0..3 {
        let (from, to) = (
            facet.corners[k].truncate(),
            facet.corners[(k + 1) % 3].truncate(),
        );
        let inward = (to - from).perp();
        let distance = inward.dot(p.truncate() - from).max(0.0);
        let rate = inward.dot(v.truncate());
        let bend = inward.dot(a.truncate());
        // distance + rate t + ½ bend t² = 0, the first root at which it falls.
        let square = rate * rate - 2.0 * bend * distance;
        if square < 0.0 {
            continue;
        }
        let root = square.sqrt();
        let time = if rate < 0.0 {
            2.0 * distance / (root - rate)
        } else if bend < 0.0 {
            (rate + root) / -bend
        } else {
            continue;
        };
        first = first.min(time);
    }
    first
}
