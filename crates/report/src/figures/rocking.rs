//! One motion of a rocking block.

use std::ops::Range;

use glam::DVec2;
use klast_plot::{Axis, Colour, LineChart, Series, line_colour};
use klast_rocking_jobs::rocking::event::EventRow;
use klast_rocking_jobs::rocking::result::{Outline, Results, Sample};
use klast_runs::error::{Outside as _, Result};
use schemars::JsonSchema;
use serde::Serialize;

use super::{planar, settling};
use crate::page::Picture;
use crate::sheet::Sheet;
use crate::view::View;

const LIMIT: Colour = Colour(140, 140, 140);
const MARK: Colour = Colour(190, 30, 30);

/// Rotation, velocity and motion of the base over time, the phase plane, and the block as it moves.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    if results.history.is_empty() {
        return Ok(Picture::nothing(
            "The scene keeps no samples of the motion.",
        ));
    }
    let caption = "Rotation of the block (clockwise positive) beside the slenderness α at which it balances, and the acceleration of the \
        base beside the one that lifts it off. Marks on the axis are events, as the legend says.";
    let both = LineChart::panels(&[rotation(results), base(results)]).outside()?;
    let picture = sheet.picture("rotation.svg", &both, caption)?;
    let caption = "Angular velocity; an impact is a jump.";
    sheet.figure("velocity.svg", &velocity(results).svg().outside()?, caption)?;
    let caption = "Angular velocity over rotation while the block stands. Impacts are the dashed jumps at a rotation of 0.";
    sheet.figure("phase.svg", &phase(results).svg().outside()?, caption)?;
    if results.history.iter().any(|s| s.slip_m != 0.0) {
        let caption = "Slip of the foot from where it stood, to the right positive.";
        sheet.figure("slip.svg", &slip(results).svg().outside()?, caption)?;
    }
    sheet.view(
        &view(results),
        "The block on its base as it moves, drawn with a depth of its height.",
    )?;
    let rows = lines(&results.events, results.summary.end_time_s);
    sheet.rows_of("Events", "events.csv", &rows, results.events.len())?;
    Ok(picture)
}

/// One row of the table of events on the page.
#[derive(Serialize, JsonSchema)]
struct Line {
    /// Time t (s).
    time_s: f64,
    /// Until (s).
    until_s: f64,
    /// What happens.
    event: String,
    /// Corner at which the event takes place: `left` or `right`.
    corner: Option<&'static str>,
    /// Side to which the foot slides: `left` or `right`.
    slides_to: Option<&'static str>,
    /// Number of the restrainer that breaks, from 1 in the order of the scene.
    restrainer: Option<usize>,
    /// Angular velocity before the impact (rad/s).
    velocity_before_rad_s: Option<f64>,
    /// Angular velocity after the impact (rad/s).
    velocity_after_rad_s: Option<f64>,
}

/// The events, bounces that die out as one row.
fn lines(events: &[EventRow], end: f64) -> Vec<Line> {
    let ranges = settling::rows(events.iter().map(|e| (e.time_s, e.event)), end);
    let line = |range: Range<usize>| {
        let own = events.get(range)?;
        let (first, last) = (own.first()?, own.last()?);
        Some(Line {
            time_s: first.time_s,
            until_s: last.time_s,
            event: settling::words(own.iter().map(|e| e.event)),
            corner: first.corner.filter(|_| own.len() == 1),
            slides_to: first.slides_to,
            restrainer: first.restrainer,
            velocity_before_rad_s: first.velocity_before_rad_s,
            velocity_after_rad_s: last.velocity_after_rad_s,
        })
    };
    ranges.into_iter().filter_map(line).collect()
}

fn of(results: &Results, f: impl Fn(&Sample) -> f64) -> Vec<(f64, f64)> {
    results.history.iter().map(|s| (s.time_s, f(s))).collect()
}

/// An axis that has a range even where nothing moves.
fn axis(label: &str, points: &[(f64, f64)]) -> Axis {
    match points.iter().all(|p| p.1 == 0.0) {
        true => Axis::new(label).range(-1.0, 1.0),
        false => Axis::new(label),
    }
}

fn end(results: &Results) -> f64 {
    results.history.last().map_or(1.0, |s| s.time_s)
}

fn rotation(results: &Results) -> LineChart {
    let points = of(results, |s| s.rotation_rad);
    let Outline {
        left_slenderness_rad: left,
        right_slenderness_rad: right,
        ..
    } = results.outline;
    let most = points.iter().fold(left.max(right), |m, p| m.max(p.1.abs()));
    // Beyond balance a block falls: the last part of a fall would press all else against the axis.
    let most = 1.15 * most.min(2.5 * left.max(right)).max(1e-9);
    let y = Axis::new("rotation θ [rad]").range(-most, most);
    let y = if left == right {
        y.also("θ / α [-]", 1.0 / right)
    } else {
        y
    };
    let line = |at: f64| vec![(0.0, at), (end(results), at)];
    let impacts = results.events.iter().filter(|e| e.event == "impact");
    let impacts: Vec<(f64, f64)> = impacts.map(|e| (e.time_s, 0.0)).collect();
    let mut chart = LineChart::new("Rotation", Axis::new("t [s]"), y)
        .with(Series::dashed("balance, ±α", line(right)).coloured(LIMIT))
        .with(Series::dashed("", line(-left)).coloured(LIMIT))
        .with(Series::line("rotation", points).coloured(line_colour(2)))
        .height(320);
    if !impacts.is_empty() && impacts.len() < 400 {
        chart = chart.with(Series::points("impact", impacts).coloured(MARK));
    }
    for (event, words, colour) in [
        ("lift-off", "lift-off", line_colour(4)),
        ("rock", "a corner lifts off", line_colour(4)),
        ("slide", "begins to slide", line_colour(5)),
        ("flight", "leaves the base", line_colour(6)),
        ("broke", "a restrainer breaks", line_colour(3)),
        ("rest", "at rest", line_colour(0)),
    ] {
        let times = results.events.iter().filter(|e| e.event == event);
        let marks: Vec<(f64, f64)> = times.take(200).map(|e| (e.time_s, 0.0)).collect();
        if !marks.is_empty() {
            chart = chart.with(Series::points(words, marks).coloured(colour));
        }
    }
    chart
}

fn base(results: &Results) -> LineChart {
    let points = of(results, |s| s.base_acceleration_m_s2);
    let lift = results.outline.lift_off_m_s2;
    let line = |at: f64| vec![(0.0, at), (end(results), at)];
    LineChart::new(
        "Motion of the base",
        Axis::new("t [s]"),
        Axis::new("a [m/s²]"),
    )
    .with(Series::dashed("lift-off, ± g tan α", line(lift)).coloured(LIMIT))
    .with(Series::dashed("", line(-lift)).coloured(LIMIT))
    .with(Series::line("acceleration of the base", points).coloured(line_colour(1)))
    .height(240)
}

/// Samples with the two velocities of each impact between them, and the jumps themselves.
fn with_impacts(results: &Results) -> (Vec<Sample>, Vec<Vec<Sample>>) {
    let mut impacts = results
        .events
        .iter()
        .filter_map(|e| Some((e.time_s, e.velocity_before_rad_s?, e.velocity_after_rad_s?)))
        .peekable();
    let (mut all, mut jumps) = (Vec::new(), Vec::new());
    for sample in &results.history {
        while let Some((time, before, after)) = impacts.next_if(|(t, ..)| *t <= sample.time_s) {
            let at = |rate: f64| Sample {
                time_s: time,
                angular_velocity_rad_s: rate,
                ..Sample::default()
            };
            let gap = Sample {
                rotation_rad: f64::NAN,
                ..at(f64::NAN)
            };
            all.extend([at(before), gap, at(after)]);
            jumps.push(vec![at(before), at(after)]);
        }
        all.push(*sample);
    }
    (all, jumps)
}

/// The jumps as one series of broken lines.
fn jumps(label: &str, jumps: &[Vec<Sample>], f: impl Fn(&Sample) -> (f64, f64)) -> Series {
    let broken = (f64::NAN, f64::NAN);
    let points = jumps.iter().flat_map(|j| j.iter().map(&f).chain([broken]));
    Series::dashed(label, points.collect())
        .coloured(MARK)
        .thin()
}

fn velocity(results: &Results) -> LineChart {
    let (samples, jumped) = with_impacts(results);
    let f = |s: &Sample| (s.time_s, s.angular_velocity_rad_s);
    let points: Vec<(f64, f64)> = samples.iter().map(f).collect();
    let mut chart = LineChart::new(
        "Angular velocity",
        Axis::new("t [s]"),
        axis("θ′ [rad/s]", &points),
    )
    .with(Series::line("", points).coloured(line_colour(2)))
    .height(280);
    if !jumped.is_empty() {
        chart = chart.with(jumps("impact", &jumped, f));
    }
    chart
}

fn phase(results: &Results) -> LineChart {
    let (samples, jumped) = with_impacts(results);
    let alpha = results
        .outline
        .left_slenderness_rad
        .max(results.outline.right_slenderness_rad);
    // The fall after balance is no part of rocking.
    let standing = samples
        .iter()
        .take_while(|s| s.rotation_rad.is_nan() || s.rotation_rad.abs() <= 1.5 * alpha);
    let f = |s: &Sample| (s.rotation_rad, s.angular_velocity_rad_s);
    let points: Vec<(f64, f64)> = standing.map(f).collect();
    let still = points.iter().all(|p| p.0 == 0.0 || p.0.is_nan());
    let x = if still {
        Axis::new("θ [rad]").range(-1.0, 1.0)
    } else {
        Axis::new("θ [rad]").also("θ / α [-]", 1.0 / alpha)
    };
    let mut chart = LineChart::new("Phase plane", x, axis("θ′ [rad/s]", &points))
        .with(Series::line("", points).coloured(line_colour(2)));
    if !jumped.is_empty() {
        chart = chart.with(jumps("impact", &jumped, f));
    }
    chart
}

fn slip(results: &Results) -> LineChart {
    let points = of(results, |s| s.slip_m);
    LineChart::new(
        "Slip of the foot",
        Axis::new("t [s]"),
        Axis::new("slip [m]"),
    )
    .with(Series::line("", points).coloured(line_colour(5)))
    .height(260)
}

fn view(results: &Results) -> View {
    let o = results.outline;
    let depth = 2.0 * o.centre_height_m * 0.5;
    let samples: Vec<&Sample> = planar::shown(results.history.len())
        .into_iter()
        .filter_map(|k| results.history.get(k))
        .collect();
    let mut view = View {
        words: "A block that rocks on a shaken base".to_owned(),
        times: samples.iter().map(|s| s.time_s as f32).collect(),
        eye: Some(planar::FRONT),
        ..View::default()
    };
    let mean = o.left_m + o.right_m;
    let moves: Vec<f64> = samples.iter().map(|s| s.base_displacement_m).collect();
    planar::base(
        &mut view,
        1.6 * mean + 0.4 * o.centre_height_m,
        1.4 * depth,
        0.12 * o.centre_height_m,
        &moves,
    );
    let place = |s: &&Sample| {
        let angle = s.rotation_rad;
        // Turned about the corner that it stands on; the origin is below the mass centre.
        let corner = if angle > 0.0 { o.right_m } else { -o.left_m };
        let (sin, cos) = angle.sin_cos();
        let foot = DVec2::new(s.base_displacement_m + s.slip_m + corner, 0.0);
        planar::turned(foot + DVec2::new(-corner * cos, corner * sin), angle)
    };
    let sides = planar::Sides {
        left: o.left_m,
        right: o.right_m,
        height: 2.0 * o.centre_height_m,
        depth,
    };
    planar::block(
        &mut view,
        "block",
        &sides,
        0,
        samples.iter().map(place).collect(),
    );
    let points = samples.iter().map(|s| (s.time_s, s.rotation_rad));
    view.history("rotation θ [rad]", 2, points);
    view
}
