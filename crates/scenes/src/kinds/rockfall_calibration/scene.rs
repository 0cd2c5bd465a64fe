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
    /// Width of the rim of the raster that was not measured (m), 0 or more. A rock that reaches it has left the map.
    #[serde(default)]
    pub margin_m: f64,
    /// CSV of releases: trajectory_id, x_m, y_m, vx_mps, vy_mps, vz_mps, block_id.
    pub releases: String,
    /// CSV of observed places of rest: trajectory_id, x_m, y_m.
    pub depositions: String,
    /// CSV of rocks: block_id, mass_kg, size_x_m, size_y_m, size_z_m (outer sizes), and optionally class, the name of a
    /// class of rock (up to 5 classes). Classes share the ground; each has its own drag and sharpness, drawn
    /// from the same ranges.
    pub blocks: String,
    /// Density of the rocks (kg/m³), above 0.
    #[serde(default = "Scene::density")]
    pub density_kg_m3: f64,
    /// Prior: ranges of the parameters of the ground, which do not come from the campaign.
    #[serde(default)]
    pub prior: Prior,
    /// Number of sets of parameters that are spread over the prior, 1 to 100,000.
    #[serde(default = "Scene::sets")]
    pub sets: usize,
    /// Number of rocks in each run with each set, by which the sets are compared, 2 or more.
    #[serde(default = "Scene::fit_rocks")]
    pub fit_rocks: u64,
    /// Refinement rocks: further rocks in each run with each set of the best quarter, by which these sets are compared
    /// again; 0 for none.
    #[serde(default = "Scene::refinement_rocks")]
    pub refinement_rocks: u64,
    /// Fractions of the sets that may forecast a run, each above 0 and up to 1. For each run, leave-one-out among the
    /// other runs chooses the fraction.
    #[serde(default = "Scene::retained_fractions")]
    pub retained_fractions: Vec<f64>,
    /// Number of rocks in the forecast of each run, 2 or more. They are not the rocks of the fit.
    #[serde(default = "Scene::rocks")]
    pub rocks: u64,
    /// Height of the mass centre over the ground up to which drag acts (m), 0 or more.
    #[serde(default = "Scene::drag_height")]
    pub drag_height_m: f64,
    /// Time after which a rock counts as timed out (s), above 0.
    #[serde(default = "Scene::maximum_time")]
    pub maximum_time_s: f64,
    /// Longest time step in sustained contact (s), above 0 and up to 0.1. Without it only the tolerance of the engine
    /// limits the step.
    pub contact_step_s: Option<f64>,
    /// Runout (m), 0 or more, below which a simulated rock counts as not released. It then starts again in another attitude, since a campaign lists only rocks that left their release.
    #[serde(default)]
    pub minimum_runout_m: f64,
    /// Seed from which all random numbers follow, a whole number from 0; `--seed` overrides it.
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

/// Least and greatest value of each parameter. Parameters that are not stated keep the ranges for soil, meadow and talus.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prior {
    /// Mean normal restitution R_n, 0 to 1.
    pub normal_restitution: Option<[f64; 2]>,
    /// Mean friction coefficient of the fresh contact, 0.001 to 5.
    pub friction: Option<[f64; 2]>,
    /// Scarring: friction coefficient after long sliding minus that of the fresh contact, 0 to 5.
    pub scarring: Option<[f64; 2]>,
    /// Growth of scarring with slippage, κ (1/m), 0 to 100.
    pub scarring_growth_per_m: Option<[f64; 2]>,
    /// Standard deviation of the roughness angle (°), 0 to 45.
    pub roughness_deg: Option<[f64; 2]>,
    /// Drag coefficient over mass near the ground (1/s), 0 to 100.
    pub drag_per_s: Option<[f64; 2]>,
    /// Sharpness of the rocks, 1.5 to 3. A box has 3, a cuboctahedron 2, and a truncated octahedron 1.5.
    pub sharpness: Option<[f64; 2]>,
}
