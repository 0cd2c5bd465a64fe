//! The product run the way each published program was run: scenes with `manual`, whose settings were identified
//! from the printed columns.

use super::scene_runs::{Motion, report, scene};
use crate::shipped::{Stretch, first_impact};
use crate::{Outcome, Table};
use anyhow::{Context as _, Result};
use glam::DVec3;

/// RocFall3: gravity 9.80 and a contact that is noticed a little late. Energies before the impact are those some time
/// before contact (s).
pub fn rocfall3(
    outcome: &mut Outcome,
    prefix: &str,
    mass: f64,
    path: &[Stretch],
    early: f64,
) -> Result<()> {
    let (before, after) = first_impact(path)?;
    let before = Motion::at(before, before.time[1] - early);
    let after = Motion::at_start(after);
    report(outcome, (prefix, "as_rocfall3"), mass, before, after);
    Ok(())
}

/// RocFall2: states stored at fixed times; the last one before the impact and the first one after it were printed.
pub fn rocfall2(outcome: &mut Outcome, prefix: &str, mass: f64, path: &[Stretch]) -> Result<()> {
    let fall = DVec3::new(0.0, 0.0, -9.80665);
    let strikes = |[a, b]: [&Stretch; 2]| {
        let change = b.velocity[0] - a.velocity[0] - fall * (b.time[0] - a.time[0]);
        change.length() > 1e-9 * a.velocity[0].length()
    };
    let found = path.windows(2).find_map(|w| match w {
        [a, b] if strikes([a, b]) => Some((a, b)),
        _ => None,
    });
    let (before, after) = found.context("no impact")?;
    let (before, after) = (Motion::at_start(before), Motion::at_start(after));
    report(outcome, (prefix, "as_rocfall2"), mass, before, after);
    Ok(())
}

/// RAMMS: the midpoint scheme, read some steps after the first step with a contact.
pub fn ramms(
    outcome: &mut Outcome,
    (prefix, series): (&str, &str),
    mass: f64,
    path: &[Stretch],
    steps_after: usize,
) -> Result<()> {
    let contact = path.iter().position(|s| !s.flight).context("no contact")?;
    let released = path.first().context("no way")?;
    let after = path.get(contact + 1 + steps_after);
    let after = Motion::at_start(after.context("no step after it")?);
    report(
        outcome,
        (prefix, series),
        mass,
        Motion::at_start(released),
        after,
    );
    Ok(())
}

/// Tables 3.1 to 3.3: every program that has a scene for the case of this name.
pub fn programs(outcome: &mut Outcome, table: &Table, case: &str, prefix: &str) -> Result<()> {
    let mass = table.input("mass_kg")?;
    let of = |program: &str| scene(table, &format!("{case}-{program}"));
    rocfall3(outcome, prefix, mass, &of("rocfall3")?.path, 0.0)?;
    let steps: usize = table.input_as("ramms/steps_after_contact")?;
    for restitution in table.input_as::<Vec<String>>("ramms/restitution")? {
        let series = format!("as_ramms_{restitution}");
        let run = of(&format!("ramms-{restitution}"))?;
        ramms(outcome, (prefix, &series), mass, &run.path, steps)?;
    }
    if table.inputs.get("rocfall2").is_some() {
        rocfall2(outcome, prefix, mass, &of("rocfall2")?.path)?;
    }
    Ok(())
}
