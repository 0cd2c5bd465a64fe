//! One motion of a row of blocks.

use anyhow::Result;
use klast_plot::{Axis, LineChart, Series, line_colour};
use klast_scenes::kinds::assembly::result::{Results, Sample, Section};

use crate::sheet::Sheet;

/// Rows beyond this number are drawn without single blocks.
const DRAWN_BLOCKS: usize = 64;

/// The first drive periods belong to the start.
const TRANSIENT: usize = 20;

/// Positions, indices, phase plane and Poincaré section.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let samples = &results.history;
    positions(samples, results.basin_length, sheet)?;
    indices(samples, sheet)?;
    let phase = samples
        .iter()
        .map(|s| (s.centroid_m, s.centroid_velocity_m_s));
    let chart = LineChart::new(
        "Phase plane",
        Axis::new("centroid [m]"),
        Axis::new("velocity [m/s]"),
    )
    .with(Series::line("", phase.collect()));
    sheet.figure(
        "phase.svg",
        &chart.svg()?,
        "Velocity of the mass centre over its position.",
    )?;
    poincare(&results.sections, sheet)
}

/// The name of a block in a key; a long row has none.
fn named(block: usize, count: usize) -> String {
    if count <= 10 {
        format!("block {}", block + 1)
    } else {
        String::new()
    }
}

fn positions(samples: &[Sample], length: f64, sheet: &mut Sheet) -> Result<()> {
    let column =
        |f: &dyn Fn(&Sample) -> f64| samples.iter().map(|s| (s.time_s, f(s))).collect::<Vec<_>>();
    let wall = line_colour(0);
    let mut chart = LineChart::new("Blocks and walls", Axis::new("t [s]"), Axis::new("x [m]"))
        .with(Series::line("walls", column(&|s| s.basin_m)).coloured(wall))
        .with(Series::line("", column(&|s| s.basin_m + length)).coloured(wall));
    let count = samples.first().map_or(0, |s| s.left_m.len());
    for b in 0..count.min(DRAWN_BLOCKS) {
        let colour = line_colour(b + 1);
        let face = |f: fn(&Sample) -> &Vec<f64>| {
            column(&|s: &Sample| f(s).get(b).copied().unwrap_or(f64::NAN))
        };
        chart = chart
            .with(Series::line(&named(b, count), face(|s| &s.left_m)).coloured(colour))
            .with(Series::dashed("", face(|s| &s.right_m)).coloured(colour));
    }
    sheet.figure(
        "positions.svg",
        &chart.svg()?,
        "Walls of the basin, and the left (full) and right (dashed) face of each block, over time.",
    )
}

fn indices(samples: &[Sample], sheet: &mut Sheet) -> Result<()> {
    type Index = (&'static str, &'static str, &'static str, fn(&Sample) -> f64);
    let list: [Index; 3] = [
        (
            "centroid.svg",
            "centroid [m]",
            "Mass centre of the row in the basin.",
            |s| s.centroid_m,
        ),
        (
            "inertia.svg",
            "moment-of-inertia index [-]",
            "Moment of inertia of the row about its mass centre, over that at release.",
            |s| s.inertia_index,
        ),
        (
            "kinetic.svg",
            "kinetic-energy index [-]",
            "Kinetic energy over that of the row at the greatest speed a wall at rest can give, (1 + e) u0 Ω.",
            |s| s.kinetic_index,
        ),
    ];
    for (file, title, caption, value) in list {
        let values = samples.iter().map(|s| (s.time_s, value(s))).collect();
        let chart = LineChart::new(title, Axis::new("t [s]"), Axis::new(title))
            .with(Series::line("", values));
        sheet.figure(file, &chart.svg()?, caption)?;
    }
    Ok(())
}

/// Each block at the end of each drive period: a few dots for a motion that repeats, a cloud for one that does not.
fn poincare(sections: &[Section], sheet: &mut Sheet) -> Result<()> {
    let late = sections.get(TRANSIENT..).unwrap_or_default();
    let count = late.first().map_or(0, |s| s.position_m.len());
    if count == 0 {
        return Ok(());
    }
    let mut chart = LineChart::new(
        "Poincaré section",
        Axis::new("position in the basin, sizes taken out [m]"),
        Axis::new("velocity in the basin [m/s]"),
    );
    for b in 0..count.min(DRAWN_BLOCKS) {
        let dots = late
            .iter()
            .filter_map(|s| Some((*s.position_m.get(b)?, *s.slip_m_s.get(b)?)));
        let series = Series::points(&named(b, count), dots.collect());
        chart = chart.with(series.coloured(line_colour(b + 1)));
    }
    let caption = format!(
        "Each block at the end of drive periods {TRANSIENT} to {}: as many dots as the motion has periods.",
        sections.len() - 1
    );
    sheet.figure("poincare.svg", &chart.svg()?, &caption)
}
