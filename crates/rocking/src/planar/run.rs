//! One block from event to event.

use super::arc::{Arc, End};
use super::contact::Push;
use super::energy::Audit;
use super::impact;
use super::setting::Setting;
use super::state::{Foot, Mode, State};
use super::{SlideRockEventKind, SlideRockOptions, SlideRockOutcome, SlideRockRun};
use crate::block::Side;
use crate::error::RockingError;
use crate::limits::OverturningMode;
use crate::restitution::Restitution;
use crate::restraint::{Edge, Tie};
use klast_ground_motion::{GroundMotion, Piece};

/// Changes of mode at one time after which the contact is said not to converge.
const MOST_CHANGES: usize = 40;

/// Number of modes, sides and directions counted.
pub(super) const MODES: usize = 10;

/// Length of an arc that passes over a condition that is touched, times p: what it does not see is 1e-18 of a rotation.
const GRAZE: f64 = 1e-9;

/// How much a run keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Events, samples and the audit of the energy.
    Full,
    /// The outcome, the largest rotation and the slip.
    #[cfg_attr(
        not(feature = "batch"),
        allow(dead_code, reason = "batches ask for it")
    )]
    Peaks,
    /// The outcome and the largest rotation, as early as they are known.
    Fate,
}

pub(super) struct Driver<'a> {
    pub(super) setting: Setting<'a>,
    pub(super) restitution: &'a Restitution,
    pub(super) options: &'a SlideRockOptions,
    pub(super) times: &'a [f64],
    pub(super) detail: Detail,
    pub(super) audit: Audit,
    pub(super) run: SlideRockRun,
    pub(super) t: f64,
    pub(super) state: State,
    pub(super) ties: Vec<Tie>,
    pub(super) mode: Mode,
    /// Changes of mode since the time last moved on.
    pub(super) changes: usize,
    /// Modes that failed since then.
    pub(super) failed: [Option<Mode>; MODES],
    /// Whether the next arc passes over conditions that are touched.
    pub(super) grazes: bool,
    pub(super) next_sample: usize,
    /// Whether the outcome was known before the motion had ended.
    pub(super) cut_short: bool,
}

impl Driver<'_> {
    pub(super) fn go(&mut self, motion: &GroundMotion) -> Result<(), RockingError> {
        let still = motion.duration();
        let (horizontal, vertical, _) = motion.pieces_at(0.0);
        match self.setting.support {
            Some(_) => self.settle((&horizontal, &vertical)),
            None => self.choose((&horizontal, &vertical)),
        }
        while self.run.steps < self.options.max_steps {
            if self.t >= self.options.duration || (self.t >= still && self.is_decided()) {
                self.finish(motion);
                return Ok(());
            }
            if let Some(side) = self.certain_fall(self.t >= still) {
                self.cut_short = true;
                self.overturn(side);
                return Ok(());
            }
            let (horizontal, vertical, end) = motion.pieces_at(self.t);
            let pieces = (&horizontal, &vertical);
            let until = end.min(self.options.duration);
            let from = self.t;
            let (mode, end) = (self.mode, self.advance(pieces, until)?);
            if self.t > from {
                self.changes = 0;
                self.failed = [None; MODES];
            }
            if let End::Overturned(side) = end {
                self.overturn(side);
                return Ok(());
            }
            self.after((mode, end), pieces, until)?;
        }
        Err(RockingError::TooManySteps {
            time: self.t,
            limit: self.options.max_steps,
        })
    }

    /// Follows the mode to its end, at most to `until`.
    fn advance(&mut self, pieces: (&Piece, &Piece), until: f64) -> Result<End, RockingError> {
        if let Some(support) = self.setting.support {
            return self.glide(support, pieces, until);
        }
        self.run.steps += 1;
        let rest = until - self.t;
        let now = (self.mode, self.state, self.ties.as_slice());
        let mut arc = Arc::new(&self.setting, now, pieces, self.t, rest);
        if std::mem::take(&mut self.grazes) {
            let over = GRAZE / self.setting.block.frequency();
            arc.length = over.min(rest).max(self.t * f64::EPSILON);
            arc.end = End::Time;
        }
        let last = arc.at(self.setting.block, arc.length);
        self.observe(&arc, &last, pieces);
        self.state = last;
        let fills = arc.end == End::Time && arc.length >= rest;
        self.t = if fills { until } else { self.t + arc.length };
        Ok(arc.end)
    }

    /// Whether, on a base that is still, the energy left neither overturns the block nor turns it further than it has
    /// been, when nothing else is wanted. Beyond its balance a block falls with less energy than it would have there.
    fn is_decided(&mut self) -> bool {
        if self.detail == Detail::Full || !self.setting.is_level() {
            return false;
        }
        if self.detail != Detail::Fate || self.mode == Mode::Rest {
            return self.mode == Mode::Rest;
        }
        let (block, largest) = (self.setting.block, self.run.largest_rotation);
        let sides = [Side::Right, Side::Left];
        let top = sides.map(|side| {
            let balance = block.corner(side).slenderness;
            self.options.overturned_at.min(balance)
        });
        let [right, left] = top.map(|top| top.min(largest));
        let least = block.energy(right, 0.0).min(block.energy(-left, 0.0));
        self.cut_short = self.state.rotation().0.abs() < top[0].min(top[1])
            && self.energy_of(&self.state) < least;
        self.cut_short
    }

    /// What follows the end of an arc.
    fn after(
        &mut self,
        (mode, end): (Mode, End),
        pieces: (&Piece, &Piece),
        until: f64,
    ) -> Result<(), RockingError> {
        match end {
            End::Time | End::Overturned(_) => return Ok(()),
            End::Tie(i, edge) => self.end_stage(i, edge),
            _ if self.setting.support.is_some() => self.settle_after(end, pieces),
            End::Contact => {
                self.fail(mode);
                self.choose(pieces);
                self.tell(SlideRockEventKind::Mode);
            }
            End::Release => {
                self.enter(Mode::Flight);
                self.tell(SlideRockEventKind::Mode);
            }
            End::Stop => {
                if let State::Flat { speed, .. } | State::Corner { speed, .. } = &mut self.state {
                    *speed = 0.0;
                }
                self.fail(mode);
                self.choose(pieces);
                self.tell(SlideRockEventKind::Mode);
            }
            End::Edge(_) | End::Upright => {}
            End::Landing(corners) => self.land(corners, pieces, until),
        }
        self.changes += 1;
        if self.changes > MOST_CHANGES {
            return Err(RockingError::NoConvergence {
                of: "the mode of the contact at one time",
                rounds: self.changes,
            });
        }
        Ok(())
    }

    /// A restrainer comes to the end of a stage.
    fn end_stage(&mut self, i: usize, edge: Edge) {
        if let Some(stored) = self.ties[i].change(edge, self.t) {
            self.audit.energy.ruptures += stored;
            self.failed = [None; MODES];
            self.tell(SlideRockEventKind::Broke { restrainer: i });
        }
        self.audit.phase();
    }

    pub(super) fn pushed(&self, pieces: (&Piece, &Piece)) -> Push {
        self.setting.push(pieces, self.t, &self.state, &self.ties)
    }

    /// The corners (right, left) touch the base.
    fn land(&mut self, corners: [bool; 2], pieces: (&Piece, &Piece), until: f64) {
        let (block, mu) = (self.setting.block, self.setting.foot.sliding());
        let before = self.state.energy(block);
        let (_, rate_before) = self.state.rotation();
        self.landing(corners);
        let struck = match self.state {
            State::Corner {
                foot, rate, speed, ..
            } if rate >= 0.0 => {
                // A touch without speed.
                self.fail(self.mode);
                self.state = State::Flat { foot, speed };
                self.choose(pieces);
                self.tell(SlideRockEventKind::Mode);
                return;
            }
            State::Corner {
                side, rate, foot, ..
            } if self.setting.foot == Foot::Sticks => {
                impact::hinged(block, self.restitution, (side, rate), foot)
            }
            State::Corner {
                side,
                rate,
                foot,
                speed,
                ..
            } => {
                let level = State::Corner {
                    side,
                    q: 0.0,
                    rate,
                    foot,
                    speed,
                };
                let velocity = level.centre(block).3;
                let landing = Some(side.other());
                impact::flat(block, self.restitution, mu, foot, velocity, landing)
            }
            State::Air { x, velocity, .. } if corners == [true, true] => {
                impact::flat(block, self.restitution, mu, x, velocity, None)
            }
            State::Air {
                x, turn, velocity, ..
            } => {
                let side = if corners[0] { Side::Right } else { Side::Left };
                impact::corner(block, mu, side, (x, turn), velocity)
            }
            State::Flat { .. } | State::Springs { .. } => return,
        };
        self.state = struck.state;
        self.audit.impact(before, self.state.energy(block));
        self.failed = [None; MODES];
        self.run.impacts += 1;
        self.run.unresolved += usize::from(!struck.resolved);
        self.choose(pieces);
        self.tell(SlideRockEventKind::Impact {
            before: rate_before,
            after: self.state.rotation().1,
        });
        self.close(pieces, until);
    }

    fn overturn(&mut self, side: Side) {
        self.run.largest_rotation = self.options.overturned_at;
        self.run.outcome = SlideRockOutcome::Overturned(OverturningMode {
            side,
            impacts: self.run.impacts,
        });
        self.push(self.t, SlideRockEventKind::Overturned { side });
        self.end();
    }

    fn finish(&mut self, motion: &GroundMotion) {
        let moved = self.run.first_rock.is_some() || self.run.first_jump.is_some();
        // On springs a block vibrates on its whole base long after it rocked: its energy tells whether it may again.
        let stands = match &self.setting.support {
            Some(support) => {
                self.t >= motion.duration() && self.energy_of(&self.state) < support.lifting()
            }
            None => self.mode.is_flat(),
        };
        self.run.outcome = match self.mode.slides_to() {
            _ if moved && stands => SlideRockOutcome::Settled,
            _ if moved => SlideRockOutcome::Rocking,
            Some(_) => SlideRockOutcome::Sliding,
            None if self.run.first_slide.is_some() => SlideRockOutcome::Slid,
            None => SlideRockOutcome::Rest,
        };
        self.t = self.t.min(self.options.duration);
        if self.sample_time().is_some_and(|time| time <= self.t) {
            let (horizontal, vertical, _) = motion.pieces_at(self.t);
            let pieces = (&horizontal, &vertical);
            let sample = self.sample_now(pieces);
            self.run.samples.push(sample);
        }
        self.end();
    }

    fn end(&mut self) {
        self.run.slip = self.state.slip(self.setting.block);
        self.run.largest_slip = self.run.largest_slip.max(self.run.slip.abs());
        self.run.end_time = self.t;
        self.run.end = self.state.rotation();
    }
}
