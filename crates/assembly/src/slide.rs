//! A sliding cluster in the basin, and when it meets an obstacle or stops: roots that need the basin motion.

use crate::assembly::Assembly;
use crate::cluster::{Cluster, Mode};
use crate::motion::{Kinematics, Onward};
use crate::predict::{NEVER, Prediction};
use crate::roots::{BLUR, falling_root};

/// The obstacle that a sliding cluster may meet: something at rest in the basin.
pub(crate) struct Obstacle {
    /// Its coordinate in the basin, m.
    pub(crate) place: f64,
    /// Small offset to it, m.
    pub(crate) offset: f64,
    /// +1 when it lies to the left of the cluster, −1 to the right.
    pub(crate) side: f64,
}

impl Obstacle {
    /// The wall at `place`.
    pub(crate) fn wall(place: f64, side: f64) -> Self {
        Self {
            place,
            offset: 0.0,
            side,
        }
    }

    /// A body at rest.
    pub(crate) fn body(c: &Cluster, side: f64) -> Self {
        Self {
            place: c.y,
            offset: c.dy,
            side,
        }
    }
}

/// A sliding cluster in basin coordinates from its clock on: y + w τ − R(τ) − f τ²/2.
pub(crate) struct Slide<'a> {
    all: &'a Assembly,
    motion: Onward<'a>,
    start: f64,
    y: f64,
    dy: f64,
    /// Length whose rounding blurs `y`, m.
    coarse: f64,
    w: f64,
    f: f64,
}

/// Part of the free travel up to which a way from a known coordinate is a hop: there its rounding is below that of the basin.
const HOP: f64 = 1e-3;

impl Slide<'_> {
    /// How far rounding lets the gap to an obstacle be known after a displacement, m.
    fn blur(&self, o: &Obstacle, moved: f64) -> f64 {
        let place = if self.y == o.place {
            0.0
        } else {
            self.coarse + o.place.abs()
        };
        let blur = BLUR * (place + self.dy.abs() + o.offset.abs() + moved.abs());
        blur.min(self.all.touch)
    }

    /// Displacement in the basin and relative velocity after `tau`. The displacement stands alone: added to a coordinate
    /// it would lose the digits of small hops.
    pub(crate) fn at(&self, tau: f64) -> (f64, f64) {
        let step = self.motion.increment(tau);
        (
            tau * (self.w - 0.5 * self.f * tau) - step.rest,
            self.w - step.velocity - self.f * tau,
        )
    }

    /// Relative velocity and acceleration after `tau`.
    pub(crate) fn rate(&self, tau: f64) -> (f64, f64) {
        let step = self.motion.increment(tau);
        (
            self.w - step.velocity - self.f * tau,
            -step.acceleration - self.f,
        )
    }

    /// From `from` on (local time): does the relative acceleration point to the right, and until when.
    ///
    /// It vanishes where the basin acceleration is −f; between two such times the relative velocity is monotone, so an
    /// arc holds at most one turn and no root can hide. A search that does not come so far ends the arc where it is; the next
    /// goes on the same way.
    pub(crate) fn arc(&self, from: f64, limit: f64) -> (bool, f64) {
        let beyond = |above| {
            let motion = &self.all.motion;
            motion.acceleration_beyond(from, -self.f, above, limit).0
        };
        let left = beyond(true);
        if left > from {
            return (true, left.min(limit));
        }
        (false, beyond(false).min(limit))
    }

    /// The first arc. A body is released within rounding of the end of an arc, where the level is crossed: there the
    /// acceleration itself, which decided the release, decides.
    pub(crate) fn first_arc(&self, tau: f64, limit: f64) -> (bool, f64) {
        let (rightward, end) = self.arc(self.start + tau, limit);
        if end <= self.start + tau && end < limit {
            return self.next_arc(end, limit);
        }
        let acceleration = self.rate(tau).1;
        let contradicts = if rightward {
            acceleration < 0.0
        } else {
            acceleration > 0.0
        };
        if contradicts && end - (self.start + tau) < 1e-6 * self.all.scale_time {
            return (!rightward, self.arc(self.after(end), limit).1);
        }
        (rightward, end)
    }

    /// The arc that follows one that ended at `end`; a tangent touch of the level is stepped over.
    pub(crate) fn next_arc(&self, end: f64, limit: f64) -> (bool, f64) {
        let (rightward, next) = self.arc(self.after(end), limit);
        (rightward, next.max(self.after(end)).min(limit))
    }

    pub(crate) fn after(&self, time: f64) -> f64 {
        time + 1e-15 * self.all.scale_time.max(time.abs())
    }
}

impl Assembly {
    /// Coordinate in the basin at `t`, in two parts. On a hop from a known one it keeps that and adds an offset, which has
    /// all digits however low the hop.
    pub(crate) fn placed_at(&self, c: &Cluster, t: f64) -> (f64, f64) {
        if c.mode == Mode::Rest {
            return (c.y, c.dy);
        }
        if !c.y.is_nan() {
            let hop = self.slide(c).at(t - c.t).0;
            if hop.abs() <= HOP * self.free {
                return (c.y, c.dy + hop);
            }
        }
        let y = c.slide_to(t).0 - self.motion.place(t);
        (y.high, y.low)
    }

    /// As [`Assembly::meet_obstacle`], at a time at which the gap is not yet closed.
    ///
    /// A root is known to the rounding of the gap over the speed; what is left there sends it back by one step of Newton.
    /// Where the gap bends more than it falls the event is a touch, whose time is that of the turn.
    pub(crate) fn meet_in_time(&self, c: &Cluster, o: &Obstacle, from: f64) -> Prediction {
        let (mut time, exact) = self.meet_obstacle(c, o, from);
        for _ in 0..4 {
            if !exact || time == f64::INFINITY {
                break;
            }
            let (y, dy) = self.placed_at(c, time);
            let gap = o.side * ((y - o.place) + (dy - o.offset));
            let slip = c.slide_to(time).1.value() - self.motion.at(time).velocity;
            let (closing, bend) = (-o.side * slip, self.bounds.acceleration + c.f.abs());
            if gap >= 0.0 || closing <= 0.0 || -4.0 * bend * gap > closing * closing {
                break;
            }
            time = (time + gap / closing).min(time.next_down()).max(c.t);
        }
        (time, exact)
    }

    pub(crate) fn slide(&self, c: &Cluster) -> Slide<'_> {
        let k: Kinematics = self.motion.at(c.t);
        let (y, dy, coarse) = if c.y.is_nan() {
            let y = c.u - self.motion.place(c.t);
            (y.high, y.low, c.u.high.abs() + k.position.abs())
        } else {
            (c.y, c.dy, c.y.abs())
        };
        Slide {
            all: self,
            motion: self.motion.onward(c.t),
            start: c.t,
            y,
            dy,
            coarse,
            w: c.v - k.velocity,
            f: c.f,
        }
    }

    /// How far a search for a root looks ahead before it puts itself back in the queue.
    pub(crate) fn window(&self, from: f64) -> f64 {
        (from + self.scale_time).min(self.motion.next_jump(self.now))
    }

    /// Nothing up to `limit`: look again from there. At a jump of the basin velocity all is predicted anew.
    pub(crate) fn later(&self, limit: f64) -> Prediction {
        if limit < self.motion.next_jump(self.now) {
            (limit, false)
        } else {
            NEVER
        }
    }

    /// The first time at or just after `time` at which the acceleration presses the body against the obstacle in rounded
    /// arithmetic: were it not so, a body met there would leave for an instant, again and again.
    fn pressed(&self, c: &Cluster, o: &Obstacle, time: f64) -> f64 {
        self.past(time, |t| o.side * (self.motion.at(t).acceleration + c.f))
    }

    /// First time from `from` on at which the gap to the obstacle falls to zero.
    ///
    /// Where the gap is zero to rounding at its turn, or where its acceleration vanishes, the event is there: a tangent
    /// touch, whose time as a root of the gap would be known to the square or the cube root of rounding only, is a simple
    /// root of the derivative.
    pub(crate) fn meet_obstacle(&self, c: &Cluster, o: &Obstacle, from: f64) -> Prediction {
        let slide = self.slide(c);
        let limit = self.window(from.max(c.t));
        let apart = (slide.y - o.place) + (slide.dy - o.offset);
        let gap = |tau: f64| {
            let (moved, w) = slide.at(tau);
            (o.side * (apart + moved), o.side * w)
        };
        let mut a = from.max(c.t) - c.t;
        let (mut ga, mut da) = gap(a);
        let (mut rightward, mut end) = slide.first_arc(a, limit);
        if ga <= 0.0 && da < 0.0 {
            return (c.t + a, true);
        }
        if ga <= 0.0 && da == 0.0 && rightward != (o.side > 0.0) {
            return (self.pressed(c, o, c.t + a), true);
        }
        loop {
            let b = end - c.t;
            let (gb, db) = gap(b);
            let convex = rightward == (o.side > 0.0);
            let turn = |lo: f64, hi: f64| {
                let sign = if convex { -o.side } else { o.side };
                falling_root(
                    |tau| {
                        let (w, dw) = slide.rate(tau);
                        (sign * w, sign * dw)
                    },
                    lo,
                    hi,
                )
            };
            let touches = |tau: f64, g: f64| g.abs() <= slide.blur(o, slide.at(tau).0);
            let bracket = if convex && da < 0.0 && db > 0.0 {
                let m = turn(a, b);
                let gm = gap(m).0;
                if ga > 0.0 && touches(m, gm) {
                    return (c.t + m, true);
                }
                (ga > 0.0 && gm <= 0.0).then_some((a, m))
            } else if !convex && da > 0.0 && db < 0.0 {
                (gb <= 0.0).then(|| (turn(a, b), b))
            } else {
                let falls = da <= 0.0 && db <= 0.0 && (da < 0.0 || !convex);
                if falls && ga > 0.0 && end < limit && touches(b, gb) {
                    let time = if convex { self.pressed(c, o, end) } else { end };
                    return (time, true);
                }
                (falls && ga >= 0.0 && gb <= 0.0).then_some((a, b))
            };
            if let Some((lo, hi)) = bracket {
                return (c.t + falling_root(gap, lo, hi), true);
            }
            if end >= limit {
                return self.later(limit);
            }
            (a, ga, da) = (b, gb, db);
            (rightward, end) = slide.next_arc(end, limit);
        }
    }

    /// First time from `from` on at which the relative velocity of a sliding cluster falls to zero.
    pub(crate) fn stop(&self, c: &Cluster, from: f64) -> Prediction {
        let slide = self.slide(c);
        let limit = self.window(from.max(c.t));
        let side = c.f.signum();
        let speed = |tau: f64| {
            let (w, dw) = slide.rate(tau);
            (side * w, side * dw)
        };
        let mut a = from.max(c.t) - c.t;
        let (mut rightward, mut end) = slide.first_arc(a, limit);
        if rightward != (side > 0.0) && speed(a).0 <= 0.0 {
            return (c.t + a, true);
        }
        loop {
            let b = end - c.t;
            if rightward != (side > 0.0) && speed(b).0 <= 0.0 {
                return (c.t + falling_root(speed, a, b), true);
            }
            if end >= limit {
                return self.later(limit);
            }
            a = b;
            (rightward, end) = slide.next_arc(end, limit);
        }
    }
}
