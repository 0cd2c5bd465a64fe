//! The motion in one mode: Taylor series from a state on, cut at the first event.
//!
//! As in `kernel` all derivatives follow from recurrences (Jorba and Zou 2005); here the contact force, the slip and the gaps
//! are series of their own, so each condition of a mode is a polynomial and its first zero in the step is found without looking
//! past any: from the left, by a bound of the second derivative.

use super::contact::VERGE;
use super::state::{Friction, Mode, State, Velocity};
use crate::block::{RockingBlock, Side};
use crate::flight::load;
use crate::kernel::{Load, ORDER, rough_root, sin_cos};
use klast_dynamics::ground_motion::Piece;

const TERMS: usize = ORDER + 1;

/// Coefficients by powers of the time from the start of the arc.
pub(super) type Poly = [f64; TERMS];

/// Highest power to which forces are known: two below that of the motion.
const FORCES: usize = ORDER - 2;

/// Size of the first neglected term, over the size of the quantity.
const TRUNCATION: f64 = 1e-16;

/// How an arc ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum End {
    /// By its length or that of the piece.
    Time,
    /// A condition of the contact fails: stick, push, or a corner of the flat base.
    Contact,
    /// Nothing presses the block on the base any more.
    Release,
    /// The sliding foot stops.
    Stop,
    /// A flat, free or tilted block lands: the corners (right, left) that touch then.
    Landing([bool; 2]),
    /// At the rotation that counts as overturned.
    Overturned(Side),
}

/// One arc.
pub(super) struct Arc {
    pub mode: Mode,
    pub length: f64,
    pub end: End,
    start: State,
    /// +1, or −1 for the left corner, whose frame is mirrored.
    sign: f64,
    /// Rotation: away from the base on a corner, clockwise in the air.
    pub turn: Poly,
    /// Foot, or mass centre in the air; along the frame.
    pub foot: Poly,
    /// Height of the mass centre, in the air.
    rise: Poly,
    /// sin and cos of α − q of the corner it stands on.
    sine: Poly,
    cosine: Poly,
    /// Force of the base per mass, normal and along the frame.
    pub normal: Poly,
    pub tangent: Poly,
    /// Base acceleration along the frame, and gravity plus the vertical one.
    base: Poly,
    weight: Poly,
}

/// What holds for all arcs of a run.
pub(super) struct Setting<'a> {
    pub block: &'a RockingBlock,
    pub friction: Friction,
    pub overturned_at: f64,
}

impl Arc {
    /// The arc from `state` in `mode` at time `t`, of at most `rest` seconds within `pieces`.
    pub fn new(
        setting: &Setting,
        mode: Mode,
        state: State,
        pieces: (&Piece, &Piece),
        t: f64,
        rest: f64,
    ) -> Self {
        let sign = match mode {
            Mode::Rock(side) | Mode::SlideRock(side, _) => side.sign(),
            _ => 1.0,
        };
        let mut arc = Self {
            mode,
            length: rest,
            end: End::Time,
            start: state,
            sign,
            turn: [0.0; TERMS],
            foot: [0.0; TERMS],
            rise: [0.0; TERMS],
            sine: [0.0; TERMS],
            cosine: [0.0; TERMS],
            normal: [0.0; TERMS],
            tangent: [0.0; TERMS],
            base: spread(&load(pieces.0, t, sign, 1.0)),
            weight: spread(&load(pieces.1, t, 1.0, 1.0)),
        };
        arc.weight[0] += setting.block.gravity();
        match (mode, state) {
            (Mode::Rest, State::Flat { foot, .. }) => arc.rest(foot),
            (Mode::Slide(to), State::Flat { foot, speed }) => {
                arc.slide(setting.friction.sliding() * to.sign(), foot, speed);
            }
            (
                Mode::Rock(side),
                State::Corner {
                    q,
                    rate,
                    foot,
                    speed: _,
                    ..
                },
            ) => {
                arc.foot[0] = sign * foot;
                arc.rock(setting.block, side, q, rate);
            }
            (
                Mode::SlideRock(side, to),
                State::Corner {
                    q,
                    rate,
                    foot,
                    speed,
                    ..
                },
            ) => {
                arc.foot[0] = sign * foot;
                arc.foot[1] = sign * speed;
                let pull = setting.friction.sliding() * to.sign() * sign;
                arc.slide_rock(setting.block, side, pull, q, rate);
            }
            (_, state) => {
                let (x, z, turn, velocity) = state.centre(setting.block);
                arc.fly((x, z, turn), velocity);
            }
        }
        arc.length = arc.step(setting.block).min(rest);
        arc.cut(setting);
        arc
    }

    fn rest(&mut self, foot: f64) {
        self.foot[0] = foot;
        self.normal = self.weight;
        self.tangent = self.base;
    }

    /// v′ = −ü − σμ (g + v̈).
    fn slide(&mut self, pull: f64, foot: f64, speed: f64) {
        (self.foot[0], self.foot[1]) = (foot, speed);
        for k in 0..=FORCES {
            self.normal[k] = self.weight[k];
            self.tangent[k] = -pull * self.weight[k];
            self.foot[k + 2] = (self.tangent[k] - self.base[k]) / falling(k + 2);
        }
    }

    /// The next terms of sin and cos of α − q: S′ = −q′ C, C′ = q′ S.
    fn next_levers(&mut self, order: usize) {
        let (mut sine, mut cosine) = (0.0, 0.0);
        for j in 1..=order {
            let w = j as f64 * self.turn[j];
            sine += w * self.cosine[order - j];
            cosine += w * self.sine[order - j];
        }
        self.sine[order] = -sine / order as f64;
        self.cosine[order] = cosine / order as f64;
    }

    fn start_levers(&mut self, slenderness: f64, q: f64, rate: f64) {
        (self.turn[0], self.turn[1]) = (q, rate);
        (self.sine[0], self.cosine[0]) = sin_cos(slenderness - q);
    }

    /// q″ = −R (G S + U C)/(ρ² + R²); the force is what moves the mass centre at (−R S, R C) from the corner.
    fn rock(&mut self, block: &RockingBlock, side: Side, q: f64, rate: f64) {
        let corner = block.corner(side);
        let factor = -corner.frequency_squared / block.gravity();
        self.start_levers(corner.slenderness, q, rate);
        for k in 0..=FORCES {
            if k > 0 {
                self.next_levers(k);
            }
            let pull = term(k, &self.weight, &self.sine) + term(k, &self.base, &self.cosine);
            self.turn[k + 2] = factor * pull / falling(k + 2);
        }
        self.next_levers(FORCES + 1);
        self.next_levers(FORCES + 2);
        for k in 0..=FORCES {
            let lever = corner.radius * falling(k + 2);
            self.normal[k] = self.weight[k] + lever * self.cosine[k + 2];
            self.tangent[k] = self.base[k] - lever * self.sine[k + 2];
        }
    }

    /// With m = S − σμC, κ = R²/ρ² and D = 1 + κ S m: N = (G − R q′² C)/D, q″ = −(R/ρ²) N m, and the foot follows from the sum
    /// of forces along the base.
    fn slide_rock(&mut self, block: &RockingBlock, side: Side, pull: f64, q: f64, rate: f64) {
        let corner = block.corner(side);
        let radius = corner.radius;
        let ratio = radius / block.gyration_squared();
        self.start_levers(corner.slenderness, q, rate);
        let (mut arm, mut mobility, mut squared) = ([0.0; TERMS], [0.0; TERMS], [0.0; TERMS]);
        for k in 0..=FORCES {
            if k > 0 {
                self.next_levers(k);
            }
            arm[k] = self.sine[k] - pull * self.cosine[k];
            mobility[k] = ratio * radius * term(k, &self.sine, &arm) + f64::from(k == 0);
            squared[k] = (0..=k)
                .map(|j| {
                    let i = k - j;
                    ((j + 1) * (i + 1)) as f64 * self.turn[j + 1] * self.turn[i + 1]
                })
                .sum();
            let mut normal = self.weight[k] - radius * term(k, &squared, &self.cosine);
            for j in 1..=k {
                normal -= mobility[j] * self.normal[k - j];
            }
            self.normal[k] = normal / mobility[0];
            self.tangent[k] = -pull * self.normal[k];
            self.turn[k + 2] = -ratio * term(k, &self.normal, &arm) / falling(k + 2);
        }
        self.next_levers(FORCES + 1);
        self.next_levers(FORCES + 2);
        for k in 0..=FORCES {
            let centre = (self.tangent[k] - self.base[k]) / falling(k + 2);
            self.foot[k + 2] = centre + radius * self.sine[k + 2];
        }
    }

    fn fly(&mut self, (x, z, turn): (f64, f64, f64), velocity: Velocity) {
        (self.foot[0], self.foot[1]) = (x, velocity.along);
        (self.rise[0], self.rise[1]) = (z, velocity.up);
        (self.turn[0], self.turn[1]) = (turn, velocity.turn);
        for k in 0..=FORCES {
            self.foot[k + 2] = -self.base[k] / falling(k + 2);
            self.rise[k + 2] = -self.weight[k] / falling(k + 2);
        }
    }

    /// Height of the corner of `side` over the base, in the air.
    fn gap(&self, block: &RockingBlock, side: Side, left_now: bool) -> Poly {
        let corner = block.corner(side);
        let rate = -side.sign() * self.turn[1];
        let mut gap = self.rise;
        let (mut sine, mut cosine) = sin_cos(corner.slenderness - side.sign() * self.turn[0]);
        (sine, cosine) = (corner.radius * sine, corner.radius * cosine);
        for (k, term) in gap.iter_mut().enumerate() {
            *term -= cosine;
            let factor = rate / (k + 1) as f64;
            (sine, cosine) = (factor * cosine, -factor * sine);
        }
        if left_now {
            (gap[0], gap[1]) = (0.0, 0.0);
        }
        gap
    }

    /// Step for which the last two terms of all series fall to the truncation error.
    fn step(&self, block: &RockingBlock) -> f64 {
        let size = block.radius();
        let mut h = f64::INFINITY;
        let mut bound = |p: &Poly, top: usize, scale: f64| {
            for k in [top, top - 1] {
                if p[k] != 0.0 {
                    h = h.min(0.9 * rough_root(scale * TRUNCATION / p[k].abs(), 1.0 / k as f64));
                }
            }
        };
        bound(&self.turn, ORDER, 1.0);
        bound(&self.foot, ORDER, size);
        bound(&self.rise, ORDER, size);
        // Two orders lower, so a little less is asked of the force.
        bound(&self.normal, FORCES, 1e2 * block.gravity());
        bound(&self.tangent, FORCES, 1e2 * block.gravity());
        if self.mode == Mode::Flight && self.turn[1] != 0.0 {
            // The gaps are sines of the rotation.
            h = h.min(1.0 / self.turn[1].abs());
        }
        h
    }

    /// Cuts the arc at its first event.
    fn cut(&mut self, setting: &Setting) {
        let block = setting.block;
        let (gravity, p2) = (block.gravity(), block.corner(Side::Right).frequency_squared);
        // What rounding leaves of conditions that hold with equality when a mode begins: of their value and first two rates.
        let force = [VERGE * gravity, 1e-12 * gravity * p2.sqrt()];
        let speed = [1e-13 * (gravity * block.radius()).sqrt(), 1e-11 * gravity];
        let lift = [0.0, 0.0, 1e-11 * p2];
        match self.mode {
            Mode::Rest => {
                let mu = setting.friction.at_rest();
                self.within_friction(mu, &force);
                for side in [Side::Right, Side::Left] {
                    let d = block.corner(side.other()).lever;
                    let turning = -side.sign() * block.centre_height();
                    let load = mix(&self.normal, d, &self.tangent, turning);
                    self.watch(&load, &force.map(|x| x * d), End::Contact);
                }
                let push = self.normal;
                self.watch(&push, &force, End::Release);
            }
            Mode::Slide(to) => {
                self.watch(&rate_of(&self.foot, to.sign()), &speed, End::Stop);
                let push = self.normal;
                self.watch(&push, &force, End::Release);
            }
            Mode::Rock(side) | Mode::SlideRock(side, _) => {
                let turn = self.turn;
                self.watch(&turn, &lift, End::Landing([true, true]));
                self.watch_limit(setting.overturned_at, side, 1.0);
                match self.mode.slides_to() {
                    Some(to) => {
                        let slip = rate_of(&self.foot, to.sign() * self.sign);
                        self.watch(&slip, &speed, End::Stop);
                        let push = self.normal;
                        self.watch(&push, &force, End::Release);
                    }
                    None => self.within_friction(setting.friction.at_rest(), &force),
                }
            }
            Mode::Flight => self.cut_flight(setting),
        }
    }

    fn cut_flight(&mut self, setting: &Setting) {
        let block = setting.block;
        let leaving = match self.start {
            State::Air { leaving, .. } => leaving,
            _ => [false; 2],
        };
        let noise = [1e-15 * block.radius(), 0.0, 1e-11 * block.gravity()];
        let close = 1e-12 * block.radius();
        let sides = [Side::Right, Side::Left];
        let gaps = [0, 1].map(|k| self.gap(block, sides[k], leaving[k]));
        for (k, gap) in gaps.iter().enumerate() {
            self.watch(gap, &noise, End::Landing([k == 0, k == 1]));
        }
        if let End::Landing(_) = self.end {
            let touches = gaps.map(|gap| value(&gap, self.length) <= close);
            if touches[0] || touches[1] {
                self.end = End::Landing(touches);
            }
        }
        for side in sides {
            self.watch_limit(setting.overturned_at, side, side.sign());
        }
    }

    /// |T| ≤ μ N.
    fn within_friction(&mut self, mu: f64, noise: &[f64]) {
        for side in [1.0, -1.0] {
            let margin = mix(&self.normal, mu, &self.tangent, side);
            self.watch(&margin, noise, End::Contact);
        }
    }

    fn watch_limit(&mut self, limit: f64, side: Side, sign: f64) {
        let mut left = self.turn.map(|x| -sign * x);
        left[0] += limit;
        self.watch(&left, &[], End::Overturned(side));
    }

    /// Cuts the arc where `condition` falls below zero, if that is earlier than all before.
    fn watch(&mut self, condition: &Poly, noise: &[f64], end: End) {
        if let Some(tau) = first_fall(condition, self.length, noise)
            && (tau < self.length || self.end == End::Time)
        {
            (self.length, self.end) = (tau, end);
        }
    }

    /// The state after `tau` seconds.
    pub fn at(&self, tau: f64) -> State {
        let sign = self.sign;
        let foot = || (sign * value(&self.foot, tau), sign * slope(&self.foot, tau));
        match self.mode {
            Mode::Rest => self.start,
            Mode::Slide(_) => {
                let (foot, speed) = foot();
                State::Flat { foot, speed }
            }
            Mode::Rock(side) | Mode::SlideRock(side, _) => {
                let (foot, speed) = foot();
                State::Corner {
                    side,
                    q: value(&self.turn, tau),
                    rate: slope(&self.turn, tau),
                    foot,
                    speed,
                }
            }
            Mode::Flight => State::Air {
                x: value(&self.foot, tau),
                z: value(&self.rise, tau),
                turn: value(&self.turn, tau),
                velocity: Velocity {
                    along: slope(&self.foot, tau),
                    up: slope(&self.rise, tau),
                    turn: self.turn[1],
                },
                leaving: [false; 2],
            },
        }
    }

    /// Angular acceleration (rad/s²), clockwise.
    pub fn angular_acceleration(&self, tau: f64) -> f64 {
        self.sign * slope(&rate_of(&self.turn, 1.0), tau)
    }

    /// Largest rotation in either direction.
    pub fn largest_rotation(&self) -> f64 {
        let (first, last) = (self.turn[0].abs(), value(&self.turn, self.length).abs());
        let ends = first.max(last);
        let rises = self.turn[1] > 0.0 || (self.turn[1] == 0.0 && self.turn[2] > 0.0);
        if self.mode == Mode::Flight || !rises || slope(&self.turn, self.length) >= 0.0 {
            return ends;
        }
        let rate = rate_of(&self.turn, 1.0);
        first_fall(&rate, self.length, &[0.0]).map_or(ends, |tau| ends.max(value(&self.turn, tau)))
    }

    /// Work of the inertial forces and friction loss over the arc, per mass.
    pub fn work(&self, block: &RockingBlock) -> (f64, f64) {
        if self.mode == Mode::Rest {
            return (0.0, 0.0);
        }
        let mut weight = self.weight;
        weight[0] -= block.gravity();
        let (mut along, mut up) = (rate_of(&self.foot, 1.0), rate_of(&self.rise, 1.0));
        let mut lost = 0.0;
        match self.mode {
            Mode::Rock(side) | Mode::SlideRock(side, _) => {
                let radius = block.corner(side).radius;
                lost = -integral(&self.tangent, &along, self.length);
                along = mix(&along, 1.0, &rate_of(&self.sine, 1.0), -radius);
                up = rate_of(&self.cosine, radius);
            }
            Mode::Slide(_) => lost = -integral(&self.tangent, &along, self.length),
            _ => {}
        }
        let work = -integral(&self.base, &along, self.length) - integral(&weight, &up, self.length);
        (work, lost)
    }
}

/// k (k − 1).
fn falling(k: usize) -> f64 {
    (k * (k - 1)) as f64
}

fn spread(load: &Load<1>) -> Poly {
    let mut lanes = [[0.0]; TERMS];
    load.series(&mut lanes);
    lanes.map(|[x]| x)
}

/// Term of order `k` of a product.
fn term(k: usize, a: &Poly, b: &Poly) -> f64 {
    (0..=k).map(|j| a[j] * b[k - j]).sum()
}

fn mix(a: &Poly, x: f64, b: &Poly, y: f64) -> Poly {
    std::array::from_fn(|k| x * a[k] + y * b[k])
}

/// `factor` times the derivative.
fn rate_of(p: &Poly, factor: f64) -> Poly {
    std::array::from_fn(|k| {
        p.get(k + 1)
            .map_or(0.0, |next| factor * (k + 1) as f64 * next)
    })
}

/// ∫ a b dτ from 0 to `h`.
fn integral(a: &Poly, b: &Poly, h: f64) -> f64 {
    let mut sum = 0.0;
    for i in (0..TERMS).rev() {
        let inner = (0..TERMS)
            .rev()
            .fold(0.0, |sum, j| sum * h + b[j] / (i + j + 1) as f64);
        sum = sum * h + a[i] * inner;
    }
    sum * h
}

pub(super) fn value(p: &[f64], tau: f64) -> f64 {
    p.iter().rev().fold(0.0, |sum, c| sum * tau + c)
}

pub(super) fn slope(p: &[f64], tau: f64) -> f64 {
    let terms = p.iter().enumerate().skip(1).rev();
    terms.fold(0.0, |sum, (k, c)| sum * tau + k as f64 * c)
}

/// First τ in [0, h] at which `p` falls below zero; of its leading coefficients those within `noise` are none.
///
/// What is left after the leading zeros, r, is above zero at first. With M ≥ |r″| on the step, r stays above zero until
/// r + r′δ − Mδ²/2 does, so no zero is jumped over, and near one the steps are Newton's from the left.
pub(super) fn first_fall(p: &[f64], h: f64, noise: &[f64]) -> Option<f64> {
    let pairs = p.iter().zip(noise).enumerate();
    // A value above zero, however small, has its own zero; a rate within the noise does not tell where it leads.
    let none = |(k, (c, least)): &(usize, (&f64, &f64))| {
        **c >= -**least && (**c <= 0.0 || (*k > 0 && **c <= **least))
    };
    let lead = pairs.take_while(none).count();
    let r = &p[lead..];
    if r[0] < 0.0 {
        return Some(0.0);
    }
    let (mut others, mut bend, mut power) = (0.0, 0.0, 1.0);
    for k in 1..r.len() {
        if k >= 2 {
            bend += falling(k) * r[k].abs() * power / h;
        }
        power *= h;
        others += r[k].abs() * power;
    }
    if r[0] > others {
        return None;
    }
    let mut tau = 0.0;
    for _ in 0..MOST_STEPS {
        let (f, d) = (value(r, tau), slope(r, tau));
        if f <= 0.0 {
            return Some(tau);
        }
        let delta = 2.0 * f / ((d * d + 2.0 * bend * f).sqrt() - d);
        if !(tau + delta < h) {
            return (value(r, h) < 0.0).then_some(h);
        }
        tau += delta;
        if delta <= 2.0 * f64::EPSILON * tau {
            return Some(tau);
        }
    }
    Some(tau)
}

/// Steps of the search for a zero; a handful is usual, a near miss takes some tens.
const MOST_STEPS: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_zero_is_found_and_none_is_jumped_over() {
        // (τ − 1)(τ − 1.001)(τ − 3) (−1): falls at 3 only if the dip at 1 were missed; positive before 1
        let roots = [1.0, 1.001, 3.0];
        let mut p = [0.0; TERMS];
        p[0] = 1.0;
        for root in roots {
            for k in (0..TERMS).rev() {
                p[k] = (if k > 0 { p[k - 1] } else { 0.0 }) - root * p[k];
            }
        }
        let p = p.map(|c| -c);
        let tau = first_fall(&p, 5.0, &[]).unwrap();
        assert!((tau - 1.0).abs() < 1e-12, "{tau}");
        // a touch from above is no fall
        let touch = {
            let mut p = [0.0; TERMS];
            (p[0], p[1], p[2]) = (1.0 + 1e-9, -2.0, 1.0);
            p
        };
        assert_eq!(first_fall(&touch, 5.0, &[]), None);
        // starts at zero, rises, and falls at 2
        let mut arch = [0.0; TERMS];
        (arch[1], arch[2]) = (2.0, -1.0);
        assert_eq!(first_fall(&arch, 5.0, &[0.0]), Some(2.0));
    }
}
