//! What a result rests on, in tables: the ground as it was drawn, its sets, other cells, the design of each barrier.

use anyhow::Result;
use klast_scenes::kinds::rockfall::result::Results;

use crate::sheet::Sheet;

/// The tables that a run has.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    sheet.columns("Design of the barriers", &results.barrier_design)?;
    sheet.rows("The same rocks on other cells", "cells.csv", &results.cells)?;
    sheet.rows(
        "Spread over the sets of the ground",
        "barrier_ground.csv",
        &results.barrier_ground,
    )?;
    sheet.rows("Ground", "ground.csv", &results.ground)
}
