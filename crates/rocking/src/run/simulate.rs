//! Runs of one block.

use super::{Options, Run, event_loop, restrained};
use crate::block::RockingBlock;
use crate::error::RockingError;
use crate::restitution::Restitution;
use klast_ground_motion::GroundMotion;
use klast_numerics::check::require;

/// Simulates `block` on a base with `motion`.
pub fn simulate(
    block: &RockingBlock,
    restitution: &Restitution,
    motion: &GroundMotion,
    options: &Options,
) -> Result<Run, RockingError> {
    simulate_at(block, restitution, motion, options, &[])
}

/// As [`simulate`], with samples at the given `times` (s, increasing, from 0 to the duration) in place of a regular
/// interval.
pub fn simulate_at(
    block: &RockingBlock,
    restitution: &Restitution,
    motion: &GroundMotion,
    options: &Options,
    times: &[f64],
) -> Result<Run, RockingError> {
    for time in times {
        let inside = (0.0..=options.duration).contains(time);
        require("sample time", *time, inside, "from 0 s to the duration")?;
    }
    for pair in times.windows(2) {
        require(
            "sample time",
            pair[1],
            pair[1] > pair[0],
            "above the one before",
        )?;
    }
    options.check()?;
    let run = match options.restraint {
        None => event_loop::drive,
        Some(_) => restrained::drive,
    };
    run(block, restitution, motion, options, times)
}
