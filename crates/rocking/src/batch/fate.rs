//! What becomes of a block in its lane, told as soon as it can be.

use super::lockstep::{Batch, Lane};
use super::{CaseResult, Fate};
use crate::equation::Equation;
use crate::error::RockingError;
use crate::free::{self, FreeBlock};
use crate::lanes::LANES;
use crate::limits::OverturningMode;

impl Batch<'_> {
    /// Largest rotation that a free block will still reach, if it can neither overturn nor reach the limit any more.
    pub(super) fn safe_rotation(&self, lane: &Lane) -> Option<f64> {
        if lane.at_rest {
            return Some(0.0);
        }
        let case = &self.cases[lane.index];
        let (block, restitution) = (&case.block, &case.restitution);
        let state = (lane.q, lane.v);
        free::largest_to_come(self.options.equation, block, restitution, lane.side, state)
            .filter(|largest| *largest < self.options.overturned_at)
    }

    /// Whether the present flight of a free block ends in overturning.
    fn overturns(&self, lane: &Lane) -> bool {
        let equation = self.options.equation;
        let corner = self.cases[lane.index].block.corner(lane.side);
        let speed = lane.v * lane.v / corner.frequency_squared;
        if lane.v >= 0.0 {
            let turn = equation.turn(corner.slenderness, lane.q, speed);
            return turn.is_none_or(|rotation| rotation >= self.options.overturned_at);
        }
        // On its way back, beyond the balance and too slow to get over it.
        lane.q > equation.balance(corner.slenderness)
            && speed < equation.escape_squared(corner.slenderness, lane.q)
    }

    /// The fate of a block on a still base, if it can be told; true when the lane is finished. A block that may
    /// overturn after impacts still to come flies on.
    pub(super) fn decide(&mut self, lane: &Lane) -> Result<bool, RockingError> {
        if lane.at_rest {
            let fate = if lane.rocked {
                Fate::Stable
            } else {
                Fate::Rest
            };
            self.finish(lane, fate, lane.t);
            return Ok(true);
        }
        if let Some(to_come) = self.safe_rotation(lane) {
            let largest = lane.largest.max(to_come);
            let lane = Lane { largest, ..*lane };
            if !self.options.follow {
                self.finish(&lane, Fate::Stable, lane.t);
                return Ok(true);
            }
            if self.options.equation == Equation::Nonlinear {
                self.push_free(&lane)?;
                return Ok(true);
            }
            return Ok(false);
        }
        if !self.options.follow && self.overturns(lane) {
            let mode = OverturningMode {
                side: lane.side,
                impacts: lane.impacts,
            };
            let largest = self.options.overturned_at;
            self.finish(&Lane { largest, ..*lane }, Fate::Overturned(mode), lane.t);
            return Ok(true);
        }
        Ok(false)
    }

    pub(super) fn finish(&mut self, lane: &Lane, fate: Fate, end_time: f64) {
        let result = CaseResult {
            fate,
            impacts: lane.impacts,
            steps: lane.steps,
            largest_rotation: lane.largest,
            largest_slip: Some(0.0),
            events: None,
            unresolved: 0,
            end_time,
            watched_time: lane.watched,
        };
        if let Some(slot) = self.results.get_mut(lane.index) {
            *slot = result;
        }
    }

    fn push_free(&mut self, lane: &Lane) -> Result<(), RockingError> {
        let case = &self.cases[lane.index];
        let state = (lane.t, lane.side, lane.q, lane.v);
        let mut block = FreeBlock::new(lane.index, &case.block, &case.restitution, state);
        block.impacts = lane.impacts;
        block.steps = lane.steps;
        block.largest = lane.largest;
        block.watched = lane.watched;
        self.free.push(block);
        if self.free.len() == LANES {
            self.flush_free()?;
        }
        Ok(())
    }

    pub(super) fn flush_free(&mut self) -> Result<(), RockingError> {
        let arch = self.options.instructions.arch();
        free::follow(arch, self.free, self.options)?;
        for block in self.free.iter() {
            let result = CaseResult {
                fate: Fate::Stable,
                impacts: block.impacts,
                steps: block.steps,
                largest_rotation: block.largest,
                largest_slip: Some(0.0),
                events: None,
                unresolved: 0,
                end_time: block.time.min(self.options.duration),
                watched_time: block.watched,
            };
            if let Some(slot) = self.results.get_mut(block.index) {
                *slot = result;
            }
        }
        self.free.clear();
        Ok(())
    }
}
