//! A shot through a layer of rock.

use glam::DVec3;
use klast_bodies_jobs::rockfill::result::{Results, Sample};
use klast_plot::{Axis, Face, LineChart, ROCK, STEEL, Series, Solids, stack};
use klast_runs::error::{Outside as _, Result};
use klast_runs::files::FilesExt as _;

use super::panels::HALF;
use crate::page::Picture;
use crate::sheet::Sheet;
use crate::view::{View, place, solid};

/// The layer before the shot with the charts of the projectile, and the shot in space.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    let mut picture = Solids::new("Layer and projectile");
    let projectile = results.start.len().saturating_sub(1);
    for (k, solid) in results.start.iter().enumerate() {
        picture.add(solid.iter().map(|corners| Face {
            corners: corners.iter().map(|c| c.to_array()).collect(),
            colour: if k == projectile { STEEL } else { ROCK },
        }));
    }
    picture.size = (680, 320);
    let [speed, force, angle] = charts(&results.history);
    let [left, right] = [speed.svg().outside()?, force.svg().outside()?];
    let layer = picture.svg().outside()?;
    sheet.files.text("layer.svg", &layer)?;
    let all = [layer, stack(&[left, right], 2)];
    let picture = sheet.picture(
        "answer.svg",
        &stack(&all, 1),
        "The layer and the projectile before the shot; speed and resistance of the projectile in the shot.",
    )?;
    sheet.figure(
        "deflection.svg",
        &angle.svg().outside()?,
        "Deflection of the projectile from the line of the shot.",
    )?;
    let words =
        "The shot through the layer; rocks are drawn half clear, so that the projectile is seen.";
    sheet.view(&view(results), words)?;
    Ok(picture)
}

/// The rocks and the projectile at the frames of the shot.
fn view(results: &Results) -> View {
    let projectile = results.start.len().saturating_sub(1);
    let mut view = View {
        words: "A projectile on its way through a layer of rock".to_owned(),
        times: results.frames.iter().map(|(t, _)| *t as f32).collect(),
        ..View::default()
    };
    let first = results.poses.first();
    for (k, solid) in results.start.iter().enumerate() {
        let Some(at) = first.and_then(|poses| poses.get(k)) else {
            continue;
        };
        // Faces were kept where they were at the start.
        let back = at.inverse();
        let own: Vec<Vec<DVec3>> = solid
            .iter()
            .map(|f| f.iter().map(|c| back.transform_point(*c)).collect())
            .collect();
        let places = results.poses.iter().filter_map(|poses| poses.get(k));
        let places = places
            .map(|pose| place(pose.translation, pose.rotation))
            .collect();
        let colour = if k == projectile { STEEL } else { ROCK };
        view.body(
            &format!("body {}", k + 1),
            solid::faces(&own, DVec3::ZERO),
            colour,
            places,
        );
        if let Some(body) = view.bodies.last_mut().filter(|_| k != projectile) {
            body.alpha = 0.35;
        }
    }
    let points = results.history.iter().map(|s| (s.time_s, s.speed_m_s));
    view.history("speed [m/s]", 2, points);
    view
}

/// Speed and resistance, as wide as half a page, and deflection.
fn charts(history: &[Sample]) -> [LineChart; 3] {
    let points = |value: &dyn Fn(&Sample) -> f64| {
        history
            .iter()
            .map(|s| (s.time_s * 1e3, value(s)))
            .collect::<Vec<_>>()
    };
    let time = || Axis::new("t [ms]");
    let speed = LineChart::new("Speed", time(), Axis::new("v [m/s]"))
        .with(Series::line("", points(&|s| s.speed_m_s)))
        .sized(HALF);
    let force = LineChart::new("Resistance", time(), Axis::new("F [MN]"))
        .with(Series::line("", points(&|s| s.resistance_n * 1e-6)))
        .sized(HALF);
    let angle = LineChart::new("Deflection", time(), Axis::new("angle [°]"))
        .height(250)
        .with(Series::line(
            "of the path",
            points(&|s| s.velocity_deflection_deg),
        ))
        .with(Series::line(
            "of the axis",
            points(&|s| s.axis_deflection_deg),
        ));
    [speed, force, angle]
}
