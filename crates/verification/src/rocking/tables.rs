//! The printed tables of blocks and coefficients.

use super::inputs::eta;
use anyhow::{Context as _, Result};
use klast_rocking::{RestitutionModel, RockingBlock, edge_contact as strips, impulse_position};
use serde::Deserialize;
use std::collections::BTreeMap;

use super::figures;
use crate::{Context, Outcome, Table};

/// A block of a table.
#[derive(Debug, Deserialize)]
struct Named {
    id: String,
    width_m: f64,
    height_m: f64,
    measured_eta: Option<f64>,
}

/// Table 4.1: η_H depends on the slenderness only.
pub(super) fn earlier_experiments(table: &Table, _: &Context) -> Result<Outcome> {
    #[derive(Deserialize)]
    struct Experiment {
        id: String,
        height_over_width: f64,
        measured_eta: f64,
    }
    let mut outcome = Outcome::new();
    let mut measured = Vec::new();
    for experiment in table.input_as::<Vec<Experiment>>("blocks")? {
        let block = RockingBlock::rectangle(1.0, experiment.height_over_width, 9.81)?;
        let value = eta(&block, RestitutionModel::Housner)?;
        outcome.set(&experiment.id, "computed", value);
        measured.push((experiment.height_over_width, experiment.measured_eta));
    }
    figures::earlier_experiments(&mut outcome, &measured)?;
    Ok(outcome)
}

/// Table 4.2 with the computed curves of free rocking.
pub(super) fn tested_blocks(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = blocks(table)?;
    figures::released_blocks(&mut outcome)?;
    Ok(outcome)
}

/// Table 5.1 with the borders for its blocks.
pub(super) fn shaking_table(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = blocks(table)?;
    figures::shaking_table(&mut outcome)?;
    Ok(outcome)
}

/// Geometry and, where k is given, both coefficients.
fn blocks(table: &Table) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let gravity = table.input("gravity_m_per_s2")?;
    let k: BTreeMap<String, f64> = table.input_as("k").unwrap_or_default();
    for named in table.input_as::<Vec<Named>>("blocks")? {
        let block = RockingBlock::rectangle(named.width_m, named.height_m, gravity)?;
        let mut set = |what: &str, value: f64| {
            outcome.set(&format!("{}-{what}", named.id), "computed", value);
        };
        set("alpha", block.slenderness());
        set("R", block.radius());
        set("p", block.frequency());
        set("eta_H", eta(&block, RestitutionModel::Housner)?);
        if let Some(k) = named.id.chars().last().and_then(|s| k.get(&s.to_string())) {
            set("eta_M", eta(&block, RestitutionModel::Improved { k: *k })?);
        }
    }
    Ok(outcome)
}

/// Table 4.4.
pub(super) fn edge_contact(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let contact = table.input("contact_m")?;
    for (scale, width) in table.input_as::<BTreeMap<String, f64>>("widths_m")? {
        let (k1, k2) = strips(width, contact)?;
        outcome.set(&format!("{scale}-k1"), "computed", k1);
        outcome.set(&format!("{scale}-k2"), "computed", k2);
    }
    Ok(outcome)
}

/// Table 4.5 with its averages, for the η_mat that is stated and the one that was used.
pub(super) fn inverse_analysis(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let blocks = table.input_as::<Vec<Named>>("blocks")?;
    for (series, key) in [
        ("stated", "eta_mat_stated"),
        ("unrounded", "eta_mat_unrounded"),
    ] {
        let material = table.input(key)?;
        let mut groups: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
        for named in &blocks {
            let block = RockingBlock::rectangle(named.width_m, named.height_m, 9.81)?;
            let measured = named.measured_eta.context("a measured coefficient")?;
            let k = impulse_position(&block, measured, material)?;
            let position = 0.5 * named.width_m * k;
            outcome.set(&format!("{}-k", named.id), series, k);
            outcome.set(&format!("{}-bbar", named.id), series, position);
            let (number, scale) = named.id.split_at(named.id.len() - 1);
            for group in [number, scale, "all"] {
                groups
                    .entry(group.to_owned())
                    .or_default()
                    .push((k, position));
            }
        }
        if series == "stated" {
            draw_scales(&mut outcome, &blocks, &groups, material)?;
        }
        for (group, values) in groups {
            let n = values.len() as f64;
            let k = values.iter().map(|v| v.0).sum::<f64>() / n;
            let position = values.iter().map(|v| v.1).sum::<f64>() / n;
            outcome.set(&format!("mean-{group}-k"), series, k);
            outcome.set(&format!("mean-{group}-bbar"), series, position);
        }
    }
    Ok(outcome)
}

/// Figure 4.21 from the mean k of each scale.
fn draw_scales(
    outcome: &mut Outcome,
    blocks: &[Named],
    groups: &BTreeMap<String, Vec<(f64, f64)>>,
    material: f64,
) -> Result<()> {
    let mut scales = Vec::new();
    for name in ["S", "M", "L"] {
        let values = groups.get(name).context("blocks of every scale")?;
        let k = values.iter().map(|v| v.0).sum::<f64>() / values.len() as f64;
        let rigid = blocks
            .iter()
            .filter(|b| b.id.ends_with(name))
            .filter_map(|b| Some((b.height_m / b.width_m, b.measured_eta? / material)));
        scales.push(figures::Scale {
            name,
            k,
            rigid: rigid.collect(),
        });
    }
    figures::inverse_analysis(outcome, &scales)
}

/// Numbers in the text.
pub(super) fn texts(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let gravity = table.input("gravity_m_per_s2")?;
    let air_track = RockingBlock::rectangle(0.02, 0.09, gravity)?;
    outcome.set("air-track-alpha", "computed", air_track.slenderness());
    outcome.set("air-track-r", "computed", air_track.radius());
    let small = RockingBlock::rectangle(0.010, 0.045, gravity)?;
    let large = RockingBlock::rectangle(0.020, 0.090, gravity)?;
    outcome.set("p-ratio", "computed", large.frequency() / small.frequency());
    let volume = (0.020 * 0.090 * 0.020) / (0.010 * 0.045 * 0.010);
    outcome.set("mass-ratio", "computed", volume);
    figures::scaling(&mut outcome)?;
    Ok(outcome)
}
