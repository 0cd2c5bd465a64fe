//! A stability map.

use klast_plot::{Axis, Cells, HeatMap};
use klast_rocking_jobs::rocking_map::result::{Axis as Quantity, Cell, Results};
use klast_runs::error::{Outside as _, Result};

use crate::page::Picture;
use crate::sheet::Sheet;

/// Figures hold at most so many cells in each direction; the tables hold all.
const SHOWN: usize = 250;

/// The fate of the block, cell by cell.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    let thin = |count: usize| -> Vec<usize> {
        let shown = count.min(SHOWN);
        (0..shown)
            .map(|k| k * (count - 1) / (shown - 1).max(1))
            .collect()
    };
    let width = results.columns.values.len();
    let (rows, columns) = (thin(results.rows.values.len()), thin(width));
    let code = |r: usize, c: usize| {
        let cell = results.cells.get(r * width + c);
        let place = cell.and_then(|cell| Cell::ALL.iter().position(|other| other == cell));
        place.unwrap_or(0) as u8
    };
    let index = rows
        .iter()
        .flat_map(|&r| columns.iter().map(move |&c| (r, c)))
        .map(|(r, c)| code(r, c));
    let cells = Cells::Classes {
        names: Cell::ALL.map(|cell| cell.words().to_owned()).to_vec(),
        index: index.collect(),
    };
    let axis = |quantity: &Quantity| {
        let end = |value: Option<&f64>| value.copied().unwrap_or(f64::NAN);
        let (from, to) = (quantity.values.first(), quantity.values.last());
        let axis = Axis::new(quantity.label).range(end(from), end(to));
        match quantity.physical {
            Some((label, factor)) => axis.also(label, factor),
            None => axis,
        }
    };
    let shape = (columns.len(), rows.len());
    let (x, y) = (axis(&results.columns), axis(&results.rows));
    let map = HeatMap::new("Stability map", x, y, shape, cells);
    sheet.picture(
        "map.svg",
        &map.svg().outside()?,
        "What becomes of the block, cell by cell; the other sides of the axes are this block's own units.",
    )
}
