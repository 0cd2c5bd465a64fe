//! Pseudo-sliding of a lumped mass, (3.1) to (3.8) of the RocFall3 lumped-mass manual: gravity along the ground and
//! friction μ N against the motion, the spin unchanged.
//!
//! a = g_t − μ g_n v̂, with g_n = |g·n|. Along the line of steepest descent a is constant and one step is exact.
//! Otherwise the direction of friction turns with the motion at the rate θ̇ = |v̂ × g_t|/|v|. A step follows the
//! classical rule of Runge and Kutta with stages k: its parabola has the mean of a, and begins by (k₁ − k₄) h²/12
//! beside the place, so that it ends where the rule does. It is as long as this, about μ g_n θ̇ h³/12, is under a
//! micrometre. Close to the direction of descent v turns towards it at the relative rate |g_t|/|v|, however slowly
//! friction brakes it: no step is longer than |v|/|g_t|, or the rule would keep a direction for ever that is none of
//! the motion. What friction stops within half a millisecond goes straight: |v| falls at least at the rate μ g_n −
//! |g_t|, whatever the direction.

use glam::DVec3;
use klast_geometry::terrain::Facet;

/// How far a step may begin beside the path where that bends (m), and the time (s) in which what friction stops goes
/// straight: gravity changes a velocity by 5 mm/s in it.
const BEND_ERROR: f64 = 1e-6;
const STOPS: f64 = 5e-4;
/// The shortest step (s): 1e-14 m/s.
const LEAST: f64 = 1e-15;
/// The stages of a step are those of its duration to this part of it: a changes by a tenth in a step, so that is 1e-6
/// of the way.
const SAME: f64 = 1e-4;

/// A step of a slide on one facet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slide {
    pub duration: f64,
    /// From the place to where the parabola of the step begins (m).
    pub shift: DVec3,
    pub acceleration: DVec3,
    pub end: SlideEnd,
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
    /// The step was long enough; it slides on.
    Step,
    /// Another material begins here.
    Border,
}

/// One step from `p` with velocity `v` in the facet's plane. Friction that holds the rock ends it at rest.
pub(crate) fn slide(facet: &Facet, p: DVec3, v: DVec3, gravity: DVec3, mu: f64) -> Slide {
    let n = facet.normal;
    let pull = gravity - n * gravity.dot(n);
    let hold = mu * gravity.dot(n).abs();
    // (3.2) and the static test tan θ ≤ μ.
    let holds = pull.length() <= hold;
    let speed = v.length();
    if speed <= 0.0 && holds {
        return Slide {
            duration: 0.0,
            shift: DVec3::ZERO,
            acceleration: DVec3::ZERO,
            end: SlideEnd::Stopped,
        };
    }
    let friction = |v: DVec3| pull - v.normalize_or(pull.normalize_or_zero()) * hold;
    let first = friction(v);
    let turning = v.cross(pull).length();
    let slowing = v.dot(first) / speed.max(f64::MIN_POSITIVE);
    let straight = turning <= 1e-12 * speed * pull.length();
    let end = |acceleration: DVec3, shift: DVec3, longest: f64| {
        let mut step = Slide {
            duration: longest,
            shift,
            acceleration,
            end: SlideEnd::Step,
        };
        let slowing = v.dot(acceleration) / speed.max(f64::MIN_POSITIVE);
        let time = speed / -slowing;
        if slowing < 0.0 && time <= step.duration {
            let end = match (holds, straight) {
                (true, _) => SlideEnd::Stopped,
                (false, true) => SlideEnd::Turned,
                (false, false) => SlideEnd::Step,
            };
            step = Slide {
                duration: time,
                end,
                ..step
            };
        }
        let edge = leaves(facet, p + shift, v, acceleration);
        if edge <= step.duration {
            step = Slide {
                duration: edge,
                end: SlideEnd::Edge,
                ..step
            };
        }
        step
    };
    if straight {
        return end(first, DVec3::ZERO, f64::INFINITY);
    }
    if holds && speed <= (hold - pull.length()) * STOPS {
        // The braking of this moment does not tell: it weakens as the motion turns downhill.
        return end(v / speed * slowing, DVec3::ZERO, f64::INFINITY);
    }
    let half = 0.5 * speed / slowing.abs().max(f64::MIN_POSITIVE);
    let bend = libm::cbrt(12.0 * BEND_ERROR * speed * speed / (hold * turning));
    // A tenth of a radian at a time: uphill the direction turns round within a few millimetres.
    let turn = 0.1 * speed * speed / turning;
    let settles = speed / pull.length();
    let longest = bend.min(half).min(turn).min(settles).max(LEAST);
    let followed = |step: f64| {
        let second = friction(v + first * (0.5 * step));
        let third = friction(v + second * (0.5 * step));
        let fourth = friction(v + third * step);
        let mean = (first + 2.0 * (second + third) + fourth) / 6.0;
        end(mean, (first - fourth) * (step * step / 12.0), longest)
    };
    // Cut short by an edge or the end: the stages are those of the shorter step, of which the first two give a good
    // guess.
    let guess = end(first, DVec3::ZERO, longest).duration;
    let halfway = friction(v + first * (0.5 * guess));
    let mut guess = end(halfway, DVec3::ZERO, longest).duration;
    let mut step = followed(guess);
    for _ in 0..2 {
        if (step.duration - guess).abs() <= SAME * guess {
            break;
        }
        guess = step.duration;
        step = followed(guess);
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
