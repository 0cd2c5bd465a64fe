//! Section 5: many cubes dropped on a slope of 1:2, by an exact planar code written here and by the general code of the
//! product.

use anyhow::{Context as _, Result};
use klast_rockfall::score::{kolmogorov_smirnov, kolmogorov_smirnov_critical};
use rayon::prelude::*;

use super::figures::figures;
use super::setting::{After, Setting};
use crate::{Context, Outcome, Table};

pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let setting = Setting::read(table)?;
    let count = table.input("rocks")? as usize;
    let mut outcome = Outcome::new();
    let drops = setting.drops(table.input("seed")? as u64, count);
    let planar: Vec<After> = drops.iter().map(|d| setting.planar(d)).collect();
    let spatial = drops
        .par_iter()
        .map(|d| setting.first_impact(d))
        .collect::<Result<Vec<After>>>()?;
    let mut worst = 0.0f64;
    for (a, b) in planar.iter().zip(&spatial) {
        worst = worst
            .max((a.velocity - b.velocity).abs().max_element())
            .max((a.spin - b.spin).abs());
    }
    outcome.set("pairs/velocity", "pairs", worst);
    for (series, list) in [("2d", &planar), ("3d", &spatial)] {
        rocks(&setting, &mut outcome, series, list);
    }
    seeds(&setting, count, &mut outcome)?;
    figures(
        &setting,
        &drops,
        table.input("collector_x_m")?,
        &mut outcome,
    )?;
    Ok(outcome)
}

const NAMES: [&str; 3] = ["ke", "kt", "kr"];

fn rocks(setting: &Setting, outcome: &mut Outcome, series: &str, list: &[After]) {
    for (k, after) in list.iter().take(5).enumerate() {
        let mut set =
            |name: &str, value: f64| outcome.set(&format!("rock-{}/{name}", k + 1), series, value);
        set("vx", after.velocity.x);
        set("vz", after.velocity.y);
        set("w", after.spin);
        set("t", after.time);
        for (name, value) in NAMES.into_iter().zip(setting.energies(after)) {
            set(name, value);
        }
    }
    for (k, name) in NAMES.into_iter().enumerate() {
        let values: Vec<f64> = list.iter().map(|a| setting.energies(a)[k]).collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let sd = (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0)).sqrt();
        let mut set =
            |what: &str, value: f64| outcome.set(&format!("sample/{name}/{what}"), series, value);
        set("mean", mean);
        set("sd", sd);
        set("min", values.iter().copied().fold(f64::INFINITY, f64::min));
        set(
            "max",
            values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        );
    }
}

/// Seeds 1 to 20 for the planar code against seeds 1001 to 1020 for the general one.
fn seeds(setting: &Setting, count: usize, outcome: &mut Outcome) -> Result<()> {
    let critical = kolmogorov_smirnov_critical(0.01, count, count);
    let (mut held, mut sums) = ([0.0; 3], [[0.0; 2]; 3]);
    for seed in 1..=20 {
        let planar: Vec<[f64; 3]> = setting
            .drops(seed, count)
            .iter()
            .map(|d| setting.energies(&setting.planar(d)))
            .collect();
        let drops = setting.drops(1000 + seed, count);
        let spatial = drops
            .par_iter()
            .map(|d| Ok(setting.energies(&setting.first_impact(d)?)))
            .collect::<Result<Vec<_>>>()?;
        for k in 0..3 {
            let of = |list: &[[f64; 3]]| list.iter().map(|e| e[k]).collect::<Vec<f64>>();
            let (a, b) = (of(&planar), of(&spatial));
            let distance = kolmogorov_smirnov(&a, &b).context("no rock")?;
            held[k] += f64::from(u8::from(distance < critical));
            sums[k][0] += a.iter().sum::<f64>();
            sums[k][1] += b.iter().sum::<f64>();
        }
    }
    for (k, name) in NAMES.into_iter().enumerate() {
        outcome.set(&format!("ks/{name}"), "ks", held[k]);
        outcome.set(
            &format!("population/{name}"),
            "pooled-2d",
            sums[k][0] / (20 * count) as f64,
        );
        outcome.set(
            &format!("population/{name}"),
            "pooled-3d",
            sums[k][1] / (20 * count) as f64,
        );
    }
    Ok(())
}
