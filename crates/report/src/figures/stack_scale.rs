//! Outcomes of a stack over the scale of a motion.

use klast_plot::{Axis, LineChart, Series};
use klast_rocking_jobs::stack_scale::result::Results;
use klast_runs::error::{Outside as _, Result};

use crate::sheet::Sheet;

/// How many blocks fell at each factor.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let dots = results.scale.iter().map(|at| (at.factor, at.fallen as f64));
    let y = Axis::new("blocks that fell")
        .range(-0.25, results.blocks as f64 + 0.25)
        .whole();
    let x = Axis::new("factor [-]");
    let chart = LineChart::new("Outcome over the scale of the motion", x, y)
        .with(Series::points("", dots.collect()));
    sheet.figure(
        "scale.svg",
        &chart.svg().outside()?,
        "What becomes of the stack over the scale of the motion.",
    )?;
    sheet.rows("Outcomes", "scale.csv", &results.scale)
}
