//! A block on a compliant base from event to event.

use super::SlideRockEventKind;
use super::SlideRockSample;
use super::arc::{Arc, End};
use super::run::{Detail, Driver};
use super::setting::Setting;
use super::springs::{Phase, closed};
use super::state::{Foot, Mode, State, side_of};
use crate::block::Side;
use crate::compliant::Support;
use crate::error::RockingError;
use crate::restraint::Tie;
use klast_ground_motion::Piece;
use klast_numerics::ode::{Arrival, Dopri853, Event, OdeOptions};

/// Relative and absolute error of a step; metres and radians per mass of a block of the order of a metre.
const TOLERANCE: f64 = 1e-11;

/// Looks at forces and extremes per step.
const SAMPLES_PER_STEP: usize = 4;

impl Driver<'_> {
    /// Follows the motion on springs to its first event, at most to `until`.
    pub(super) fn glide(
        &mut self,
        support: Support,
        pieces: (&Piece, &Piece),
        until: f64,
    ) -> Result<End, RockingError> {
        // A jump of the base, or a restrainer that broke, may ask more of a foot that sticks than its friction.
        if self.mode.slides_to().is_none() && self.mode != Mode::Flight {
            let mode = self.mode;
            self.follow_on(closed(mode), pieces, false);
            if self.mode != mode {
                self.tell(SlideRockEventKind::Mode);
            }
        }
        let (setting, ties) = (self.setting, self.ties.clone());
        let phase = self.phase_of(&setting, support, &ties, pieces);
        let options = OdeOptions {
            relative: TOLERANCE,
            absolute: TOLERANCE,
            max_steps: self.options.max_steps,
            ..OdeOptions::default()
        };
        let energy = &self.audit.energy;
        let taken = [energy.base_work, energy.damping, energy.friction];
        let size = Phase::dimension_of(setting.foot);
        let mut method = Dopri853::new(size, options)?;
        method.reset(self.t, &phase.unknowns(&self.state, taken)[..size])?;
        let ends = phase.ends();
        let events: Vec<&dyn Event> = ends.iter().map(|watch| watch as &dyn Event).collect();
        let before = self.energy_of(&self.state);
        let mut observe = |method: &Dopri853| self.look(&phase, method);
        let arrival = method.advance_observed(&phase, until, &events, Some(&mut observe))?;
        let y = method.state();
        self.t = method.time();
        self.state = phase.state(y);
        let (block, state) = (setting.block, self.state);
        let pass = |tie: &mut Tie| tie.pass(tie.elongation(state.shift(block, tie.at)));
        let yielding = self.ties.iter_mut().map(pass).sum();
        let friction = y.get(8).map_or(0.0, |lost| lost - taken[2]);
        let change = self.energy_of(&self.state) - before;
        let lost = [friction, y[5] - taken[1], yielding];
        self.audit.arc(change, y[4] - taken[0], lost);
        Ok(match arrival {
            Arrival::End => End::Time,
            Arrival::Event { index } => match ends[index].end {
                End::Overturned(_) if y[1] < 0.0 => End::Overturned(Side::Left),
                end => end,
            },
        })
    }

    fn phase_of<'a>(
        &self,
        setting: &'a Setting<'a>,
        support: Support,
        ties: &'a [Tie],
        pieces: (&'a Piece, &'a Piece),
    ) -> Phase<'a> {
        let (turn, rate) = self.state.rotation();
        Phase {
            setting,
            support,
            ties,
            pieces,
            mode: self.mode,
            lean: side_of(if turn == 0.0 { rate } else { turn }),
        }
    }

    /// Extremes, forces and samples of a step.
    fn look(&mut self, phase: &Phase<'_>, method: &Dopri853) {
        self.run.steps += 1;
        let (from, to) = (method.step_start(), method.time());
        let mut y = [0.0; 9];
        let y = &mut y[..method.state().len()];
        let mut before = phase.state(&{
            method.interpolate(from, y);
            y.to_vec()
        });
        for look in 1..=SAMPLES_PER_STEP {
            let t = from + (to - from) * look as f64 / SAMPLES_PER_STEP as f64;
            method.interpolate(t, y);
            let state = phase.state(y);
            self.note(phase, t, (&before, &state));
            before = state;
        }
        let at = |time: f64| {
            let mut y = [0.0; 9];
            let y = &mut y[..method.state().len()];
            method.interpolate(time, y);
            sample_of(phase, time, phase.state(y))
        };
        if self.sample_time().is_some_and(|time| time >= from) {
            self.sample_until(to, |_, time| at(time));
        }
    }

    fn note(&mut self, phase: &Phase<'_>, t: f64, (before, state): (&State, &State)) {
        let block = self.setting.block;
        self.extremes(before, state);
        self.run.way += (state.slip(block) - before.slip(block)).abs();
        for tie in &mut self.ties {
            tie.see(tie.elongation(state.shift(block, tie.at)));
        }
        if let State::Springs { rise, turn, .. } = *state {
            for s in phase.support.ends {
                let depth = phase.support.depth(s, [rise, turn, 0.0, 0.0]).0;
                self.run.largest_settlement = self.run.largest_settlement.max(depth);
            }
        }
        if self.setting.foot == Foot::Sticks && self.detail == Detail::Full {
            let (going, g) = (phase.going(t, state), block.gravity());
            let turn = state.rotation().0;
            let side = if turn < 0.0 { Side::Left } else { Side::Right };
            let balanced = turn.abs() <= block.corner(side).slenderness;
            let forces = (going.tangent / g, going.normal / g);
            self.run.contact.note_forces(t, forces, balanced);
        }
    }

    /// Enters the first mode.
    pub(super) fn settle(&mut self, pieces: (&Piece, &Piece)) {
        let State::Springs {
            rise,
            turn,
            rising,
            rate,
            ..
        } = self.state
        else {
            return;
        };
        let Some(support) = self.setting.support else {
            return;
        };
        let presses = |s: f64| support.pressed(s, [rise, turn, rising, rate]) > 0.0;
        let closed = support.ends.map(presses);
        if closed != [true, true] {
            self.lift();
        }
        self.follow_on(closed, pieces, false);
    }

    /// What follows an event on springs.
    pub(super) fn settle_after(&mut self, end: End, pieces: (&Piece, &Piece)) {
        let mut closed = closed(self.mode);
        if let State::Springs { turn, speed, .. } = &mut self.state {
            match end {
                End::Upright => *turn = 0.0,
                End::Stop => *speed = 0.0,
                _ => {}
            }
        }
        if let End::Edge(i) = end {
            closed[i] = !closed[i];
            if !closed[i] {
                self.lift();
            }
        }
        let mode = self.mode;
        self.follow_on(closed, pieces, end == End::Contact);
        if self.mode != mode {
            self.tell(SlideRockEventKind::Mode);
        }
    }

    /// The mode in which the edges `closed` press; the foot slides if it has a speed, if it `must`, or if it would need
    /// more than its friction.
    fn follow_on(&mut self, closed: [bool; 2], pieces: (&Piece, &Piece), must: bool) {
        let sticking = match closed {
            [true, true] => Mode::Rest,
            [true, false] => Mode::Rock(Side::Left),
            [false, true] => Mode::Rock(Side::Right),
            [false, false] => Mode::Flight,
        };
        let (Some(support), State::Springs { speed, .. }) = (self.setting.support, self.state)
        else {
            return;
        };
        self.mode = sticking;
        if self.setting.foot == Foot::Sticks {
            return self.enter(sticking);
        }
        let going = {
            let setting = self.setting;
            self.phase_of(&setting, support, &self.ties, pieces)
                .going(self.t, &self.state)
        };
        let over = going.tangent.abs() > self.setting.foot.at_rest() * going.normal;
        let to = match side_of(speed) {
            None if must || over => side_of(-going.tangent),
            to => to,
        };
        let mode = match (sticking, to) {
            (Mode::Rest, Some(to)) => Mode::Slide(to),
            (Mode::Rock(side), Some(to)) => Mode::SlideRock(side, to),
            _ => sticking,
        };
        self.enter(mode);
    }

    /// Notes an edge that is lifted.
    fn lift(&mut self) {
        self.run.uplifts += 1;
        self.run.first_uplift.get_or_insert(self.t);
    }

    /// A sample of the present state.
    pub(super) fn sample_now(&self, pieces: (&Piece, &Piece)) -> SlideRockSample {
        let setting = self.setting;
        if let Some(support) = setting.support {
            let phase = self.phase_of(&setting, support, &self.ties, pieces);
            return sample_of(&phase, self.t, self.state);
        }
        let now = (self.mode, self.state, self.ties.as_slice());
        let arc = Arc::new(&self.setting, now, pieces, self.t, 0.0);
        self.sample(&arc, 0.0, self.t)
    }
}

fn sample_of(phase: &Phase<'_>, time: f64, state: State) -> SlideRockSample {
    let (rotation, angular_velocity) = state.rotation();
    SlideRockSample {
        time,
        rotation,
        angular_velocity,
        angular_acceleration: phase.going(time, &state).turning,
        slip: state.slip(phase.setting.block),
        settlement: match state {
            State::Springs { rise, .. } => -rise,
            _ => 0.0,
        },
        mode: phase.mode,
    }
}
