//! The figures of each kind of scene.

mod assembly;
mod assess;
mod bodies;
mod column;
mod panels;
mod planar;
mod rockfall;
mod rockfall_calibration;
mod rockfall_study;
mod rockfall_tiled;
mod rockfill;
mod rocking;
mod rocking_fit;
mod rocking_fragility;
mod rocking_map;
mod settling;
mod stack;
mod stack_map;
mod study;
mod thrown;
mod thrust;

use klast_runs::Results;
use klast_runs::error::Result;

use crate::page::Picture;
use crate::sheet::Sheet;

/// Draws results of one kind and returns the picture that answers their question; none of results of another kind.
type Draw = fn(&dyn Results, &mut Sheet) -> Result<Option<Picture>>;

/// The figures of each kind; each draws only results of its own, and does not compile without its picture.
const FIGURES: &[Draw] = &[
    |results, sheet| own(results, sheet, study::draw),
    |results, sheet| match own(results, sheet, rockfall::draw)? {
        None => own(results, sheet, rockfall_tiled::draw),
        whole => Ok(whole),
    },
    |results, sheet| own(results, sheet, rockfall_calibration::draw),
    |results, sheet| own(results, sheet, rockfall_study::draw),
    |results, sheet| own(results, sheet, thrown::draw),
    |results, sheet| own(results, sheet, rockfill::draw),
    |results, sheet| own(results, sheet, assembly::draw),
    |results, sheet| own(results, sheet, rocking::draw),
    |results, sheet| own(results, sheet, rocking_map::draw),
    |results, sheet| own(results, sheet, rocking_fit::draw),
    |results, sheet| own(results, sheet, rocking_fragility::draw),
    |results, sheet| own(results, sheet, assess::draw),
    |results, sheet| own(results, sheet, stack::draw),
    |results, sheet| own(results, sheet, stack_map::draw),
    |results, sheet| own(results, sheet, column::draw),
    |results, sheet| own(results, sheet, bodies::draw),
];

fn own<R: Results>(
    results: &dyn Results,
    sheet: &mut Sheet,
    draw: fn(&R, &mut Sheet) -> Result<Picture>,
) -> Result<Option<Picture>> {
    results.of().map(|own| draw(own, sheet)).transpose()
}

/// Draws the figures of results of any kind, and returns the picture for the first page.
///
/// # Errors
/// A figure that cannot be drawn or written.
pub fn draw(results: &dyn Results, sheet: &mut Sheet) -> Result<Option<Picture>> {
    for draw in FIGURES {
        if let Some(picture) = draw(results, sheet)? {
            return Ok(Some(picture));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    /// A kind without a line in the list would be drawn empty, and nothing else would say so.
    #[test]
    fn every_kind_has_its_figures() {
        assert_eq!(super::FIGURES.len(), klast_scenes::kinds::KINDS.len());
    }
}
