use anyhow::Result;
use glam::{DMat3, DVec3};
use klast_rockfall::lumped::{LumpedLaw, LumpedMass, Projectile, Reading, Restitution};
use serde::Deserialize;

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
    }
    Ok(outcome)
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
    Ok(outcome)
}
