//! What a study gives.

use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::rockfall::stations::StationRow;
use klast_runs::answer::Answer;
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;

/// The results of a scene of kind `rockfall_study`.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// Each outcome of each section: the rows of `sections.csv`.
    pub sections: Vec<SectionRow>,
    /// Results of all rocks at each station of each section: the rows of `stations.csv`.
    pub stations: Vec<SectionStation>,
    /// Elementary effect of each parameter on each outcome: the rows of `effects.csv`.
    pub effects: Vec<EffectRow>,
    /// Sets of a back analysis with their losses: the rows of `sets.csv`.
    pub sets: Vec<SetRow>,
    /// Quantiles of each parameter over the sets that a back analysis keeps: the rows of `found.csv`.
    pub found: Vec<FoundRow>,
}

/// Counts of the study.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Summary {
    /// `morris`, `back_analysis` or `sections`.
    pub method: &'static str,
    /// Number of trials of the study.
    pub trials: usize,
    /// Number of rocks of each trial.
    pub rocks: u64,
    /// Number of parameters that are varied.
    pub numbers: usize,
    /// Number of sets that a back analysis keeps.
    pub retained: usize,
}

/// An outcome of a section.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct SectionRow {
    /// Name of the section.
    pub section: String,
    /// The outcome, with its unit.
    pub outcome: String,
    /// Value of the outcome; null if no rock gives a value.
    pub found: Option<f64>,
}

/// Results of all rocks at one station of a section. Quantiles and maxima are null if no rock reaches the station.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct SectionStation {
    /// Name of the section.
    pub section: String,
    /// The station.
    #[serde(flatten)]
    pub station: StationRow,
}

/// Effect of a parameter on an outcome, over the whole range of the parameter.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct EffectRow {
    /// The outcome, with its unit.
    pub outcome: String,
    /// Key of the parameter.
    pub key: String,
    /// Mean of the effects without their signs, in the unit of the outcome. It measures the influence of the parameter.
    pub mean_absolute: f64,
    /// Mean of the effects with their signs, in the unit of the outcome.
    pub mean: f64,
    /// Standard deviation of the effects, in the unit of the outcome. It is large if the effects depend on the other
    /// parameters or on chance.
    pub standard_deviation: f64,
    /// Number of effects over which the mean is taken.
    pub effects: usize,
    /// Largest value of the outcome in all trials, by which outcomes of different units are compared.
    #[serde(skip)]
    pub largest: f64,
}

/// One parameter of one set of a back analysis.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct SetRow {
    /// Number of the set, from 0.
    pub set: usize,
    /// Key of the parameter.
    pub key: String,
    /// Value of the parameter.
    pub value: f64,
    /// Mean loss of the set over the observations.
    pub loss: f64,
    /// 1 if the set is kept, or 0.
    pub retained: u8,
}

/// Result of a back analysis for a parameter.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct FoundRow {
    /// Key of the parameter.
    pub key: String,
    /// Lower end of the range of the parameter.
    pub lower: f64,
    /// Upper end of the range of the parameter.
    pub upper: f64,
    /// 5 % quantile of the parameter over the kept sets.
    pub q05: f64,
    /// Median of the parameter over the kept sets.
    pub median: f64,
    /// 95 % quantile of the parameter over the kept sets.
    pub q95: f64,
    /// Distance from the 5 % to the 95 % quantile, over the same distance for a uniform distribution over the whole
    /// range. If it is near 1, the observations do not determine the parameter.
    pub open: f64,
}

impl Results {
    /// What a back analysis finds, in words.
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        let of = |f: &FoundRow| {
            let told = match f.open > 0.8 {
                true => " (the observations hardly determine it)",
                false => "",
            };
            format!(
                "{} {:.3} ({:.3} to {:.3}){told}",
                f.key, f.median, f.q05, f.q95
            )
        };
        let found: Vec<String> = self.found.iter().map(of).collect();
        (!found.is_empty()).then(|| {
            format!(
                "The {} of {} sets that agree best with the observations have these values, each as the median and the range from 5 to 95 %: {}.",
                self.summary.retained,
                self.summary.trials,
                found.join(", ")
            )
        })
    }
}

impl KindResults for Results {
    type Summary = Summary;

    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn verdict(&self) -> Answer {
        self.answer()
    }

    fn write_tables(&self, files: &mut dyn Files) -> Result<()> {
        match self.summary.method {
            "morris" => files.table("effects.csv", &self.effects),
            "sections" => {
                files.table("sections.csv", &self.sections)?;
                files.table("stations.csv", &self.stations)
            }
            _ => {
                files.table("sets.csv", &self.sets)?;
                files.table("found.csv", &self.found)
            }
        }
    }
}
