//! A fit of the restitution.

use klast_plot::{Axis, LineChart, Series};
use klast_rocking_jobs::rocking_fit::result::{Results, Sample};
use klast_runs::error::{Outside as _, Result};

use crate::sheet::Sheet;

/// The measured and the fitted history.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let points = |y: fn(&Sample) -> f64| results.history.iter().map(|s| (s.time_s, y(s))).collect();
    let title = format!(
        "Measured and fitted rotation, η = {:.4}",
        results.summary.eta
    );
    let chart = LineChart::new(&title, Axis::new("t [s]"), Axis::new("θ [rad]"))
        .with(Series::points("measured", points(|s| s.measured_rad)))
        .with(Series::line("fitted", points(|s| s.fitted_rad)));
    sheet.figure(
        "fit.svg",
        &chart.svg().outside()?,
        "The measured rotation, and that of the block with the fitted restitution.",
    )
}
