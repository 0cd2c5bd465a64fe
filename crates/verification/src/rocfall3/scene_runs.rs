//! Scenes of `verification/rocfall3/scenes`, and what is read off their runs.

use crate::shipped::{Shipped, Stretch, first_impact, run_file};
use crate::{Outcome, Table};
use anyhow::{Context as _, Result};
use glam::DVec3;

pub(super) const SERIES: &str = "as_shipped";

/// Runs the scene of a table: its name and what comes after it.
pub fn scene(table: &Table, suffix: &str) -> Result<Shipped> {
    run_file(&scene_file(table, suffix))
}

pub(super) fn scene_file(table: &Table, suffix: &str) -> String {
    let name = table.id.rsplit('/').next().unwrap_or(&table.id);
    format!("rocfall3/scenes/{name}{suffix}.json")
}

/// Tops of the flights that begin upwards.
pub(super) fn tops(run: &Shipped) -> Vec<f64> {
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
pub(super) fn impact(
    outcome: &mut Outcome,
    prefix: &str,
    table: &Table,
    path: &[Stretch],
) -> Result<()> {
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
