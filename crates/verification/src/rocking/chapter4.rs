//! What chapter 4 concludes from its measured coefficients (Table 4.3), and the figures that show them.

use super::inputs::eta;
use anyhow::{Context as _, Result};
use klast_plot::{Axis, LineChart, Series};
use klast_rocking::{RestitutionModel, RockingBlock};
use serde::Deserialize;
use std::collections::BTreeMap;

use crate::{Context, Outcome, Table};

/// A block and its coefficient in full contact.
#[derive(Deserialize)]
struct Measured {
    id: String,
    width_m: f64,
    height_m: f64,
    measured_eta: f64,
}

impl Measured {
    fn block(&self) -> Result<RockingBlock> {
        Ok(RockingBlock::rectangle(self.width_m, self.height_m, 9.81)?)
    }

    fn slenderness(&self) -> f64 {
        self.height_m / self.width_m
    }

    /// Measured less Housner's.
    fn excess(&self) -> Result<f64> {
        Ok(self.measured_eta - eta(&self.block()?, RestitutionModel::Housner)?)
    }
}

/// Where measured less Housner's changes its sign, h/b; between two blocks by a straight line.
fn crossing(blocks: &[&Measured]) -> Result<f64> {
    for pair in blocks.windows(2) {
        let (a, b) = (pair[0].excess()?, pair[1].excess()?);
        if a > 0.0 && b <= 0.0 {
            let (x, y) = (pair[0].slenderness(), pair[1].slenderness());
            return Ok(x + (y - x) * a / (a - b));
        }
    }
    Ok(f64::INFINITY)
}

pub(super) fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let blocks: Vec<Measured> = table.input_as("blocks")?;
    let material = table.input("eta_mat")?;
    let mean_k: BTreeMap<String, f64> = table.input_as("mean_k")?;
    let bounds: BTreeMap<String, (f64, f64)> = table.input_as("edge_k")?;
    let mut outcome = Outcome::new();
    for scale in ["S", "M", "L"] {
        let of: Vec<&Measured> = blocks.iter().filter(|b| b.id.ends_with(scale)).collect();
        let mut set =
            |row: &str, value: f64| outcome.set(&format!("{row} {scale}"), "computed", value);
        set("crossing", crossing(&of)?);
        let k = *mean_k.get(scale).context("mean k of every scale")?;
        let (mut housner, mut improved, mut rigid) = (0.0_f64, 0.0_f64, 0.0_f64);
        for b in &of {
            let block = b.block()?;
            let with_k = eta(&block, RestitutionModel::Improved { k })?;
            housner += b.excess()?.abs();
            improved += (b.measured_eta - material * with_k).abs();
            rigid = rigid.max((b.measured_eta / material - with_k).abs());
        }
        let count = of.len() as f64;
        set("nearer: mean miss of Housner's", housner / count);
        set("nearer: mean miss of the improved", improved / count);
        set("figure-4.21 largest difference", rigid);
        let (k1, k2) = *bounds.get(scale).context("edge k of every scale")?;
        // Of the full contacts, those above the bound that the edge contact sets.
        let mut above = 0.0;
        for b in &of {
            let bound = eta(&b.block()?, RestitutionModel::Improved { k: k1 })?;
            above += f64::from(u8::from(b.measured_eta > bound));
        }
        set("bound: full contacts above k1", above);
        draw(&mut outcome, scale, &of, &[k1, k2])?;
    }
    words(&blocks, table, &mut outcome)?;
    let medium: Vec<&Measured> = blocks.iter().filter(|b| b.id.ends_with('M')).collect();
    let all: Vec<&Measured> = blocks.iter().collect();
    for (figure, caption, list) in [
        (
            "figure-4.13",
            "Figure 4.13: measured, medium blocks",
            &medium,
        ),
        ("figure-4.14", "Figure 4.14: measured, all scales", &all),
        (
            "figure-4.16",
            "Figure 4.16: full contact, medium blocks",
            &medium,
        ),
        (
            "figure-4.20",
            "Figure 4.20: full contact over the rigid coefficient of its mean k",
            &all,
        ),
    ] {
        let chart = match figure {
            "figure-4.20" => ratios(list, &mean_k)?,
            _ => chart(list)?,
        };
        outcome.draw(figure, caption, chart.svg()?);
    }
    Ok(outcome)
}

/// Statements in words, by the block that they are about.
fn words(blocks: &[Measured], table: &Table, outcome: &mut Outcome) -> Result<()> {
    let of = |id: &str| blocks.iter().find(|b| b.id == id).context(id.to_owned());
    let mut set = |row: &str, value: &str| outcome.set(row, "computed", value);
    let sign = |b: &Measured| -> Result<&'static str> {
        Ok(if b.excess()? > 0.0 {
            "under the measured"
        } else {
            "over the measured"
        })
    };
    set("bulky: Housner's for B2M", sign(of("B2M")?)?);
    set("figure-4.10 Housner's for B6M", sign(of("B6M")?)?);
    set("figure-4.10 Housner's for B10M", sign(of("B10M")?)?);
    // Smaller amplitudes and periods follow a smaller coefficient.
    for (figure, id) in [
        ("figure-4.11", "B2M"),
        ("figure-4.12", "B10M"),
        ("figure-4.15", "B2M"),
    ] {
        let block = of(id)?.block()?;
        let settling = |e: f64| -> Result<f64> {
            let sum: f64 = (0..60).map(|n| (e.powi(n) * 0.5).atanh()).sum();
            Ok(2.0 * sum / block.frequency())
        };
        let longer =
            settling(of(id)?.measured_eta)? > settling(eta(&block, RestitutionModel::Housner)?)?;
        set(
            &format!("{figure} with the measured coefficient {id} rocks"),
            if longer { "longer" } else { "shorter" },
        );
    }
    let k = |scale: &str| table.input(&format!("mean_k/{scale}"));
    let inward = k("S")? > k("M")? && k("M")? > k("L")?;
    set("mean k falls with size", if inward { "yes" } else { "no" });
    let flat = RockingBlock::rectangle(0.045, 0.02, 9.81)?;
    let sticks = eta(&flat, RestitutionModel::Housner)? <= 0.0;
    set(
        "sticking: h/b of 0.44",
        if sticks { "sticks" } else { "rocks" },
    );
    let earlier: Vec<(f64, f64)> = table.input_as("earlier_slenderness_eta")?;
    let over = |model: &dyn Fn(f64) -> Result<f64>| -> Result<f64> {
        let misses = earlier.iter().map(|(s, e)| Ok((model(*s)? - e).abs()));
        let misses: Vec<f64> = misses.collect::<Result<_>>()?;
        Ok(misses.iter().sum::<f64>() / misses.len() as f64)
    };
    let with = |model: RestitutionModel| {
        over(&move |s| eta(&RockingBlock::rectangle(1.0, s, 9.81)?, model))
    };
    let housner = with(RestitutionModel::Housner)?;
    let improved = with(RestitutionModel::Improved { k: 0.75 })?;
    outcome.set("earlier: mean miss of Housner's", "computed", housner);
    outcome.set("improved: mean miss with k 0.75", "computed", improved);
    Ok(())
}

fn curve(model: RestitutionModel) -> Result<Vec<(f64, f64)>> {
    (0..=160)
        .map(|k| {
            let slenderness = 1.4 + 0.055 * f64::from(k);
            let block = RockingBlock::rectangle(1.0, slenderness, 9.81)?;
            Ok((slenderness, eta(&block, model)?))
        })
        .collect()
}

fn points(blocks: &[&Measured]) -> Vec<(f64, f64)> {
    blocks
        .iter()
        .map(|b| (b.slenderness(), b.measured_eta))
        .collect()
}

fn chart(blocks: &[&Measured]) -> Result<LineChart> {
    Ok(LineChart::new(
        "Coefficient of restitution",
        Axis::new("h/b"),
        Axis::new("η"),
    )
    .with(Series::line("η_H", curve(RestitutionModel::Housner)?))
    .with(Series::points("full contact", points(blocks))))
}

fn ratios(blocks: &[&Measured], mean_k: &BTreeMap<String, f64>) -> Result<LineChart> {
    let mut chart = LineChart::new(
        "Measured over rigid",
        Axis::new("h/b"),
        Axis::new("η_e / η_M"),
    );
    for (scale, k) in mean_k {
        let of = blocks.iter().filter(|b| b.id.ends_with(scale.as_str()));
        let points = of
            .map(|b| {
                let rigid = eta(&b.block()?, RestitutionModel::Improved { k: *k })?;
                Ok((b.slenderness(), b.measured_eta / rigid))
            })
            .collect::<Result<Vec<_>>>()?;
        chart = chart.with(Series::points(&format!("scale {scale}"), points));
    }
    Ok(chart)
}

/// Figures 4.17 to 4.19: the two bounds and the full contacts of one scale.
fn draw(outcome: &mut Outcome, scale: &str, blocks: &[&Measured], ks: &[f64]) -> Result<()> {
    let figure = match scale {
        "S" => "figure-4.17",
        "M" => "figure-4.18",
        _ => "figure-4.19",
    };
    let mut chart = chart(blocks)?;
    for k in ks {
        let line = curve(RestitutionModel::Improved { k: *k })?;
        chart = chart.with(Series::line(&format!("η_M, k = {k:.4}"), line));
    }
    outcome.draw(
        figure,
        &format!("Full contact of scale {scale} and the bounds of edge contact"),
        chart.svg()?,
    );
    Ok(())
}
