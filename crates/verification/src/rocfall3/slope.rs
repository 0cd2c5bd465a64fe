//! Section 4: three cubes fall on a slope of 1 in 2.

use super::as_run::{Late, Stored, rocfall2, rocfall3};
use super::impacts::{exact, report};
use super::{Surface, body, gravity, newton, released};
use crate::{Context, Outcome, Table};
use anyhow::Result;
use glam::DVec3;
use klast_contact::ImpactLaw;
use klast_dynamics::single::{Friction, Restitution, TangentialRestitution};
use klast_geometry::{Plane, Solid};
use serde::Deserialize;

#[derive(Deserialize)]
struct Rock {
    id: String,
    centre_above_slope_m: f64,
    spin_y_deg_per_s: f64,
}

/// Table 4.2.
pub fn three_rocks(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let cube = body(table, Solid::Cube)?;
    let plane = Plane::new(DVec3::new(1.0, 0.0, 2.0), 0.0)?;
    let (e, mu) = (table.input("restitution")?, table.input("friction")?);
    let late: Late = table.input_as("rocfall3")?;
    let stored: Stored = table.input_as("rocfall2")?;
    let stronge = Surface::new(
        ImpactLaw::Stronge,
        Restitution(e),
        TangentialRestitution(0.0),
        Friction(mu),
    )?;
    let mut rocks = Vec::new();
    for rock in table.input_as::<Vec<Rock>>("cases")? {
        let prefix = format!("{}/", rock.id);
        let start = released(
            rock.centre_above_slope_m,
            DVec3::new(0.0, rock.spin_y_deg_per_s, 0.0),
        );
        rocks.push((rock.id.clone(), cube.clone(), start));
        exact(
            &mut outcome,
            &prefix,
            &cube,
            start,
            gravity(table)?,
            plane,
            (e, mu),
        )?;
        let (before, after) = rocfall3(&cube, start, &late, plane, &newton(e, mu)?)?;
        report(&mut outcome, &prefix, "as_rocfall3", &cube, &before, &after);
        let (before, after) = rocfall2(&cube, start, &stored, plane, &stronge)?;
        report(&mut outcome, &prefix, "as_rocfall2", &cube, &before, &after);
    }
    let svg = super::pictures::paths(&rocks, gravity(table)?, plane, (e, mu))?;
    outcome.draw(
        "paths",
        "Paths of the centres over the first four flights, exact run.",
        svg,
    );
    Ok(outcome)
}
