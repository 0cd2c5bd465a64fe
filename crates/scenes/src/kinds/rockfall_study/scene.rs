//! The scene file of kind rockfall_study.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// A rockfall whose numbers are varied.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// A scene of kind `rockfall`, without `schema` and `kind`.
    pub scene: Value,
    /// The numbers that are varied.
    pub vary: Vec<Varied>,
    /// Rocks of each trial, taken evenly from those of the scene.
    #[serde(default = "Scene::rocks")]
    pub rocks: u64,
    /// What is asked.
    pub method: Method,
    /// Seed of the study; every trial has the seed of its scene, so that trials differ by their numbers alone.
    #[serde(default)]
    pub seed: u64,
}

impl Scene {
    fn rocks() -> u64 {
        200
    }
}

/// A number of the scene and its range.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Varied {
    /// Where it stands, as a JSON pointer: `/materials/0/friction`. A distribution there gives way to the number.
    pub key: String,
    /// Least value, in the unit of the key.
    pub lower: f64,
    /// Greatest value.
    pub upper: f64,
}

/// What is asked of the trials.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Method {
    /// Each number over its range, all others in the middle of theirs.
    OneAtATime {
        /// Values of each, 2 to 100.
        values: u32,
    },
    /// Elementary effects: Morris (1991), Technometrics 33, 161–174, with μ* of Campolongo, Cariboni and Saltelli
    /// (2007).
    Morris {
        /// Trajectories through the ranges, 2 to 1000.
        trajectories: u32,
    },
    /// Which numbers explain what was found: sets spread over the ranges, of which those are kept that forecast it
    /// best.
    BackAnalysis {
        /// Sets, 10 to 100000.
        sets: u32,
        /// Part of them that is kept.
        retained_fraction: f64,
        /// Distances in plan from release to rest that were found (m).
        #[serde(default)]
        runouts_m: Vec<f64>,
        /// Heights over the ground at collectors or barriers: dents, scars of trees.
        #[serde(default)]
        witnesses: Vec<Witness>,
    },
}

/// What a collector or a barrier would have seen.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// The collector or barrier of the scene.
    pub at: String,
    /// Heights of the mass centre over the ground that were found there (m).
    pub heights_m: Vec<f64>,
}
