//! The scene file of kind rockfall_study.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// A rockfall whose parameters are varied.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// A scene of kind `rockfall`, without `schema` and `kind`.
    pub scene: Value,
    /// Parameters that are varied: at least one, but none with the method `sections`.
    #[serde(default)]
    pub vary: Vec<Varied>,
    /// Number of rocks of each trial, 2 to 1,000,000, taken at equal intervals from the rocks of the scene. It is 200
    /// unless stated; with the method `sections`, each trial has all rocks of the scene.
    pub rocks: Option<u64>,
    /// Method of the study.
    pub method: Method,
    /// Seed of the study, from which the values of the varied parameters follow: a whole number from 0. Every trial has
    /// the seed of `scene`, so that trials differ only by the varied parameters. The method `sections` does not use the
    /// seed of the study; with this method, `--seed` replaces the seed of `scene`.
    #[serde(default)]
    pub seed: u64,
}

/// A parameter of the scene and its range.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Varied {
    /// Position of the parameter in `scene` as a JSON pointer, for example `/materials/0/friction`. If a distribution
    /// is at this position, a number replaces it.
    pub key: String,
    /// Least value, in the unit of the key, below `upper`.
    pub lower: f64,
    /// Greatest value, in the unit of the key, above `lower`.
    pub upper: f64,
}

/// Method of a study.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Method {
    /// Elementary effects: Morris (1991), Technometrics 33, 161–174, with μ* of Campolongo, Cariboni and Saltelli
    /// (2007).
    Morris {
        /// Number of series of trials, 2 to 1,000. In a series, one parameter after the other is changed once.
        trajectories: u32,
    },
    /// The same rockfall on sections along other lines of its raster.
    Sections {
        /// Lines of the sections. The terrain of the scene must be a `section`; each of these lines in turn replaces
        /// its line.
        lines: Vec<Line>,
    },
    /// Search for the parameters that explain the observations. Sets of parameters are spread over the ranges, and the
    /// sets that forecast the observations best are kept.
    BackAnalysis {
        /// Number of sets, 10 to 100,000.
        sets: u32,
        /// Fraction of the sets that is kept, above 0 and up to 1.
        retained_fraction: f64,
        /// Observed runouts (m), 0 or more each: distances in plan from release to rest.
        #[serde(default)]
        runouts_m: Vec<f64>,
        /// Observed heights over the ground at collectors or barriers, such as those of dents or of scars on trees.
        #[serde(default)]
        witnesses: Vec<Witness>,
    },
}

/// Line of a section on the raster.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Name of the section, for tables.
    pub name: String,
    /// Points of the line in map coordinates (m).
    pub line_m: Vec<[f64; 2]>,
}

/// Heights that were observed at a collector or a barrier.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// Name of a collector or barrier of `scene`.
    pub at: String,
    /// Observed heights of the mass centre of rocks over the ground (m), 0 or more each.
    pub heights_m: Vec<f64>,
}
