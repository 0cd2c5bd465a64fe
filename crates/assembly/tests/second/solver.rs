//! A row of blocks in a basin on one clock: small steps over closed forms, roots by bracketing, persistent contact by
//! trying all ways to part. Slow and plain; it shares nothing with the crate.

use super::rules::{Chain, Rule};
use super::wide::Wide;

#[derive(Debug, Clone)]
pub struct Case {
    pub mass: Vec<f64>,
    /// μ g of each block, m/s².
    pub grip: Vec<f64>,
    pub free: Wide,
    pub walls: f64,
    pub blocks: f64,
    pub rule: Rule,
    /// Free coordinates at time zero.
    pub places: Vec<Wide>,
    /// At rest in the laboratory, or moving with the basin.
    pub kicked: bool,
    /// Sines: amplitude (m), angular frequency (rad/s), phase (rad).
    pub waves: Vec<(Wide, Wide, Wide)>,
    /// Linear lead-in, s.
    pub lead_in: Option<Wide>,
    /// A record: time (s, from 0 on) and acceleration (m/s²) of its samples, straight between them, none after the last.
    pub record: Vec<(Wide, Wide)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Impact that begins at this interface.
    Impact(usize),
    /// A block came to rest.
    Stop(usize),
    /// A block began to slide.
    Slip(usize),
}

#[derive(Debug, Clone, Copy)]
pub struct Happening {
    pub what: What,
    pub time: f64,
    /// Approach speed of an impact, m/s.
    pub approach: f64,
}

#[derive(Debug, Clone, Copy)]
struct Basin {
    x: Wide,
    v: Wide,
    a: Wide,
}

/// A stretch of a record from one sample on: motion there, and the slope of its acceleration.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    from: Wide,
    x: Wide,
    v: Wide,
    a: Wide,
    bend: Wide,
}

fn stretches(record: &[(Wide, Wide)]) -> Vec<Stretch> {
    let mut all = Vec::new();
    let (mut x, mut v) = (Wide::ZERO, Wide::ZERO);
    for w in record.windows(2) {
        let ((from, a), (to, next)) = (w[0], w[1]);
        let tau = to - from;
        let bend = (next - a) / tau;
        all.push(Stretch {
            from,
            x,
            v,
            a,
            bend,
        });
        x = x + tau * (v + tau * (a.half() + (bend * tau).over(6)));
        v = v + tau * (a + (bend * tau).half());
    }
    if let Some(last) = record.last() {
        let (a, bend) = (Wide::ZERO, Wide::ZERO);
        all.push(Stretch {
            from: last.0,
            x,
            v,
            a,
            bend,
        });
    }
    all
}

/// A block since the last event: at rest in the basin, or on a parabola of the laboratory.
#[derive(Debug, Clone, Copy)]
struct Body {
    rest: bool,
    y: Wide,
    w: Wide,
    u: Wide,
    v: Wide,
    f: Wide,
    /// Stays with the block in front of it (the left wall does not count).
    joined: bool,
}

pub struct Solver {
    case: Case,
    mass: Vec<Wide>,
    grip: Vec<Wide>,
    restitution: (Wide, Wide),
    body: Vec<Body>,
    /// Time of the last event.
    since: Wide,
    pub now: Wide,
    step: Wide,
    ramp: Option<Wide>,
    record: Vec<Stretch>,
    small: Wide,
    touch: Wide,
    pub log: Vec<Happening>,
}

impl Solver {
    pub fn new(case: Case) -> Self {
        let grip = case.grip.iter().map(|m| Wide::of(*m)).collect();
        let restitution = (Wide::of(case.walls), Wide::of(case.blocks));
        Self::with(case, grip, restitution)
    }

    /// As [`Solver::new`], with friction and restitution (walls, blocks) to all digits.
    pub fn with(case: Case, grip: Vec<Wide>, restitution: (Wide, Wide)) -> Self {
        let quickest = case
            .record
            .windows(2)
            .map(|w| 1.0 / (w[1].0 - w[0].0).to_f64());
        let fastest = case.waves.iter().map(|w| w.1.to_f64()).fold(0.0, f64::max);
        let fastest = quickest.fold(fastest, f64::max);
        let n = case.mass.len();
        let mut all = Self {
            mass: case.mass.iter().map(|m| Wide::of(*m)).collect(),
            grip,
            restitution,
            body: Vec::with_capacity(n),
            since: Wide::ZERO,
            now: Wide::ZERO,
            step: Wide::of(std::f64::consts::TAU / fastest / 256.0),
            ramp: case.lead_in,
            record: stretches(&case.record),
            small: Wide::power(90),
            touch: Wide::power(200),
            log: Vec::new(),
            case,
        };
        let k = all.basin(Wide::ZERO);
        for i in 0..n {
            let y = all.case.places[i];
            let w = if all.case.kicked { -k.v } else { Wide::ZERO };
            all.body.push(Body {
                rest: false,
                y,
                w,
                u: y + k.x,
                v: w + k.v,
                f: Wide::ZERO,
                joined: false,
            });
        }
        all.event(None);
        all
    }

    fn basin(&self, t: Wide) -> Basin {
        let (mut x, mut v, mut a) = (Wide::ZERO, Wide::ZERO, Wide::ZERO);
        for &(amplitude, omega, phase) in &self.case.waves {
            let (s, c) = (omega * t + phase).sin_cos();
            x = x + amplitude * s;
            v = v + amplitude * omega * c;
            a = a - amplitude * omega * omega * s;
        }
        if let Some(piece) = self.record.iter().rev().find(|p| p.from <= t) {
            let tau = t - piece.from;
            x = x + piece.x + tau * (piece.v + tau * (piece.a.half() + (piece.bend * tau).over(6)));
            v = v + piece.v + tau * (piece.a + (piece.bend * tau).half());
            a = a + piece.a + piece.bend * tau;
        }
        if let Some(end) = self.ramp {
            let (r, slope) = (t / end, Wide::int(1) / end);
            (x, v, a) = (r * x, slope * x + r * v, Wide::int(2) * slope * v + r * a);
        }
        Basin { x, v, a }
    }

    /// Coordinate, slip and its rate at `t`.
    fn at(&self, i: usize, t: Wide, k: &Basin) -> (Wide, Wide, Wide) {
        let b = &self.body[i];
        if b.rest {
            return (b.y, Wide::ZERO, Wide::ZERO);
        }
        let tau = t - self.since;
        (
            b.u + tau * (b.v - (b.f * tau).half()) - k.x,
            b.v - b.f * tau - k.v,
            -b.f - k.a,
        )
    }

    /// Gap in front of block `j` (behind the last for n), and its rate.
    fn gap(&self, j: usize, t: Wide, k: &Basin) -> (Wide, Wide) {
        let left = if j > 0 {
            let (y, w, _) = self.at(j - 1, t, k);
            (y, w)
        } else {
            (Wide::ZERO, Wide::ZERO)
        };
        let right = if j < self.body.len() {
            let (y, w, _) = self.at(j, t, k);
            (y, w)
        } else {
            (self.case.free, Wide::ZERO)
        };
        (right.0 - left.0, right.1 - left.1)
    }

    pub fn state(&self) -> Vec<(f64, f64)> {
        let k = self.basin(self.now);
        (0..self.body.len())
            .map(|i| {
                let (y, w, _) = self.at(i, self.now, &k);
                (y.to_f64(), w.to_f64())
            })
            .collect()
    }

    pub fn advance(&mut self, until: Wide) {
        self.advance_within(until, usize::MAX);
    }

    /// Advances while the log is no longer than `events`; whether the end was reached.
    pub fn advance_within(&mut self, until: Wide, events: usize) -> bool {
        while self.now < until {
            if self.log.len() > events {
                return false;
            }
            // Short after an event, so that a hop cannot rise and fall unseen, then longer.
            let since = self.now - self.since;
            let step = self.step.min(since.half().max(self.step * Wide::power(22)));
            let mut end = (self.now + step).min(until);
            if let Some(ramp) = self.ramp {
                end = end.min(ramp);
            }
            if let Some(kink) = self.record.iter().find(|k| k.from > self.now) {
                end = end.min(kink.from);
            }
            let first = self.first_event(self.now, end);
            match first {
                Some(t) => {
                    self.now = t;
                    self.event(None);
                }
                None => {
                    self.now = end;
                    if self.ramp == Some(end) {
                        let before = self.basin(end).v;
                        self.ramp = None;
                        let jump = self.basin(end).v - before;
                        self.ramp = Some(end);
                        self.event(Some(jump));
                    }
                }
            }
        }
        true
    }

    /// Earliest event in (from, to], if any.
    fn first_event(&self, from: Wide, to: Wide) -> Option<Wide> {
        let (k0, k1) = (self.basin(from), self.basin(to));
        let n = self.body.len();
        let mut first: Option<Wide> = None;
        let mut take = |t: Option<Wide>| {
            if let Some(t) = t {
                first = Some(first.map_or(t, |f: Wide| f.min(t)));
            }
        };
        for j in 0..=n {
            let joined = j > 0 && j < n && self.body[j].joined;
            let fixed = |i: usize| self.body.get(i).is_none_or(|b| b.rest);
            if joined || ((j == 0 || fixed(j - 1)) && fixed(j)) {
                continue;
            }
            let f = |t: Wide| self.gap(j, t, &self.basin(t));
            take(falls(
                f,
                from,
                to,
                self.gap(j, from, &k0),
                self.gap(j, to, &k1),
            ));
        }
        for i in 0..n {
            if self.body[i].rest || self.body[i].f.is_zero() {
                continue;
            }
            let side = |x: Wide| if self.body[i].f.is_negative() { -x } else { x };
            let speed = |t: Wide, k: &Basin| {
                let (_, w, a) = self.at(i, t, k);
                (side(w), side(a))
            };
            take(falls(
                |t| speed(t, &self.basin(t)),
                from,
                to,
                speed(from, &k0),
                speed(to, &k1),
            ));
        }
        let mut a = 0;
        while a < n {
            let mut z = a + 1;
            while z < n && self.body[z].joined {
                z += 1;
            }
            if self.body[a].rest && self.moves(a, z, &k1) {
                let (mut lo, mut hi) = (from, to);
                for _ in 0..240 {
                    let mid = (lo + hi).half();
                    if self.moves(a, z, &self.basin(mid)) {
                        hi = mid;
                    } else {
                        lo = mid;
                    }
                }
                take(Some(hi));
            }
            a = z;
        }
        first
    }

    /// Whether any of the resting blocks `a..z` would slide.
    fn moves(&self, a: usize, z: usize, k: &Basin) -> bool {
        self.partition(a, z, k, Wide::ZERO)
            .iter()
            .any(|p| !p.acceleration.is_zero())
    }

    /// Gauss' principle for touching blocks `a..z` of one slip `w`: of all ways to part them into groups the one that
    /// deviates least from the free motion, without overlap.
    fn partition(&self, a: usize, z: usize, k: &Basin, w: Wide) -> Vec<Part> {
        let on_left = a == 0 && self.body[0].y.abs() <= self.touch;
        let on_right =
            z == self.body.len() && (self.case.free - self.body[z - 1].y).abs() <= self.touch;
        let mut best: Option<(Wide, Vec<Part>)> = None;
        for cuts in 0..1_usize << (z - a - 1) {
            let mut parts: Vec<Part> = Vec::new();
            let mut cost = Wide::ZERO;
            let mut begin = a;
            for end in a + 1..=z {
                if end < z && cuts >> (end - a - 1) & 1 == 0 {
                    continue;
                }
                let mass = (begin..end).fold(Wide::ZERO, |s, i| s + self.mass[i]);
                let grip =
                    (begin..end).fold(Wide::ZERO, |s, i| s + self.mass[i] * self.grip[i]) / mass;
                let (acceleration, f) = if w.is_zero() {
                    let pull = -k.a;
                    let mut f = Wide::ZERO;
                    let mut acceleration = Wide::ZERO;
                    if pull.abs() > grip {
                        f = if pull.is_negative() { -grip } else { grip };
                        acceleration = pull - f;
                    }
                    if (on_left && acceleration.is_negative())
                        || (on_right && acceleration.is_positive())
                    {
                        (Wide::ZERO, Wide::ZERO)
                    } else {
                        (acceleration, f)
                    }
                } else {
                    let f = if w.is_negative() { -grip } else { grip };
                    (-k.a - f, f)
                };
                for i in begin..end {
                    let excess = acceleration + k.a;
                    // Rate of friction work: against the slip, or |acceleration| from rest.
                    let rub = if w.is_zero() {
                        acceleration.abs()
                    } else if w.is_negative() {
                        -acceleration
                    } else {
                        acceleration
                    };
                    cost = cost + self.mass[i] * ((excess * excess).half() + self.grip[i] * rub);
                }
                parts.push(Part {
                    begin,
                    end,
                    acceleration,
                    f,
                });
                begin = end;
            }
            let slack = Wide::power(230);
            let ordered = parts
                .windows(2)
                .all(|p| p[1].acceleration >= p[0].acceleration - slack);
            // Of equal ones the first stays, and the first is the least parted.
            if ordered && best.as_ref().is_none_or(|b| cost < b.0 - slack) {
                best = Some((cost, parts));
            }
        }
        best.map(|b| b.1).unwrap_or_default()
    }

    /// Impacts of all that touch, then who stays with whom.
    fn event(&mut self, jump: Option<Wide>) {
        let n = self.body.len();
        let k = self.basin(self.now);
        let was_rest: Vec<bool> = self.body.iter().map(|b| b.rest).collect();
        for i in 0..n {
            let (y, w, _) = self.at(i, self.now, &k);
            (self.body[i].y, self.body[i].w) = (y, w);
        }
        let mut k = k;
        if let Some(jump) = jump {
            self.ramp = None;
            k = self.basin(self.now);
            for b in &mut self.body {
                b.w = b.w - jump;
            }
        }
        let mut touches = vec![false; n + 1];
        for (j, touch) in touches.iter_mut().enumerate() {
            let left = if j > 0 {
                self.body[j - 1].y
            } else {
                Wide::ZERO
            };
            let right = self.body.get(j).map_or(self.case.free, |b| b.y);
            *touch = right - left <= self.touch;
        }
        for j in 1..n {
            if touches[j] {
                self.body[j].y = self.body[j - 1].y;
            }
        }
        let mut a = 0;
        while a < n {
            let mut z = a + 1;
            while z < n && touches[z] {
                z += 1;
            }
            self.collide(a, z, (touches[a] && a == 0, touches[z] && z == n));
            a = z;
        }
        for i in 0..n {
            if self.body[i].w.abs() <= self.small {
                self.body[i].w = Wide::ZERO;
            }
        }
        self.since = self.now;
        let mut a = 0;
        while a < n {
            let mut z = a + 1;
            while z < n && touches[z] && (self.body[z].w - self.body[a].w).abs() <= self.small {
                z += 1;
            }
            self.settle(a, z, &k);
            a = z;
        }
        for (i, was) in was_rest.iter().enumerate() {
            let what = match (was, self.body[i].rest) {
                (false, true) => What::Stop(i),
                (true, false) => What::Slip(i),
                _ => continue,
            };
            self.note(what, Wide::ZERO);
        }
    }

    fn note(&mut self, what: What, approach: Wide) {
        self.log.push(Happening {
            what,
            time: self.now.to_f64(),
            approach: approach.to_f64(),
        });
    }

    fn collide(&mut self, a: usize, z: usize, walls: (bool, bool)) {
        let mut velocity: Vec<Wide> = self.body[a..z].iter().map(|b| b.w).collect();
        let n = self.body.len();
        let e = |j: usize| {
            if j == 0 || j == n {
                self.restitution.0
            } else {
                self.restitution.1
            }
        };
        let mut chain = Chain {
            mass: &self.mass[a..z],
            velocity: &mut velocity,
            restitution: (a..=z).map(e).collect(),
            walls,
            small: self.small,
        };
        if !chain.any_closes() {
            return;
        }
        let (mut from, mut approach) = (a, Wide::ZERO);
        for j in usize::from(!walls.0)..(z - a) + usize::from(walls.1) {
            if -chain.opening(j) > approach {
                (from, approach) = (a + j, -chain.opening(j));
            }
        }
        chain.resolve(self.case.rule);
        for (b, w) in self.body[a..z].iter_mut().zip(&velocity) {
            b.w = *w;
        }
        self.note(What::Impact(from), approach);
    }

    fn settle(&mut self, a: usize, z: usize, k: &Basin) {
        let (mut mass, mut momentum) = (Wide::ZERO, Wide::ZERO);
        for i in a..z {
            mass = mass + self.mass[i];
            momentum = momentum + self.mass[i] * self.body[i].w;
        }
        let w = if (a..z).any(|i| self.body[i].w.is_zero()) {
            Wide::ZERO
        } else {
            momentum / mass
        };
        let parts = self.partition(a, z, k, w);
        let mut rested = false;
        for p in parts {
            let rest = w.is_zero() && p.acceleration.is_zero();
            for i in p.begin..p.end {
                let b = &mut self.body[i];
                b.w = w;
                b.joined = i > p.begin || (rest && rested && i > a);
                b.rest = rest;
                b.f = p.f;
                b.u = b.y + k.x;
                b.v = w + k.v;
            }
            rested = rest;
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Part {
    begin: usize,
    end: usize,
    acceleration: Wide,
    f: Wide,
}

/// First time in (from, to] at which `f` (value, rate) falls below zero, given both at the ends.
fn falls(
    f: impl Fn(Wide) -> (Wide, Wide),
    from: Wide,
    to: Wide,
    (f0, d0): (Wide, Wide),
    (f1, d1): (Wide, Wide),
) -> Option<Wide> {
    if f1.is_negative() {
        return Some(root(&f, from, to));
    }
    // It may dip between the ends: look at the lowest point.
    let reach = (d0.abs() + d1.abs()) * (to - from);
    if d0.is_negative() && d1.is_positive() && f0.min(f1) <= reach {
        let (mut lo, mut hi) = (from, to);
        for _ in 0..250 {
            let mid = (lo + hi).half();
            if f(mid).1.is_negative() {
                lo = mid;
            } else {
                hi = mid;
            }
        }
        if f(hi).0.is_negative() {
            return Some(root(&f, from, hi));
        }
    }
    None
}

/// Root of `f` in a bracket that ends below zero: Newton with the rate in double precision, halving where that leaves it.
fn root(f: impl Fn(Wide) -> (Wide, Wide), from: Wide, to: Wide) -> Wide {
    let (mut lo, mut hi) = (from, to);
    let mut x = hi;
    for round in 0..600 {
        let (value, rate) = f(x);
        if value.is_negative() {
            hi = x;
        } else {
            lo = x;
        }
        let step = value.to_f64() / rate.to_f64();
        let newton = if step.is_finite() && step.abs() < 1e6 {
            x - Wide::of(step)
        } else {
            lo
        };
        let next = if newton > lo && newton < hi && round % 8 != 7 {
            newton
        } else {
            (lo + hi).half()
        };
        if (next - x).abs() <= Wide::power(236) || hi - lo <= Wide::power(236) {
            return next;
        }
        x = next;
    }
    x
}
