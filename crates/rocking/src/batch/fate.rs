//! What becomes of a block in its lane, told as soon as it can be.

use super::lockstep::{Batch, Lane};
use super::{CaseResult, Fate};
use crate::equation::Equation;
use crate::free::{self, FreeBlock};
use crate::lanes::LANES;
use crate::run::OverturningMode;

impl Batch<'_> {
    /// Whether a free block cannot overturn any more.
    pub(super) fn is_safe(&self, lane: &Lane) -> bool {
        if lane.at_rest {
            return true;
        }
        let corner = self.cases[lane.index].block.corner(lane.side);
        let equation = self.options.equation;
        let level = equation.escape_squared(corner.slenderness, lane.q) * corner.frequency_squared;
        lane.q < equation.balance(corner.slenderness) && lane.v * lane.v < level
    }

    /// The fate of a block on a still base, if it can be told; true when the lane is finished.
    pub(super) fn decide(&mut self, lane: &Lane) -> bool {
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

    pub(super) fn finish(&mut self, lane: &Lane, fate: Fate, end_time: f64) {
        let result = CaseResult {
            fate,
            impacts: lane.impacts,
            steps: lane.steps,
            largest_rotation: lane.largest,
            end_time,
            watched_time: lane.watched,
        };
        if let Some(slot) = self.results.get_mut(lane.index) {
            *slot = result;
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

    pub(super) fn flush_free(&mut self) {
        let arch = self.options.instructions.arch();
        free::follow(arch, self.free, self.options);
        for block in self.free.iter() {
            let result = CaseResult {
                fate: Fate::Stable,
                impacts: block.impacts,
                steps: block.steps,
                largest_rotation: block.largest,
                end_time: block.time.min(self.options.duration),
                watched_time: block.watched,
            };
            if let Some(slot) = self.results.get_mut(block.index) {
                *slot = result;
            }
        }
        self.free.clear();
    }
}
