//! A column of drums in space.

use klast_plot::{Axis, LineChart, Series, line_colour};
use klast_rocking_jobs::column::result::{Results, Sample};
use klast_runs::error::Result;

use super::panels::panels;
use crate::page::Picture;
use crate::sheet::Sheet;

/// Tilts and offsets of the drums over time, and where their bases went.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    let tilts = chart(results, "Tilt", "tilt [rad]", |sample, drum| {
        sample.tilt_rad.get(drum).copied()
    });
    let offsets = chart(results, "Offset", "offset [m]", offset);
    let picture = sheet.picture(
        "tilt.svg",
        &panels(vec![tilts, offsets])?,
        "Tilt of the axis of each drum to the vertical, and offset of its base on what it stands on.",
    )?;
    sheet.rows("Drums", "result.json", &results.summary.drums)?;
    Ok(picture)
}

fn offset(sample: &Sample, drum: usize) -> Option<f64> {
    let (x, y) = (sample.offset_x_m.get(drum)?, sample.offset_y_m.get(drum)?);
    Some(x.hypot(*y))
}

fn chart(
    results: &Results,
    title: &str,
    axis: &str,
    value: impl Fn(&Sample, usize) -> Option<f64>,
) -> LineChart {
    let mut chart = LineChart::new(title, Axis::new("t [s]"), Axis::new(axis));
    let drums = results.summary.drums.len();
    for drum in 0..drums {
        let points = results
            .history
            .iter()
            .map(|sample| (sample.time_s, value(sample, drum).unwrap_or(f64::NAN)));
        let name = match (drums, drum) {
            (1, _) => String::new(),
            (_, 0) => "drum 1 (lowest)".to_owned(),
            _ => format!("drum {}", drum + 1),
        };
        chart = chart.with(Series::line(&name, points.collect()).coloured(line_colour(drum)));
    }
    chart
}
