//! The scene file of kind rockfall_calibration.

use klast_rockfall::calibrate::{RETAINED, SETS};
use schemars::JsonSchema;
use serde::Deserialize;

/// Observed runs of a campaign, each forecast from the others.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Path of the raster of the terrain: ESRI ASCII (.asc) or GeoTIFF (.tif).
    pub terrain: String,
    /// Width of the strip along the border of the raster in which nothing was measured (m), 0 or more. A rock that
    /// reaches this strip has left the map.
    #[serde(default)]
    pub margin_m: f64,
    /// Path of a CSV table of releases with the columns trajectory_id, x_m, y_m, vx_mps, vy_mps, vz_mps (m/s) and
    /// block_id.
    pub releases: String,
    /// Path of a CSV table of observed places of rest with the columns trajectory_id, x_m and y_m.
    pub depositions: String,
    /// Path of a CSV table of rocks with the columns block_id, mass_kg, size_x_m, size_y_m and size_z_m (outer sizes).
    /// An optional column class has the name of a class of rock (up to 5 classes). All classes have the same ground;
    /// each class has its own drag and sharpness, drawn from the same ranges.
    pub blocks: String,
    /// Density of the rocks (kg/m³), above 0.
    #[serde(default = "Scene::density")]
    pub density_kg_m3: f64,
    /// Prior: ranges of the parameters of the ground. They must not come from the campaign itself. Each range has a
    /// default.
    #[serde(default)]
    pub prior: Prior,
    /// Number of sets of parameters that are spread over the prior, 1 to 100,000.
    #[serde(default = "Scene::sets")]
    pub sets: usize,
    /// Number of rocks that are computed for each run with each set, 2 or more. The sets are compared by these rocks.
    #[serde(default = "Scene::fit_rocks")]
    pub fit_rocks: u64,
    /// Refinement rocks: number of further rocks that are computed for each run with each set of the best quarter, 0 or
    /// more. These sets are compared again by all their rocks; with 0 they are not compared again.
    #[serde(default = "Scene::refinement_rocks")]
    pub refinement_rocks: u64,
    /// Fractions of the sets, the best sets first, each above 0 and up to 1. For each run, klast chooses the fraction
    /// with the best forecasts of the other runs. Each of these forecasts uses neither the run that it forecasts nor
    /// the run for which the fraction is chosen (leave-one-out).
    #[serde(default = "Scene::retained_fractions")]
    pub retained_fractions: Vec<f64>,
    /// Number of rocks in the forecast of each run, 2 or more. These rocks are different from the rocks by which the
    /// sets are compared.
    #[serde(default = "Scene::rocks")]
    pub rocks: u64,
    /// Height of the mass centre over the ground up to which drag acts (m), 0 or more.
    #[serde(default = "Scene::drag_height")]
    pub drag_height_m: f64,
    /// Time after which a rock counts as timed out (s), above 0.
    #[serde(default = "Scene::maximum_time")]
    pub maximum_time_s: f64,
    /// Longest time step in sustained contact (s), above 0 and up to 0.1. Unless stated, only the tolerance of the
    /// engine limits the step.
    pub contact_step_s: Option<f64>,
    /// Runout (m), 0 or more, below which a computed rock counts as not released. The rock then starts again in another
    /// attitude, because a campaign lists only rocks that left their release.
    #[serde(default)]
    pub minimum_runout_m: f64,
    /// Seed from which all random numbers follow, a whole number from 0; `--seed` replaces it.
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

/// Least and greatest value of each parameter. The default of each range holds for soil, meadow and talus.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prior {
    /// Mean normal restitution R_n, within 0 to 1; 0 to 0.4 unless stated.
    pub normal_restitution: Option<[f64; 2]>,
    /// Mean friction coefficient of a contact that has not slid, within 0.001 to 5; 0.2 to 0.8 unless stated.
    pub friction: Option<[f64; 2]>,
    /// Scarring: friction coefficient after long sliding less that of a contact that has not slid, within 0 to 5; 0 to
    /// 1.5 unless stated.
    pub scarring: Option<[f64; 2]>,
    /// Rate κ at which the friction grows with the slippage (1/m), within 0 to 100; 0.7 to 4 unless stated.
    pub scarring_growth_per_m: Option<[f64; 2]>,
    /// Standard deviation of the roughness angle (°), within 0 to 45; 0 to 15 unless stated.
    pub roughness_deg: Option<[f64; 2]>,
    /// Drag coefficient over mass near the ground (1/s), within 0 to 100; 0 to 0.9 unless stated.
    pub drag_per_s: Option<[f64; 2]>,
    /// Sharpness of the rocks, within 1.5 to 3, which is also the default. A box has a sharpness of 3, a cuboctahedron
    /// 2, and a truncated octahedron 1.5.
    pub sharpness: Option<[f64; 2]>,
    /// Yield pressure σ of ground that yields to impacts (kPa), within 0.001 to 1e9. The sets are spread evenly over
    /// its logarithm. Without this key the ground is rigid.
    pub yield_pressure_kpa: Option<[f64; 2]>,
    /// Density ρ of the soil that a rock throws aside (kg/m³), within 0 to 10,000; 1,000 to 2,200 unless stated. It
    /// goes with `yield_pressure_kpa`.
    pub ejected_density_kg_m3: Option<[f64; 2]>,
}
