//! A slide askew on a plane with dry friction, in closed form.
//!
//! With p the pull of gravity along the plane, k = μ g_n/p, θ the angle between velocity and pull and u = tan(θ/2), the
//! equations v θ̇ = −p sin θ and v̇ = p cos θ − k p give v = C (uᵏ⁻¹ + uᵏ⁺¹)/2: the hodograph is a power law. The
//! parameter here is σ = ln(u₀/u), which grows from 0, with dσ = p dt/v. With c = cos(θ₀/2), s = sin(θ₀/2) and
//! φ(n) = (1 − e^(−nσ))/n, which is σ for n = 0,
//!
//! - time: v₀/p (c² φ(k − 1) + s² φ(k + 1));
//! - velocity down and across: v₀ (c² e^(−(k−1)σ) − s² e^(−(k+1)σ)), 2 v₀ c s e^(−kσ);
//! - way down: v₀²/p (c⁴ φ(2k − 2) − s⁴ φ(2k + 2)), across: 2 v₀²/p (c³ s φ(2k − 1) + c s³ φ(2k + 1)).
//!
//! All of it holds for any k ≥ 0 and 0 < θ₀ < π. For k > 1 the mass comes to rest at σ = ∞, after a finite time. The
//! velocity turns by less than π, so the distance from an edge has at most one turning point, whose σ is known: each
//! edge is met in a stretch on which that distance falls.

use super::decay::Decay;
use glam::{DVec2, DVec3};
use klast_geometry::terrain::Facet;

/// How far a parabola that stands for a part of the slide may be off it (m).
pub(crate) const BEND_ERROR: f64 = 4e-6;
/// A σ that Newton's rule moves by less than this part of it is taken to its root along the motion, with an error of
/// the square of this part.
const NEAR: f64 = 1e-8;
/// A bracket is closed to this part of a σ.
const SAME: f64 = 8.0 * f64::EPSILON;
/// No mass slides on for a larger σ: uᵏ is beyond all numbers.
const LARGEST: f64 = 1e300;
/// Steps of Halley's rule before anything else is tried.
const QUICK: u32 = 4;
/// Steps of Newton's rule with halvings in between, at most: a bracket is halved to rounding in 60.
const STEPS: u32 = 200;

/// A slide from a place, by σ.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Askew {
    /// Unit vectors down the plane, and across it on the side of the motion.
    axes: [DVec3; 2],
    speed: f64,
    pull: f64,
    /// k.
    ratio: f64,
    /// c and s.
    half: DVec2,
}

/// The slide at a σ: time (s), way (m) and velocity (m/s) down and across.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub sigma: f64,
    pub time: f64,
    pub way: DVec2,
    pub velocity: DVec2,
}

/// A side of a facet as the slide sees it: how far inside (m², by its length) and what a way down and across adds.
#[derive(Clone, Copy)]
struct Side {
    distance: f64,
    inward: DVec2,
}

impl Askew {
    /// A slide with velocity `v` in a plane along which gravity pulls by `pull` (m/s²) and friction brakes by `hold`.
    /// `v` must not lie along the pull.
    pub(crate) fn new(normal: DVec3, v: DVec3, pull: DVec3, hold: f64) -> Self {
        let size = pull.length();
        let down = pull / size;
        let side = normal.cross(down);
        let across = if side.dot(v) >= 0.0 { side } else { -side };
        let (fall, cross) = (v.dot(down), v.dot(across));
        let speed = (fall * fall + cross * cross).sqrt();
        let greater = (0.5 * (speed + fall.abs()) / speed).sqrt();
        let lesser = 0.5 * cross / (speed * greater);
        let half = if fall >= 0.0 {
            DVec2::new(greater, lesser)
        } else {
            DVec2::new(lesser, greater)
        };
        Askew {
            axes: [down, across],
            speed,
            pull: size,
            ratio: hold / size,
            half,
        }
    }

    pub(crate) fn at(&self, sigma: f64) -> Moment {
        let (k, v, DVec2 { x: c, y: s }) = (self.ratio, self.speed, self.half);
        let decay = |n: f64| Decay::of(n, sigma);
        let (one, slow) = (decay(1.0), decay(k - 1.0));
        let (two, slow_twice) = (one.twice(), slow.twice());
        // What grows by more than e would be taken from what is as large, and so would what hardly changes.
        let grows = slow.rate * sigma < -1.0;
        let sum = |a: &Decay, b: &Decay, n: f64| match grows || n.abs() < 0.25 {
            true => decay(n),
            false => a.with(b),
        };
        let fast = sum(&slow, &two, k + 1.0);
        let odd = sum(&slow_twice, &one, 2.0 * k - 1.0);
        let next = sum(&odd, &two, 2.0 * k + 1.0);
        let fast_twice = fast.twice();
        let (cc, cs, ss) = (c * c, c * s, s * s);
        let scale = v * v / self.pull;
        Moment {
            sigma,
            time: v / self.pull * (cc * slow.mean + ss * fast.mean),
            way: DVec2::new(
                scale * (cc * cc * slow_twice.mean - ss * ss * fast_twice.mean),
                2.0 * scale * cs * (cc * odd.mean + ss * next.mean),
            ),
            velocity: DVec2::new(
                v * slow.left * (cc - ss * two.left),
                2.0 * v * cs * slow.left * one.left,
            ),
        }
    }

    /// Where the slide begins.
    pub(crate) fn begin(&self) -> Moment {
        Moment {
            sigma: 0.0,
            time: 0.0,
            way: DVec2::ZERO,
            velocity: self.start() * self.speed,
        }
    }

    /// A moment moved by a small part of its σ, along the motion, to the second order.
    fn moved(&self, now: Moment, by: f64) -> Moment {
        let speed = now.velocity.length();
        if speed == 0.0 {
            return now;
        }
        let (p, k, along) = (self.pull, self.ratio, now.velocity / speed);
        let time = speed / p * by * (1.0 + 0.5 * by * (along.x - k));
        // v̇ along and across: the pull less the friction along the motion, which turns with it.
        let rate = DVec2::X * p - along * (k * p);
        let jerk = (along * along.x - DVec2::X) * (k * p * p / speed);
        Moment {
            sigma: now.sigma + by,
            time: now.time + time,
            way: now.way + (now.velocity + rate * (0.5 * time)) * time,
            velocity: now.velocity + (rate + jerk * (0.5 * time)) * time,
        }
    }

    /// A vector down and across in space.
    pub(crate) fn in_space(&self, v: DVec2) -> DVec3 {
        self.axes[0] * v.x + self.axes[1] * v.y
    }

    /// Where the slide ends: on the rim of a facet, at rest (σ = ∞) or after `limit` (s). With it, whether that is the
    /// rim.
    pub(crate) fn end(&self, facet: &Facet, p: DVec3, limit: f64) -> (Moment, bool) {
        let mut sides = [0, 1, 2].map(|k| {
            let (from, to) = (facet.corners[k], facet.corners[(k + 1) % 3]);
            let normal = (to - from).truncate().perp();
            let side = Side {
                distance: normal.dot((p - from).truncate()).max(0.0),
                inward: DVec2::from(self.axes.map(|a| normal.dot(a.truncate()))),
            };
            (side, self.guess(side))
        });
        // The side over which it seems to leave comes first: the others are then looked at there only.
        sides.sort_unstable_by(|a, b| a.1.total_cmp(&b.1));
        let mut first: Option<Moment> = None;
        for (side, guess) in sides {
            first = self.leaves(side, guess, first.as_ref()).or(first);
        }
        match first {
            Some(now) if now.time <= limit => (now, true),
            _ => (self.last(limit), false),
        }
    }

    /// The moment after `limit` (s), or of rest where that is before.
    fn last(&self, limit: f64) -> Moment {
        let rest = (self.ratio > 1.0).then(|| self.at(f64::INFINITY));
        if let Some(rest) = rest.filter(|rest| rest.time <= limit) {
            return rest;
        }
        let left = |now: &Moment| (limit - now.time, -now.velocity.length() / self.pull);
        let guess = (limit * self.pull / self.speed).min(1.0);
        let found = self.root(left, (0.0, f64::INFINITY), guess);
        let found = found.or(rest).unwrap_or_else(|| self.begin());
        Moment {
            time: limit,
            ..found
        }
    }

    /// About where the slide leaves over a side: with the acceleration of its beginning.
    fn guess(&self, side: Side) -> f64 {
        let start = self.start();
        let (speed, brake) = (self.speed, self.pull * (start.x - self.ratio));
        let rate = speed * side.inward.dot(start);
        let bend = self.pull * (side.inward.x - self.ratio * side.inward.dot(start));
        let square = rate * rate - 2.0 * bend * side.distance;
        let time = match rate < 0.0 {
            true => 2.0 * side.distance / (square.max(0.0).sqrt() - rate),
            false if bend < 0.0 => (rate + square.max(0.0).sqrt()) / -bend,
            false => return f64::INFINITY,
        };
        self.pull * time / (speed + 0.5 * brake * time).max(0.25 * speed)
    }

    /// The direction at the beginning, down and across.
    fn start(&self) -> DVec2 {
        let DVec2 { x: c, y: s } = self.half;
        DVec2::new(c * c - s * s, 2.0 * c * s)
    }

    /// The first moment, up to another, at which the slide goes out over a side.
    fn leaves(&self, side: Side, guess: f64, before: Option<&Moment>) -> Option<Moment> {
        let Side { distance, inward } = side;
        let rate = inward.dot(self.start());
        let over = |now: &Moment| distance + inward.dot(now.way);
        if distance <= 0.0 && rate < 0.0 {
            return Some(self.begin());
        }
        if let Some(now) = before {
            // With one turn at most it has come nearer either all the way, or not at all, or up to its turn or from it.
            let falls = inward.dot(now.velocity) < 0.0;
            if (falls && over(now) > 0.0) || (!falls && rate >= 0.0) {
                return None;
            }
        } else if let Some(now) = self.over_at_once(side, guess) {
            return Some(now);
        }
        self.leaves_between(side, guess, before)
    }

    /// Where the slide goes out over a side near a guess. Since the distance from it falls in one stretch only, that is
    /// the first place where it does so.
    fn over_at_once(&self, Side { distance, inward }: Side, guess: f64) -> Option<Moment> {
        let (k, mut sigma) = (self.ratio, guess);
        for _ in 0..QUICK {
            let now = self.at(sigma);
            let (speed, rate) = (now.velocity.length(), inward.dot(now.velocity));
            // Value, slope and bend by σ, the last two in parts of 1/p.
            let value = self.pull * (distance + inward.dot(now.way));
            let slope = rate * speed;
            let bend = inward.x * speed * speed + rate * (now.velocity.x - 2.0 * k * speed);
            // Halley's rule.
            let by = -value / (slope - 0.5 * value * bend / slope);
            if !(slope < 0.0 && by.abs() <= 0.5 * sigma) {
                return None;
            }
            // Its error, and that of a motion of the second order, is about the third power.
            let part = (2.0 * k + 2.0) * by;
            if (part * part * part).abs() <= SAME * (2.0 * k + 2.0) * sigma {
                return Some(self.moved(now, by));
            }
            sigma += by;
        }
        None
    }

    /// The same from the stretch in which the distance falls.
    fn leaves_between(&self, side: Side, guess: f64, before: Option<&Moment>) -> Option<Moment> {
        let Side { distance, inward } = side;
        let rate = inward.dot(self.start());
        // Beside a turn that has just been, rounding may tell of a coming one.
        let turn = self.turn(inward).max(0.0);
        // From where to where the distance falls: at the end the slide goes straight down.
        let (low, high) = match (rate < 0.0, inward.x) {
            (true, x) if x > 0.0 => (0.0, turn),
            (true, _) => (0.0, f64::INFINITY),
            (false, x) if x < 0.0 => (turn, f64::INFINITY),
            (false, _) => return None,
        };
        if distance <= 0.0 && low == 0.0 {
            return Some(self.begin());
        }
        let last = before.map_or(f64::INFINITY, |now| now.sigma);
        if low >= last {
            return None;
        }
        let over = |now: &Moment| distance + inward.dot(now.way);
        let inside = match before {
            Some(now) if last <= high => over(now) > 0.0,
            _ if high.is_finite() || self.ratio > 1.0 => over(&self.at(high)) > 0.0,
            _ => false,
        };
        if inside {
            return None;
        }
        let left = |now: &Moment| {
            let slope = inward.dot(now.velocity) * now.velocity.length() / self.pull;
            (over(now), slope)
        };
        self.root(left, (low, high.min(last)), guess)
    }

    /// The σ at which the slide moves along a side; below zero where it would have done so before.
    fn turn(&self, inward: DVec2) -> f64 {
        let DVec2 { x: a, y: b } = inward;
        // a (1 − u²) + 2 b u = 0 has one root above zero.
        let (b, size) = (b * a.signum(), libm::hypot(a, b));
        let along = if b >= 0.0 {
            (b + size) / a.abs()
        } else {
            a.abs() / (size - b)
        };
        libm::log(self.half.y / (self.half.x * along))
    }

    /// The root of a function (value, slope by σ) that falls from above zero between two σ; `None` where it does not
    /// reach zero.
    fn root(
        &self,
        f: impl Fn(&Moment) -> (f64, f64),
        (mut low, mut high): (f64, f64),
        guess: f64,
    ) -> Option<Moment> {
        let (mut sigma, mut step) = (guess, f64::INFINITY);
        for _ in 0..STEPS {
            if !(sigma > low && sigma < high) {
                sigma = match high.is_finite() {
                    true => 0.5 * (low + high),
                    false => 2.0 * low.max(1e-12),
                };
            }
            let now = self.at(sigma);
            let (value, slope) = f(&now);
            match value > 0.0 {
                true => low = sigma,
                false => high = sigma,
            }
            let newton = -value / slope;
            if newton.abs() <= NEAR * sigma {
                return Some(self.moved(now, newton));
            }
            if high - low <= SAME * low {
                return Some(now);
            }
            if low > LARGEST {
                return None;
            }
            // Time and way grow as powers of e: far from the root Newton's rule would go too far, or too slowly back.
            let next = match high.is_finite() {
                true if newton.abs() > 0.5 * step => 0.5 * (low + high),
                true => sigma + newton,
                false => (sigma + newton).min(2.0 * sigma),
            };
            step = (next - sigma).abs();
            sigma = next;
        }
        high.is_finite().then(|| self.at(high))
    }

    /// The σ at a part, 0 to 1, of the way between two, about in proportion to time.
    pub(crate) fn between(&self, from: f64, to: f64, part: f64) -> f64 {
        if part >= 1.0 {
            return to;
        }
        let (n, span) = (self.ratio - 1.0, to - from);
        let x = n * span;
        match x.abs() < 1e-9 {
            true => from + part * span,
            false => from - libm::log1p(part * libm::expm1(-x)) / n,
        }
    }

    /// In how many parts the slide up to a σ goes no farther than `reach` (m) each.
    pub(crate) fn parts(&self, end: &Moment, reach: f64) -> f64 {
        let (start, to) = (self.begin(), end.sigma);
        // |v| is a sum of powers, which is greatest at an end; a part takes at most as long as where c² + s² e^(−2σ) is 1.
        let speed = start.velocity.length().max(end.velocity.length());
        let n = self.ratio - 1.0;
        let span = if (n * to).abs() < 1e-9 {
            to
        } else {
            -libm::expm1(-n * to) / n
        };
        speed * self.speed / self.pull * span / reach
    }

    /// The end of the longest part from a moment, up to another, for which a parabola stands.
    pub(crate) fn part(&self, from: &Moment, last: &Moment) -> Moment {
        let mut to = *last;
        for _ in 0..STEPS {
            let error = 0.5 * beside(from, &to).length();
            if error <= BEND_ERROR {
                break;
            }
            // It grows as the cube of the time.
            let part = (0.9 * libm::cbrt(BEND_ERROR / error)).clamp(0.02, 0.7);
            let shorter = self.between(from.sigma, to.sigma, part);
            if shorter <= from.sigma || shorter >= to.sigma {
                break;
            }
            to = self.at(shorter);
        }
        to
    }
}

/// From where the mean of two velocities leads, to the second of two moments (m).
fn beside(from: &Moment, to: &Moment) -> DVec2 {
    let mean = 0.5 * (from.velocity + to.velocity);
    to.way - from.way - mean * (to.time - from.time)
}

/// Place at the beginning and acceleration of the parabola between two moments: it has their velocities, and is as far
/// off their places at its beginning as at its end, which is where it is farthest off.
pub(crate) fn parabola(from: &Moment, to: &Moment) -> (DVec2, DVec2) {
    let time = to.time - from.time;
    let rate = match time > 0.0 {
        true => (to.velocity - from.velocity) / time,
        false => DVec2::ZERO,
    };
    (from.way + 0.5 * beside(from, to), rate)
}
