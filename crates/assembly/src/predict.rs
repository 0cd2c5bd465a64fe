//! When the next event of each contact and of each cluster can happen.
//!
//! A prediction is made from the local state of its two sides and costs O(1). Where a root needs the basin motion, a
//! cheap lower bound is queued first and solved only when it comes up: most are overtaken by another impact.

use crate::assembly::Assembly;
use crate::cluster::{Cluster, Mode};
use crate::motion::Kinematics;
use crate::roots::{falling_root, parabola_falls};

/// A time and whether the event is there, or only cannot be earlier.
pub(crate) type Prediction = (f64, bool);

/// Part of the drive period for which a bound is queued instead of a root: by then another impact has often come first.
const WORTH_WAITING: f64 = 0.01;

const NEVER: Prediction = (f64::INFINITY, true);

/// The obstacle that a sliding cluster may meet: something at rest in the basin.
struct Obstacle {
    /// Its coordinate in the basin, m.
    place: f64,
    /// Small offset to it, m.
    offset: f64,
    /// +1 when it lies to the left of the cluster, −1 to the right.
    side: f64,
}

/// A sliding cluster in basin coordinates from its clock on: y + w τ − R(τ) − f τ²/2.
struct Slide<'a> {
    all: &'a Assembly,
    start: f64,
    y: f64,
    dy: f64,
    w: f64,
    f: f64,
}

impl Slide<'_> {
    /// Displacement in the basin and relative velocity after `tau`. The displacement stands alone: added to a coordinate
    /// it would lose the digits of small hops.
    fn at(&self, tau: f64) -> (f64, f64) {
        let step = self.all.motion.increment(self.start, tau);
        (
            tau * (self.w - 0.5 * self.f * tau) - step.rest,
            self.w - step.velocity - self.f * tau,
        )
    }

    /// Relative velocity and acceleration after `tau`.
    fn rate(&self, tau: f64) -> (f64, f64) {
        let step = self.all.motion.increment(self.start, tau);
        (
            self.w - step.velocity - self.f * tau,
            -step.acceleration - self.f,
        )
    }

    /// From `from` on (local time): does the relative acceleration point to the right, and until when.
    ///
    /// It vanishes where the basin acceleration is −f; between two such times the relative velocity is monotone, so an
    /// arc holds at most one turn and no root can hide.
    fn arc(&self, from: f64, limit: f64) -> (bool, f64) {
        let left = self
            .all
            .motion
            .acceleration_beyond(from, -self.f, true, limit);
        if left > from {
            return (true, left.min(limit));
        }
        (
            false,
            self.all
                .motion
                .acceleration_beyond(from, -self.f, false, limit)
                .min(limit),
        )
    }

    /// The first arc. A body is released within rounding of the end of an arc, where the level is crossed: there the
    /// acceleration itself, which decided the release, decides.
    fn first_arc(&self, tau: f64, limit: f64) -> (bool, f64) {
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
    fn next_arc(&self, end: f64, limit: f64) -> (bool, f64) {
        let (rightward, next) = self.arc(self.after(end), limit);
        (rightward, next.max(self.after(end)).min(limit))
    }

    fn after(&self, time: f64) -> f64 {
        time + 1e-15 * self.all.scale_time.max(time.abs())
    }
}

impl Assembly {
    /// Offset at `t` of a sliding cluster whose coordinate at its own clock is known.
    pub(crate) fn offset_at(&self, c: &Cluster, t: f64) -> f64 {
        c.dy + self.slide(c).at(t - c.t).0
    }

    fn slide(&self, c: &Cluster) -> Slide<'_> {
        let k: Kinematics = self.motion.at(c.t);
        let (y, dy) = if c.y.is_nan() {
            (c.u - k.position, 0.0)
        } else {
            (c.y, c.dy)
        };
        Slide {
            all: self,
            start: c.t,
            y,
            dy,
            w: c.v - k.velocity,
            f: c.f,
        }
    }

    /// How far a search for a root looks ahead before it puts itself back in the queue.
    fn window(&self, from: f64) -> f64 {
        (from + self.scale_time).min(self.motion.next_jump(self.now))
    }

    /// Nothing up to `limit`: look again from there. At a jump of the basin velocity all is predicted anew.
    fn later(&self, limit: f64) -> Prediction {
        if limit < self.motion.next_jump(self.now) {
            (limit, false)
        } else {
            NEVER
        }
    }

    /// Queues the next event of the contact in front of block `i` (the left wall for 0, the right wall for N).
    #[inline]
    pub(crate) fn predict_contact(&mut self, i: usize) {
        let n = self.blocks.len();
        let left = (i > 0).then(|| self.clusters[self.head[i - 1]]);
        let right = (i < n).then(|| self.clusters[i]);
        let found = match (left, right) {
            (Some(l), Some(r)) => match (l.mode, r.mode) {
                (Mode::Slide, Mode::Slide) => meet(&l, &r),
                (Mode::Rest, Mode::Slide) => self.bound(
                    &r,
                    &Obstacle {
                        place: l.y,
                        offset: l.dy,
                        side: 1.0,
                    },
                ),
                (Mode::Slide, Mode::Rest) => self.bound(
                    &l,
                    &Obstacle {
                        place: r.y,
                        offset: r.dy,
                        side: -1.0,
                    },
                ),
                (Mode::Rest, Mode::Rest) => NEVER,
            },
            (None, Some(r)) if r.mode == Mode::Slide => self.bound(
                &r,
                &Obstacle {
                    place: 0.0,
                    offset: 0.0,
                    side: 1.0,
                },
            ),
            (Some(l), None) if l.mode == Mode::Slide => self.bound(
                &l,
                &Obstacle {
                    place: self.free,
                    offset: 0.0,
                    side: -1.0,
                },
            ),
            _ => NEVER,
        };
        self.put(i, found);
    }

    /// Queues the next stop or slip of the cluster that begins with block `c`.
    #[inline]
    pub(crate) fn predict_cluster(&mut self, c: usize) {
        let cluster = self.clusters[c];
        let found = match cluster.mode {
            Mode::Rest => self.release(c, cluster.t),
            Mode::Slide if cluster.f == 0.0 => NEVER,
            Mode::Slide => self.stop_bound(&cluster),
        };
        self.put(self.blocks.len() + 1 + c, found);
    }

    #[inline]
    pub(crate) fn put(&mut self, slot: usize, (time, exact): Prediction) {
        self.queue.set(slot, time);
        self.exact[slot] = exact;
    }

    /// Solves the root behind a lower bound that has come up.
    pub(crate) fn refine(&mut self, slot: usize) {
        let n = self.blocks.len();
        let from = self.queue.time(slot);
        let found = if slot <= n {
            let left = (slot > 0).then(|| self.clusters[self.head[slot - 1]]);
            let right = (slot < n).then(|| self.clusters[slot]);
            let (slider, place, offset, side) = match (left, right) {
                (Some(l), Some(r)) if l.mode == Mode::Slide => (l, r.y, r.dy, -1.0),
                (Some(l), Some(r)) => (r, l.y, l.dy, 1.0),
                (None, Some(r)) => (r, 0.0, 0.0, 1.0),
                (Some(l), None) => (l, self.free, 0.0, -1.0),
                (None, None) => return,
            };
            let obstacle = Obstacle {
                place,
                offset,
                side,
            };
            self.meet_bound(&slider, &obstacle, from)
                .unwrap_or_else(|| self.meet_obstacle(&slider, &obstacle, from))
        } else {
            let c = slot - n - 1;
            match self.clusters.get(c) {
                Some(cluster) if cluster.mode == Mode::Slide => self
                    .slip_bound(cluster, from)
                    .unwrap_or_else(|| self.stop(cluster, from)),
                Some(_) => self.release(c, from),
                None => (self.motion.next_jump(self.now), true),
            }
        };
        self.put(slot, found);
    }

    /// A time before which the cluster cannot reach the obstacle: its laboratory parabola must first reach the band in
    /// which the obstacle swings.
    fn bound(&self, c: &Cluster, o: &Obstacle) -> Prediction {
        let reach = self.bounds.position;
        let gap = o.side * (c.u - o.place - o.offset) - reach;
        if gap <= 0.0 || !reach.is_finite() {
            return self.swing_bound(c, o);
        }
        (
            c.t + parabola_falls(gap, o.side * c.v, -o.side * c.f),
            false,
        )
    }

    /// Inside the band: leaving faster than the basin ever moves, it cannot meet until friction has slowed it down.
    fn swing_bound(&self, c: &Cluster, o: &Obstacle) -> Prediction {
        let excess = o.side * c.v - self.bounds.velocity;
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

    /// First time from `from` on at which the gap to the obstacle falls to zero.
    fn meet_obstacle(&self, c: &Cluster, o: &Obstacle, from: f64) -> Prediction {
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
        if ga <= 0.0 && (da < 0.0 || (da == 0.0 && rightward != (o.side > 0.0))) {
            return (c.t + a, true);
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
            let bracket = if convex && da < 0.0 && db > 0.0 {
                let m = turn(a, b);
                (ga > 0.0 && gap(m).0 <= 0.0).then_some((a, m))
            } else if !convex && da > 0.0 && db < 0.0 {
                (gb <= 0.0).then(|| (turn(a, b), b))
            } else {
                let falls = da <= 0.0 && db <= 0.0 && (da < 0.0 || !convex);
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

    /// A time before which a sliding cluster cannot stop: its speed must come down to that of the basin first.
    fn stop_bound(&mut self, c: &Cluster) -> Prediction {
        let forward = if c.f > 0.0 { c.v } else { -c.v };
        let excess = forward - self.bounds.velocity;
        if excess > 0.0 {
            return (c.t + excess / c.f.abs(), false);
        }
        let slip = c.v - self.kin(c.t).velocity;
        (
            c.t + slip.abs() / (self.bounds.acceleration + c.f.abs()),
            false,
        )
    }

    /// A later time before which a sliding cluster cannot stop, if it is worth waiting for: relative accelerations
    /// are bounded.
    fn slip_bound(&self, c: &Cluster, from: f64) -> Option<Prediction> {
        let slip = c.slide_to(from).1 - self.motion.at(from).velocity;
        let wait = slip.abs() / (self.bounds.acceleration + c.f.abs());
        (wait > WORTH_WAITING * self.scale_time).then_some((from + wait, false))
    }

    /// A later time before which a sliding cluster cannot reach the obstacle, if it is worth waiting for.
    fn meet_bound(&self, c: &Cluster, o: &Obstacle, from: f64) -> Option<Prediction> {
        let ((u, v), k) = (c.slide_to(from), self.motion.at(from));
        let gap = o.side * (u - k.position - o.place - o.offset);
        let closing = (-o.side * (v - k.velocity)).max(0.0);
        let bend = self.bounds.acceleration + c.f.abs();
        let wait = 2.0 * gap / (closing + (closing * closing + 2.0 * bend * gap.max(0.0)).sqrt());
        (wait > WORTH_WAITING * self.scale_time).then_some((from + wait, false))
    }

    /// First time from `from` on at which the relative velocity of a sliding cluster falls to zero.
    fn stop(&self, c: &Cluster, from: f64) -> Prediction {
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

    /// First time from `from` on at which the basin acceleration overcomes the floor and no wall is in the way.
    fn release(&self, c: usize, from: f64) -> Prediction {
        let cluster = &self.clusters[c];
        let (at_left, at_right) = self.at_walls(c, cluster);
        let (to_right, to_left) = self.thresholds(c, cluster.last);
        let limit = match self.motion.next_jump(self.now) {
            jump if jump.is_finite() => jump,
            _ if self.motion.period().is_some() => f64::INFINITY,
            _ => from + 16.0 * self.scale_time,
        };
        let right = if at_right {
            f64::INFINITY
        } else {
            self.motion
                .acceleration_beyond(from, -to_right, false, limit)
        };
        let left = if at_left {
            f64::INFINITY
        } else {
            self.motion.acceleration_beyond(from, to_left, true, limit)
        };
        let time = right.min(left);
        if time == f64::INFINITY {
            return if limit.is_finite() && !(at_left && at_right) {
                self.later(limit)
            } else {
                NEVER
            };
        }
        let pull = |t: f64| {
            let a = self.motion.at(t).acceleration;
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
    fn past(&self, time: f64, pull: impl Fn(f64) -> f64) -> f64 {
        let mut step = f64::EPSILON * self.scale_time.max(time.abs());
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
            cluster.last + 1 == self.blocks.len() && cluster.lies_at(self.free),
        )
    }
}

/// Two sliding clusters: their relative laboratory motion is a parabola, straight where they slide the same way.
#[inline]
fn meet(l: &Cluster, r: &Cluster) -> Prediction {
    let now = l.t.max(r.t);
    let (ul, vl) = l.slide_to(now);
    let (ur, vr) = r.slide_to(now);
    (now + parabola_falls(ur - ul, vr - vl, l.f - r.f), true)
}
