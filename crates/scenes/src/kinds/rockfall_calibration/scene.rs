//! The scene file of kind rockfall_calibration.

use klast_rockfall::calibrate::{RETAINED, SETS};
use schemars::JsonSchema;
use serde::Deserialize;

/// Observed runs of a campaign, each forecast from the others.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Terrain raster: ESRI ASCII (.asc) or GeoTIFF (.tif).
    pub terrain: String,
    /// Width of the rim of the raster that was not measured (m): a rock that reaches it has left the map.
    #[serde(default)]
    pub margin_m: f64,
    /// CSV of releases: trajectory_id, x_m, y_m, vx_mps, vy_mps, vz_mps, block_id.
    pub releases: String,
    /// CSV of observed places of rest: trajectory_id, x_m, y_m.
    pub depositions: String,
    /// CSV of rocks: block_id, mass_kg, size_x_m, size_y_m, size_z_m (outer sizes).
    pub blocks: String,
    /// Density of the rocks.
    #[serde(default = "Scene::density")]
    pub density_kg_m3: f64,
    /// What may be believed about the ground beforehand: least and greatest values.
    #[serde(default)]
    pub prior: Prior,
    /// Sets of parameters spread over the prior.
    #[serde(default = "Scene::sets")]
    pub sets: usize,
    /// Rocks for each run and set by which sets are compared, from 2.
    #[serde(default = "Scene::fit_rocks")]
    pub fit_rocks: u64,
    /// More rocks for each run and set of the best quarter of the sets, by which these are compared anew; 0 for none.
    #[serde(default = "Scene::refinement_rocks")]
    pub refinement_rocks: u64,
    /// Shares of the sets that may forecast a run; which of them, leave-one-out among the other runs decides.
    #[serde(default = "Scene::retained_fractions")]
    pub retained_fractions: Vec<f64>,
    /// Rocks in the forecast of each run, different from those of the fit.
    #[serde(default = "Scene::rocks")]
    pub rocks: u64,
    /// Height of the mass centre over the ground up to which drag acts.
    #[serde(default = "Scene::drag_height")]
    pub drag_height_m: f64,
    /// Longest time a rock is followed.
    #[serde(default = "Scene::maximum_time")]
    pub maximum_time_s: f64,
    /// Longest step in sustained contact; without it the tolerance of the engine alone sets the step.
    pub contact_step_s: Option<f64>,
    /// A rock that rests nearer to its release was not released: another attitude is tried. A campaign lists rocks that
    /// left.
    #[serde(default)]
    pub minimum_runout_m: f64,
    /// Seed from which all chance follows; `--seed` overrides it.
    #[serde(default = "Scene::seed")]
    pub seed: u64,
}

impl Scene {
    fn density() -> f64 {
        2650.0
    }
    fn sets() -> usize {
        SETS
    }
    fn fit_rocks() -> u64 {
        6
    }
    fn refinement_rocks() -> u64 {
        24
    }
    fn retained_fractions() -> Vec<f64> {
        RETAINED.to_vec()
    }
    fn rocks() -> u64 {
        1000
    }
    fn drag_height() -> f64 {
        0.5
    }
    fn maximum_time() -> f64 {
        60.0
    }
    fn seed() -> u64 {
        1
    }
}

/// Least and greatest value of each parameter; those left out keep the ranges for soil, meadow and talus.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prior {
    /// Range of the mean normal restitution R_n, 0 to 1.
    pub normal_restitution: Option<[f64; 2]>,
    /// Mean friction of the fresh contact.
    pub friction: Option<[f64; 2]>,
    /// How far friction grows with slippage.
    pub scarring: Option<[f64; 2]>,
    /// How soon it grows.
    pub scarring_growth_per_m: Option<[f64; 2]>,
    /// Standard deviation of the roughness angle.
    pub roughness_deg: Option<[f64; 2]>,
    /// Drag near the ground over mass.
    pub drag_per_s: Option<[f64; 2]>,
    /// How sharp the rocks are: 3 a box, 2 a cuboctahedron, 1.5 a truncated octahedron.
    pub sharpness: Option<[f64; 2]>,
}
