//! One motion of a row of blocks.

use glam::DVec2;
use klast_basin_jobs::assembly::result::{Results, Sample, Section};
use klast_plot::{Axis, Colour, FIXED, LineChart, Series, line_colour};
use klast_runs::error::{Outside as _, Result};

use super::planar;
use crate::page::Picture;
use crate::sheet::Sheet;
use crate::view::{Place, View, solid};
use crate::words::capital;

/// Rows beyond this number are drawn without single blocks.
const DRAWN_BLOCKS: usize = 64;

/// The first drive periods belong to the start.
const TRANSIENT: usize = 20;

/// Positions, indices, phase plane and Poincaré section.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    let samples = &results.history;
    let picture = positions(samples, results.basin_length, sheet)?;
    indices(samples, sheet)?;
    let phase = samples
        .iter()
        .map(|s| (s.centroid_m, s.centroid_velocity_m_s));
    let chart = LineChart::new(
        "Phase plane",
        Axis::new("mass centre [m]"),
        Axis::new("velocity [m/s]"),
    )
    .with(Series::line("", phase.collect()));
    sheet.figure(
        "phase.svg",
        &chart.svg().outside()?,
        "Velocity of the mass centre over its position.",
    )?;
    poincare(&results.sections, sheet)?;
    sheet.view(
        &view(results),
        "The row of blocks in the basin as it moves, seen in the laboratory.",
    )?;
    sheet.rows(
        "Impacts at each interface, from the left wall",
        "result.json",
        &results.summary.interfaces,
    )?;
    sheet.rows("Events", "events.csv", &results.events)?;
    Ok(picture)
}

/// The blocks and the walls of the basin as boxes.
fn view(results: &Results) -> View {
    let samples: Vec<&Sample> = planar::shown(results.history.len())
        .into_iter()
        .filter_map(|k| results.history.get(k))
        .collect();
    let mut view = View {
        words: "A row of blocks in a shaken basin".to_owned(),
        times: samples.iter().map(|s| s.time_s as f32).collect(),
        eye: Some((-1.25, 0.35)),
        ..View::default()
    };
    let Some(first) = samples.first() else {
        return view;
    };
    let length = results.basin_length;
    let size = first.right_m.iter().zip(&first.left_m).map(|(r, l)| r - l);
    let size = size.fold(0.0f64, f64::max);
    let (thin, deep) = (0.15 * size, 1.2 * size);
    let walls: Vec<Place> = samples
        .iter()
        .map(|s| planar::turned(DVec2::new(s.basin_m, 0.0), 0.0))
        .collect();
    for (name, low, high) in [
        (
            "floor",
            [-thin, -0.5 * deep, -thin],
            [length + thin, 0.5 * deep, 0.0],
        ),
        (
            "left wall",
            [-thin, -0.5 * deep, 0.0],
            [0.0, 0.5 * deep, 0.7 * size],
        ),
        (
            "right wall",
            [length, -0.5 * deep, 0.0],
            [length + thin, 0.5 * deep, 0.7 * size],
        ),
    ] {
        view.body(name, solid::cuboid(low, high), FIXED, walls.clone());
    }
    for b in 0..first.left_m.len() {
        let wide = first
            .right_m
            .get(b)
            .zip(first.left_m.get(b))
            .map_or(0.0, |(r, l)| r - l);
        let places = samples.iter().map(|s| {
            planar::turned(
                DVec2::new(s.left_m.get(b).copied().unwrap_or(0.0), 0.0),
                0.0,
            )
        });
        planar::block(
            &mut view,
            &format!("block {}", b + 1),
            &planar::Sides {
                left: 0.0,
                right: wide,
                height: size,
                depth: 0.9 * size,
            },
            b,
            places.collect(),
        );
    }
    let points = samples.iter().map(|s| (s.time_s, s.centroid_m));
    view.history("mass centre in the basin [m]", 2, points);
    view
}

/// The name of a block in a key; a long row has none.
fn named(block: usize, count: usize) -> String {
    if count <= 10 {
        format!("block {}", block + 1)
    } else {
        String::new()
    }
}

fn positions(samples: &[Sample], length: f64, sheet: &mut Sheet) -> Result<Picture> {
    let column =
        |f: &dyn Fn(&Sample) -> f64| samples.iter().map(|s| (s.time_s, f(s))).collect::<Vec<_>>();
    // Wide and grey, as no block is.
    let wall = Colour(170, 170, 170);
    let mut chart = LineChart::new("Blocks and walls", Axis::new("t [s]"), Axis::new("x [m]"))
        .with(
            Series::line("walls", column(&|s| s.basin_m))
                .coloured(wall)
                .wide(4),
        )
        .with(
            Series::line("", column(&|s| s.basin_m + length))
                .coloured(wall)
                .wide(4),
        );
    let count = samples.first().map_or(0, |s| s.left_m.len());
    for b in 0..count.min(DRAWN_BLOCKS) {
        let colour = line_colour(b);
        let face = |f: fn(&Sample) -> &Vec<f64>| {
            column(&|s: &Sample| f(s).get(b).copied().unwrap_or(f64::NAN))
        };
        chart = chart
            .with(Series::line(&named(b, count), face(|s| &s.left_m)).coloured(colour))
            .with(Series::dashed("", face(|s| &s.right_m)).coloured(colour));
    }
    sheet.picture(
        "positions.svg",
        &chart.svg().outside()?,
        "Walls of the basin, and the left (full) and right (dashed) edge of each block, over time.",
    )
}

fn indices(samples: &[Sample], sheet: &mut Sheet) -> Result<()> {
    type Index = (&'static str, &'static str, &'static str, fn(&Sample) -> f64);
    let list: [Index; 3] = [
        (
            "centroid.svg",
            "mass centre [m]",
            "Mass centre of the row in the basin.",
            |s| s.centroid_m,
        ),
        (
            "inertia.svg",
            "inertia index [-]",
            "Moment of inertia of the row about its mass centre, over that at release.",
            |s| s.inertia_index,
        ),
        (
            "kinetic.svg",
            "kinetic index [-]",
            "Kinetic energy over that of the row at the greatest speed that a wall can give to a block at rest, (1 + e) u0 Ω.",
            |s| s.kinetic_index,
        ),
    ];
    for (file, title, caption, value) in list {
        let values = samples.iter().map(|s| (s.time_s, value(s))).collect();
        let words = title.split(" [").next().unwrap_or(title);
        let chart = LineChart::new(&capital(words), Axis::new("t [s]"), Axis::new(title))
            .with(Series::line("", values))
            .height(260);
        sheet.figure(file, &chart.svg().outside()?, caption)?;
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
        chart = chart.with(series.coloured(line_colour(b)));
    }
    let caption = format!(
        "Each block at the end of the drive periods {TRANSIENT} to {}: a motion that repeats after n periods shows n dots.",
        sections.len() - 1
    );
    sheet.figure("poincare.svg", &chart.svg().outside()?, &caption)
}
