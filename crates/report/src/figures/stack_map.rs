//! An overturning map of a stack.

use klast_plot::{Axis, Cells, HeatMap};
use klast_rocking_jobs::stack_map::result::Results;
use klast_runs::error::{Outside as _, Result};

use crate::page::Picture;
use crate::sheet::Sheet;

/// What becomes of the stack, cell by cell.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    let map = &results.map;
    let mut names = vec!["standing", "partial overturning", "total overturning"];
    if map.share(3) > 0.0 {
        names.push("cut off");
    }
    let names = names.into_iter().map(str::to_owned).collect();
    let index = map.classes.iter().map(|class| class.area()).collect();
    let x = Axis::new("ω / p [-]")
        .range(map.grid.frequency.0, map.grid.frequency.1)
        .also("frequency [Hz]", results.physical.0);
    let y = Axis::new("a0 / (g tan α) [-]")
        .range(map.grid.amplitude.0, map.grid.amplitude.1)
        .also("amplitude a0 [m/s²]", results.physical.1);
    let cells = Cells::Classes { names, index };
    let figure = HeatMap::new("Overturning map", x, y, map.grid.cells, cells);
    sheet.picture(
        "map.svg",
        &figure.svg().outside()?,
        "What becomes of the stack over the frequency and the amplitude of the wave.",
    )
}
