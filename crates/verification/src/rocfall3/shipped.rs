//! The tables as a user runs them: each is a scene of `verification/rocfall3/scenes`, which says what the table says
//! and leaves the rest to the defaults.

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use super::scene_runs::{SERIES, impact, rebounds, scene, tops};
use super::{impacts, slope, unit_sets};
use crate::shipped::Stretch;
use crate::{Context, Outcome, Table};

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

/// Table 1.3; without restitution to where it lands.
pub fn table_1_3(table: &Table, context: &Context) -> Result<Outcome> {
    let mut outcome = unit_sets::elastic_and_plastic(table, context)?;
    let elastic = tops(&scene(table, "-elastic")?);
    rebounds(&mut outcome, "elastic/", SERIES, &elastic, 3)?;
    let run = scene(table, "-plastic")?;
    ensure!(tops(&run).is_empty(), "a plastic impact rebounds");
    // It stands on its corner, from which it falls later to a face.
    let landed = run.path.get(1).context("no fall")?;
    outcome.set("plastic/rebound1", SERIES, landed.position[0].z);
    ensure!(run.stopped == run.seeded, "it does not come to rest");
    Ok(outcome)
}

/// Table 2.1: to where it comes to rest.
pub fn table_2_1(table: &Table, context: &Context) -> Result<Outcome> {
    let mut outcome = unit_sets::cube_slides(table, context)?;
    let run = scene(table, "")?;
    ensure!(run.stopped == run.seeded, "it does not come to rest");
    let start = run.path.first().context("no way")?.position[0];
    let distance = (run.last()?.position[1] - start).length();
    outcome.set("distance", SERIES, distance);
    Ok(outcome)
}

/// Table 2.2: to where it halts on its edge. That is no rest: it falls from there to a face, and rests on that.
pub fn table_2_2(table: &Table, context: &Context) -> Result<Outcome> {
    let mut outcome = unit_sets::tetrahedron_slides(table, context)?;
    let run = scene(table, "")?;
    ensure!(run.stopped == run.seeded, "it does not come to rest");
    let start = run.path.first().context("no way")?.position[0];
    let halts = |s: &&Stretch| s.velocity[1].length() < 1e-9;
    let halt = run.path.iter().find(halts).context("it does not halt")?;
    let end = run.last()?.position[1];
    ensure!(end.z < 0.9 * start.z, "it rests on its edge, at {end}");
    outcome.set("distance", SERIES, (halt.position[1] - start).length());
    Ok(outcome)
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
