//! Set 3: a spinning cube dropped on a horizontal plane.

use super::as_run;
use super::on_plane::{Surface, body, first_impact, gravity, horizontal, newton, released};
use super::pictures::over_friction;
use crate::{Context, Outcome, Table, Value};
use anyhow::{Context as _, Result};
use glam::DVec3;
use klast_contact::ImpactLaw;
use klast_dynamics::single::{Friction, Restitution, TangentialRestitution};
use klast_dynamics::{Body, State};
use klast_geometry::{Plane, Solid};
use serde::Deserialize;

/// Velocities and energies of one impact, under the names of the tables.
pub fn report(
    outcome: &mut Outcome,
    prefix: &str,
    series: &str,
    body: &Body,
    before: &State,
    after: &State,
) {
    let (v, w) = (after.velocity.linear, after.velocity.angular);
    let kilo = |s: &State| s.kinetic_energy(body).total() / 1000.0;
    let (ke_in, ke) = (kilo(before), kilo(after));
    let values = [
        ("vx", v.x),
        ("vy", v.y),
        ("vz", v.z),
        ("wx", w.x),
        ("wy", w.y),
        ("ke_in", ke_in),
        ("ke", ke),
        ("loss", ke_in - ke),
    ];
    for (name, value) in values {
        outcome.set(&format!("{prefix}{name}"), series, value);
    }
}

/// The three exact series: Newton, Stronge, Newton with e_t = 1.
pub fn exact(
    outcome: &mut Outcome,
    prefix: &str,
    body: &Body,
    start: State,
    gravity: DVec3,
    plane: Plane,
    (restitution, friction): (f64, f64),
) -> Result<()> {
    let series = [
        ("newton", newton(restitution, friction)?),
        (
            "stronge",
            Surface::new(
                ImpactLaw::Stronge,
                Restitution(restitution),
                TangentialRestitution(0.0),
                Friction(friction),
            )?,
        ),
        ("newton_rt1", rt1(restitution, friction)?),
    ];
    for (name, material) in series {
        let (before, after) = first_impact(body, start, gravity, plane, &material)?;
        report(outcome, prefix, name, body, &before, &after);
    }
    Ok(())
}

fn rt1(restitution: f64, friction: f64) -> Result<Surface> {
    Surface::new(
        ImpactLaw::default(),
        Restitution(restitution),
        TangentialRestitution(1.0),
        Friction(friction),
    )
}

/// Tables 3.1 and 3.2.
pub fn one_drop(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let cube = body(table, Solid::Cube)?;
    let start = released(
        table.input("centre_height_m")?,
        table.input_as("spin_deg_per_s")?,
    );
    let (e, mu) = (table.input("restitution")?, table.input("friction")?);
    let plane = horizontal()?;
    exact(
        &mut outcome,
        "",
        &cube,
        start,
        gravity(table)?,
        plane,
        (e, mu),
    )?;
    as_run::programs(&mut outcome, table, "", "")?;
    Ok(outcome)
}

/// A column of Table 3.3.
#[derive(Deserialize)]
struct Angle {
    id: String,
    friction_angle_deg: f64,
}

/// Table 3.3.
pub fn friction_angles(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let cube = body(table, Solid::Cube)?;
    let start = released(
        table.input("centre_height_m")?,
        table.input_as("spin_deg_per_s")?,
    );
    let e = table.input("restitution")?;
    let plane = horizontal()?;
    for case in table.input_as::<Vec<Angle>>("cases").context("cases")? {
        let prefix = format!("{}/", case.id);
        let mu = libm::tan(case.friction_angle_deg.to_radians());
        exact(
            &mut outcome,
            &prefix,
            &cube,
            start,
            gravity(table)?,
            plane,
            (e, mu),
        )?;
        as_run::programs(&mut outcome, table, &format!("-{}", case.id), &prefix)?;
    }
    let svg = over_friction(&cube, start, gravity(table)?, plane, e, printed(table)?)?;
    outcome.draw(
        "over-friction",
        "Velocities after the impact over the friction angle, exact run.",
        svg,
    );
    Ok(outcome)
}

/// What RocFall3 printed, by friction angle: v_x, v_z, rotation.
fn printed(table: &Table) -> Result<Vec<(f64, [f64; 3])>> {
    let cases = table.input_as::<Vec<Angle>>("cases")?;
    let value = |id: &str, quantity: &str| {
        let row = table
            .rows
            .iter()
            .find(|r| r.id == format!("{id}/{quantity}"));
        match row
            .and_then(|r| r.values.get("rocfall3"))
            .map(|c| c.value())
        {
            Some(Value::Number(v)) => Ok(*v),
            _ => anyhow::bail!("no printed {quantity} of {id}"),
        }
    };
    let of = |c: &Angle| {
        Ok((
            c.friction_angle_deg,
            [
                value(&c.id, "vx")?,
                value(&c.id, "vz")?,
                value(&c.id, "wy")?,
            ],
        ))
    };
    cases.iter().map(of).collect()
}
