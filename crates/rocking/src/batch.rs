//! Many simulations on one core: eight blocks in lanes under horizontal motion, each refilled as soon as its block is done.
//!
//! After the end of the motion a block is free: its fate follows from its energy, and the impacts that are still to come are
//! elliptic integrals (`elliptic`). A block's result depends on nothing but its own case.

use crate::block::{RockingBlock, Side};
use crate::equation::Equation;
use crate::error::{RockingError, require};
use crate::flight::{self, Step, StepEnd};
use crate::free::{self, FreeBlock};
use crate::kernel::{Flight, Load};
use crate::lanes::{self, Instructions, LANES, LaneStep};
use crate::rest;
use crate::restitution::Restitution;
use crate::run::OverturningMode;
use klast_dynamics::ground_motion::{Component, Law, Piece};

/// One simulation of a batch: a block released at rest, on a base that moves horizontally.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The block.
    pub block: RockingBlock,
    /// Its restitution.
    pub restitution: Restitution,
    /// Horizontal motion of the base.
    pub motion: Component,
    /// Rotation at the start (rad).
    pub rotation: f64,
}

/// What holds for all simulations of a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BatchOptions {
    /// Equation of motion.
    pub equation: Equation,
    /// End of the simulations (s).
    pub duration: f64,
    /// Rotation that counts as overturned (rad).
    pub overturned_at: f64,
    /// Whether a block whose fate is decided is followed to rest or to the end of the time all the same, impact by impact.
    pub follow: bool,
    /// Number of the impact whose time is reported.
    pub watched_impact: usize,
    /// Instruction set.
    pub instructions: Instructions,
    /// Largest number of steps of one simulation.
    pub max_steps: usize,
}

impl BatchOptions {
    /// Nonlinear equation, overturned at π/2, decided as early as possible.
    pub fn new(duration: f64) -> Self {
        Self {
            equation: Equation::Nonlinear,
            duration,
            overturned_at: std::f64::consts::FRAC_PI_2,
            follow: false,
            watched_impact: 0,
            instructions: Instructions::Widest,
            max_steps: 10_000_000,
        }
    }
}

/// What became of a block of a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fate {
    /// It never left the base.
    Rest,
    /// It rocked and cannot overturn any more: the base is still and its energy is below the barrier.
    Stable,
    /// It still rocks on a moving base at the end.
    Rocking,
    /// It overturned.
    Overturned(OverturningMode),
}

/// Result of one simulation of a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CaseResult {
    /// What became of the block.
    pub fate: Fate,
    /// Number of impacts followed.
    pub impacts: usize,
    /// Steps of the series.
    pub steps: usize,
    /// Largest rotation in either direction (rad).
    pub largest_rotation: f64,
    /// Time at which the simulation was ended or decided (s).
    pub end_time: f64,
    /// Time of the watched impact (s), when it came.
    pub watched_time: Option<f64>,
}

/// Runs all `cases` on the calling thread, in order.
pub fn simulate_batch(
    cases: &[Case],
    options: &BatchOptions,
) -> Result<Vec<CaseResult>, RockingError> {
    require(
        "duration",
        options.duration,
        options.duration > 0.0,
        "above 0 s",
    )?;
    let limit = options.overturned_at;
    let good = limit > 0.0 && limit <= std::f64::consts::PI;
    require(
        "rotation of overturning",
        limit,
        good,
        "above 0 and at most π rad",
    )?;
    for case in cases {
        let inside = case.rotation.abs() < limit;
        require(
            "rotation",
            case.rotation,
            inside,
            "under the rotation of overturning",
        )?;
    }
    let mut batch = Batch {
        cases,
        options,
        next: 0,
        results: vec![None; cases.len()],
        free: Vec::with_capacity(LANES),
    };
    batch.run()?;
    // Every case has been finished; the default is never taken.
    Ok(batch.results.into_iter().flatten().collect())
}

/// A block in its lane.
#[derive(Clone, Copy)]
struct Lane {
    index: usize,
    t: f64,
    side: Side,
    q: f64,
    v: f64,
    at_rest: bool,
    rocked: bool,
    piece: Piece,
    until: f64,
    impacts: usize,
    steps: usize,
    largest: f64,
    watched: Option<f64>,
}

struct Batch<'a> {
    cases: &'a [Case],
    options: &'a BatchOptions,
    next: usize,
    results: Vec<Option<CaseResult>>,
    free: Vec<FreeBlock>,
}

const STILL: Piece = Piece {
    start: 0.0,
    end: f64::INFINITY,
    displacement: 0.0,
    velocity: 0.0,
    law: Law::Linear {
        value: 0.0,
        slope: 0.0,
    },
};

impl Batch<'_> {
    fn run(&mut self) -> Result<(), RockingError> {
        let arch = self.options.instructions.arch();
        let mut lanes: [Option<Lane>; LANES] = [None; LANES];
        let mut step = LaneStep::new();
        loop {
            let mut busy = false;
            for lane in &mut lanes {
                *lane = self.refill(*lane)?;
                busy |= lane.is_some();
            }
            if !busy {
                break;
            }
            let (flight, rest) = self.gather(&lanes);
            let limit = self.options.overturned_at;
            lanes::step(
                arch,
                &flight,
                self.options.equation,
                &rest,
                limit,
                &mut step,
            );
            for (l, lane) in lanes.iter_mut().enumerate() {
                if let Some(active) = lane.take() {
                    *lane = self.apply(active, l, &step);
                }
            }
        }
        self.flush_free();
        Ok(())
    }

    /// The state of the lanes as the kernel wants it; idle lanes rest far from any event.
    fn gather(&self, lanes: &[Option<Lane>; LANES]) -> (Flight<LANES>, [f64; LANES]) {
        let mut flight = Flight {
            q: [0.0; LANES],
            v: [0.0; LANES],
            p2: [1.0; LANES],
            alpha: [0.5; LANES],
            horizontal: Load::NONE,
            vertical: Load::NONE,
        };
        let mut rest = [0.0; LANES];
        for (l, lane) in lanes.iter().enumerate() {
            let Some(lane) = lane else { continue };
            let block = &self.cases[lane.index].block;
            let corner = block.corner(lane.side);
            let load = flight::load(&lane.piece, lane.t, lane.side.sign(), block.gravity());
            flight.q[l] = lane.q;
            flight.v[l] = lane.v;
            flight.p2[l] = corner.frequency_squared;
            flight.alpha[l] = corner.slenderness;
            flight.horizontal.value[l] = load.value[0];
            flight.horizontal.slope[l] = load.slope[0];
            flight.horizontal.amplitude[l] = load.amplitude[0];
            flight.horizontal.omega[l] = load.omega[0];
            flight.horizontal.phase[l] = load.phase[0];
            rest[l] = lane.until - lane.t;
        }
        (flight, rest)
    }

    /// A lane ready to fly: the given one, or the next case that flies at all; none when there are no more.
    fn refill(&mut self, mut lane: Option<Lane>) -> Result<Option<Lane>, RockingError> {
        loop {
            if let Some(active) = lane
                && let Some(ready) = self.prepare(active)?
            {
                return Ok(Some(ready));
            }
            if self.next >= self.cases.len() {
                return Ok(None);
            }
            let index = self.next;
            self.next += 1;
            let theta = self.cases[index].rotation;
            lane = Some(Lane {
                index,
                t: 0.0,
                side: if theta < 0.0 { Side::Left } else { Side::Right },
                q: theta.abs(),
                v: 0.0,
                at_rest: theta == 0.0,
                rocked: theta != 0.0,
                piece: self.cases[index].motion.piece_at(0.0),
                until: 0.0,
                impacts: 0,
                steps: 0,
                largest: theta.abs(),
                watched: None,
            });
        }
    }

    /// Brings a lane to its next flight: through rest, ends of pieces and the end of the motion. None when it is finished.
    fn prepare(&mut self, mut lane: Lane) -> Result<Option<Lane>, RockingError> {
        let case = &self.cases[lane.index];
        let duration = self.options.duration;
        loop {
            lane.steps += 1;
            if lane.steps > self.options.max_steps {
                return Err(RockingError::TooManySteps {
                    time: lane.t,
                    limit: self.options.max_steps,
                });
            }
            if lane.t >= duration {
                let fate = if lane.at_rest && !lane.rocked {
                    Fate::Rest
                } else if case.motion.duration() <= duration && self.is_safe(&lane) {
                    Fate::Stable
                } else {
                    Fate::Rocking
                };
                self.finish(&lane, fate, duration);
                return Ok(None);
            }
            if lane.t >= lane.until {
                lane.piece = case.motion.piece_at(lane.t);
                lane.until = lane.piece.end.min(duration);
            }
            if lane.t >= case.motion.duration() && self.decide(&lane) {
                return Ok(None);
            }
            if !lane.at_rest {
                return Ok(Some(lane));
            }
            let pieces = (&lane.piece, &STILL);
            let found = rest::lift_off(
                &case.block,
                self.options.equation,
                pieces,
                lane.t,
                lane.until,
            );
            match found {
                Some((time, side)) => {
                    (lane.t, lane.side) = (time, side);
                    (lane.q, lane.v) = (0.0, 0.0);
                    lane.at_rest = false;
                    lane.rocked = true;
                }
                None => lane.t = lane.until,
            }
        }
    }

    /// Whether a free block cannot overturn any more.
    fn is_safe(&self, lane: &Lane) -> bool {
        if lane.at_rest {
            return true;
        }
        let corner = self.cases[lane.index].block.corner(lane.side);
        let equation = self.options.equation;
        let level = equation.escape_squared(corner.slenderness, lane.q) * corner.frequency_squared;
        lane.q < equation.balance(corner.slenderness) && lane.v * lane.v < level
    }

    /// The fate of a block on a still base, if it can be told; true when the lane is finished.
    fn decide(&mut self, lane: &Lane) -> bool {
        if lane.at_rest {
            let fate = if lane.rocked {
                Fate::Stable
            } else {
                Fate::Rest
            };
            self.finish(lane, fate, lane.t);
            return true;
        }
        let equation = self.options.equation;
        let corner = *self.cases[lane.index].block.corner(lane.side);
        if self.is_safe(lane) {
            let nonlinear = equation == Equation::Nonlinear;
            let largest = if nonlinear {
                let case = &self.cases[lane.index];
                let state = (lane.q, lane.v);
                let to_come =
                    free::largest_to_come(&case.block, &case.restitution, lane.side, state);
                lane.largest.max(to_come)
            } else {
                lane.largest
            };
            let lane = Lane { largest, ..*lane };
            if !self.options.follow {
                self.finish(&lane, Fate::Stable, lane.t);
                return true;
            }
            if nonlinear {
                self.push_free(&lane);
                return true;
            }
            return false;
        }
        let balance = equation.balance(corner.slenderness);
        let level = equation.escape_squared(corner.slenderness, lane.q) * corner.frequency_squared;
        let outward = lane.v >= 0.0 || (lane.q > balance && lane.v * lane.v < level);
        if outward && !self.options.follow {
            let mode = OverturningMode {
                side: lane.side,
                impacts: lane.impacts,
            };
            let largest = self.options.overturned_at;
            self.finish(&Lane { largest, ..*lane }, Fate::Overturned(mode), lane.t);
            return true;
        }
        false
    }

    /// The lane after its step; none when its block has overturned.
    fn apply(&mut self, mut lane: Lane, l: usize, step: &LaneStep) -> Option<Lane> {
        let rest = lane.until - lane.t;
        lane.largest = lane.largest.max(step.largest[l]);
        let turned = lane.v > 0.0 && step.rate[l] < 0.0 && 2.0 * step.largest[l] > lane.largest;
        if !step.suspicious[l] && !turned {
            let fills = step.length[l] >= rest;
            lane.t = if fills {
                lane.until
            } else {
                lane.t + step.length[l]
            };
            (lane.q, lane.v) = (step.rotation[l], step.rate[l]);
            return Some(lane);
        }
        let limit = self.options.overturned_at;
        let single = Step::cut(step.lane(l), step.length[l], limit);
        lane.largest = lane.largest.max(single.largest_rotation());
        let fills = single.end == StepEnd::Time && single.length >= rest;
        lane.t = if fills {
            lane.until
        } else {
            lane.t + single.length
        };
        match single.end {
            StepEnd::Time => {
                (lane.q, lane.v) = (single.rotation(single.length), single.rate(single.length));
                Some(lane)
            }
            StepEnd::Limit => {
                let mode = OverturningMode {
                    side: lane.side,
                    impacts: lane.impacts,
                };
                lane.largest = limit;
                self.finish(&lane, Fate::Overturned(mode), lane.t);
                None
            }
            StepEnd::Base => Some(self.land(lane, single.rate(single.length))),
        }
    }

    /// The impact of a lane whose rate is `rate` (towards the base).
    fn land(&self, mut lane: Lane, rate: f64) -> Lane {
        let case = &self.cases[lane.index];
        let eta = |to: Side| case.restitution.coefficient(&case.block, to).max(0.0);
        lane.side = lane.side.other();
        lane.q = 0.0;
        lane.v = -rate * eta(lane.side);
        if rate < 0.0 {
            lane.impacts += 1;
            if lane.impacts == self.options.watched_impact {
                lane.watched = Some(lane.t);
            }
        }
        if lane.v <= 0.0 {
            lane.at_rest = true;
            return lane;
        }
        let pieces = (&lane.piece, &STILL);
        let state = (lane.side, lane.v);
        let equation = self.options.equation;
        if let Some(sum) = rest::time_to_rest(&case.block, equation, pieces, state, lane.t, eta) {
            lane.t += sum;
            lane.at_rest = true;
        }
        lane
    }

    fn finish(&mut self, lane: &Lane, fate: Fate, end_time: f64) {
        let result = CaseResult {
            fate,
            impacts: lane.impacts,
            steps: lane.steps,
            largest_rotation: lane.largest,
            end_time,
            watched_time: lane.watched,
        };
        if let Some(slot) = self.results.get_mut(lane.index) {
            *slot = Some(result);
        }
    }

    fn push_free(&mut self, lane: &Lane) {
        let case = &self.cases[lane.index];
        let state = (lane.t, lane.side, lane.q, lane.v);
        let mut block = FreeBlock::new(lane.index, &case.block, &case.restitution, state);
        block.impacts = lane.impacts;
        block.steps = lane.steps;
        block.largest = lane.largest;
        block.watched = lane.watched;
        self.free.push(block);
        if self.free.len() == LANES {
            self.flush_free();
        }
    }

    fn flush_free(&mut self) {
        let arch = self.options.instructions.arch();
        let mut group = std::mem::take(&mut self.free);
        free::follow(arch, &mut group, self.options);
        for block in &group {
            let result = CaseResult {
                fate: Fate::Stable,
                impacts: block.impacts,
                steps: block.steps,
                largest_rotation: block.largest,
                end_time: block.time.min(self.options.duration),
                watched_time: block.watched,
            };
            if let Some(slot) = self.results.get_mut(block.index) {
                *slot = Some(result);
            }
        }
        group.clear();
        self.free = group;
    }
}
