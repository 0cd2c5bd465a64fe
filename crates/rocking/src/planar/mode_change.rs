//! Which mode of contact follows, and the state in its coordinates.

use super::SlideRockEventKind;
use super::contact::resolve;
use super::impact::{self, Struck};
use super::run::{Driver, MODES};
use super::state::{Mode, State};
use klast_ground_motion::Piece;

impl Driver<'_> {
    /// `mode` is none of those that may follow at this time.
    pub(super) fn fail(&mut self, mode: Mode) {
        if let Some(free) = self.failed.iter_mut().find(|failed| failed.is_none()) {
            *free = Some(mode);
        }
    }

    /// The mode that follows from the state, other than those that have just failed.
    pub(super) fn choose(&mut self, pieces: (&Piece, &Piece)) {
        let push = self.pushed(pieces);
        let (block, foot) = (self.setting.block, self.setting.foot);
        let mut answer = resolve(block, foot, &self.state, push, &self.failed);
        if answer.mode.is_none() {
            // All that fit have failed at once: a condition is touched, not crossed, to round-off. The first is kept
            // over it.
            let grazed = resolve(block, foot, &self.state, push, &[]);
            if grazed.mode.is_some() {
                (answer, self.grazes) = (grazed, true);
            }
        }
        if answer.mode.is_none()
            && let Some(struck) = self.jam()
        {
            let before = self.state.energy(block);
            self.state = struck.state;
            self.audit.impact(before, self.state.energy(block));
            self.failed = [None; MODES];
            self.run.jams += 1;
            self.run.unresolved += usize::from(!struck.resolved);
            answer = resolve(block, foot, &self.state, push, &self.failed);
            self.enter(answer.mode.unwrap_or(answer.nearest));
            self.tell(SlideRockEventKind::Jam);
        } else {
            self.enter(answer.mode.unwrap_or(answer.nearest));
        }
        self.run.ambiguous += usize::from(answer.ambiguous);
        self.run.unresolved += usize::from(answer.mode.is_none());
    }

    /// The impact without collision of a sliding foot whose accelerations have no solution.
    fn jam(&self) -> Option<Struck> {
        let (block, mu) = (self.setting.block, self.setting.foot.sliding());
        let (x, _, turn, velocity) = self.state.centre(block);
        match self.state {
            State::Corner { side, speed, .. } if speed != 0.0 => {
                Some(impact::corner(block, mu, side, (x, turn), velocity))
            }
            State::Flat { foot, speed } if speed != 0.0 => {
                Some(impact::flat_jam(block, mu, foot, velocity))
            }
            _ => None,
        }
    }

    /// The state in the coordinates of `mode`.
    pub(super) fn enter(&mut self, mode: Mode) {
        self.mode = mode;
        self.audit.phase();
        match (mode, self.state) {
            (Mode::Rock(side) | Mode::SlideRock(side, _), State::Flat { foot, speed }) => {
                self.state = State::Corner {
                    side,
                    q: 0.0,
                    rate: 0.0,
                    foot,
                    speed,
                };
            }
            (_, State::Springs { .. }) => {}
            (Mode::Flight, _) => self.state = self.state.released(self.setting.block),
            _ => {}
        }
        let time = Some(self.t);
        match mode {
            Mode::Slide(_) => self.run.first_slide = self.run.first_slide.or(time),
            Mode::Rock(_) => self.run.first_rock = self.run.first_rock.or(time),
            Mode::SlideRock(..) => {
                self.run.first_slide = self.run.first_slide.or(time);
                self.run.first_rock = self.run.first_rock.or(time);
            }
            Mode::Flight => {
                self.run.jumps += 1;
                self.run.first_jump = self.run.first_jump.or(time);
            }
            Mode::Rest => {}
        }
    }
}
