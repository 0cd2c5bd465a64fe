//! The figure of a run by tiles: where its rocks start.

use klast_plot::{Axis, Cells, HeatMap};
use klast_rockfall_jobs::rockfall::tiled_result::TiledResults;
use klast_runs::error::{Outside as _, Result};

use crate::page::Picture;
use crate::sheet::Sheet;

/// The map has at most so many cells in each direction.
const CELLS: usize = 150;

/// Rocks that start in each tile, or in squares of tiles where there are many.
pub fn draw(results: &TiledResults, sheet: &mut Sheet) -> Result<Picture> {
    let starts = results.starts();
    let (columns, rows) = starts.shape;
    let block = columns.max(rows).div_ceil(CELLS).max(1);
    let shape = (columns.div_ceil(block), rows.div_ceil(block));
    let mut values = vec![f64::NAN; shape.0 * shape.1];
    for (k, rocks) in starts.rocks.iter().enumerate().filter(|s| *s.1 > 0) {
        let place = (k / columns / block) * shape.0 + k % columns / block;
        values[place] = values[place].max(0.0) + *rocks as f64;
    }
    let ends = |from: f64, count: usize| (from, from + (count * block) as f64 * starts.side);
    let (x, y) = (
        ends(starts.corner.x, shape.0),
        ends(starts.corner.y, shape.1),
    );
    let mut map = HeatMap::new(
        "Where rocks start",
        Axis::new("x [m]").range(x.0, x.1),
        Axis::new("y [m]").range(y.0, y.1),
        shape,
        Cells::Values {
            label: "rocks [-]".to_owned(),
            values,
        },
    );
    (map.land, map.tallest) = (true, 300);
    let side = block as f64 * starts.side;
    let caption = format!("Number of rocks that start in each square of {side} m.");
    sheet.picture("starts.svg", &map.svg().outside()?, &caption)
}
