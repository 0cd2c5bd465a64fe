//! Sets 1 and 2: rebounds without spin, and sliding to a stop.

use super::on_plane::{OnPlane, body, gravity, horizontal, newton, released};
use super::scene_runs::{rebounds as set_tops, scene};
use crate::shipped::Stretch;
use crate::{Context, Outcome, Table};
use anyhow::{Context as _, Result, ensure};
use glam::DVec3;
use klast_dynamics::single::{Motion, Observer, Stretch as Flown};
use klast_dynamics::{Body, State};
use klast_geometry::{Pose, Solid};
use serde::Deserialize;
use std::ops::ControlFlow;

/// Heights of the centre at the tops of all flights that begin upwards.
#[derive(Default)]
struct Tops(Vec<f64>);

impl Observer for Tops {
    fn stretch(&mut self, stretch: &Flown) -> ControlFlow<()> {
        let State { pose, velocity } = &stretch.start;
        let (v, g) = (velocity.linear.z, -stretch.acceleration.z);
        if stretch.motion == Motion::Flight && v > 0.0 {
            self.0
                .push(pose.translation.z + (v - 0.5 * g * (v / g)) * (v / g));
        }
        ControlFlow::Continue(())
    }
}

/// Stored heights that are higher than their neighbours.
fn stored_tops(path: &[Stretch]) -> Vec<f64> {
    let turns = |w: &&[Stretch]| w[0].velocity[0].z > 0.0 && w[1].velocity[0].z <= 0.0;
    let highest = |w: &[Stretch]| w[0].position[0].z.max(w[1].position[0].z);
    path.windows(2).filter(turns).map(highest).collect()
}

/// Tops of the rebounds of a body released at rest, and the end of the run.
fn rebounds(
    table: &Table,
    body: &Body,
    restitution: f64,
    steps: usize,
) -> Result<(Vec<f64>, State)> {
    let surface = newton(restitution, table.input("friction")?)?;
    let mut run = OnPlane::new(gravity(table)?, horizontal()?, surface)?;
    run.limits.steps = steps;
    let mut tops = Tops::default();
    let start = released(table.input("centre_height_m")?, DVec3::ZERO);
    let end = run.run(body, start, &mut tops)?;
    Ok((tops.0, end.state))
}

/// Table 1.1.
pub fn cube_rebounds(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let cube = body(table, Solid::Cube)?;
    let e = table.input("restitution")?;
    set_tops(
        &mut outcome,
        "",
        "newton",
        &rebounds(table, &cube, e, 20)?.0,
        2,
    )?;
    let run = scene(table, "-ramms")?;
    set_tops(&mut outcome, "", "as_ramms", &stored_tops(&run.path), 2)?;
    Ok(outcome)
}

#[derive(Deserialize)]
struct Drop {
    id: String,
    restitution: f64,
}

/// Table 1.2.
pub fn other_rebounds(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for case in table.input_as::<Vec<Drop>>("cases")? {
        let solid = if case.id == "octahedron" {
            Solid::Octahedron
        } else {
            Solid::Dodecahedron
        };
        let (tops, _) = rebounds(table, &body(table, solid)?, case.restitution, 20)?;
        set_tops(&mut outcome, &format!("{}/", case.id), "newton", &tops, 2)?;
    }
    Ok(outcome)
}

/// Table 1.3.
pub fn elastic_and_plastic(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let octahedron = body(table, Solid::Octahedron)?;
    let (tops, _) = rebounds(table, &octahedron, 1.0, 4)?;
    set_tops(&mut outcome, "elastic/", "newton", &tops, 3)?;
    let (tops, end) = rebounds(table, &octahedron, 0.0, 2)?;
    ensure!(tops.is_empty(), "a plastic impact rebounds");
    outcome.set("plastic/rebound1", "newton", end.pose.translation.z);
    Ok(outcome)
}

/// Distance that a body, standing on its lowest points, slides.
fn slide(table: &Table, body: &Body) -> Result<f64> {
    let surface = newton(0.5, table.input("friction")?)?;
    let run = OnPlane::new(gravity(table)?, horizontal()?, surface)?;
    let start = sliding(table, body)?;
    let mut halt = Halt::default();
    let end = run.run(body, start, &mut halt)?;
    let place = halt
        .0
        .with_context(|| format!("it does not halt and ends with {:?}", end.reason))?;
    Ok((place - start.pose.translation).length())
}

/// Where a body halts first. A tetrahedron that has slid on its edge then falls from that balance to a face.
#[derive(Default)]
struct Halt(Option<DVec3>);

impl Observer for Halt {
    fn stretch(&mut self, stretch: &Flown) -> ControlFlow<()> {
        let end = &stretch.end;
        if end.velocity.linear.length() > 1e-9 {
            return ControlFlow::Continue(());
        }
        self.0 = Some(end.pose.translation);
        ControlFlow::Break(())
    }
}

fn sliding(table: &Table, body: &Body) -> Result<State> {
    let lowest = body.vertices().iter().map(|v| v.z).fold(0.0, f64::min);
    let mut start = State::at_rest(Pose::from_translation(DVec3::new(0.0, 0.0, -lowest)));
    start.velocity.linear = table.input_as("velocity_m_per_s")?;
    Ok(start)
}

/// Table 2.1.
pub fn cube_slides(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let cube = body(table, Solid::Cube)?;
    outcome.set("distance", "newton", slide(table, &cube)?);
    let run = scene(table, "-ramms")?;
    let start = run.path.first().context("no way")?.position[0];
    let distance = (run.last()?.position[1] - start).length();
    outcome.set("distance", "as_ramms", distance);
    Ok(outcome)
}

/// Table 2.2.
pub fn tetrahedron_slides(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    outcome.set(
        "distance",
        "newton",
        slide(table, &body(table, Solid::Tetrahedron)?)?,
    );
    Ok(outcome)
}
