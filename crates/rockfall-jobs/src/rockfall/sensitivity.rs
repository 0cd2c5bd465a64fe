//! Runs beside the main one: the same rocks at other cells of the ground, and a line that is moved over the slope.

use klast_rockfall::{Results as Statistics, Simulation, taken_evenly};
use klast_runs::error::Result;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::convert;
use super::scene::Scene;
use super::screens::place_name;
use klast_runs::faults::At as _;
use klast_runs::text::SceneText;

/// Rocks that are run again at each cell, taken evenly from all.
const REPEATED: u64 = 1000;

/// Results of the same rocks on terrain with another cell size. A quantile is null if there is no rock for it. The
/// values at a barrier or collector are null if the scene has no barrier and no collector.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct CellRow {
    /// Side of a cell of the terrain (m). The first row is for the raster of the scene.
    pub cell_m: f64,
    /// Number of rocks that are run.
    pub rocks: u64,
    /// Number of rocks that stop or are held by a barrier.
    pub settled: u64,
    /// Median runout of the rocks that stop or are held by a barrier (m).
    pub runout_50_m: Option<f64>,
    /// 95 % quantile of the runout of the rocks that stop or are held by a barrier (m).
    pub runout_95_m: Option<f64>,
    /// 95 % quantile of the greatest speed of each rock (m/s).
    pub speed_95_m_s: Option<f64>,
    /// First barrier or collector of the scene, at which `arrived` and `energy_95_kj` are taken.
    pub name: Option<String>,
    /// Number of rocks that arrive at the barrier or collector `name`.
    pub arrived: Option<u64>,
    /// 95 % quantile of the energy of the rocks that arrive (kJ).
    pub energy_95_kj: Option<f64>,
}

/// The rows of `repeat_at_cells_m`, the raster's own cell first; none where nothing is asked.
///
/// # Errors
/// A cell that cannot be.
pub fn cells(scene: &Scene, text: &SceneText, seed: u64, own: &Simulation) -> Result<Vec<CellRow>> {
    if scene.repeat_at_cells_m.is_empty() {
        return Ok(Vec::new());
    }
    let mut rows = vec![row(own, own.scene().terrain.resolution())];
    for cell in &scene.repeat_at_cells_m {
        let other = convert::simulation_at(scene, text, seed, Some(*cell));
        rows.push(row(&other.at("repeat_at_cells_m")?, *cell));
    }
    Ok(rows)
}

fn row(simulation: &Simulation, cell_m: f64) -> CellRow {
    let count = simulation.count();
    let rocks = count.min(REPEATED);
    let run: Vec<_> = (0..rocks)
        .into_par_iter()
        .map(|k| simulation.rock(taken_evenly(k, count, rocks), &mut |_| {}))
        .collect();
    let mut statistics = simulation.empty_results();
    statistics.add_each(&run.iter());
    let first = simulation.scene().collectors.first();
    let seen = statistics.collectors.first();
    CellRow {
        cell_m,
        rocks,
        settled: statistics.runout.count(),
        runout_50_m: statistics.runout.quantile(0.5),
        runout_95_m: statistics.runout.quantile(0.95),
        speed_95_m_s: statistics.speed.quantile(0.95),
        name: first.map(|g| g.name.clone()),
        arrived: seen.map(|s| s.arrived()),
        energy_95_kj: seen.and_then(|s| s.energy.quantile(0.95)).map(|e| 1e-3 * e),
    }
}

/// Rocks, energies and heights at one position of a line that is moved over the slope (`sweeps`). Energies and heights
/// are null if no rock arrives.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct SweepRow {
    /// Name of the sweep.
    pub sweep: String,
    /// Number of the position, from 1.
    pub place: u32,
    /// Distance of the line from its first position (m).
    pub shift_m: f64,
    /// Number of rocks that arrive.
    pub arrived: u64,
    /// Fraction of the released rocks that arrives.
    pub arrived_fraction: f64,
    /// Number of rocks that a barrier of the scene holds before they arrive: their straight way on in plan, from the
    /// release through the place where they are held, crosses the line. If it is above 0, the line stands behind a
    /// barrier, and its energies are those of the rocks that the barrier lets pass.
    pub held_before: u64,
    /// 95 % quantile of the energy (kJ).
    pub energy_95_kj: Option<f64>,
    /// 99 % quantile of the energy (kJ).
    pub energy_99_kj: Option<f64>,
    /// 95 % quantile of the heights of the tops of the rocks over the ground (m).
    pub top_95_m: Option<f64>,
    /// 99 % quantile of the heights of the tops of the rocks over the ground (m).
    pub top_99_m: Option<f64>,
}

/// A row a place.
#[must_use]
pub fn sweeps(scene: &Scene, simulation: &Simulation, statistics: &Statistics) -> Vec<SweepRow> {
    let collectors = &simulation.scene().collectors;
    let mut rows = Vec::new();
    for sweep in &scene.sweeps {
        for place in 1..=sweep.places {
            let name = place_name(&sweep.name, place);
            let number = collectors.iter().position(|g| g.name == name);
            let Some(seen) = number.and_then(|k| statistics.collectors.get(k)) else {
                continue;
            };
            let [dx, dy] = sweep.shift_m;
            let kilo = |p: f64| seen.energy.quantile(p).map(|e| 1e-3 * e);
            rows.push(SweepRow {
                sweep: sweep.name.clone(),
                place,
                shift_m: f64::from(place - 1) * (dx * dx + dy * dy).sqrt(),
                arrived: seen.arrived(),
                arrived_fraction: seen.arrived() as f64 / statistics.account.seeded.max(1) as f64,
                held_before: seen.held_before,
                energy_95_kj: kilo(0.95),
                energy_99_kj: kilo(0.99),
                top_95_m: seen.top.quantile(0.95),
                top_99_m: seen.top.quantile(0.99),
            });
        }
    }
    rows
}

/// Warnings of sweeps with positions behind a barrier of the scene.
#[must_use]
pub fn behind(rows: &[SweepRow]) -> Vec<String> {
    let mut names: Vec<&str> = rows.iter().map(|r| r.sweep.as_str()).collect();
    names.dedup();
    let told = |name: &str| {
        let behind = rows.iter().filter(|r| r.sweep == name && r.held_before > 0);
        let places: Vec<u32> = behind.clone().map(|r| r.place).collect();
        let most = behind.map(|r| r.held_before).max()?;
        Some(format!(
            "sweep '{name}': positions {} stand behind a barrier of the scene, which holds up to {most} rocks before they arrive there; their energies and \
             heights are those of the rocks that pass the barrier. To compare positions, run the scene without its barriers",
            ranges(&places)
        ))
    };
    names.into_iter().filter_map(told).collect()
}

/// Numbers in order as ranges.
fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let told = runs.filter_map(|run| match (run.first()?, run.last()?) {
        (a, b) if a == b => Some(a.to_string()),
        (a, b) => Some(format!("{a} to {b}")),
    });
    told.collect::<Vec<_>>().join(", ")
}
