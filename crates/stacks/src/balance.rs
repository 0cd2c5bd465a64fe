//! When the blocks that fell first had passed their balance for good.

use super::Stack;
use super::chain::{LeverTable, Vec2};
use super::history::{Fall, StackRun, StackSample};
use super::sincos::sin_cos;
use super::state::StackState;

impl Stack {
    /// The first fall of a run, and the time (s) from which on its fate was sealed: from one of the samples on, the
    /// mass centre of the falling block with all that it carries lies beyond the corner on which it turns. Without a
    /// sample on the way it is the time of the fall.
    #[must_use]
    pub fn first_fall(&self, run: &StackRun) -> Option<(Fall, f64)> {
        let fall = *run.falls.first()?;
        let mut passed = None;
        for sample in run.samples.iter().take_while(|s| s.time < fall.time) {
            match self.is_beyond(sample, &fall) {
                true => {
                    passed.get_or_insert(sample.time);
                }
                false => passed = None,
            }
        }
        Some((fall, passed.unwrap_or(fall.time)))
    }

    /// Whether the mass centre of the block that will fall and all above it lies beyond its corner.
    fn is_beyond(&self, sample: &StackSample, fall: &Fall) -> bool {
        let Ok(state) = StackState::from_angles(sample.time, &sample.angles, &sample.rates) else {
            return false;
        };
        let side = fall.side.sign();
        if state.configuration.pivot(fall.block).sign() * side <= 0.0 {
            return false;
        }
        let table = LeverTable::new(self, &state.configuration);
        let (mut pivot, mut moment) = (Vec2::default(), 0.0);
        for (j, block) in self.blocks().iter().enumerate().skip(fall.block) {
            let (sin, cos) = sin_cos(state.angle(j));
            moment += block.mass * (pivot + table.levers()[j].centre.turned(cos, sin)).x;
            pivot = pivot + table.levers()[j].arm.turned(cos, sin);
        }
        moment * side > 0.0
    }
}
