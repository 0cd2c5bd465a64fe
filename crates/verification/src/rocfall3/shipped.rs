//! The tables as a user runs them: a scene that says what the table says, and defaults for the rest.

use anyhow::{Context as _, Result, ensure};
use glam::DVec3;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{impacts, slope, unit_sets};
use crate::shipped::{self, Shipped};
use crate::{Context, Outcome, Table};

const SERIES: &str = "as_shipped";

/// One body released upright, without a word on engine, stop conditions or steps.
struct Release<'a> {
    shape: &'a str,
    restitution: f64,
    friction: Value,
    /// Height of the mass centre (m).
    height: f64,
    spin_deg: DVec3,
    /// Slope of the ground (deg).
    slope: f64,
}

impl Release<'_> {
    fn run(&self, table: &Table) -> Result<Shipped> {
        ensure!(
            table.input("gravity_m_per_s2")? == 9.81,
            "a scene falls with 9.81 m/s2"
        );
        let volume = table.input("volume_m3")?;
        let mut material = self.friction.clone();
        material["name"] = json!("ground");
        material["normal_restitution"] = json!(self.restitution);
        let spin = self.spin_deg * (std::f64::consts::PI / 180.0);
        let scene = json!({
            "schema": 1, "kind": "rockfall",
            "terrain": {"slope": {"angle_deg": self.slope}},
            "materials": [material],
            "sources": [{
                "name": "one", "release": {"point": [0, 0]}, "rocks": 1,
                "elevation_m": self.height, "spin_rad_s": spin.to_array(), "upright": true,
                "shapes": [{
                    "shape": self.shape, "volume_m3": volume,
                    "density_kg_m3": table.input("mass_kg")? / volume,
                }],
            }],
            "write_trajectories": 1,
        });
        shipped::run(&scene, &[])
    }
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
fn rebounds(outcome: &mut Outcome, prefix: &str, run: &Shipped, count: usize) -> Result<()> {
    let tops = tops(run);
    for k in 0..count {
        let top = tops.get(k).with_context(|| format!("only {k} rebounds"))?;
        outcome.set(&format!("{prefix}rebound{}", k + 1), SERIES, *top);
    }
    Ok(())
}

/// Sets velocities and energies of the first impact.
fn first_impact(outcome: &mut Outcome, prefix: &str, table: &Table, run: &Shipped) -> Result<()> {
    let (before, after) = run.first_impact()?;
    let mass = table.input("mass_kg")?;
    let energy = |v: DVec3, rotational: f64| 1e-3 * (0.5 * mass * v.length_squared() + rotational);
    let (v, w) = (after.velocity[0], after.spin);
    let ke_in = energy(before.velocity[1], before.rotational);
    let ke = energy(v, after.rotational);
    for (name, value) in [
        ("vx", v.x),
        ("vy", v.y),
        ("vz", v.z),
        ("wx", w.x),
        ("wy", w.y),
        ("ke_in", ke_in),
        ("ke", ke),
        ("loss", ke_in - ke),
    ] {
        outcome.set(&format!("{prefix}{name}"), SERIES, value);
    }
    Ok(())
}

fn drop<'a>(table: &Table, shape: &'a str, restitution: f64) -> Result<Release<'a>> {
    Ok(Release {
        shape,
        restitution,
        friction: json!({"friction": table.input("friction")?}),
        height: table.input("centre_height_m")?,
        spin_deg: DVec3::ZERO,
        slope: 0.0,
    })
}

/// Table 1.1.
pub fn table_1_1(table: &Table, context: &Context) -> Result<Outcome> {
    let mut outcome = unit_sets::cube_rebounds(table, context)?;
    let run = drop(table, "cube", table.input("restitution")?)?.run(table)?;
    rebounds(&mut outcome, "", &run, 2)?;
    Ok(outcome)
}

/// Table 1.2.
pub fn table_1_2(table: &Table, context: &Context) -> Result<Outcome> {
    #[derive(Deserialize)]
    struct Drop {
        id: String,
        restitution: f64,
    }
    let mut outcome = unit_sets::other_rebounds(table, context)?;
    for case in table.input_as::<Vec<Drop>>("cases")? {
        let run = drop(table, &case.id, case.restitution)?.run(table)?;
        rebounds(&mut outcome, &format!("{}/", case.id), &run, 2)?;
    }
    Ok(outcome)
}

/// Table 1.3.
pub fn table_1_3(table: &Table, context: &Context) -> Result<Outcome> {
    let mut outcome = unit_sets::elastic_and_plastic(table, context)?;
    let run = drop(table, "octahedron", 1.0)?.run(table)?;
    rebounds(&mut outcome, "elastic/", &run, 3)?;
    let run = drop(table, "octahedron", 0.0)?.run(table)?;
    ensure!(tops(&run).is_empty(), "a plastic impact rebounds");
    let fallen = run.path.first().context("no fall")?;
    outcome.set("plastic/rebound1", SERIES, fallen.position[1].z);
    Ok(outcome)
}

/// Tables 3.1 and 3.2.
pub fn one_drop(table: &Table, context: &Context) -> Result<Outcome> {
    let mut outcome = impacts::one_drop(table, context)?;
    let mut release = drop(table, "cube", table.input("restitution")?)?;
    release.spin_deg = table.input_as("spin_deg_per_s")?;
    first_impact(&mut outcome, "", table, &release.run(table)?)?;
    Ok(outcome)
}

/// Table 3.3.
pub fn friction_angles(table: &Table, context: &Context) -> Result<Outcome> {
    #[derive(Deserialize)]
    struct Angle {
        id: String,
        friction_angle_deg: f64,
    }
    let mut outcome = impacts::friction_angles(table, context)?;
    for case in table.input_as::<Vec<Angle>>("cases")? {
        let release = Release {
            shape: "cube",
            restitution: table.input("restitution")?,
            friction: json!({"friction_angle_deg": case.friction_angle_deg}),
            height: table.input("centre_height_m")?,
            spin_deg: table.input_as("spin_deg_per_s")?,
            slope: 0.0,
        };
        let run = release.run(table)?;
        first_impact(&mut outcome, &format!("{}/", case.id), table, &run)?;
    }
    Ok(outcome)
}

/// Table 4.2.
pub fn three_rocks(table: &Table, context: &Context) -> Result<Outcome> {
    #[derive(Deserialize)]
    struct Rock {
        id: String,
        centre_above_slope_m: f64,
        spin_y_deg_per_s: f64,
    }
    let mut outcome = slope::three_rocks(table, context)?;
    for rock in table.input_as::<Vec<Rock>>("cases")? {
        let release = Release {
            shape: "cube",
            restitution: table.input("restitution")?,
            friction: json!({"friction": table.input("friction")?}),
            height: rock.centre_above_slope_m,
            spin_deg: DVec3::Y * rock.spin_y_deg_per_s,
            // 1 : 2.
            slope: libm::atan(0.5).to_degrees(),
        };
        let run = release.run(table)?;
        first_impact(&mut outcome, &format!("{}/", rock.id), table, &run)?;
    }
    Ok(outcome)
}
