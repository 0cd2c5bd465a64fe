//! The figures of each kind of scene.

mod assembly;
mod assess;
mod bodies;
mod column;
mod planar;
mod rockfall;
mod rockfall_calibration;
mod rockfall_study;
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

use crate::sheet::Sheet;

type Draw = fn(&dyn Results, &mut Sheet) -> Result<()>;

/// The figures of each kind; each draws only results of its own.
const FIGURES: &[Draw] = &[
    |results, sheet| own(results, sheet, study::draw),
    |results, sheet| own(results, sheet, rockfall::draw),
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
    draw: fn(&R, &mut Sheet) -> Result<()>,
) -> Result<()> {
    results.of().map_or(Ok(()), |own| draw(own, sheet))
}

/// Draws the figures of results of any kind.
///
/// # Errors
/// A figure that cannot be drawn or written.
pub fn draw(results: &dyn Results, sheet: &mut Sheet) -> Result<()> {
    FIGURES.iter().try_for_each(|draw| draw(results, sheet))
}

#[cfg(test)]
mod tests {
    /// A kind without a line in the list would be drawn empty, and nothing else would say so.
    #[test]
    fn every_kind_has_its_figures() {
        assert_eq!(super::FIGURES.len(), klast_scenes::kinds::KINDS.len());
    }
}
