//! A sweep of a row of blocks.

use klast_basin_jobs::assembly_sweep::result::{Axis as Parameter, Point, Results};
use klast_plot::{Axis, Cells, HeatMap, LineChart, Series};
use klast_runs::error::{Outside as _, Result};

use crate::sheet::Sheet;

/// The bifurcation diagram over one parameter, or a map of periods over two.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    sheet.rows("Points of the sweep", "sweep.csv", &results.sweep)?;
    match results.axes.as_slice() {
        [parameter] => bifurcation(results, parameter, sheet),
        [rows, columns] => periods(results, rows, columns, sheet),
        _ => Ok(()),
    }
}

fn bifurcation(results: &Results, parameter: &Parameter, sheet: &mut Sheet) -> Result<()> {
    let dots: Vec<(f64, f64)> = results
        .sections
        .iter()
        .filter_map(|s| Some((s.parameters.0.first()?.1, s.centroid_m)))
        .collect();
    if dots.is_empty() {
        return Ok(());
    }
    let chart = LineChart::new(
        "Poincaré sections",
        Axis::new(parameter.label),
        Axis::new("mass centre in the basin [m]"),
    )
    .with(Series::points("", dots));
    sheet.figure(
        "bifurcation.svg",
        &chart.svg().outside()?,
        "Mass centre of the row at the same phase of each drive period, after the transient: one dot a period of the response.",
    )
}

/// A cell reaches half a step to each side of its value.
fn ends(values: &[f64]) -> Option<(f64, f64)> {
    let (first, last) = (*values.first()?, *values.last()?);
    let half = 0.5 * (last - first) / (values.len() - 1).max(1) as f64;
    (half > 0.0).then_some((first - half, last + half))
}

fn periods(
    results: &Results,
    rows: &Parameter,
    columns: &Parameter,
    sheet: &mut Sheet,
) -> Result<()> {
    let (Some(y), Some(x)) = (ends(&rows.values), ends(&columns.values)) else {
        return Ok(());
    };
    let names = ["1", "2", "3", "4", "5 or more", "does not repeat"];
    let class = |point: &Point| match point.error {
        None => match point.period.parse::<u64>() {
            Ok(period) => period.clamp(1, 5) as u8 - 1,
            Err(_) => 5,
        },
        Some(_) => u8::MAX,
    };
    let cells = Cells::Classes {
        names: names.map(str::to_owned).to_vec(),
        index: results.sweep.iter().map(class).collect(),
    };
    let map = HeatMap::new(
        "Period of the response in drive periods",
        Axis::new(columns.label).range(x.0, x.1),
        Axis::new(rows.label).range(y.0, y.1),
        (columns.values.len(), rows.values.len()),
        cells,
    );
    sheet.figure(
        "periods.svg",
        &map.svg().outside()?,
        "Period of the long-time response; cells without a scenario stay white.",
    )
}
