//! Makes the files of a rockfall job as a designer has them: a terrain of 3 x 3 km in cells of 5 m with 1,500 m of
//! relief, two classes of ground of which one is calibrated, a barrier, a road, and 10,000 rigid rocks. All of it is
//! drawn from one seed.
//!
//! ```sh
//! cargo run --release -p klast-scenes --example rockfall_job -- out/job
//! cargo run --release -p klast-cli -- run out/job/scene.json --out out/job/results
//! ```

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use glam::DVec2;
use klast_files::raster::esri_ascii;
use klast_rockfall::calibrate::{GroundSet, ParameterSet};
use klast_rockfall_jobs::rockfall::posterior::File;
use klast_sampling::{Purpose, Streams, open_uniform};
use serde_json::json;

const NODES: usize = 601;
const CELL: f64 = 5.0;
const ORIGIN: DVec2 = DVec2::new(2_600_000.0, 1_200_000.0);

/// Height along the fall line: a shoulder, a cliff, a talus that flattens, a valley floor; 1,500 m in all.
fn profile(x: f64) -> f64 {
    let points = [
        (0.0, 1500.0),
        (300.0, 1400.0),
        (700.0, 700.0),
        (1300.0, 330.0),
        (1900.0, 60.0),
        (2300.0, 10.0),
        (3000.0, 0.0),
    ];
    let w = points.windows(2).find(|w| x <= w[1].0);
    w.map_or(0.0, |w| {
        let share = (x - w[0].0) / (w[1].0 - w[0].0);
        w[0].1 + share * (w[1].1 - w[0].1)
    })
}

/// Humps of several lengths, each from its own lattice of random heights.
fn humps(seed: u64) -> impl Fn(f64, f64) -> f64 {
    let streams = Streams::new(seed);
    let layers = [(200.0, 12.0), (60.0, 3.0), (20.0, 0.8)];
    move |x, y| {
        let layer = |(k, (length, height)): (usize, &(f64, f64))| {
            let (u, v) = (x / length, y / length);
            let at = |i: f64, j: f64| {
                let index = ((i as u64) << 20) + j as u64;
                open_uniform(&mut streams.rng(Purpose::Custom(k as u32), index)) - 0.5
            };
            let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
            let (i, j) = (u.floor(), v.floor());
            let (s, t) = (smooth(u - i), smooth(v - j));
            let low = at(i, j) * (1.0 - s) + at(i + 1.0, j) * s;
            let high = at(i, j + 1.0) * (1.0 - s) + at(i + 1.0, j + 1.0) * s;
            height * (low * (1.0 - t) + high * t)
        };
        layers.iter().enumerate().map(layer).sum()
    }
}

fn main() -> Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).context("a folder")?);
    std::fs::create_dir_all(&folder)?;
    make(&folder)
}

/// Writes the scene and its files into a folder.
pub fn make(folder: &Path) -> Result<()> {
    let humps = humps(7);
    let node = |k: usize| DVec2::new((k % NODES) as f64, (k / NODES) as f64) * CELL;
    let height = |k: usize| {
        let p = node(k);
        let z = 600.0 + profile(p.x) + humps(p.x, p.y);
        (1e2 * z).round() * 1e-2
    };
    let heights: Vec<f64> = (0..NODES * NODES).map(height).collect();
    let raster =
        |values: &[f64]| esri_ascii::write((NODES, NODES), CELL, ORIGIN, |k| values[k], -9999.0);
    std::fs::write(folder.join("terrain.asc"), raster(&heights))?;
    // Bedrock in the cliff, talus and meadow below.
    let class = |k: usize| f64::from(u8::from(node(k).x > 700.0));
    let classes: Vec<f64> = (0..NODES * NODES).map(class).collect();
    std::fs::write(folder.join("classes.asc"), raster(&classes))?;
    // R_n, μ, scarring, κ, roughness (°), drag (1/s), sharpness: twelve sets as a calibration keeps them.
    let set = |k: u32| {
        let share = |step: f64| (0.5 + step * f64::from(k)).fract();
        GroundSet::from_values([
            0.1 + 0.25 * share(0.618),
            0.5 + 0.3 * share(0.755),
            0.6 + 0.8 * share(0.57),
            1.0 + 2.0 * share(0.43),
            4.0 + 6.0 * share(0.31),
            0.35 + 0.4 * share(0.819),
            2.0,
        ])
    };
    let sets: Vec<ParameterSet> = (0..12).map(|k| set(k).into()).collect();
    let posterior = File::of(&sets, &[], (18, 600), 0.5, 1.0);
    let text = serde_json::to_string_pretty(&posterior)?;
    std::fs::write(folder.join("posterior.json"), text)?;
    let at = |x: f64, y: f64| [ORIGIN.x + x, ORIGIN.y + y];
    let rock = |shape: serde_json::Value, share: f64| {
        json!({
            "shape": shape, "share": share,
            "volume_m3": {"lognormal": [1.0, 0.8], "min": 0.1, "max": 5.0}
        })
    };
    let scene = json!({
        "schema": 1, "kind": "rockfall",
        "terrain": {"raster": {"file": "terrain.asc", "crs": "EPSG:2056"}},
        "materials": [
            {"name": "bedrock", "normal_restitution": {"uniform": [0.3, 0.4]}, "friction": {"uniform": [0.5, 0.7]}},
            {"name": "talus", "posterior": "posterior.json"}
        ],
        "layout": {"raster": {"file": "classes.asc", "elsewhere": "talus"}},
        "sources": [{
            "name": "cliff", "rocks": 10000, "annual_frequency": 2.0,
            "release": {"polygon": [at(665.0, 1200.0), at(695.0, 1200.0), at(695.0, 1800.0), at(665.0, 1800.0)]},
            "height_m": {"uniform": [0.0, 2.0]},
            "shapes": [rock(json!("cube"), 1.0), rock(json!({"box": [3, 2, 1]}), 1.0)]
        }],
        "barriers": [{
            "name": "net", "line_m": [at(1250.0, 1000.0), at(1250.0, 2000.0)],
            "height_m": 6, "capacity_kj": 3000, "space_behind_m": 10,
            "flexible": {"service_energy_kj": 1000, "elongation_m": 6, "residual_height_fraction": 0.5},
            "design": {
                "percentile": 95, "energy_level": "maximum",
                "standard": {"uni_11211_4_2012": {
                    "topography": "low", "blocks": "high", "simulation": "back_analysis",
                    "unit_weight": 1.0, "capacity": 1.2, "clearance_m": 0.5, "elongation": 1.3
                }}
            }
        }],
        "collectors": [{"name": "road", "line_m": [at(1500.0, 600.0), at(1500.0, 2400.0)]}],
        "map_cell_m": 20,
        "return_period_energies_kj": [300.0],
        "write_trajectories": 20,
        "seed": 1
    });
    std::fs::write(
        folder.join("scene.json"),
        serde_json::to_string_pretty(&scene)?,
    )?;
    Ok(())
}
