//! Rocks on a terrain.

mod barriers;
mod distribution;
mod maps;
mod paths;

use anyhow::Result;
use klast_scenes::kinds::rockfall::result::Results;

use crate::sheet::Sheet;

/// Barriers and collectors, maps, runout and trajectories.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    barriers::draw(results, sheet)?;
    maps::draw(results, sheet)?;
    paths::runout(results, sheet)?;
    paths::trajectories(results, sheet)
}
