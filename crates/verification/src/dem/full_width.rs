//! One layer of the paper in its full width, of the coarsest rock, made and shot at in every run.

use anyhow::Result;
use glam::DVec3;
use klast_dem::{ContactParameters, Ogive, Packing, PackingSpec};

use super::plan::{StudyRun, Variation};
use super::statements;
use crate::{Context, Outcome, Table};

/// Makes the layer, asks what it is like, and shoots.
pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let layer: DVec3 = table.input_as("layer_m")?;
    let size = table.input("size_m")?;
    let mut outcome = Outcome::new();
    for (axis, edge) in ["x", "y", "z"].into_iter().zip(layer.to_array()) {
        outcome.set(&format!("edge {axis}"), "ours", edge);
    }
    let p = ContactParameters::rockfill();
    for (name, value) in [
        ("k_n", p.normal_stiffness),
        ("k_s", p.tangential_stiffness),
        ("f", p.friction),
        ("e_r", p.rock_restitution),
        ("e_b", p.projectile_restitution),
    ] {
        outcome.set(&format!("table-1 {name}"), "ours", value);
    }
    let ogive = Ogive::rockfill();
    outcome.set("divisions of the head", "ours", f64::from(ogive.rings));
    outcome.set("divisions around", "ours", f64::from(ogive.sectors));
    let shot = StudyRun {
        layer,
        size,
        seed: table.input("seed")? as u64,
        variation: Variation::Base,
    };
    let spec = shot.packing()?;
    let packing = Packing::make(&spec, |_| {})?;
    describe(&packing, &spec, size, &mut outcome)?;
    let found = shot.shoot(&packing, table.input("mass_kg")?, |_| Ok(()))?;
    statements::state(&[found], &mut outcome);
    Ok(outcome)
}

/// The last step of section 4.1: what falls and is pressed together is dense and at rest.
fn describe(packing: &Packing, spec: &PackingSpec, size: f64, outcome: &mut Outcome) -> Result<()> {
    let report = packing.report(&spec.law)?;
    let mut set = |row: &str, value: f64| outcome.set(row, "ours", value);
    set("rocks", report.rocks as f64);
    set("compact: filling", 1.0 - report.porosity);
    set("compact: contacts of a rock", report.coordination);
    set("compact: mean overlap over size", report.mean_overlap);
    set("sizes: mean over the stated", report.mean_size / size);
    let off = packing
        .sizes()
        .map(|d| (d / size - 1.0).abs())
        .fold(0.0, f64::max);
    set("sizes: largest deviation", off);
    Ok(())
}
