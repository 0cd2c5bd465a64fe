//! A row of blocks in a shaken basin.

use std::f64::consts::TAU;

use anyhow::Result;
use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule, Restitution, Start,
    StartVelocity,
};

use crate::Work;

/// The reference run of the basin (free travel 8, friction level 0.02, e = 0.9 at the walls and 0.9999 between blocks),
/// carried on by a span with some 1e5 events, or the first ones of a long row.
pub fn row(size: usize) -> Result<Work> {
    let block = Block {
        size: 1.0 / size as f64,
        mass: 1.0,
        friction: 0.02 / 9.81,
    };
    let row = BlockRow::uniform(size, block)?;
    let motion = BasinMotion::harmonic(1.0, Frequency::hertz(1.0 / TAU))?;
    let basin = Basin::new(9.0, motion, Restitution::new(0.9, 0.9999)?)?;
    let start = Start::spread(size, 8.0, StartVelocity::WithBasin);
    let mut run = Assembly::new(basin, &row, &start, ImpactRule::Complementarity)?;
    let span = 12_000.0 * TAU / (size * size) as f64;
    // In the first quarter of a period a long row has yet to meet its wall.
    let mut end = 0.25 * TAU;
    run.advance_to(end)?;
    Ok(Box::new(move || {
        let before = events(&run);
        end += span;
        run.advance_to(end)?;
        Ok(events(&run) - before)
    }))
}

fn events(run: &Assembly) -> u64 {
    let c = run.counts();
    c.pair_impacts + c.stops + c.slips
}
