//! Eight blocks in lanes: gathered, stepped together, and each put aside as soon as its fate is known.

use super::workspace::BatchWorkspace;
use super::{BatchOptions, Case, CaseResult, Fate};
use crate::block::Side;
use crate::error::RockingError;
use crate::flight::{self, FlightStart, Step, StepEnd};
use crate::free::FreeBlock;
use crate::kernel::{Flight, Load};
use crate::lanes::{self, LANES, LaneStep};
use crate::lift_off::lift_off;
use crate::limits::OverturningMode;
use crate::rest;
use klast_ground_motion::{Law, Piece};

/// Runs all cases in order; their results are in the workspace.
pub(super) fn run(
    cases: &[Case],
    options: &BatchOptions,
    workspace: &mut BatchWorkspace,
) -> Result<(), RockingError> {
    workspace.free.clear();
    workspace.results.clear();
    workspace.results.resize(cases.len(), UNFINISHED);
    let mut batch = Batch {
        cases,
        options,
        next: 0,
        results: &mut workspace.results,
        free: &mut workspace.free,
    };
    batch.run()
}

/// What stands for a case until it is finished, as every case is at the end of a run.
const UNFINISHED: CaseResult = CaseResult {
    fate: Fate::Rest,
    impacts: 0,
    steps: 0,
    largest_rotation: 0.0,
    largest_slip: Some(0.0),
    events: None,
    unresolved: 0,
    end_time: 0.0,
    watched_time: None,
};

/// A block in its lane.
#[derive(Clone, Copy)]
pub(super) struct Lane {
    pub(super) index: usize,
    pub(super) t: f64,
    pub(super) side: Side,
    pub(super) q: f64,
    pub(super) v: f64,
    pub(super) at_rest: bool,
    pub(super) rocked: bool,
    pub(super) piece: Piece,
    pub(super) until: f64,
    pub(super) impacts: usize,
    pub(super) steps: usize,
    pub(super) largest: f64,
    pub(super) watched: Option<f64>,
}

pub(super) struct Batch<'a> {
    pub(super) cases: &'a [Case],
    pub(super) options: &'a BatchOptions,
    pub(super) next: usize,
    pub(super) results: &'a mut [CaseResult],
    pub(super) free: &'a mut Vec<FreeBlock>,
}

const RESTING_BASE: Piece = Piece {
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
        self.flush_free()
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

    /// Brings a lane to its next flight: through rest, ends of pieces and the end of the motion. None when it is
    /// finished.
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
                } else if case.motion.duration() <= duration && self.safe_rotation(&lane).is_some()
                {
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
            if lane.t >= case.motion.duration() && self.decide(&lane)? {
                return Ok(None);
            }
            if !lane.at_rest {
                return Ok(Some(lane));
            }
            let pieces = (&lane.piece, &RESTING_BASE);
            let (equation, steps) = (self.options.equation, self.options.max_steps);
            let span = (lane.t, lane.until);
            match lift_off(&case.block, equation, pieces, span, steps)? {
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

    /// The lane after its step; none when its block has overturned.
    fn apply(&mut self, mut lane: Lane, l: usize, step: &LaneStep) -> Option<Lane> {
        let rest = lane.until - lane.t;
        lane.largest = lane.largest.max(step.largest[l]);
        let turned = lane.v >= 0.0 && step.rate[l] < 0.0 && 2.0 * step.largest[l] > lane.largest;
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
        lane.largest = lane.largest.max(single.largest_rotation);
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
        let start = FlightStart {
            block: &case.block,
            pieces: (&lane.piece, &RESTING_BASE),
            t: lane.t,
            side: lane.side,
            q: 0.0,
            v: lane.v,
        };
        let equation = self.options.equation;
        if let Some(sum) = rest::time_to_rest(&start, equation, lane.until, eta) {
            lane.t += sum;
            lane.at_rest = true;
        }
        lane
    }
}
