//! Space–time diagrams and index histories, from our own numbers.

use std::f64::consts::TAU;

use anyhow::Result;
use klast_assembly::Assembly;
use klast_assembly::analysis::{ContactPoint, IndexReference, Sample, history};
use klast_plot::{Axis, Colour, LineChart, Series};

use super::scene::{Run, tuned};
use crate::{Outcome, Table};

const WALL: Colour = Colour(40, 40, 40);

fn column(samples: &[Sample], f: impl Fn(&Sample) -> f64) -> Vec<(f64, f64)> {
    samples.iter().map(|s| (s.time, f(s))).collect()
}

/// Walls, and both edges of each block (the right one dashed).
fn space_time(title: &str, samples: &[Sample], length: f64, unit: &str) -> LineChart {
    let mut chart = LineChart::new(title, Axis::new("t [s]"), Axis::new(unit))
        .with(Series::line("walls", column(samples, |s| s.basin.position)).coloured(WALL))
        .with(Series::line("", column(samples, |s| s.basin.position + length)).coloured(WALL));
    let count = samples.first().map_or(0, |s| s.blocks.len());
    for b in 0..count {
        let colour = klast_plot::line_colour(b + 1);
        let edge = |f: fn(&klast_assembly::BlockState) -> f64| {
            column(samples, move |s| s.blocks.get(b).map_or(f64::NAN, f))
        };
        let label = format!("block {}", b + 1);
        chart = chart
            .with(Series::line(&label, edge(|s| s.left)).coloured(colour))
            .with(Series::dashed("", edge(|s| s.right)).coloured(colour));
    }
    chart
}

/// Figures 9.2 to 9.4: trajectory and kinetic index for both basins.
pub fn single_block(outcome: &mut Outcome) -> Result<()> {
    for (figure, e) in [("9-2", 1.0), ("9-3", 0.0), ("9-4", 0.8)] {
        for (basin, point) in [
            ("d_pi", ContactPoint::Against),
            ("d_2pi", ContactPoint::Along),
        ] {
            let mut run: Assembly = tuned(point, e)?;
            let reference = IndexReference::compact(&run);
            let length = run.basin().length;
            let samples = history(&mut run, 12.0 * TAU, TAU / 100.0, &reference)?;
            let name = format!("figure-{figure}-{basin}");
            let title = format!("e = {e}, {basin}");
            let chart = space_time(&title, &samples, length, "x / u0");
            outcome.draw(
                &name,
                "Trajectory (unit amplitude and angular frequency)",
                chart.svg()?,
            );
            let chart = LineChart::new(&title, Axis::new("t"), Axis::new("kinetic index")).with(
                Series::line("", column(&samples, |s| s.indices.kinetic_index)),
            );
            outcome.draw(&format!("{name}-index"), "Kinetic index", chart.svg()?);
        }
    }
    Ok(())
}

/// Figures 9.8 to 9.17: positions, mass centre and inertia index of one run.
pub fn row(outcome: &mut Outcome, table: &Table, case: &Run) -> Result<()> {
    let mut run = case.scenario(table)?.release()?;
    let reference = IndexReference::present(&run);
    let length = run.basin().length;
    let until = if case.time_s > 0.0 {
        case.time_s
    } else {
        8.0 / case.frequency_hz
    };
    let samples = history(&mut run, until, until / 800.0, &reference)?;
    let slug: String = case
        .id
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let chart = space_time(&case.id, &samples, length, "x [m]");
    outcome.draw(
        &format!("{slug}-positions"),
        "Edges of the blocks (right ones dashed) and walls",
        chart.svg()?,
    );
    let chart = LineChart::new(&case.id, Axis::new("t [s]"), Axis::new("mass centre [m]"))
        .with(Series::line("", column(&samples, |s| s.indices.centroid)));
    outcome.draw(
        &format!("{slug}-centroid"),
        "Mass centre of the row",
        chart.svg()?,
    );
    let chart = LineChart::new(&case.id, Axis::new("t [s]"), Axis::new("inertia index")).with(
        Series::line("", column(&samples, |s| s.indices.inertia_index)),
    );
    outcome.draw(&format!("{slug}-inertia"), "Inertia index", chart.svg()?);
    Ok(())
}
