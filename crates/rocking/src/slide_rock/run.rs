//! One block from event to event.

use super::arc::{Arc, End, Setting};
use super::contact::Base;
use super::energy::Audit;
use super::impact;
use super::state::{Mode, State, side_of};
use super::{
    SlideRockEnergy, SlideRockEventKind, SlideRockOptions, SlideRockOutcome, SlideRockRun,
};
use crate::block::{RockingBlock, Side};
use crate::error::RockingError;
use crate::restitution::Restitution;
use crate::run::OverturningMode;
use klast_dynamics::ground_motion::{GroundMotion, Piece};

/// Changes of mode at one time after which the contact is said not to converge.
const MOST_CHANGES: usize = 40;

/// Number of modes, sides and directions counted.
pub(super) const MODES: usize = 10;

/// Length of an arc that passes over a condition that is touched, times p: what it does not see is 1e-18 of a rotation.
const GRAZE: f64 = 1e-9;

/// How much a run keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// Events, samples and the audit of the energy.
    Full,
    /// The outcome, the largest rotation and the slip.
    Peaks,
    /// The outcome and the largest rotation, as early as they are known.
    Fate,
}

/// Simulates `block` on a base with `motion` and friction.
///
/// ```
/// use klast_dynamics::ground_motion::{Component, Frequency, GroundMotion};
/// use klast_rocking::{Friction, Restitution, RockingBlock, SlideRockOptions, SlideRockOutcome, simulate_slide_rock};
///
/// let block = RockingBlock::rectangle(0.5, 2.0, 9.81)?;
/// let wave = Component::waves(14.0, Frequency::rad_per_s(std::f64::consts::TAU), 0.0, 1.0)?;
/// let options = SlideRockOptions::new(10.0, Friction::new(0.2)?);
/// let motion = GroundMotion::horizontal(wave);
/// let run = simulate_slide_rock(&block, &Restitution::housner(), &motion, &options)?;
/// assert_eq!(run.outcome, SlideRockOutcome::Slid);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn simulate_slide_rock(
    block: &RockingBlock,
    restitution: &Restitution,
    motion: &GroundMotion,
    options: &SlideRockOptions,
) -> Result<SlideRockRun, RockingError> {
    options.check()?;
    drive(block, restitution, motion, options, Detail::Full).map(|driven| driven.run)
}

/// What a run comes to.
pub(super) struct Driven {
    pub run: SlideRockRun,
    /// Number of its steps.
    pub steps: usize,
    /// Whether it ended as soon as the outcome was known, so that the slip may still have grown.
    pub cut_short: bool,
}

/// The run, as far as `detail` asks for it.
pub(super) fn drive(
    block: &RockingBlock,
    restitution: &Restitution,
    motion: &GroundMotion,
    options: &SlideRockOptions,
    detail: Detail,
) -> Result<Driven, RockingError> {
    let state = start(options);
    let mut driver = Driver {
        setting: Setting {
            block,
            friction: options.friction,
            overturned_at: options.overturned_at,
        },
        restitution,
        options,
        detail,
        audit: Audit::start(block, state.energy(block)),
        run: begun(options),
        t: 0.0,
        state,
        mode: Mode::Flight,
        changes: 0,
        failed: [None; MODES],
        grazes: false,
        next_sample: 0,
        cut_short: false,
    };
    let steps = driver.go(motion)?;
    driver.run.energy = driver.audit.energy;
    driver.run.energy.end = driver.state.energy(block);
    Ok(Driven {
        run: driver.run,
        steps,
        cut_short: driver.cut_short,
    })
}

fn start(options: &SlideRockOptions) -> State {
    let (turn, rate, speed) = (
        options.rotation,
        options.angular_velocity,
        options.sliding_velocity,
    );
    match side_of(if turn == 0.0 { rate } else { turn }) {
        None => State::Flat { foot: 0.0, speed },
        Some(side) => State::Corner {
            side,
            q: turn.abs(),
            rate: side.sign() * rate,
            foot: 0.0,
            speed,
        },
    }
}

fn begun(options: &SlideRockOptions) -> SlideRockRun {
    SlideRockRun {
        outcome: SlideRockOutcome::Rest,
        events: Vec::new(),
        impacts: 0,
        jumps: 0,
        jams: 0,
        ambiguous: 0,
        unresolved: 0,
        first_slide: None,
        first_rock: None,
        first_jump: None,
        largest_rotation: options.rotation.abs(),
        largest_velocity: options.angular_velocity.abs(),
        slip: 0.0,
        largest_slip: 0.0,
        way: 0.0,
        energy: SlideRockEnergy::default(),
        samples: Vec::new(),
        end_time: 0.0,
        end: (options.rotation, options.angular_velocity),
    }
}

pub(super) struct Driver<'a> {
    pub(super) setting: Setting<'a>,
    pub(super) restitution: &'a Restitution,
    pub(super) options: &'a SlideRockOptions,
    pub(super) detail: Detail,
    pub(super) audit: Audit,
    pub(super) run: SlideRockRun,
    pub(super) t: f64,
    pub(super) state: State,
    pub(super) mode: Mode,
    /// Changes of mode since the time last moved on.
    changes: usize,
    /// Modes that failed since then.
    pub(super) failed: [Option<Mode>; MODES],
    /// Whether the next arc passes over conditions that are touched.
    pub(super) grazes: bool,
    pub(super) next_sample: usize,
    /// Whether the outcome was known before the motion had ended.
    cut_short: bool,
}

impl Driver<'_> {
    fn go(&mut self, motion: &GroundMotion) -> Result<usize, RockingError> {
        let still = motion.duration();
        let (horizontal, vertical, _) = motion.pieces_at(0.0);
        self.choose((&horizontal, &vertical));
        for steps in 0..self.options.max_steps {
            if self.t >= self.options.duration || (self.t >= still && self.is_decided()) {
                self.finish(motion);
                return Ok(steps);
            }
            if let Some(side) = self.certain_fall(self.t >= still) {
                self.cut_short = true;
                self.overturn(side);
                return Ok(steps);
            }
            let (horizontal, vertical, end) = motion.pieces_at(self.t);
            let pieces = (&horizontal, &vertical);
            let until = end.min(self.options.duration);
            let rest = until - self.t;
            let mut arc = Arc::new(&self.setting, self.mode, self.state, pieces, self.t, rest);
            if std::mem::take(&mut self.grazes) {
                let over = GRAZE / self.setting.block.frequency();
                arc.length = over.min(rest).max(self.t * f64::EPSILON);
                arc.end = End::Time;
            }
            let last = arc.at(arc.length);
            self.observe(&arc, &last);
            self.state = last;
            let fills = arc.end == End::Time && arc.length >= rest;
            let reached = if fills { until } else { self.t + arc.length };
            if reached > self.t {
                self.changes = 0;
                self.failed = [None; MODES];
            }
            self.t = reached;
            if let End::Overturned(side) = arc.end {
                self.overturn(side);
                return Ok(steps + 1);
            }
            self.after(&arc, pieces, until)?;
        }
        Err(RockingError::TooManySteps {
            time: self.t,
            limit: self.options.max_steps,
        })
    }

    /// Whether, on a base that is still, the energy left neither overturns the block nor turns it further than it has
    /// been, when nothing else is wanted. Beyond its balance a block falls with less energy than it would have there.
    fn is_decided(&mut self) -> bool {
        if self.detail != Detail::Fate || self.mode == Mode::Rest {
            return self.detail != Detail::Full && self.mode == Mode::Rest;
        }
        let (block, largest) = (self.setting.block, self.run.largest_rotation);
        let sides = [Side::Right, Side::Left];
        let top = sides.map(|side| {
            let balance = block.corner(side).slenderness;
            self.options.overturned_at.min(balance)
        });
        let [right, left] = top.map(|top| top.min(largest));
        let least = block.energy(right, 0.0).min(block.energy(-left, 0.0));
        self.cut_short =
            self.state.rotation().0.abs() < top[0].min(top[1]) && self.state.energy(block) < least;
        self.cut_short
    }

    /// What follows the end of an arc.
    fn after(
        &mut self,
        arc: &Arc,
        pieces: (&Piece, &Piece),
        until: f64,
    ) -> Result<(), RockingError> {
        match arc.end {
            End::Time => return Ok(()),
            End::Overturned(_) => return Ok(()),
            End::Contact => {
                self.fail(arc.mode);
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
                self.fail(arc.mode);
                self.choose(pieces);
                self.tell(SlideRockEventKind::Mode);
            }
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

    pub(super) fn base(&self, pieces: (&Piece, &Piece)) -> Base {
        let (along, up) = (pieces.0.acceleration(self.t), pieces.1.acceleration(self.t));
        (along, self.setting.block.gravity() + up)
    }

    /// The corners (right, left) touch the base.
    fn land(&mut self, corners: [bool; 2], pieces: (&Piece, &Piece), until: f64) {
        let (block, mu) = (self.setting.block, self.setting.friction.sliding());
        let before = self.state.energy(block);
        let (_, rate_before) = self.state.rotation();
        let struck = match self.state {
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
                if rate >= 0.0 {
                    // A touch without speed.
                    self.fail(self.mode);
                    self.state = State::Flat { foot, speed };
                    self.choose(pieces);
                    self.tell(SlideRockEventKind::Mode);
                    return;
                }
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
            State::Flat { .. } => return,
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
        self.run.outcome = match self.mode {
            Mode::Rest if moved => SlideRockOutcome::Settled,
            Mode::Rest if self.run.first_slide.is_some() => SlideRockOutcome::Slid,
            Mode::Rest => SlideRockOutcome::Rest,
            Mode::Slide(_) if moved => SlideRockOutcome::Settled,
            Mode::Slide(_) => SlideRockOutcome::Sliding,
            _ => SlideRockOutcome::Rocking,
        };
        self.t = self.t.min(self.options.duration);
        if self.sample_time().is_some_and(|time| time <= self.t) {
            let (horizontal, vertical, _) = motion.pieces_at(self.t);
            let pieces = (&horizontal, &vertical);
            let arc = Arc::new(&self.setting, self.mode, self.state, pieces, self.t, 0.0);
            let sample = self.sample(&arc, 0.0, self.t);
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
