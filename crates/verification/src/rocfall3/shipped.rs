//! The tables as a user runs them: each is a scene of `verification/rocfall3/scenes`, which says what the table says
//! and leaves the rest to the defaults.

use anyhow::{Context as _, Result, ensure};
use glam::DVec3;
use serde::Deserialize;

use super::{impacts, slope, unit_sets};
use crate::shipped::{Shipped, Stretch, first_impact, run_file};
use crate::{Context, Outcome, Table};

const SERIES: &str = "as_shipped";

/// Runs the scene of a table: its name and what comes after it.
pub fn scene(table: &Table, suffix: &str) -> Result<Shipped> {
    run_file(&scene_file(table, suffix))
}

fn scene_file(table: &Table, suffix: &str) -> String {
    let name = table.id.rsplit('/').next().unwrap_or(&table.id);
    format!("rocfall3/scenes/{name}{suffix}.json")
}

/// Tops of the flights that begin upwards.
fn tops(run: &Shipped) -> Vec<f64> {
    let up = run
        .path
        .iter()
        .filter(|s| s.flight && s.velocity[0].z > 0.0);
    up.map(|s| s.position[0].z + s.velocity[0].z * s.velocity[0].z / (2.0 * 9.81))
        .collect()
}

/// Sets rebounds 1 to `count`.
pub fn rebounds(
    outcome: &mut Outcome,
    prefix: &str,
    series: &str,
    tops: &[f64],
    count: usize,
) -> Result<()> {
    for k in 0..count {
        let top = tops
            .get(k)
            .with_context(|| format!("{prefix}: only {k} rebounds"))?;
        outcome.set(&format!("{prefix}rebound{}", k + 1), series, *top);
    }
    Ok(())
}

/// Velocities of a rock at a moment, and its rotational energy (J).
#[derive(Clone, Copy)]
pub struct Motion {
    pub velocity: DVec3,
    pub spin: DVec3,
    pub rotational: f64,
}

impl Motion {
    /// At the beginning of a stretch.
    pub fn at_start(stretch: &Stretch) -> Self {
        Self {
            velocity: stretch.velocity[0],
            spin: stretch.spin,
            rotational: stretch.rotational,
        }
    }

    /// At a time of a stretch of constant acceleration and spin.
    pub fn at(stretch: &Stretch, time: f64) -> Self {
        let [start, end] = stretch.time;
        let part = (time - start) / (end - start);
        Self {
            velocity: stretch.velocity[0].lerp(stretch.velocity[1], part),
            ..Self::at_start(stretch)
        }
    }
}

/// Sets velocities after an impact, and energies before and after it.
pub fn report(
    outcome: &mut Outcome,
    (prefix, series): (&str, &str),
    mass: f64,
    before: Motion,
    after: Motion,
) {
    let energy = |m: Motion| 1e-3 * (0.5 * mass * m.velocity.length_squared() + m.rotational);
    let (v, w) = (after.velocity, after.spin);
    let (ke_in, ke) = (energy(before), energy(after));
    for (name, value) in [
        ("vx", v.x),
        ("vy", v.y),
        ("vz", v.z),
        ("wx", w.x),
        ("wy", w.y),
        ("wz", w.z),
        ("ke_in", ke_in),
        ("ke", ke),
        ("loss", ke_in - ke),
    ] {
        outcome.set(&format!("{prefix}{name}"), series, value);
    }
}

/// Sets velocities and energies of the first impact.
fn impact(outcome: &mut Outcome, prefix: &str, table: &Table, path: &[Stretch]) -> Result<()> {
    let (before, after) = first_impact(path)?;
    let last = Motion::at(before, before.time[1]);
    let mass = table.input("mass_kg")?;
    report(
        outcome,
        (prefix, SERIES),
        mass,
        last,
        Motion::at_start(after),
    );
    Ok(())
}

/// Table 1.1.
pub fn table_1_1(table: &Table, context: &Context) -> Result<Outcome> {
    let mut outcome = unit_sets::cube_rebounds(table, context)?;
    rebounds(&mut outcome, "", SERIES, &tops(&scene(table, "")?), 2)?;
    Ok(outcome)
}

/// Table 1.2.
pub fn table_1_2(table: &Table, context: &Context) -> Result<Outcome> {
    let mut outcome = unit_sets::other_rebounds(table, context)?;
    for solid in ["octahedron", "dodecahedron"] {
        let run = scene(table, &format!("-{solid}"))?;
        rebounds(&mut outcome, &format!("{solid}/"), SERIES, &tops(&run), 2)?;
    }
    Ok(outcome)
}

/// Table 1.3.
pub fn table_1_3(table: &Table, context: &Context) -> Result<Outcome> {
    let mut outcome = unit_sets::elastic_and_plastic(table, context)?;
    let elastic = tops(&scene(table, "-elastic")?);
    rebounds(&mut outcome, "elastic/", SERIES, &elastic, 3)?;
    let run = scene(table, "-plastic")?;
    ensure!(tops(&run).is_empty(), "a plastic impact rebounds");
    let fallen = run.path.first().context("no fall")?;
    outcome.set("plastic/rebound1", SERIES, fallen.position[1].z);
    Ok(outcome)
}

/// Tables 2.1 and 2.2.
fn slides(table: &Table, mut outcome: Outcome) -> Result<Outcome> {
    let run = scene(table, "")?;
    ensure!(run.stopped == run.seeded, "it does not come to rest");
    let start = run.path.first().context("no way")?.position[0];
    let distance = (run.last()?.position[1] - start).length();
    outcome.set("distance", SERIES, distance);
    Ok(outcome)
}

/// Table 2.1.
pub fn table_2_1(table: &Table, context: &Context) -> Result<Outcome> {
    slides(table, unit_sets::cube_slides(table, context)?)
}

/// Table 2.2.
pub fn table_2_2(table: &Table, context: &Context) -> Result<Outcome> {
    slides(table, unit_sets::tetrahedron_slides(table, context)?)
}

/// Tables 3.1 and 3.2.
pub fn one_drop(table: &Table, context: &Context) -> Result<Outcome> {
    let mut outcome = impacts::one_drop(table, context)?;
    impact(&mut outcome, "", table, &scene(table, "")?.path)?;
    Ok(outcome)
}

/// Table 3.3.
pub fn friction_angles(table: &Table, context: &Context) -> Result<Outcome> {
    #[derive(Deserialize)]
    struct Angle {
        id: String,
    }
    let mut outcome = impacts::friction_angles(table, context)?;
    for Angle { id } in table.input_as::<Vec<Angle>>("cases")? {
        let run = scene(table, &format!("-{id}"))?;
        impact(&mut outcome, &format!("{id}/"), table, &run.path)?;
    }
    Ok(outcome)
}

/// Table 4.2.
pub fn three_rocks(table: &Table, context: &Context) -> Result<Outcome> {
    let mut outcome = slope::three_rocks(table, context)?;
    let run = scene(table, "")?;
    for (rock, path) in slope::rocks(table)?.iter().zip(run.paths()) {
        impact(&mut outcome, &format!("{}/", rock.id), table, path)?;
    }
    Ok(outcome)
}
