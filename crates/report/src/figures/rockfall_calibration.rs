//! A calibration against observed runs.

use klast_plot::{Axis, LineChart, Series, line_colour};
use klast_rockfall_jobs::rockfall_calibration::result::{ClassRow, Line, Results};
use klast_runs::error::{Outside as _, Result};
use schemars::JsonSchema;
use serde::Serialize;

use crate::page::Picture;
use crate::sheet::Sheet;

/// A run with its number in the figure.
#[derive(Serialize, JsonSchema)]
struct Run {
    /// Number.
    number: usize,
    /// Run.
    run: String,
    /// Observed runout (m).
    observed_m: f64,
    /// Forecast, 5 % (m).
    forecast_05_m: f64,
    /// Forecast, median (m).
    forecast_50_m: f64,
    /// Forecast, 95 % (m).
    forecast_95_m: f64,
    /// Observed runout in the central 90 %.
    inside: bool,
    /// CRPS of the forecast (m).
    crps_m: f64,
    /// CRPS of the null model (m).
    null_crps_m: f64,
}

/// A class of rock.
#[derive(Serialize, JsonSchema)]
struct Class {
    /// Class.
    class: String,
    /// Runs.
    runs: usize,
    /// Drag, 5 % (1/s).
    drag_05_per_s: f64,
    /// Drag, median (1/s).
    drag_50_per_s: f64,
    /// Drag, 95 % (1/s).
    drag_95_per_s: f64,
    /// Sharpness, 5 %.
    sharpness_05: f64,
    /// Sharpness, median.
    sharpness_50: f64,
    /// Sharpness, 95 %.
    sharpness_95: f64,
    /// Mean CRPS of its runs (m).
    mean_crps_m: Option<f64>,
}

impl Class {
    fn of(row: &ClassRow) -> Self {
        Self {
            class: row.class.clone(),
            runs: row.runs,
            drag_05_per_s: row.drag_05_per_s,
            drag_50_per_s: row.drag_50_per_s,
            drag_95_per_s: row.drag_95_per_s,
            sharpness_05: row.sharpness_05,
            sharpness_50: row.sharpness_50,
            sharpness_95: row.sharpness_95,
            mean_crps_m: row.mean_crps_m,
        }
    }
}

impl Run {
    fn of((k, line): (usize, &Line)) -> Self {
        Self {
            number: k + 1,
            run: line.run.clone(),
            observed_m: line.observed_runout_m,
            forecast_05_m: line.runout_05_m,
            forecast_50_m: line.runout_50_m,
            forecast_95_m: line.runout_95_m,
            inside: line.inside_90,
            crps_m: line.crps_m,
            null_crps_m: line.null_crps_m,
        }
    }
}

/// Observed runouts, each beside the band and the median of its forecast, in the order of the runs.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    let lines = &results.runs;
    let x = Axis::new("run")
        .range(0.0, lines.len() as f64 + 1.0)
        .whole();
    let mut chart = LineChart::new(
        "Runouts: observed, and forecast from the other runs",
        x,
        Axis::new("runout [m]"),
    );
    for (k, line) in lines.iter().enumerate() {
        let at = (k + 1) as f64;
        let label = if k == 0 { "central 90 %" } else { "" };
        let (low, high) = ([line.runout_05_m; 2], [line.runout_95_m; 2]);
        let band = Series::band(label, &[at - 0.3, at + 0.3], &low, &high);
        chart = chart.with(band.coloured(line_colour(0)));
        let median = vec![(at - 0.3, line.runout_50_m), (at + 0.3, line.runout_50_m)];
        let label = if k == 0 { "median" } else { "" };
        chart = chart.with(Series::line(label, median).coloured(line_colour(0)));
    }
    let observed = lines.iter().enumerate();
    let points = observed.map(|(k, l)| ((k + 1) as f64, l.observed_runout_m));
    let series = Series::points("observed", points.collect());
    let picture = sheet.picture(
        "runouts.svg",
        &chart
            .with(series.coloured(line_colour(1)))
            .svg()
            .outside()?,
        "Observed runouts, and what the other runs forecast, in the order of the table of runs.",
    )?;
    sheet.rows(
        "Runs, numbered as in the figure",
        "runs.csv",
        &lines.iter().enumerate().map(Run::of).collect::<Vec<_>>(),
    )?;
    sheet.rows(
        "Classes of rock: drag and sharpness of the sets that are kept",
        "classes.csv",
        &results.classes.iter().map(Class::of).collect::<Vec<_>>(),
    )?;
    Ok(picture)
}
