//! Rocks on a terrain.

mod answer;
mod barriers;
mod distribution;
mod ground;
mod maps;
mod overlays;
mod paths;
mod repeated;
mod space;
mod swept;

use klast_rockfall_jobs::rockfall::result::Results;
use klast_runs::error::Result;

use crate::page::Picture;
use crate::sheet::Sheet;

/// Barriers and collectors, maps, what they rest on, runout, trajectories, and the slope in space.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    let picture = answer::draw(results, sheet)?;
    ground::show(results, sheet.page);
    barriers::draw(results, sheet)?;
    swept::draw(results, sheet)?;
    repeated::show(results, sheet.page);
    maps::draw(results, sheet)?;
    paths::runout(results, sheet)?;
    paths::trajectories(results, sheet)?;
    space::draw(results, sheet)?;
    Ok(picture)
}
