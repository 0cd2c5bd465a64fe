//! Section 4: three cubes fall on a slope of 1 in 2.

use super::as_run;
use super::impacts::exact;
use super::on_plane::{body, gravity, released};
use super::scene_runs::scene;
use crate::{Context, Outcome, Table};
use anyhow::Result;
use glam::DVec3;
use klast_geometry::{Plane, Solid};
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Rock {
    pub id: String,
    centre_above_slope_m: f64,
    spin_y_deg_per_s: f64,
    /// How long before contact RocFall3 took the energy that it prints as incoming.
    rocfall3_energy_before_contact_s: f64,
}

/// The rocks of the table, in the order of its scenes.
pub fn rocks(table: &Table) -> Result<Vec<Rock>> {
    table.input_as("cases")
}

/// Table 4.2.
pub fn three_rocks(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let cube = body(table, Solid::Cube)?;
    let plane = Plane::new(DVec3::new(1.0, 0.0, 2.0), 0.0)?;
    let (e, mu) = (table.input("restitution")?, table.input("friction")?);
    let mut released_rocks = Vec::new();
    for rock in rocks(table)? {
        let prefix = format!("{}/", rock.id);
        let start = released(
            rock.centre_above_slope_m,
            DVec3::new(0.0, rock.spin_y_deg_per_s, 0.0),
        );
        released_rocks.push((rock.id.clone(), cube.clone(), start));
        exact(
            &mut outcome,
            &prefix,
            &cube,
            start,
            gravity(table)?,
            plane,
            (e, mu),
        )?;
    }
    let mass = table.input("mass_kg")?;
    let (rocfall3, rocfall2) = (scene(table, "-rocfall3")?, scene(table, "-rocfall2")?);
    let runs = rocfall3.paths().zip(rocfall2.paths());
    for (rock, (third, second)) in rocks(table)?.iter().zip(runs) {
        let prefix = format!("{}/", rock.id);
        let early = rock.rocfall3_energy_before_contact_s;
        as_run::rocfall3(&mut outcome, &prefix, mass, third, early)?;
        as_run::rocfall2(&mut outcome, &prefix, mass, second)?;
    }
    let svg = super::pictures::paths(&released_rocks, gravity(table)?, plane, (e, mu))?;
    outcome.draw(
        "paths",
        "Paths of the centres over the first four flights, exact run.",
        svg,
    );
    Ok(outcome)
}
