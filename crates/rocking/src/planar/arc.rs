//! The motion in one mode: Taylor series from a state on, cut at the first event.
//!
//! As in `kernel` all derivatives follow from recurrences (Jorba and Zou 2005); here the contact force, the slip and
//! the gaps are series of their own, so each condition of a mode is a polynomial and its first zero in the step is
//! found without looking past any: from the left, by a bound of the second derivative.

use super::poly::{
    Poly, TERMS, falling, first_fall, integral, mix, rate_of, short_term, slope, term, value,
};
use super::pull::Pulls;
use super::setting::Setting;
use super::state::{Mode, State, Velocity};
use crate::block::{RockingBlock, Side};
use crate::kernel::{ORDER, rough_root};
use crate::restraint::{Edge, Tie};
use klast_ground_motion::Piece;
use klast_numerics::sin_cos;

/// Highest power to which forces are known: two below that of the motion.
const FORCES: usize = ORDER - 2;

/// Size of the first neglected term, over the size of the quantity.
const TRUNCATION: f64 = 1e-16;

/// One arc.
pub(super) struct Arc {
    pub mode: Mode,
    pub length: f64,
    pub end: End,
    pub start: State,
    /// +1, or −1 for the left corner, whose frame is mirrored.
    pub sign: f64,
    /// Rotation: away from the base on a corner, clockwise in the air.
    pub turn: Poly,
    /// Foot, or mass centre in the air; along the frame.
    pub foot: Poly,
    /// Height of the mass centre, in the air.
    pub rise: Poly,
    /// sin and cos of α − q of the corner it stands on.
    pub sine: Poly,
    pub cosine: Poly,
    /// Force of the base per mass, normal and along the frame.
    pub normal: Poly,
    pub tangent: Poly,
    /// Base acceleration along the frame, and gravity plus that normal to it, both less those by restrainers.
    pub base: Poly,
    weight: Poly,
    /// Number of terms of the base acceleration and of the weight that may differ from zero.
    base_terms: usize,
    weight_terms: usize,
    /// Moment of the restrainers about the mass centre per mass, in the frame, and their series.
    pub moment: Poly,
    pub pulls: Pulls,
}

impl Arc {
    /// The arc from `state` in `mode` at time `t`, of at most `rest` seconds within `pieces`, held by `ties`.
    pub fn new(
        setting: &Setting,
        (mode, state, ties): (Mode, State, &[Tie]),
        pieces: (&Piece, &Piece),
        t: f64,
        rest: f64,
    ) -> Self {
        let sign = match mode {
            Mode::Rock(side) | Mode::SlideRock(side, _) => side.sign(),
            _ => 1.0,
        };
        let ((base, base_terms), (weight, weight_terms)) = setting.loads(pieces, t, sign);
        let origin = match mode {
            Mode::Rock(side) | Mode::SlideRock(side, _) => (
                sign * setting.block.corner(side).lever,
                -setting.block.centre_height(),
            ),
            _ => (0.0, 0.0),
        };
        let pulls = Pulls::new(ties, origin);
        let terms = |terms: usize| if ties.is_empty() { terms } else { TERMS };
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
            base,
            weight,
            base_terms: terms(base_terms),
            weight_terms: terms(weight_terms.max(1)),
            moment: [0.0; TERMS],
            pulls,
        };
        match (mode, state) {
            (Mode::Rest, State::Flat { foot, .. }) => arc.rest(foot),
            (Mode::Slide(to), State::Flat { foot, speed }) => {
                arc.slide(setting.foot.sliding() * to.sign(), foot, speed);
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
                let pull = setting.foot.sliding() * to.sign() * sign;
                arc.slide_rock(setting.block, side, pull, q, rate);
            }
            (_, state) => {
                let (x, z, turn, velocity) = state.centre(setting.block);
                arc.fly(setting.block, (x, z, turn), velocity);
            }
        }
        arc.length = arc.step(setting.block).min(rest);
        arc.cut(setting, ties);
        arc
    }

    /// Takes the restrainers into terms `k` of the loads.
    fn hold(&mut self, k: usize) {
        if self.pulls.list.is_empty() {
            return;
        }
        let origin = (self.sign * self.foot[k], self.rise[k]);
        let (along, up, moment) = self.pulls.term(k, origin, &self.turn, self.sign);
        self.base[k] -= self.sign * along;
        self.weight[k] -= up;
        self.moment[k] = self.sign * moment;
    }

    fn rest(&mut self, foot: f64) {
        self.foot[0] = foot;
        for k in 0..=FORCES {
            self.hold(k);
        }
        self.normal = self.weight;
        self.tangent = self.base;
    }

    /// v′ = −ü − σμ (g + v̈).
    fn slide(&mut self, pull: f64, foot: f64, speed: f64) {
        (self.foot[0], self.foot[1]) = (foot, speed);
        for k in 0..=FORCES {
            self.hold(k);
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
        self.next_levers(1);
    }

    /// q″ = −R (G S + U C)/(ρ² + R²); the force is what moves the mass centre at (−R S, R C) from the corner.
    fn rock(&mut self, block: &RockingBlock, side: Side, q: f64, rate: f64) {
        let corner = block.corner(side);
        let factor = -corner.frequency_squared / block.gravity();
        let inertia = block.gyration_squared() + corner.radius * corner.radius;
        self.start_levers(corner.slenderness, q, rate);
        for k in 0..=FORCES {
            self.hold(k);
            let weighed = short_term(k, (&self.weight, self.weight_terms), &self.sine);
            let pull = weighed + short_term(k, (&self.base, self.base_terms), &self.cosine);
            self.turn[k + 2] = (factor * pull + self.moment[k] / inertia) / falling(k + 2);
            self.next_levers(k + 2);
        }
        for k in 0..=FORCES {
            let lever = corner.radius * falling(k + 2);
            self.normal[k] = self.weight[k] + lever * self.cosine[k + 2];
            self.tangent[k] = self.base[k] - lever * self.sine[k + 2];
        }
    }

    /// With m = S − σμC, κ = R²/ρ² and D = 1 + κ S m: N = (G − R q′² C)/D, q″ = −(R/ρ²) N m, and the foot follows from
    /// the sum of forces along the base.
    fn slide_rock(&mut self, block: &RockingBlock, side: Side, pull: f64, q: f64, rate: f64) {
        let corner = block.corner(side);
        let radius = corner.radius;
        let ratio = radius / block.gyration_squared();
        self.start_levers(corner.slenderness, q, rate);
        let (mut arm, mut mobility, mut squared) = ([0.0; TERMS], [0.0; TERMS], [0.0; TERMS]);
        for k in 0..=FORCES {
            self.hold(k);
            arm[k] = self.sine[k] - pull * self.cosine[k];
            mobility[k] = ratio * radius * term(k, &self.sine, &arm) + f64::from(k == 0);
            squared[k] = (0..=k)
                .map(|j| {
                    let i = k - j;
                    ((j + 1) * (i + 1)) as f64 * self.turn[j + 1] * self.turn[i + 1]
                })
                .sum();
            let mut normal = self.weight[k] - radius * term(k, &squared, &self.cosine);
            if !self.pulls.list.is_empty() {
                normal += ratio * term(k, &self.sine, &self.moment);
            }
            normal -= term(k, &mobility, &self.normal);
            self.normal[k] = normal / mobility[0];
            self.tangent[k] = -pull * self.normal[k];
            let turning = self.moment[k] / block.gyration_squared();
            let turning = turning - ratio * term(k, &self.normal, &arm);
            self.turn[k + 2] = turning / falling(k + 2);
            self.next_levers(k + 2);
            let centre = (self.tangent[k] - self.base[k]) / falling(k + 2);
            self.foot[k + 2] = centre + radius * self.sine[k + 2];
        }
    }

    /// The levers are those of a block without slenderness: −sin θ and cos θ.
    fn fly(&mut self, block: &RockingBlock, (x, z, turn): (f64, f64, f64), velocity: Velocity) {
        (self.foot[0], self.foot[1]) = (x, velocity.along);
        (self.rise[0], self.rise[1]) = (z - block.centre_height(), velocity.up);
        self.start_levers(0.0, turn, velocity.turn);
        for k in 0..=FORCES {
            self.hold(k);
            self.turn[k + 2] = self.moment[k] / block.gyration_squared() / falling(k + 2);
            self.next_levers(k + 2);
            self.foot[k + 2] = -self.base[k] / falling(k + 2);
            self.rise[k + 2] = -self.weight[k] / falling(k + 2);
        }
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

    /// The state after `tau` seconds.
    pub fn at(&self, block: &RockingBlock, tau: f64) -> State {
        let sign = self.sign;
        let foot = || (sign * value(&self.foot, tau), sign * slope(&self.foot, tau));
        match self.mode {
            Mode::Rest => self.start,
            Mode::Slide(_) => {
                let (foot, speed) = foot();
                State::Flat { foot, speed }
            }
            Mode::Rock(side) | Mode::SlideRock(side, _) => {
                let (foot, speed) = match self.mode {
                    Mode::Rock(_) => (sign * self.foot[0], 0.0),
                    _ => foot(),
                };
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
                z: block.centre_height() + value(&self.rise, tau),
                turn: value(&self.turn, tau),
                velocity: Velocity {
                    along: slope(&self.foot, tau),
                    up: slope(&self.rise, tau),
                    turn: slope(&self.turn, tau),
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

    /// Work of the inertial forces and friction loss over the arc that starts at time `t`, per mass.
    pub fn work(&self, setting: &Setting, pieces: (&Piece, &Piece), t: f64) -> (f64, f64) {
        if self.mode == Mode::Rest {
            return (0.0, 0.0);
        }
        let ((base, _), (mut weight, _)) = setting.loads(pieces, t, self.sign);
        weight[0] -= setting.block.gravity();
        let (mut along, mut up) = (rate_of(&self.foot, 1.0), rate_of(&self.rise, 1.0));
        let mut lost = 0.0;
        match self.mode {
            Mode::Rock(side) | Mode::SlideRock(side, _) => {
                let radius = setting.block.corner(side).radius;
                lost = -integral(&self.tangent, &along, self.length);
                along = mix(&along, 1.0, &rate_of(&self.sine, 1.0), -radius);
                up = rate_of(&self.cosine, radius);
            }
            Mode::Slide(_) => lost = -integral(&self.tangent, &along, self.length),
            _ => {}
        }
        let work = -integral(&base, &along, self.length) - integral(&weight, &up, self.length);
        (work, lost)
    }
}

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
    /// A restrainer, by its number, comes to the end of its stage.
    Tie(usize, Edge),
    /// On a compliant base: the edge (left, right) lifts or comes down.
    Edge(usize),
    /// There: the block passes its upright position.
    Upright,
}
