//! What a run keeps of its arcs and events.

use super::arc::Arc;
use super::poly::{first_fall, rate_of, slope, value};
use super::run::{Detail, Driver};
use super::state::{Foot, Mode, State, to_corner};
use super::{SlideRockEvent, SlideRockEventKind, SlideRockSample};
use crate::block::Side;
use crate::restraint::Tie;
use klast_ground_motion::Piece;

/// Pull over the weight that is none but rounding.
const WEAK: f64 = 1e-9;

impl Driver<'_> {
    /// Extremes, samples, forces and the energy of an arc, with the state at its end.
    pub(super) fn observe(&mut self, arc: &Arc, last: &State, pieces: (&Piece, &Piece)) {
        let block = self.setting.block;
        self.run.largest_rotation = self.run.largest_rotation.max(arc.largest_rotation());
        let (from, to) = (self.state.slip(block), last.slip(block));
        let start = self.state;
        self.extremes(&start, last);
        let (before, after) = (start.rotation().0, last.rotation().0);
        let lean = arc
            .largest_rotation()
            .copysign(if after == 0.0 { before } else { after });
        self.reach(from, lean);
        self.reach(to, lean);
        if arc.mode.slides_to().is_some() {
            self.run.way += (to - from).abs();
        }
        let full = self.detail == Detail::Full;
        let before = if full {
            self.energy_of(&self.state)
        } else {
            0.0
        };
        if full && self.setting.foot == Foot::Sticks {
            self.demand(arc, pieces);
        }
        let yielding = self.pass_ties(arc, last);
        if full {
            let change = self.energy_of(last) - before;
            let (work, lost) = arc.work(&self.setting, pieces, self.t);
            self.audit.arc(change, work, [lost, 0.0, yielding]);
            let (t, until) = (self.t, self.t + arc.length);
            self.sample_until(until, |driver, time| driver.sample(arc, time - t, time));
        }
    }

    /// Rates and slip at two states.
    pub(super) fn extremes(&mut self, from: &State, to: &State) {
        let block = self.setting.block;
        for state in [from, to] {
            let (turn, rate) = state.rotation();
            self.run.largest_rotation = self.run.largest_rotation.max(turn.abs());
            self.run.largest_velocity = self.run.largest_velocity.max(rate.abs());
            // A foot that jumps slips as well: it lands elsewhere.
            if self.mode != Mode::Flight {
                self.run.largest_slip = self.run.largest_slip.max(state.slip(block).abs());
            }
            self.reach(state.slip(block), turn);
        }
    }

    /// The way of the points at the stated height for a slip of the foot and a rotation.
    fn reach(&mut self, slip: f64, turn: f64) {
        let way = (slip + self.options.reach_height * libm::sin(turn)).abs();
        self.run.largest_reach = self.run.largest_reach.max(way);
    }

    /// The velocity with which corners (right, left) land.
    pub(super) fn landing(&mut self, corners: [bool; 2]) {
        let block = self.setting.block;
        let (_, _, turn, velocity) = self.state.centre(block);
        let on_corner = matches!(self.state, State::Corner { .. });
        for (side, lands) in [Side::Right, Side::Left].into_iter().zip(corners) {
            if lands || on_corner {
                let (across, _) = to_corner(block, side, turn);
                let down = velocity.turn * across - velocity.up;
                self.run.largest_landing = self.run.largest_landing.max(down);
            }
        }
    }

    /// What the foot that sticks needs of its contact.
    fn demand(&mut self, arc: &Arc, pieces: (&Piece, &Piece)) {
        let (block, t) = (self.setting.block, self.t);
        let gravity = block.gravity();
        match arc.mode {
            Mode::Rest if arc.length > 0.0 => {
                let (setting, state, ties) = (self.setting, self.state, &self.ties);
                let force = |time: f64| {
                    let push = setting.push(pieces, time, &state, ties);
                    (push.along / gravity, push.weight / gravity)
                };
                let span = (t, t + arc.length);
                self.run.contact.observe_rest(pieces, span, force);
            }
            Mode::Rock(side) => {
                let holds = self.ties.iter().any(|tie| may_pull(self, tie, side));
                let balance = block.corner(side).slenderness;
                let beyond = |tau: f64| !holds && value(&arc.turn, tau) > balance;
                let forces = |tau: f64| {
                    let along = arc.sign * value(&arc.tangent, tau);
                    (along / gravity, value(&arc.normal, tau) / gravity)
                };
                self.run.contact.observe(t, arc.length, beyond, forces);
            }
            _ => {}
        }
    }

    /// Takes the restrainers to the end of an arc; the energy that yielding took.
    fn pass_ties(&mut self, arc: &Arc, last: &State) -> f64 {
        let block = self.setting.block;
        let mut taken = 0.0;
        for (tie, pull) in self.ties.iter_mut().zip(&arc.pulls.list) {
            let end = tie.elongation(last.shift(block, tie.at));
            let rate = rate_of(&pull.grown, 1.0);
            let falls = slope(&pull.grown, arc.length) < 0.0;
            let turn = falls
                .then(|| first_fall(&rate, arc.length, &[0.0]))
                .flatten();
            let peak = turn.map_or(end, |tau| end.max(tie.longer(value(&pull.grown, tau))));
            tie.see(peak);
            taken += tie.pass(end);
        }
        taken
    }

    /// Mechanical energy per mass of block, springs and restrainers.
    pub(super) fn energy_of(&self, state: &State) -> f64 {
        let block = self.setting.block;
        let stored: f64 = self
            .ties
            .iter()
            .map(|tie| tie.stored(tie.elongation(state.shift(block, tie.at))))
            .sum();
        let springs = match (&self.setting.support, *state) {
            (Some(support), State::Springs { rise, turn, .. }) => {
                support.stored([rise, turn, 0.0, 0.0])
            }
            _ => 0.0,
        };
        state.energy(block) + stored + springs
    }

    pub(super) fn sample(&self, arc: &Arc, tau: f64, time: f64) -> SlideRockSample {
        let state = arc.at(self.setting.block, tau);
        let (rotation, angular_velocity) = state.rotation();
        SlideRockSample {
            time,
            rotation,
            angular_velocity,
            angular_acceleration: arc.angular_acceleration(tau),
            slip: state.slip(self.setting.block),
            settlement: 0.0,
            mode: arc.mode,
        }
    }

    pub(super) fn still(&self, time: f64) -> SlideRockSample {
        SlideRockSample {
            time,
            rotation: 0.0,
            angular_velocity: 0.0,
            angular_acceleration: 0.0,
            slip: self.state.slip(self.setting.block),
            settlement: 0.0,
            mode: self.mode,
        }
    }

    pub(super) fn sample_until(
        &mut self,
        until: f64,
        sample: impl Fn(&Self, f64) -> SlideRockSample,
    ) {
        while let Some(time) = self.sample_time() {
            if time >= until {
                return;
            }
            let made = sample(self, time);
            self.run.samples.push(made);
            self.next_sample += 1;
        }
    }

    pub(super) fn sample_time(&self) -> Option<f64> {
        if self.detail != Detail::Full {
            return None;
        }
        if !self.times.is_empty() {
            return self.times.get(self.next_sample).copied();
        }
        Some(self.next_sample as f64 * self.options.sample?)
    }

    pub(super) fn tell(&mut self, kind: SlideRockEventKind) {
        self.push(self.t, kind);
    }

    pub(super) fn push(&mut self, time: f64, kind: SlideRockEventKind) {
        if self.detail == Detail::Full {
            let mode = self.mode;
            #[cfg(feature = "tracing")]
            tracing::debug!(time, ?kind, ?mode, "rocking");
            self.run.events.push(SlideRockEvent { time, kind, mode });
        }
    }
}

/// Whether a restrainer pulls at a rotation that a block on `side` may still come to. Its length has one extreme; one
/// at the corner on which the block turns never pulls.
fn may_pull(driver: &Driver, tie: &Tie, side: Side) -> bool {
    let block = driver.setting.block;
    let lever = side.sign() * block.corner(side).lever;
    let held = (tie.at.0 - lever, tie.at.1 + block.centre_height());
    let anchor = (held.0 - tie.span.0, held.1 - tie.span.1);
    // ℓ² = ℓ₀² + b (1 − cos q) − c sin q has its extreme where tan q = c/b.
    let b = held.0 * anchor.0 + held.1 * anchor.1;
    let c = side.sign() * (anchor.0 * held.1 - anchor.1 * held.0);
    let extreme = libm::atan2(c, b);
    let extreme = if extreme > 0.0 {
        extreme
    } else {
        extreme + std::f64::consts::PI
    };
    let fallen = std::f64::consts::FRAC_PI_2;
    let pulls = |q: f64| {
        let on = State::Corner {
            side,
            q,
            rate: 0.0,
            foot: 0.0,
            speed: 0.0,
        };
        let e = tie.elongation(on.shift(block, tie.at));
        tie.stiffness * (e - tie.set) > WEAK * block.gravity()
    };
    tie.is_whole() && (pulls(extreme.min(fallen)) || pulls(fallen))
}
