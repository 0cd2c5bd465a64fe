//! One motion of a stack.

use std::ops::Range;

use glam::DVec2;
use klast_plot::{Axis, LineChart, Series, line_colour};
use klast_rocking_jobs::stack::result::{EventRow, Results, Sample};
use klast_runs::error::{Outside as _, Result};
use schemars::JsonSchema;
use serde::Serialize;

use super::{planar, settling};
use crate::page::Picture;
use crate::sheet::Sheet;
use crate::view::{Place, View};

/// Rotations and the motion of the base over time, phase planes, and the stack as it moves.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    let caption = "Rotation of each block while it stands (clockwise positive), and the acceleration of the base. Marks on the axis are \
        the first openings, impacts and closings of interfaces.";
    let both = LineChart::panels(&[rotations(results), base(results)]).outside()?;
    let picture = sheet.picture("rotation.svg", &both, caption)?;
    let caption =
        "Angular velocity over rotation of each block while it stands; an impact is a gap.";
    sheet.figure("phase.svg", &phases(results).svg().outside()?, caption)?;
    sheet.view(
        &view(results),
        "The stack on its base as it moves; a block that fell stays where it was last seen.",
    )?;
    sheet.rows("Falls", "result.json", &results.summary.falls)?;
    if let Some(events) = &results.events {
        let rows = lines(events, results.summary.end_time_s);
        sheet.rows_of("Events", "events.csv", &rows, events.len())?;
    }
    Ok(picture)
}

/// One row of the table of events on the page.
#[derive(Serialize, JsonSchema)]
struct Line<'a> {
    /// Time t (s).
    time_s: f64,
    /// Until (s).
    until_s: f64,
    /// What happens.
    event: String,
    /// Interface.
    interface: String,
    /// Configuration before.
    before: &'a str,
    /// Configuration after.
    after: &'a str,
    /// Rotation of each block (rad).
    rotation_rad: &'a [Option<f64>],
    /// Angular velocity of each block (rad/s).
    rate_rad_s: &'a [Option<f64>],
}

/// The events, those of one settling as one row with the state at its end.
fn lines(events: &[EventRow], end: f64) -> Vec<Line<'_>> {
    let ranges = settling::rows(events.iter().map(|e| (e.time_s, e.event)), end);
    let line = |range: Range<usize>| {
        let own = events.get(range)?;
        let (first, last) = (own.first()?, own.last()?);
        let interfaces = || own.iter().map(|e| e.interface);
        let (low, high) = (interfaces().min()?, interfaces().max()?);
        Some(Line {
            time_s: first.time_s,
            until_s: last.time_s,
            event: settling::words(own.iter().map(|e| e.event)),
            interface: if low == high {
                low.to_string()
            } else {
                format!("{low} to {high}")
            },
            before: &first.before,
            after: &last.after,
            rotation_rad: &last.rotation_rad,
            rate_rad_s: &last.rate_rad_s,
        })
    };
    ranges.into_iter().filter_map(line).collect()
}

fn moves(results: &Results) -> bool {
    let angles = results
        .history
        .iter()
        .flat_map(|s| s.rotation_rad.iter().flatten());
    angles.into_iter().any(|angle| *angle != 0.0)
}

fn axis(results: &Results, name: &str) -> Axis {
    if moves(results) {
        Axis::new(name)
    } else {
        Axis::new(name).range(-1.0, 1.0)
    }
}

fn rotations(results: &Results) -> LineChart {
    let mut chart = LineChart::new(
        "Rotation",
        Axis::new("t [s]"),
        axis(results, "rotation θ [rad]"),
    )
    .height(330);
    for j in 0..results.blocks {
        let points = results.history.iter().map(|s| {
            let angle = s.rotation_rad.get(j).copied().flatten();
            (s.time_s, angle.unwrap_or(f64::NAN))
        });
        chart = chart.with(
            Series::line(&named(j, results.blocks), points.collect()).coloured(line_colour(j)),
        );
    }
    for (k, event) in ["opening", "impact", "closing"].into_iter().enumerate() {
        let marks = results.events.iter().flatten().filter(|e| e.event == event);
        let marks: Vec<(f64, f64)> = marks.take(150).map(|e| (e.time_s, 0.0)).collect();
        if !marks.is_empty() {
            chart = chart.with(Series::points(event, marks).coloured(line_colour(9 - 2 * k)));
        }
    }
    chart
}

fn named(j: usize, blocks: usize) -> String {
    let at = match j {
        0 if blocks > 1 => " (lowest)",
        _ => "",
    };
    format!("block {}{at}", j + 1)
}

fn base(results: &Results) -> LineChart {
    let points = results
        .history
        .iter()
        .map(|s| (s.time_s, s.base_acceleration_m_s2));
    LineChart::new(
        "Motion of the base",
        Axis::new("t [s]"),
        Axis::new("a [m/s²]"),
    )
    .with(Series::line("", points.collect()).coloured(line_colour(9)))
    .height(230)
}

fn phases(results: &Results) -> LineChart {
    let mut chart = LineChart::new(
        "Phase planes",
        axis(results, "θ [rad]"),
        axis(results, "θ′ [rad/s]"),
    );
    let rates = results
        .history
        .iter()
        .flat_map(|s| s.rate_rad_s.iter().flatten());
    let fastest = rates.fold(0.0f64, |m, r| m.max(r.abs()));
    for j in 0..results.blocks {
        let mut points: Vec<(f64, f64)> = Vec::new();
        let mut before: Option<f64> = None;
        for s in &results.history {
            let (Some(angle), Some(rate)) = (
                s.rotation_rad.get(j).copied().flatten(),
                s.rate_rad_s.get(j).copied().flatten(),
            ) else {
                break;
            };
            // Between two samples an impact lies, if the velocity changes more than its acceleration explains.
            if before.is_some_and(|b| (b - rate).abs() > 0.2 * fastest) {
                points.push((f64::NAN, f64::NAN));
            }
            points.push((angle, rate));
            before = Some(rate);
        }
        chart =
            chart.with(Series::line(&named(j, results.blocks), points).coloured(line_colour(j)));
    }
    chart
}

/// Where the blocks are: each stands on a corner of the one below, or flat.
fn places(sizes: &[(f64, f64)], sample: &Sample) -> Vec<Option<Place>> {
    let mut top = DVec2::new(sample.base_displacement_m, 0.0);
    let (mut below, mut last_half) = (0.0f64, f64::INFINITY);
    let mut found = Vec::new();
    for (j, &(width, height)) in sizes.iter().enumerate() {
        let Some(angle) = sample.rotation_rad.get(j).copied().flatten() else {
            found.push(None);
            continue;
        };
        let turn = |angle: f64, p: DVec2| {
            let (sin, cos) = angle.sin_cos();
            DVec2::new(p.x * cos + p.y * sin, -p.x * sin + p.y * cos)
        };
        let half = (0.5 * width).min(last_half);
        let opens = angle - below;
        let corner = if opens > 1e-12 {
            half
        } else if opens < -1e-12 {
            -half
        } else {
            0.0
        };
        let pivot = top + turn(below, DVec2::new(corner, 0.0));
        let origin = pivot - turn(angle, DVec2::new(corner, 0.0));
        found.push(Some(planar::turned(origin, angle)));
        top = origin + turn(angle, DVec2::new(0.0, height));
        (below, last_half) = (angle, 0.5 * width);
    }
    found
}

fn view(results: &Results) -> View {
    let samples: Vec<&Sample> = planar::shown(results.history.len())
        .into_iter()
        .filter_map(|k| results.history.get(k))
        .collect();
    let mut view = View {
        words: "A stack of blocks on a shaken base".to_owned(),
        times: samples.iter().map(|s| s.time_s as f32).collect(),
        eye: Some(planar::FRONT),
        ..View::default()
    };
    let (widest, tall) = results
        .sizes_m
        .iter()
        .fold((0.0f64, 0.0), |(w, h), s| (w.max(s.0), h + s.1));
    let depth = widest;
    let moves: Vec<f64> = samples.iter().map(|s| s.base_displacement_m).collect();
    planar::base(
        &mut view,
        widest + 0.3 * tall,
        1.4 * depth,
        0.05 * tall,
        &moves,
    );
    let all: Vec<Vec<Option<Place>>> = samples
        .iter()
        .map(|s| places(&results.sizes_m, s))
        .collect();
    for (j, &(width, height)) in results.sizes_m.iter().enumerate() {
        // What fell stays where it was last seen.
        let mut last = crate::view::UNMOVED;
        let own = all.iter().map(|places| {
            last = places.get(j).copied().flatten().unwrap_or(last);
            last
        });
        let own = own.collect();
        planar::block(
            &mut view,
            &format!("block {}", j + 1),
            &planar::Sides {
                left: 0.5 * width,
                right: 0.5 * width,
                height,
                depth,
            },
            j,
            own,
        );
        let points = samples.iter().map(|s| {
            let angle = s.rotation_rad.get(j).copied().flatten();
            (s.time_s, angle.unwrap_or(f64::NAN))
        });
        view.history("rotation θ [rad]", j, points);
    }
    view
}
