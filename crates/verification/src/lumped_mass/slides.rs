//! Sliding, resting and rough ground, each as a scene with the defaults.

use anyhow::{Context as _, Result};
use glam::DVec3;
use serde_json::json;

use super::scene::{Lumped, leaning_plane};
use crate::shipped::Stretch;
use crate::{Context, Outcome, Table};

const SERIES: &str = "scene";

/// Fills in every row.
pub fn run(_: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    uphill(&mut outcome)?;
    frictionless(&mut outcome)?;
    rest(&mut outcome)?;
    oblique(&mut outcome)?;
    impacts(&mut outcome)?;
    Ok(outcome)
}

fn ends(stretch: &Stretch) -> DVec3 {
    stretch.position[1] - stretch.position[0]
}

fn uphill(outcome: &mut Outcome) -> Result<()> {
    let material =
        json!({"normal_restitution": 0.3, "tangential_restitution": 0.9, "friction": 0.4});
    let mut scene = Lumped::on_slope(30.0, material);
    scene.velocity = DVec3::new(-0.692820323027551, 0.0, 0.4);
    scene.time = Some(20.0);
    let run = scene.run(&[])?;
    let (first, last) = (run.path.first().context("no way")?, run.last()?);
    outcome.set("uphill/turn-time", SERIES, first.time[1]);
    outcome.set("uphill/turn-distance", SERIES, ends(first).length());
    outcome.set("uphill/speed", SERIES, last.velocity[1].length());
    let down = last.position[1] - first.position[1];
    outcome.set("uphill/distance", SERIES, down.length());
    Ok(())
}

fn frictionless(outcome: &mut Outcome) -> Result<()> {
    let material = json!({"normal_restitution": 0.3, "friction": 0.0});
    let mut scene = Lumped::on_slope(30.0, material);
    scene.time = Some(2.0);
    let run = scene.run(&[])?;
    let last = run.last()?;
    outcome.set("frictionless/speed", SERIES, last.velocity[1].length());
    outcome.set("frictionless/distance", SERIES, last.position[1].length());
    Ok(())
}

fn rest(outcome: &mut Outcome) -> Result<()> {
    for (row, friction) in [("static/below", 0.577), ("static/above", 0.578)] {
        let material = json!({"normal_restitution": 0.3, "friction": friction});
        let mut scene = Lumped::on_slope(30.0, material);
        scene.time = Some(10.0);
        let run = scene.run(&[])?;
        let rests = run.stopped == run.seeded;
        outcome.set(row, SERIES, if rests { "rests" } else { "slides" });
    }
    let material = json!({"normal_restitution": 0.3, "friction_angle_deg": 30.0});
    let mut scene = Lumped::on_slope(0.0, material);
    scene.velocity = DVec3::X * 5.0;
    let run = scene.run(&[])?;
    outcome.set("angle/distance", SERIES, run.last()?.position[1].x);
    Ok(())
}

/// Thrown across a slope of 1 : 2 on a raster of 1 m, whose facets it crosses.
fn oblique(outcome: &mut Outcome) -> Result<()> {
    let row: String = (0..30)
        .map(|i| format!("{} ", 100.0 - 0.5 * f64::from(i)))
        .collect();
    let heights = format!("{row}\n").repeat(30);
    let text = format!("ncols 30\nnrows 30\nxllcenter 0\nyllcenter 0\ncellsize 1\n{heights}");
    let material = json!({"normal_restitution": 0.0, "friction": 0.7});
    let mut scene = Lumped::on_slope(0.0, material);
    scene.terrain = json!({"raster": {"file": "slope.asc"}});
    scene.release = [5.3, 5.2];
    scene.velocity = DVec3::Y * 6.0;
    scene.time = Some(1.5);
    let run = scene.run(&[("slope.asc", text)])?;
    let (first, last) = (run.path.first().context("no way")?, run.last()?);
    let way = last.position[1] - first.position[0];
    outcome.set("oblique/down", SERIES, way.x.hypot(way.z));
    outcome.set("oblique/across", SERIES, way.y);
    outcome.set("oblique/speed", SERIES, last.velocity[1].length());
    Ok(())
}

fn impacts(outcome: &mut Outcome) -> Result<()> {
    let mut set = |prefix: &str, stretch: &Stretch, spin: bool| {
        for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
            outcome.set(&format!("{prefix}/v{axis}"), SERIES, stretch.velocity[0][k]);
            if spin {
                outcome.set(&format!("{prefix}/w{axis}"), SERIES, stretch.spin[k]);
            }
        }
    };
    let rough = json!({"normal_restitution": 0.4, "tangential_restitution": 0.8, "friction": 0.5, "roughness_deg": 5});
    let mut scene = Lumped::on_slope(0.0, rough);
    scene.velocity = DVec3::new(6.0, 1.0, -8.0);
    scene.rotation = false;
    let run = scene.run(&[])?;
    set("roughness", run.path.first().context("no way")?, false);

    let (terrain, files) = leaning_plane();
    let material =
        json!({"normal_restitution": 0.4, "tangential_restitution": 0.8, "friction": 0.5});
    let mut scene = Lumped::on_slope(0.0, material);
    (scene.terrain, scene.release) = (terrain, [8.0, 4.0]);
    scene.velocity = DVec3::new(4.0, 2.0, -11.0);
    scene.spin = 2.0 * DVec3::new(0.3, -0.2, 0.9);
    let run = scene.run(&files)?;
    set(
        "no-tangential-spin",
        run.path.first().context("no way")?,
        true,
    );

    let material =
        json!({"normal_restitution": 0.3, "tangential_restitution": 0.7, "friction": 0.5});
    let mut scene = Lumped::on_slope(0.0, material);
    // 20 ft/s along the ground, and 0.3 times 250 ft/s onto it.
    scene.velocity = DVec3::new(20.0 * 0.3048, 0.0, -0.3 * 250.0 * 0.3048);
    let run = scene.run(&[])?;
    let first = run.path.first().context("no way")?;
    outcome.set("f1/v", SERIES, first.velocity[0].x);
    Ok(())
}
