//! A fit of the restitution.

use klast_plot::{Axis, LineChart, Series};
use klast_rocking_jobs::rocking_fit::result::{Results, Sample};
use klast_runs::error::{Outside as _, Result};

use crate::page::Picture;
use crate::sheet::Sheet;

/// The measured and the fitted histories.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    let title = format!(
        "Measured and fitted rotation, η = {:.4}",
        results.summary.eta.value
    );
    let mut chart = LineChart::new(&title, Axis::new("t [s]"), Axis::new("θ [rad]"));
    for k in 1..=results.summary.histories {
        let points = |y: fn(&Sample) -> f64| {
            let own = results.history.iter().filter(|s| s.history == k);
            own.map(|s| (s.time_s, y(s))).collect()
        };
        // One entry of the legend for all.
        let [measured, fitted] = if k == 1 {
            ["measured", "fitted"]
        } else {
            [""; 2]
        };
        chart = chart
            .with(Series::points(measured, points(|s| s.measured_rad)))
            .with(Series::line(fitted, points(|s| s.fitted_rad)));
    }
    sheet.picture(
        "fit.svg",
        &chart.svg().outside()?,
        "The measured rotation, and that of the block with the fitted restitution.",
    )
}
