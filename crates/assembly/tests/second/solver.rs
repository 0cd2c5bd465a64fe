//! A row of blocks in a basin on one clock: small steps over closed forms, roots by bracketing, persistent contact by
//! trying all ways to part. Slow and plain; it shares nothing with the crate.

mod basin;
mod parting;
mod roots;

use super::rules::{Chain, Rule};
use super::wide::Wide;
use basin::{Basin, Stretch, stretches};
use roots::falls;

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
    /// A record: time (s, from 0 on) and acceleration (m/s²) of its samples, straight between them, none after the
    /// last.
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
