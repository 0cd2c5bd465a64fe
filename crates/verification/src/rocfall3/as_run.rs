//! The product run the way each published program was run. The settings were identified from the printed columns.

use anyhow::{Context as _, Result, ensure};
use glam::DVec3;
use klast_dynamics::{Body, ContactMaterial, Flight, MoreauMidpoint, State, first_contact, impact};
use klast_geometry::{ContactPoint, Plane};
use serde::Deserialize;

/// RocFall3: gravity 9.80 and a contact that is noticed a little late, slightly inside the plane.
#[derive(Deserialize)]
pub struct Late {
    gravity_m_per_s2: f64,
    late_s: f64,
}

/// States before and after an impact that is solved `late_s` after the true first contact, at the vertices lowest then.
pub fn rocfall3(
    body: &Body,
    start: State,
    run: &Late,
    plane: Plane,
    material: &ContactMaterial,
) -> Result<(State, State)> {
    let (before, after, _) = late_impact(
        body,
        start,
        run.gravity_m_per_s2,
        run.late_s,
        plane,
        material,
    )?;
    Ok((before, after))
}

fn late_impact(
    body: &Body,
    start: State,
    g: f64,
    late: f64,
    plane: Plane,
    material: &ContactMaterial,
) -> Result<(State, State, f64)> {
    let flight = Flight::new(body, start, DVec3::new(0.0, 0.0, -g));
    let hit = first_contact(body, &flight, &plane, 0.0, f64::INFINITY).context("no contact")?;
    let time = hit.time + late;
    let before = flight.state(time);
    let points: Vec<DVec3> = body
        .vertices()
        .iter()
        .map(|v| before.pose.transform_point(*v))
        .collect();
    let lowest = points
        .iter()
        .map(|p| plane.height(*p))
        .fold(f64::INFINITY, f64::min);
    let touching = points
        .iter()
        .enumerate()
        .filter(|(_, p)| plane.height(**p) <= lowest + 1e-9);
    let contacts: Vec<ContactPoint> = touching
        .map(|(i, p)| ContactPoint {
            point: *p,
            normal: plane.normal,
            gap: plane.height(*p),
            feature: i as u32,
        })
        .collect();
    let hit = impact(body, &before, &contacts, material)?;
    ensure!(hit.converged, "the impact was not solved");
    Ok((
        before,
        State {
            pose: before.pose,
            velocity: hit.after,
        },
        time,
    ))
}

/// RocFall2: states stored at fixed times; the last one before the impact and the first one after it were printed.
#[derive(Deserialize)]
pub struct Stored {
    gravity_m_per_s2: f64,
    stored_every_s: f64,
}

/// The stored states around the first impact.
pub fn rocfall2(
    body: &Body,
    start: State,
    run: &Stored,
    plane: Plane,
    material: &ContactMaterial,
) -> Result<(State, State)> {
    let g = run.gravity_m_per_s2;
    let (_, after, time) = late_impact(body, start, g, 0.0, plane, material)?;
    let down = DVec3::new(0.0, 0.0, -g);
    let last = (time / run.stored_every_s).floor() * run.stored_every_s;
    let before = Flight::new(body, start, down).state(last);
    let next = last + run.stored_every_s;
    Ok((before, Flight::new(body, after, down).state(next - time)))
}

/// RAMMS: Moreau's midpoint scheme, read some steps after the first step with a contact.
pub fn ramms(
    body: &Body,
    start: State,
    gravity: DVec3,
    step: f64,
    steps_after: usize,
    material: ContactMaterial,
) -> Result<State> {
    let scheme = MoreauMidpoint::new(step, gravity, super::horizontal()?, material)?;
    let mut state = start;
    for _ in 0..10_000 {
        let met = scheme.step(body, &mut state)?;
        ensure!(met.converged, "a step was not solved");
        if met.contacts > 0 {
            for _ in 0..steps_after {
                scheme.step(body, &mut state)?;
            }
            return Ok(state);
        }
    }
    anyhow::bail!("no contact in 10 000 steps")
}
