//! When something can happen next: to a contact of a sliding cluster, and to a cluster.
//!
//! A prediction is made from the local state and costs O(1). Where a root needs the basin motion there is a cheap lower
//! bound first; the root is solved only when the bound comes up, for most are overtaken by another impact.

use crate::clock::Clock;
use crate::closing::{BLUR, no_later, parabola_falls};
use crate::cluster::{Cluster, Mode};
use crate::model::Model;
use crate::slide::{Obstacle, Slide};
use klast_numerics::DoubleDouble;
use klast_numerics::roots::newton;

/// A time and whether the event is there, or only cannot be earlier.
pub(crate) type Prediction = (f64, bool);

/// Part of the drive period for which a bound is queued instead of a root: by then another impact has often come first.
const WORTH_WAITING: f64 = 0.01;

pub(crate) const NEVER: Prediction = (f64::INFINITY, true);

/// Part of the free travel up to which the displacement from a known coordinate is a hop: there its rounding is below
/// that of the basin.
const HOP: f64 = 1e-3;

/// Predicts from what does not change and from the motion of the basin; clusters are asked one by one.
#[derive(Clone, Copy)]
pub(crate) struct Predictor<'a> {
    model: &'a Model,
    clock: &'a Clock,
}

impl<'a> Predictor<'a> {
    pub(crate) fn new(model: &'a Model, clock: &'a Clock) -> Self {
        Self { model, clock }
    }

    /// A time before which the cluster cannot reach the obstacle: its laboratory parabola must first reach the band in
    /// which the obstacle swings.
    pub(crate) fn bound(&self, c: &Cluster, o: &Obstacle) -> Prediction {
        let reach = self.model.bounds.position;
        let gap = o.side * (c.u.high - o.place - o.offset) - reach;
        if gap <= 0.0 || !reach.is_finite() {
            return self.swing_bound(c, o);
        }
        (
            c.t + parabola_falls(gap, o.side * c.v, -o.side * c.f, 0.0),
            false,
        )
    }

    /// Inside the band: leaving faster than the basin ever moves, it cannot meet until friction has slowed it down.
    pub(crate) fn swing_bound(&self, c: &Cluster, o: &Obstacle) -> Prediction {
        let excess = o.side * c.v - self.model.bounds.velocity;
        if excess <= 0.0 {
            return (c.t, false);
        }
        let slowing = o.side * c.f;
        if slowing > 0.0 {
            (c.t + excess / slowing, false)
        } else {
            NEVER
        }
    }

    /// A time before which a sliding cluster cannot stop: its speed must come down to that of the basin first.
    pub(crate) fn stop_bound(&self, c: &Cluster) -> Prediction {
        let forward = if c.f > 0.0 { c.v } else { -c.v };
        let excess = forward - self.model.bounds.velocity;
        if excess > 0.0 {
            return (c.t + excess / c.f.abs(), false);
        }
        let slip = c.v - self.clock.kinematics_at(c.t).velocity;
        (
            c.t + slip.abs() / (self.model.bounds.acceleration + c.f.abs()),
            false,
        )
    }

    /// A later time before which a sliding cluster cannot stop, if it is worth waiting for: relative accelerations
    /// are bounded.
    pub(crate) fn slip_bound(&self, c: &Cluster, from: f64) -> Option<Prediction> {
        let slip = c.slide_to(from).1.value() - self.clock.motion.at(from).velocity;
        let wait = slip.abs() / (self.model.bounds.acceleration + c.f.abs());
        (wait > WORTH_WAITING * self.model.scale_time).then_some((from + wait, false))
    }

    /// A later time before which a sliding cluster cannot reach the obstacle, if it is worth waiting for.
    pub(crate) fn meet_bound(&self, c: &Cluster, o: &Obstacle, from: f64) -> Option<Prediction> {
        let ((u, v), k) = (c.slide_to(from), self.clock.motion.at(from));
        let gap = o.side * (u.high - k.position - o.place - o.offset);
        let closing = (-o.side * (v.high - k.velocity)).max(0.0);
        let bend = self.model.bounds.acceleration + c.f.abs();
        let wait = 2.0 * gap / (closing + (closing * closing + 2.0 * bend * gap.max(0.0)).sqrt());
        (wait > WORTH_WAITING * self.model.scale_time).then_some((from + wait, false))
    }

    /// First time from `from` on at which the basin acceleration overcomes the floor and no wall is in the way.
    pub(crate) fn release(&self, c: usize, cluster: &Cluster, from: f64) -> Prediction {
        let (at_left, at_right) = self.at_walls(c, cluster);
        let (to_right, to_left) = self.model.thresholds(c, cluster.last);
        let limit = match self.clock.motion.next_jump(self.clock.now) {
            jump if jump.is_finite() => jump,
            _ if self.clock.motion.law().period().is_some() => f64::INFINITY,
            _ => from + 16.0 * self.model.scale_time,
        };
        let beyond = |wall, level, above| {
            if wall {
                NEVER
            } else {
                self.clock
                    .motion
                    .acceleration_beyond(from, level, above, limit)
            }
        };
        let (right, surely_right) = beyond(at_right, -to_right, false);
        let (left, surely_left) = beyond(at_left, to_left, true);
        let (time, found) = if right <= left {
            (right, surely_right)
        } else {
            (left, surely_left)
        };
        if !found {
            return (time, false);
        }
        if time == f64::INFINITY {
            return if limit.is_finite() && !(at_left && at_right) {
                self.later(limit)
            } else {
                NEVER
            };
        }
        let pull = |t: f64| {
            let a = self.clock.motion.at(t).acceleration;
            if right <= left {
                -a - to_right
            } else {
                a - to_left
            }
        };
        (self.past(time, pull), true)
    }

    /// The first time at or just after `time` at which `pull` is truly positive in rounded arithmetic, so that a
    /// released block is pushed the right way from its first instant on.
    pub(crate) fn past(&self, time: f64, pull: impl Fn(f64) -> f64) -> f64 {
        let mut step = f64::EPSILON * self.model.scale_time.max(time.abs());
        let mut t = time;
        // Doubling reaches 1e-6 of the period in about 33 rounds, beyond any tangent touch of the threshold.
        for _ in 0..40 {
            if pull(t) > 0.0 {
                break;
            }
            t += step;
            step *= 2.0;
        }
        t
    }

    /// Whether a resting cluster touches the left and the right wall.
    pub(crate) fn at_walls(&self, c: usize, cluster: &Cluster) -> (bool, bool) {
        (
            c == 0 && cluster.lies_at(0.0),
            cluster.last + 1 == self.model.len() && cluster.lies_at(self.model.free),
        )
    }

    /// Coordinate in the basin at `t`, in two parts. On a hop from a known one it keeps that and adds an offset, which
    /// has all digits however low the hop.
    pub(crate) fn placed_at(&self, c: &Cluster, t: f64) -> (f64, f64) {
        if c.mode == Mode::Rest {
            return (c.y, c.dy);
        }
        if !c.y.is_nan() {
            let hop = self.slide(c).at(t - c.t).0;
            if hop.abs() <= HOP * self.model.free {
                return (c.y, c.dy + hop);
            }
        }
        let y = c.slide_to(t).0 - self.clock.motion.basin_position(t);
        (y.high, y.low)
    }

    /// As [`Predictor::meet_obstacle`], at a time at which the gap is not yet closed.
    ///
    /// A root is known to the rounding of the gap over the speed; what is left there sends it back by one step of
    /// Newton. Where the gap bends more than it falls the event is a touch, whose time is that of the turn.
    pub(crate) fn meet_in_time(&self, c: &Cluster, o: &Obstacle, from: f64) -> Prediction {
        let (mut time, exact) = self.meet_obstacle(c, o, from);
        for _ in 0..4 {
            if !exact || time == f64::INFINITY {
                break;
            }
            let (y, dy) = self.placed_at(c, time);
            let gap = o.side * ((y - o.place) + (dy - o.offset));
            let slip = c.slide_to(time).1.value() - self.clock.motion.at(time).velocity;
            let (closing, bend) = (-o.side * slip, self.model.bounds.acceleration + c.f.abs());
            if gap >= 0.0 || closing <= 0.0 || -4.0 * bend * gap > closing * closing {
                break;
            }
            time = (time + gap / closing).min(time.next_down()).max(c.t);
        }
        (time, exact)
    }

    fn slide(&self, c: &Cluster) -> Slide<'a> {
        let Model {
            touch, scale_time, ..
        } = *self.model;
        Slide::new(&self.clock.motion, c, touch, scale_time)
    }

    /// How far a search for a root looks ahead before it puts itself back in the queue.
    pub(crate) fn window(&self, from: f64) -> f64 {
        (from + self.model.scale_time).min(self.clock.motion.next_jump(self.clock.now))
    }

    /// Nothing up to `limit`: look again from there. At a jump of the basin velocity all is predicted anew.
    pub(crate) fn later(&self, limit: f64) -> Prediction {
        if limit < self.clock.motion.next_jump(self.clock.now) {
            (limit, false)
        } else {
            NEVER
        }
    }

    /// The first time at or just after `time` at which the acceleration presses the body against the obstacle in
    /// rounded arithmetic: were it not so, a body met there would leave for an instant, again and again.
    fn pressed(&self, c: &Cluster, o: &Obstacle, time: f64) -> f64 {
        self.past(time, |t| {
            o.side * (self.clock.motion.at(t).acceleration + c.f)
        })
    }

    /// First time from `from` on at which the gap to the obstacle falls to zero.
    ///
    /// Where the gap is zero to rounding at its turn, or where its acceleration vanishes, the event is there: a tangent
    /// touch, whose time as a root of the gap would be known to the square or the cube root of rounding only, is a
    /// simple root of the derivative.
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
                newton((lo, hi), 0.5 * (lo + hi), false, |tau| {
                    let (w, dw) = slide.rate(tau);
                    (sign * w, sign * dw)
                })
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
                return (c.t + newton((lo, hi), 0.5 * (lo + hi), false, gap), true);
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
                return (c.t + newton((a, b), 0.5 * (a + b), false, speed), true);
            }
            if end >= limit {
                return self.later(limit);
            }
            a = b;
            (rightward, end) = slide.next_arc(end, limit);
        }
    }
}

/// Two sliding clusters: their relative laboratory motion is a parabola, straight where they slide the same way.
#[inline]
pub(crate) fn meet(l: &Cluster, r: &Cluster, touch: f64) -> Prediction {
    let apart = r.u - l.u;
    // One of the two has just been in an event.
    let (now, gap, rate) = if l.t == r.t {
        (l.t, apart.value(), r.v - l.v)
    } else if l.t < r.t {
        let (moved, v) = l.displacement_until(r.t);
        (
            r.t,
            (apart - moved).value(),
            (DoubleDouble::new(r.v) - v).value(),
        )
    } else {
        let (moved, v) = r.displacement_until(l.t);
        (
            l.t,
            (apart + moved).value(),
            (v - DoubleDouble::new(l.v)).value(),
        )
    };
    let blur = touch.min(BLUR * (l.u.high.abs() + r.u.high.abs()));
    (
        no_later(now, parabola_falls(gap, rate, l.f - r.f, blur)),
        true,
    )
}
