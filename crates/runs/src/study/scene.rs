//! The scene of a study.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::common::distribution::Drawn;

/// The name of the kind.
pub const NAME: &str = "study";

/// A scene of kind `study`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The scene that is run again and again: of any kind but `study`, with its `kind`. Files that it names are looked
    /// for from the folder of the study.
    pub scene: Value,
    /// Keys of the scene and their values, 1 to 100. The last key varies fastest.
    pub over: Vec<Axis>,
    /// Further numbers of each run for the table: paths in its `result.json`, such as `energy_j.impacts`. A path to a
    /// list of numbers gives the rows of `lists.csv`.
    #[serde(default)]
    pub look_at: Vec<String>,
    /// Combinations of values that are run; `grid` unless stated.
    #[serde(default)]
    pub method: Method,
    /// Seed of the study, a whole number from 0, from which the values of distributions follow. Every run has the seed
    /// of `scene`. With the methods `sample` and `sobol`, `--seed` replaces the seed of the study; with the others, the
    /// seed of `scene`.
    #[serde(default)]
    pub seed: u64,
}

/// A key of the scene, and its values.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// Position of the value in the scene: keys and numbers of items (from 0) between points, for example
    /// `materials.0.friction`. Every part but the last must be in the scene.
    pub key: String,
    /// Further positions that take the same value.
    #[serde(default)]
    pub also: Vec<String>,
    /// Whether the values are factors by which the numbers in the scene are multiplied.
    #[serde(default)]
    pub as_factor: bool,
    /// Values of the key.
    #[serde(flatten)]
    pub values: Values,
}

impl Axis {
    /// The key as columns of tables name it.
    #[must_use]
    pub fn name(&self) -> String {
        match self.as_factor {
            true => format!("{} (factor)", self.key),
            false => self.key.clone(),
        }
    }
}

/// Values of a key.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Values {
    /// Values one by one: numbers, words, or anything else that the key can have.
    Values(Vec<Value>),
    /// Numbers in equal steps.
    Range {
        /// First number, below or above `to`.
        from: f64,
        /// Last number, below or above `from`.
        to: f64,
        /// Number of values, both ends included, 2 to 250,000.
        count: usize,
    },
    /// Numbers drawn from a distribution, for the methods `sample` and `sobol`.
    Distribution(Drawn),
    /// The files of a folder, in the order of their names: each file is a value, as its path.
    Files {
        /// Path of the folder, relative to the folder of the scene.
        folder: String,
        /// Ending of the names of the files, for example `.at2`; all files unless stated.
        #[serde(default)]
        ending: String,
    },
}

/// Combinations of values that a study runs.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Method {
    /// All combinations of the values.
    #[default]
    Grid,
    /// Each key takes its values in turn, while the other keys are as the scene states them.
    OneAtATime,
    /// The values of one key in their order, and then a bisection between the first two neighbouring values whose
    /// outcomes differ.
    Bisection(Bisection),
    /// Combinations drawn at random from the distributions of all keys, which are independent of each other.
    Sample {
        /// Number of runs, 2 to 250,000.
        runs: usize,
    },
    /// Sensitivity indices of first order and total indices (Sobol 2001), for the distributions of all keys. Estimators
    /// of Saltelli et al. (2010) and Jansen (1999) over random sets of values; intervals by bootstrap over the sets.
    Sobol {
        /// Number of sets n, 2 or more. Each set needs one run for each key and two more, up to 250,000 runs in all.
        sets: usize,
    },
}

/// What a bisection looks for.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bisection {
    /// Width at which the bisection ends, over the distance between the first and the last value of the key; 1e-12 to
    /// below 0.5.
    #[serde(default = "tolerance")]
    pub tolerance: f64,
    /// Path in `result.json` of the value that changes; the name of the outcome (`answer.outcome`) unless stated.
    #[serde(default = "outcome")]
    pub look_at: String,
    /// Threshold: the change is where the number, or the number of items of a list, comes above this value or falls to
    /// it. Unless stated, any change of the value counts.
    #[serde(default)]
    pub above: Option<f64>,
}

fn tolerance() -> f64 {
    1e-3
}

fn outcome() -> String {
    "answer.outcome".to_owned()
}
