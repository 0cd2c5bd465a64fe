use std::f64::consts::PI;

use anyhow::Result;
use glam::DVec3;
use klast_dem::{
    Cavity, LawTable, Motion, NoseSpacing, Ogive, Particle, PenaltyLaw, Settings, World,
    shrink_fraction,
};
use klast_geometry::{Pose, Solid};

use crate::{Context, Outcome, Table};

/// Counts, masses and times of the layer, from the product where it has them.
pub fn numbers(table: &Table, _: &Context) -> Result<Outcome> {
    let volume = table.input("volume_m3")?;
    let density = table.input("density_kg_per_m3")?;
    let stiffness = table.input("stiffness_n_per_m")?;
    let mut outcome = Outcome::new();
    for size in [0.1, 0.13, 0.175, 0.2, 0.29] {
        let name = (size * 1e3f64).round();
        let mut set = |key: &str, value: f64| outcome.set(&format!("{name}-{key}"), "ours", value);
        let ball = PI / 6.0 * size * size * size;
        let mass = rock(ball, density)?.mass;
        set("count", volume / ball);
        set("mass", mass);
        let small = rock(PI / 6.0 * (0.9 * size).powi(3), density)?.mass;
        set("contact-time", PI * (0.5 * small / stiffness).sqrt());
        set("stable-step", stability(0.729 * ball, density, stiffness)?);
    }
    for omega in ["0.0", "0.25", "0.5", "1.0"] {
        let q = shrink_fraction(0.09, 0.1, 0.11, omega.parse()?)?;
        outcome.set(&format!("shrink-{omega}"), "ours", q);
    }
    Ok(outcome)
}

fn rock(volume: f64, density: f64) -> Result<Particle> {
    Ok(Particle::solid(&Solid::Cube.with_volume(volume)?, density, 0)?.0)
}

fn stability(volume: f64, density: f64, stiffness: f64) -> Result<f64> {
    let particle = rock(volume, density)?;
    let laws = LawTable::new(1, PenaltyLaw::elastic(stiffness, 1.0)?)?;
    let start = Motion::at(&Pose::from_translation(DVec3::ZERO));
    let settings = Settings::new(1e-6);
    Ok(World::new(vec![particle], vec![start], vec![], laws, settings)?.stability_limit())
}

/// Shape and mass properties of the projectile.
pub fn projectile(_: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for (name, spacing) in [("arc", NoseSpacing::Arc), ("axial", NoseSpacing::Axial)] {
        let ogive = Ogive {
            spacing,
            ..Ogive::rockfill()
        };
        let body = ogive.polyhedron()?;
        let (particle, centre) = ogive.particle(Cavity::None { density: 1.0 }, 0)?;
        let mut set = |key: &str, value: f64| outcome.set(&format!("{name}-{key}"), "ours", value);
        set("V", body.vertices().len() as f64);
        set("E", body.edges().len() as f64);
        set("F", body.facets().len() as f64);
        set("volume", particle.mass);
        set("centre", centre);
        set("axial", particle.inertia.x);
        set(
            "transverse",
            0.5 * (particle.inertia.y + particle.inertia.z),
        );
    }
    outcome.set("nose", "ours", Ogive::rockfill().nose_length());
    Ok(outcome)
}
