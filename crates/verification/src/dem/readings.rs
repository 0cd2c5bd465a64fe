//! Both readings of the line of fire: along the length of the layer and along its width.
//!
//! Layers about seven sizes wide, several seeds of each size, the solid projectile. As the lost momentum hardly depends
//! on the mass, the mass that gives the finest size the printed velocity follows, and with it the velocities of the
//! other sizes, as in `cause`.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use glam::DVec3;
use klast_dem::Store;
use serde::Deserialize;

use super::plan::{RunSummary, StudyRun, Variation};
use super::shots::Shots;
use crate::{Context, Outcome, Table};

const SPEED: f64 = 1200.0;

/// One reading, as the table asks for it.
#[derive(Deserialize)]
struct Line {
    thickness_m: f64,
    /// Mean size (m), width of the layer (m), number of seeds; the finest size first.
    sizes_widths_m_seeds: Vec<(f64, f64, u64)>,
}

/// The shots of one reading by mean size.
struct Reading<'a> {
    name: &'a str,
    sizes: Vec<(String, Vec<RunSummary>)>,
}

/// Least, median and largest.
fn quantiles(values: impl Iterator<Item = f64>) -> Result<[f64; 3]> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let ends = sorted.first().zip(sorted.last()).context("no shot")?;
    let middle = 0.5 * (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]);
    Ok([*ends.0, middle, *ends.1])
}

impl Reading<'_> {
    fn set(&self, key: &str, value: [f64; 3], outcome: &mut Outcome) {
        for (word, value) in ["least", "median", "largest"].into_iter().zip(value) {
            outcome.set(&format!("{} {key}, {word}", self.name), "ours", value);
        }
    }

    /// Angles, times and fluctuations over all shots and by size.
    fn observed(&self, outcome: &mut Outcome) -> Result<()> {
        let shots = || self.sizes.iter().flat_map(|(_, shots)| shots);
        let ms = |time: Option<f64>| time.unwrap_or(f64::INFINITY) * 1e3;
        for (size, of_size) in &self.sizes {
            let through = quantiles(of_size.iter().map(|s| ms(s.through)))?;
            self.set(&format!("base through, {size}"), through, outcome);
            let residual = quantiles(of_size.iter().map(|s| s.residual))?;
            self.set(&format!("residual, {size}"), residual, outcome);
        }
        self.set(
            "tip through",
            quantiles(shots().map(|s| ms(s.exit)))?,
            outcome,
        );
        self.set(
            "base through",
            quantiles(shots().map(|s| ms(s.through)))?,
            outcome,
        );
        let velocity = shots().map(|s| s.velocity_deflection.to_degrees());
        self.set("velocity turned", quantiles(velocity)?, outcome);
        let axis = shots().map(|s| s.axis_deflection.to_degrees());
        self.set("axis turned", quantiles(axis)?, outcome);
        let fluctuation = |sizes: &[(String, Vec<RunSummary>)]| {
            let shots = sizes.iter().flat_map(|(_, shots)| shots);
            quantiles(shots.map(|s| s.fluctuation))
        };
        let (fine, coarse) = self.sizes.split_at(2);
        let coarse = &coarse[coarse.len() - 2..];
        let larger = fluctuation(coarse)?[1] > fluctuation(fine)?[1];
        let word = if larger { "larger" } else { "smaller" };
        outcome.set(&format!("{} fluctuation", self.name), "ours", word);
        Ok(())
    }

    /// The fitted mass and the medians of the velocities with it.
    fn fitted(&self, (mass, fit): (f64, f64), outcome: &mut Outcome) -> Result<()> {
        let median = |(size, shots): &(String, Vec<RunSummary>)| -> Result<(String, f64)> {
            Ok((
                size.clone(),
                quantiles(shots.iter().map(|s| s.residual))?[1],
            ))
        };
        let solid: Vec<(String, f64)> = self.sizes.iter().map(median).collect::<Result<_>>()?;
        let share = (SPEED - fit) / (SPEED - solid[0].1);
        let velocities: Vec<(String, f64)> = solid
            .into_iter()
            .map(|(size, v)| (size, SPEED - share * (SPEED - v)))
            .collect();
        let mut set = |key: &str, value: f64| {
            outcome.set(&format!("{} {key}", self.name), "ours", value);
        };
        set("fitted mass", mass / share);
        for (size, velocity) in &velocities {
            set(&format!("residual with the fitted mass, {size}"), *velocity);
        }
        let (coarsest, finer) = velocities.split_last().context("no size")?;
        let of_finer = || finer.iter().map(|(_, v)| *v);
        let (low, high) = of_finer().fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
        set("finer sizes apart", high - low);
        let mean = of_finer().sum::<f64>() / finer.len() as f64;
        set("290 mm over the finer sizes", coarsest.1 - mean);
        let slowest = finer
            .iter()
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .context("no size")?;
        outcome.set(
            &format!("{} slowed most by", self.name),
            "ours",
            slowest.0.clone(),
        );
        Ok(())
    }
}

/// Shoots every size with its seeds in both readings.
pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let mass = table.input("mass_kg")?;
    let fit = table.input("fitted_velocity_m_per_s")?;
    let shots = Shots::new(&Store::default_folder())?;
    let mut outcome = Outcome::new();
    for (name, line) in &table.input_as::<BTreeMap<String, Line>>("readings")? {
        let of_size = |(size, width, seeds): &(f64, f64, u64)| -> Result<_> {
            let shot = |seed: u64| {
                let run = StudyRun {
                    layer: DVec3::new(line.thickness_m, *width, *width),
                    size: *size,
                    seed,
                    variation: Variation::Base,
                };
                shots.shot(&run, mass, 0, &mut |_, shot| eprintln!("{name}: {shot}"))
            };
            let made = (1..=*seeds).map(shot).collect::<Result<Vec<_>>>()?;
            Ok((format!("{:.0} mm", size * 1e3), made))
        };
        let sizes = line.sizes_widths_m_seeds.iter().map(of_size);
        let reading = Reading {
            name,
            sizes: sizes.collect::<Result<_>>()?,
        };
        ensure!(
            reading.sizes.len() > 3,
            "{name}: accepted: four sizes or more"
        );
        reading.observed(&mut outcome)?;
        reading.fitted((mass, fit), &mut outcome)?;
    }
    Ok(outcome)
}
