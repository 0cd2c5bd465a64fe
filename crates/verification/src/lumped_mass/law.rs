use anyhow::{Context as _, Result};
use glam::{DMat3, DVec3};
use klast_rockfall::lumped::{LumpedLaw, LumpedMass, Projectile, Reading, Restitution};
use serde::Deserialize;
use serde_json::json;

use super::scene::{Lumped, leaning_plane};
use crate::{Context, Outcome, Table};

#[derive(Deserialize)]
struct Impact {
    id: String,
    rotation: bool,
    velocity_m_per_s: DVec3,
    spin_rad_per_s: DVec3,
    normal_restitution: f64,
    tangential_restitution: f64,
    mass_kg: f64,
    volume_m3: f64,
}

pub fn impacts(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for case in table.input_as::<Vec<Impact>>("cases")? {
        let rock = LumpedMass::of_volume(case.volume_m3)?.with_mass(case.mass_kg)?;
        let restitution = Restitution {
            normal: case.normal_restitution,
            tangential: case.tangential_restitution,
        };
        let (v, w) = (case.velocity_m_per_s, case.spin_rad_per_s);
        for (series, reading) in [
            ("corrected", Reading::Corrected),
            ("literal", Reading::Literal),
        ] {
            let law = LumpedLaw {
                rotation: case.rotation,
                reading,
                ..LumpedLaw::default()
            };
            let factors = law.factors(v, w, rock.radius, restitution);
            outcome.set(&format!("{}/f", case.id), series, factors.friction);
            outcome.set(&format!("{}/SF", case.id), series, factors.scaling);
            let out = law.impact_in_frame(v, w, rock.radius, restitution);
            for (name, value) in [
                ("vn", out.velocity.x),
                ("vt1", out.velocity.y),
                ("vt2", out.velocity.z),
                ("wn", out.spin.x),
                ("wt1", out.spin.y),
                ("wt2", out.spin.z),
            ] {
                outcome.set(&format!("{}/{name}", case.id), series, value);
            }
        }
        shipped_impact(&mut outcome, &case)?;
    }
    Ok(outcome)
}

/// The impact of a mass released on level ground with n up, t1 along x and t2 along y.
fn shipped_impact(outcome: &mut Outcome, case: &Impact) -> Result<()> {
    let axes = |u: DVec3| DVec3::new(u.y, u.z, u.x);
    let mut scene = Lumped::on_slope(
        0.0,
        json!({
            "normal_restitution": case.normal_restitution,
            "tangential_restitution": case.tangential_restitution,
            "friction": 0.5,
        }),
    );
    scene.velocity = axes(case.velocity_m_per_s);
    scene.spin = axes(case.spin_rad_per_s);
    scene.rotation = case.rotation;
    scene.height = json!({"shapes": [{
        "shape": "sphere", "volume_m3": case.volume_m3, "density_kg_m3": case.mass_kg / case.volume_m3,
    }]});
    let run = scene.run(&[])?;
    let mut set = |name: &str, value: f64| {
        outcome.set(&format!("{}/{name}", case.id), "as_shipped", value);
    };
    let Some(after) = run.path.first() else {
        // Nothing is left of its velocity: it rests where it was released.
        let speed = if run.stopped == run.seeded {
            0.0
        } else {
            f64::NAN
        };
        for name in ["vn", "vt1", "vt2"] {
            set(name, speed);
        }
        return Ok(());
    };
    let (v, w) = (after.velocity[0], after.spin);
    for (name, value) in [
        ("vn", v.z),
        ("vt1", v.x),
        ("vt2", v.y),
        ("wn", w.z),
        ("wt1", w.x),
        ("wt2", w.y),
    ] {
        set(name, value);
    }
    Ok(())
}

pub fn world_frame(table: &Table, _: &Context) -> Result<Outcome> {
    let rock =
        LumpedMass::of_volume(table.input("volume_m3")?)?.with_mass(table.input("mass_kg")?)?;
    let restitution = Restitution {
        normal: table.input("normal_restitution")?,
        tangential: table.input("tangential_restitution")?,
    };
    let vector = |path: &str| table.input_as::<DVec3>(path);
    let n = vector("normal")?.normalize();
    let out = LumpedLaw::default().impact(
        n,
        vector("velocity_m_per_s")?,
        vector("spin_rad_per_s")?,
        rock.radius,
        restitution,
    );
    let mut outcome = Outcome::new();
    for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
        outcome.set(&format!("v{axis}"), "corrected", out.velocity[k]);
        outcome.set(&format!("w{axis}"), "corrected", out.spin[k]);
    }
    let (terrain, files) = leaning_plane();
    let mut scene = Lumped::on_slope(
        0.0,
        json!({
            "normal_restitution": restitution.normal,
            "tangential_restitution": restitution.tangential,
            "friction": 0.5,
        }),
    );
    (scene.terrain, scene.release) = (terrain, [8.0, 4.0]);
    scene.velocity = vector("velocity_m_per_s")?;
    scene.spin = vector("spin_rad_per_s")?;
    let run = scene.run(&files)?;
    let after = run.path.first().context("no impact")?;
    for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
        outcome.set(&format!("v{axis}"), "as_shipped", after.velocity[0][k]);
        outcome.set(&format!("w{axis}"), "as_shipped", after.spin[k]);
    }
    Ok(outcome)
}

pub fn flight(table: &Table, _: &Context) -> Result<Outcome> {
    let vector = |path: &str| table.input_as::<DVec3>(path);
    let start = Projectile {
        position: vector("position_m")?,
        velocity: vector("velocity_m_per_s")?,
        rotation: DMat3::from_rotation_z(table.input("attitude_deg_about_z")?.to_radians()),
    };
    let gravity = DVec3::new(0.0, 0.0, -table.input("gravity_m_per_s2")?);
    let mut outcome = Outcome::new();
    for (series, reading) in [
        ("corrected", Reading::Corrected),
        ("literal", Reading::Literal),
    ] {
        let end = start.after(
            table.input("time_s")?,
            vector("spin_rad_per_s")?,
            gravity,
            reading,
        );
        for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
            outcome.set(&format!("p{axis}"), series, end.position[k]);
            outcome.set(&format!("v{axis}"), series, end.velocity[k]);
            for column in 0..3 {
                outcome.set(
                    &format!("R{}{}", k + 1, column + 1),
                    series,
                    end.rotation.col(column)[k],
                );
            }
        }
    }
    let mut scene = Lumped::on_slope(0.0, json!({"normal_restitution": 0.5, "friction": 0.5}));
    scene.release = [start.position.x, start.position.y];
    scene.height = json!({"elevation_m": start.position.z});
    (scene.velocity, scene.spin) = (start.velocity, vector("spin_rad_per_s")?);
    scene.time = Some(table.input("time_s")?);
    let run = scene.run(&[])?;
    let last = run.last()?;
    for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
        outcome.set(&format!("p{axis}"), "as_shipped", last.position[1][k]);
        outcome.set(&format!("v{axis}"), "as_shipped", last.velocity[1][k]);
    }
    Ok(outcome)
}
