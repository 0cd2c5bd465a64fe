//! Rocks on a terrain.

mod barriers;
mod distribution;
mod maps;
mod paths;
mod space;
mod tables;

use anyhow::Result;
use klast_scenes::kinds::rockfall::result::Results;

use crate::sheet::Sheet;

/// Barriers and collectors, maps, what they rest on, runout, trajectories, and the slope in space.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    maps::draw(results, sheet)?;
    barriers::draw(results, sheet)?;
    tables::draw(results, sheet)?;
    paths::runout(results, sheet)?;
    paths::trajectories(results, sheet)?;
    space::draw(results, sheet)
}
