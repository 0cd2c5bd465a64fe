//! The picture of the first page: how far rocks reach, and what arrives against what barriers resist.

use klast_plot::{Level, Levels, stack};
use klast_rockfall::Collector;
use klast_rockfall_jobs::rockfall::barriers::Sheet as Row;
use klast_rockfall_jobs::rockfall::result::Results;
use klast_runs::answer::short;
use klast_runs::error::{Outside as _, Result};

use super::super::panels::HALF;
use super::distribution::distribution;
use super::{maps, paths, swept};
use crate::page::Picture;
use crate::sheet::Sheet;

/// Barriers and collectors in the picture at most.
const MOST_BARS: usize = 5;

/// The map of reach, or without maps the slope from the side; below it energy and passing height at each barrier
/// against its capacity and its height, or without any the runout.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    let (mut pictures, mut captions) = (Vec::new(), Vec::new());
    if let Some(map) = maps::reach(results)? {
        pictures.push(map);
        captions.push(
            "Share of the rocks that reach each cell, over the shaded ground with its contours; release, barriers and collectors \
             by name."
                .to_owned(),
        );
    } else if let Some(side) = paths::from_the_side(results)? {
        pictures.push(side);
        captions.push("The slope from the side, with trajectories and barriers.".to_owned());
    }
    let rows = screens(results);
    let (energy, height) = (bars(&rows, &ENERGY), bars(&rows, &HEIGHT));
    if let (Some(energy), Some(height)) = (energy, height) {
        pictures.push(stack(&[energy, height], 2));
        let of = match results.barriers.len() > rows.len() {
            true => format!(" ({} of {})", rows.len(), results.barriers.len()),
            false => String::new(),
        };
        captions.push(format!(
            "Below: 95 % energy and 95 % passing height{of} with their 95 % confidence interval where it is known (thin line), against \
             the capacity and the height of the barrier (upright mark); red exceeds."
        ));
    } else if results.statistics.runout.count() > 0 {
        let runout = &results.statistics.runout;
        pictures.push(distribution(
            "Runout",
            "distance in plan [m]",
            runout,
            (1.0, (680, 240)),
            None,
        )?);
        captions.push("Distance in plan from release to rest.".to_owned());
    }
    if pictures.is_empty() {
        return Ok(Picture::nothing(
            "No rock came to rest, and the scene keeps neither a map nor trajectories.",
        ));
    }
    sheet.picture("answer.svg", &stack(&pictures, 1), &captions.join(" "))
}

/// Barriers first, those with the greatest energy for their capacity before others; then collectors by what arrives.
fn screens(results: &Results) -> Vec<(&Collector, &Row)> {
    let screens = &results.simulation.scene().collectors;
    let pairs = screens.iter().zip(&results.barriers);
    let mut rows: Vec<(&Collector, &Row)> = pairs
        .filter(|(screen, _)| !swept::is_place(&results.sweep, &screen.name))
        .collect();
    let use_of = |(screen, row): &(&Collector, &Row)| {
        let capacity = screen.barrier.as_ref().map(|b| 1e-3 * b.capacity);
        let energy = row.energy_95_kj.unwrap_or(0.0);
        (capacity.is_some(), capacity.map_or(energy, |c| energy / c))
    };
    rows.sort_by(|a, b| {
        let (a, b) = (use_of(a), use_of(b));
        b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
    });
    rows.truncate(MOST_BARS);
    rows
}

/// A quantity at a barrier and what it resists.
struct Quantity {
    title: &'static str,
    unit: &'static str,
    value: fn(&Row) -> Option<f64>,
    interval: fn(&Row) -> Option<(f64, f64)>,
    limit: fn(&Collector) -> Option<f64>,
}

const ENERGY: Quantity = Quantity {
    title: "95 % energy against capacity",
    unit: "kJ",
    value: |row| row.energy_95_kj,
    interval: |row| {
        Some((
            row.energy_95_low_kj?,
            row.energy_95_high_kj.unwrap_or(f64::INFINITY),
        ))
    },
    limit: |screen| screen.barrier.as_ref().map(|b| 1e-3 * b.capacity),
};

const HEIGHT: Quantity = Quantity {
    title: "95 % passing height against height",
    unit: "m",
    value: |row| row.top_95_m,
    interval: |_| None,
    limit: |screen| screen.barrier.as_ref().map(|b| b.height),
};

fn bars(rows: &[(&Collector, &Row)], quantity: &Quantity) -> Option<String> {
    let level = |(screen, row): &(&Collector, &Row)| {
        let (value, limit) = ((quantity.value)(row), (quantity.limit)(screen));
        let unit = quantity.unit;
        let words = match (value, limit) {
            (Some(value), Some(limit)) => format!("{} of {} {unit}", short(value), short(limit)),
            (Some(value), None) => format!("{} {unit}", short(value)),
            (None, _) => "no rock arrives".to_owned(),
        };
        Level {
            name: screen.name.clone(),
            words,
            value: value.unwrap_or(0.0),
            interval: (quantity.interval)(row),
            limit,
        }
    };
    let levels = Levels {
        title: quantity.title.to_owned(),
        rows: rows.iter().map(level).collect(),
        width: HALF.0,
    };
    levels.svg().outside().ok()
}
