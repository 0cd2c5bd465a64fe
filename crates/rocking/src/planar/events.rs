//! The conditions of each mode, and the first of them to fail.

use super::arc::{Arc, End};
use super::contact::VERGE;
use super::poly::{Poly, first_fall, mix, rate_of, reach, value};
use super::setting::Setting;
use super::state::{Foot, Mode, State};
use crate::block::{RockingBlock, Side};
use crate::restraint::{Edge, Stage, Tie};

impl Arc {
    /// Cuts the arc at its first event.
    pub fn cut(&mut self, setting: &Setting, ties: &[Tie]) {
        let block = setting.block;
        let slides = setting.foot != Foot::Sticks;
        let (gravity, p2) = (block.gravity(), block.corner(Side::Right).frequency_squared);
        // What rounding leaves of conditions that hold with equality when a mode begins: of their value and first two
        // rates.
        let force = [VERGE * gravity, 1e-12 * gravity * p2.sqrt()];
        let speed = [1e-13 * (gravity * block.radius()).sqrt(), 1e-11 * gravity];
        let lift = [0.0, 0.0, 1e-11 * p2];
        match self.mode {
            Mode::Rest => {
                if slides {
                    self.within_friction(setting.foot.at_rest(), &force);
                }
                self.stays_flat(block, &force);
                if slides {
                    let push = self.normal;
                    self.watch(&push, &force, End::Release);
                }
            }
            Mode::Slide(to) => {
                self.watch(&rate_of(&self.foot, to.sign()), &speed, End::Stop);
                let push = self.normal;
                self.watch(&push, &force, End::Release);
                // While no restrainer pulls the forces keep their proportion.
                if ties.iter().any(|tie| tie.pulls()) {
                    self.stays_flat(block, &force);
                }
            }
            Mode::Rock(side) | Mode::SlideRock(side, _) => {
                let turn = self.turn;
                let turned = reach(&turn, self.length);
                if turn[0] <= turned {
                    self.watch(&turn, &lift, End::Landing([true, true]));
                }
                if setting.overturned_at - turn[0] <= turned {
                    self.watch_limit(setting.overturned_at, side, 1.0);
                }
                match self.mode.slides_to() {
                    Some(to) => {
                        let slip = rate_of(&self.foot, to.sign() * self.sign);
                        self.watch(&slip, &speed, End::Stop);
                        let push = self.normal;
                        self.watch(&push, &force, End::Release);
                    }
                    None if slides => self.within_friction(setting.foot.at_rest(), &force),
                    None => {}
                }
            }
            Mode::Flight => self.cut_flight(setting),
        }
        for (i, tie) in ties.iter().enumerate() {
            self.watch_tie(i, tie, p2.sqrt());
        }
    }

    /// Both corners press.
    fn stays_flat(&mut self, block: &RockingBlock, noise: &[f64; 2]) {
        for side in [Side::Right, Side::Left] {
            let d = block.corner(side.other()).lever;
            let turning = -side.sign() * block.centre_height();
            let load = mix(&self.normal, d, &self.tangent, turning);
            let load = mix(&load, 1.0, &self.moment, side.sign());
            self.watch(&load, &noise.map(|x| x * d), End::Contact);
        }
    }

    /// A restrainer keeps its stage; `rate` is that of the block (1/s).
    fn watch_tie(&mut self, i: usize, tie: &Tie, rate: f64) {
        let Some(pull) = self.pulls.list.get(i) else {
            return;
        };
        let grown = pull.grown;
        // What rounding leaves of a length that is reached, and of its rate.
        let size = tie.length * tie.length + tie.at.0 * tie.at.0 + tie.at.1 * tie.at.1;
        let noise = [1e-15, 1e-13 * rate, 1e-11 * rate * rate].map(|x| x * size);
        let (low, high) = tie.bounds();
        for (bound, sign, edge) in [(low, 1.0, Edge::Low), (high, -1.0, Edge::High)] {
            if bound.is_finite()
                && let Some(limit) = tie.grown(bound)
            {
                let mut room = grown.map(|x| sign * x);
                room[0] -= sign * limit;
                self.watch(&room, &noise, End::Tie(i, edge));
            }
        }
        if let Stage::Yields(sign) = tie.stage {
            let onward = rate_of(&grown, sign);
            self.watch(&onward, &[1e-13 * size * rate], End::Tie(i, Edge::Turn));
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
        let room = mu * self.normal[0] - self.tangent[0].abs();
        let most = mu * reach(&self.normal, self.length) + reach(&self.tangent, self.length);
        if room > most {
            return;
        }
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

    /// Height of the corner of `side` over the base, in the air.
    fn gap(&self, block: &RockingBlock, side: Side, left_now: bool) -> Poly {
        // The levers are −sin θ and cos θ.
        let lever = side.sign() * block.corner(side).lever;
        let height = block.centre_height();
        let turned = mix(&self.sine, lever, &self.cosine, -height);
        let mut gap = mix(&self.rise, 1.0, &turned, 1.0);
        gap[0] += height;
        if left_now {
            (gap[0], gap[1]) = (0.0, 0.0);
        }
        gap
    }
}
