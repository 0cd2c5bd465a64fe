//! Pseudo-sliding of a lumped mass, (3.1) to (3.8) of the RocFall3 lumped-mass manual: gravity along the ground and friction μ N against the motion,
//! the spin unchanged.
//!
//! a = g_t − μ g_n v̂, with g_n = |g·n|. Along the line of steepest descent a is constant and one step is exact. Otherwise the direction of friction turns
//! with the motion; the step takes it from the middle of the step (second order).

use glam::DVec3;
use klast_geometry::terrain::Facet;

/// Longest step where the path bends (s): the bend over a step is then at most about g h / v, and the error of the path of order h² of that.
const BEND_STEP: f64 = 0.005;

/// A step of a slide on one facet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slide {
    pub duration: f64,
    pub acceleration: DVec3,
    pub end: SlideEnd,
}

/// Why the step ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum SlideEnd {
    /// Friction holds the rock.
    Stopped,
    /// It has come to the edge of the facet.
    Edge,
    /// The step was long enough; it slides on.
    Step,
}

/// One step from `p` with velocity `v` in the facet's plane; `cutoff` is the speed at which friction may hold the rock.
pub(crate) fn slide(
    facet: &Facet,
    p: DVec3,
    v: DVec3,
    gravity: DVec3,
    mu: f64,
    cutoff: f64,
) -> Slide {
    let n = facet.normal;
    let pull = gravity - n * gravity.dot(n);
    let hold = mu * gravity.dot(n).abs();
    // (3.2) and the static test tan θ ≤ μ.
    let holds = pull.length() <= hold;
    let speed = v.length();
    if speed <= cutoff && holds {
        return Slide {
            duration: 0.0,
            acceleration: DVec3::ZERO,
            end: SlideEnd::Stopped,
        };
    }
    let friction = |v: DVec3| pull - v.normalize_or(pull.normalize_or_zero()) * hold;
    let straight = v.cross(pull).length() <= 1e-12 * speed * pull.length();
    let (acceleration, longest) = if straight {
        (friction(v), f64::INFINITY)
    } else {
        (friction(v + friction(v) * (0.5 * BEND_STEP)), BEND_STEP)
    };
    let mut step = Slide {
        duration: longest,
        acceleration,
        end: SlideEnd::Step,
    };
    // Uphill or held: the speed falls; it ends where it meets the cutoff (or zero, where an uphill slide turns).
    let slowing = v.dot(acceleration) / speed.max(f64::MIN_POSITIVE);
    if slowing < 0.0 {
        let floor = if holds { cutoff } else { 0.0 };
        let time = (speed - floor) / -slowing;
        if time <= step.duration {
            step = Slide {
                duration: time,
                end: if holds {
                    SlideEnd::Stopped
                } else {
                    SlideEnd::Step
                },
                ..step
            };
        }
    }
    let edge = leaves(facet, p, v, acceleration);
    if edge <= step.duration {
        step = Slide {
            duration: edge,
            end: SlideEnd::Edge,
            ..step
        };
    }
    step
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
