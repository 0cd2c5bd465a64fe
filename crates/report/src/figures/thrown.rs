//! Throws that were measured and computed.

use klast_plot::{Axis, Cells, Colour, HeatMap, LineChart, Overlay, Series, line_colour, stack};
use klast_rockfall_jobs::thrown::result::{LawRow, MisfitRow, Results, TrackRow};
use klast_runs::error::{Outside as _, Result};

use crate::page::Picture;
use crate::sheet::Sheet;
use crate::words::capital;

/// Throws in the picture of tracks at most.
const SHOWN: usize = 6;
/// Colour of the best set on a map.
const BEST: Colour = Colour(200, 30, 30);

/// The laws as a table, tracks, and the misfit of each law over friction and restitution.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    sheet.rows(
        "Laws of impact, in the order of the misfit",
        "laws.csv",
        &results.laws,
    )?;
    let picture = tracks(results, sheet)?;
    maps(results, sheet)?;
    sheet.rows("Throws, by law", "throws.csv", &results.throws)?;
    Ok(picture)
}

/// Measured and computed tracks of the first throws, seen from the side.
fn tracks(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    let mut names: Vec<&str> = Vec::new();
    for row in &results.tracks {
        if !names.contains(&row.throw.as_str()) {
            names.push(&row.throw);
        }
    }
    let shown = names.len().min(SHOWN);
    let title = format!(
        "Measured and computed mass centres, {}",
        results.summary.law.words()
    );
    let mut chart = LineChart::new(&title, Axis::new("x [m]"), Axis::new("elevation [m]"));
    for (k, name) in names.iter().take(shown).enumerate() {
        let own = || results.tracks.iter().filter(|t| t.throw == *name);
        let points = |at: fn(&TrackRow) -> (f64, f64)| own().map(at).collect();
        let colour = line_colour(k);
        let computed = points(|t| (t.computed_x_m, t.computed_z_m));
        chart = chart
            .with(
                Series::points(&format!("throw {name}"), points(|t| (t.x_m, t.z_m)))
                    .coloured(colour),
            )
            .with(Series::line("", computed).thin().coloured(colour));
    }
    let caption = match names.len() > shown {
        true => format!(
            "Measured mass centres (points) and computed ones (lines) of the first {shown} of {} throws, from the side.",
            names.len()
        ),
        false => {
            "Measured mass centres (points) and computed ones (lines), from the side.".to_owned()
        }
    };
    sheet.picture("tracks.svg", &chart.svg().outside()?, &caption)
}

/// A map of the first grid for each law.
fn maps(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let mut pictures = Vec::new();
    for law in &results.laws {
        pictures.extend(map(law, &results.misfit)?);
    }
    if pictures.is_empty() {
        return Ok(());
    }
    sheet.figure(
        "misfit.svg",
        &stack(&pictures, 1),
        "Misfit of each law between computed and measured throws over friction and restitution (with the best tangential restitution, where it is sought), and its best set.",
    )
}

/// Rising values of a column.
fn values(rows: &[&MisfitRow], of: fn(&MisfitRow) -> f64) -> Vec<f64> {
    let mut values: Vec<f64> = rows.iter().map(|r| of(r)).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// A cell reaches half a step to each side of its value.
fn ends(values: &[f64]) -> Option<(f64, f64)> {
    let (first, last) = (*values.first()?, *values.last()?);
    let half = 0.5 * (last - first) / values.len().saturating_sub(1).max(1) as f64;
    (half > 0.0).then_some((first - half, last + half))
}

fn map(law: &LawRow, misfit: &[MisfitRow]) -> Result<Option<String>> {
    let own = |r: &&MisfitRow| r.law == law.law.name() && r.grid == 1;
    let rows: Vec<&MisfitRow> = misfit.iter().filter(own).collect();
    let (friction, restitution) = (
        values(&rows, |r| r.friction),
        values(&rows, |r| r.normal_restitution),
    );
    let (Some(x), Some(y)) = (ends(&friction), ends(&restitution)) else {
        return Ok(None);
    };
    let mut cells = vec![f64::INFINITY; friction.len() * restitution.len()];
    let place = |values: &[f64], value: f64| values.iter().position(|v| *v == value);
    for row in rows {
        let column = place(&friction, row.friction);
        let line = place(&restitution, row.normal_restitution);
        let at = column
            .zip(line)
            .map(|(column, line)| line * friction.len() + column);
        if let Some(cell) = at.and_then(|at| cells.get_mut(at)) {
            *cell = cell.min(1e3 * row.rms_m);
        }
    }
    let mut map = HeatMap::new(
        &capital(law.law.words().trim_start_matches("the ")),
        Axis::new("friction coefficient [-]").range(x.0, x.1),
        Axis::new("normal restitution [-]").range(y.0, y.1),
        (friction.len(), restitution.len()),
        Cells::Values {
            label: "misfit (root mean square) [mm]".to_owned(),
            values: cells,
        },
    );
    map.size = (680, 300);
    map.overlays.push(Overlay::Point {
        name: "best".to_owned(),
        at: (law.friction, law.normal_restitution),
        colour: BEST,
    });
    Ok(Some(map.svg().outside()?))
}
