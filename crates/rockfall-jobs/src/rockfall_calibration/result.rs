//! What a calibration gives: forecasts of every run beside null models.

use klast_rockfall::calibrate::{GroundSet, ParameterSet, Prior, Rest};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::rockfall::posterior;
use klast_runs::answer::Answer;
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::fit::{HeldOut, Parameter};
use klast_runs::results::KindResults;
use klast_runs::table::Columns;

/// What forecasts a run, or any new run.
pub struct Chosen {
    /// The sets that are retained, the best first.
    pub kept: Vec<usize>,
    /// Factor on their runouts.
    pub correction: f64,
}

/// The sets that were tried.
pub struct Tried<'a> {
    /// Ranges over which they are spread.
    pub prior: &'a Prior,
    /// The sets.
    pub sets: &'a [ParameterSet],
    /// Their loss on each run (m).
    pub losses: &'a [Vec<f64>],
    /// Names of the classes of rock; empty where there are none.
    pub classes: &'a [String],
}

/// The rocks of a run by sets that have not seen it.
pub struct Forecast {
    /// As they came to rest.
    pub rests: Vec<Rest>,
    /// The factor on their runouts that the other runs ask for.
    pub correction: f64,
}

/// The results of a scene of kind `rockfall_calibration`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// Forecast of each run and its scores: the rows of `runs.csv` and `runs.json`.
    pub runs: Vec<Line>,
    /// Sets of ground parameters and their losses: the rows of `sets.csv`.
    pub sets: Vec<SetRow>,
    /// Results for each class of rock: the rows of `classes.csv`. The file exists only if the table `blocks` of the
    /// scene has classes.
    pub classes: Vec<ClassRow>,
    /// Places of rest of the forecast rocks: the rows of `forecasts.csv`.
    pub forecasts: Vec<ForecastRow>,
    /// `posterior.json`: the sets that are kept with all runs. A scene of kind `rockfall` takes this file as its
    /// ground.
    #[serde(skip)]
    pub posterior: posterior::File,
}

/// One observed run and its forecast. The forecast uses sets that were chosen without this run, and the forecast
/// runouts are multiplied by `correction`. Every CRPS and energy score is the fair one, over pairs of different members
/// (Ferro 2014): a forecast of hundreds of rocks and a null model of a few runs are then comparable.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Line {
    /// Name of the run.
    pub run: String,
    /// Observed runout in plan (m).
    pub observed_runout_m: f64,
    /// 5 % quantile of the forecast runout (m).
    pub runout_05_m: f64,
    /// Median of the forecast runout (m).
    pub runout_50_m: f64,
    /// 95 % quantile of the forecast runout (m).
    pub runout_95_m: f64,
    /// Whether the observed runout lies in the central 90 % of the forecast.
    pub inside_90: bool,
    /// Fraction of the forecast runouts that are below the observed runout, 0 to 1.
    pub share_below_observed: f64,
    /// CRPS of the forecast runout (m).
    pub crps_m: f64,
    /// Difference between the median of the forecast runout and the observed runout, without its sign (m).
    pub median_error_m: f64,
    /// Mean distance in plan of the forecast places of rest from the observed place (m).
    pub plan_error_m: f64,
    /// Distance in plan of the median place of the forecast from the observed place (m).
    pub plan_error_of_median_m: f64,
    /// Energy score of the places of rest in plan (m).
    pub energy_score_m: f64,
    /// CRPS of the null distribution (the other runs' runouts) (m).
    pub null_crps_m: f64,
    /// Mean distance in plan of the null distribution (the other runs' runouts) from the observed place of rest (m).
    pub null_plan_error_m: f64,
    /// Distance in plan of the median place of the null distribution (the other runs' runouts) from the observed place
    /// of rest (m).
    pub null_plan_error_of_median_m: f64,
    /// Energy score in plan of the null distribution (the other runs' runouts) (m).
    pub null_energy_score_m: f64,
    /// CRPS of the null median (the median of the other runs' runouts) (m).
    pub median_null_crps_m: f64,
    /// Distance in plan of the null median (the median of the other runs' runouts) from the observed place of rest (m).
    pub median_null_plan_error_m: f64,
    /// Energy score in plan of the null median (the median of the other runs' runouts) (m).
    pub median_null_energy_score_m: f64,
    /// CRPS of the null distribution of the same rock (the runouts of its other runs) (m).
    pub rock_null_crps_m: f64,
    /// Energy score in plan of the null distribution of the same rock (the runouts of its other runs) (m).
    pub rock_null_energy_score_m: f64,
    /// CRPS of the null median of the same rock (the median runout of its other runs) (m).
    pub rock_median_null_crps_m: f64,
    /// Energy score in plan of the null median of the same rock (the median runout of its other runs) (m).
    pub rock_median_null_energy_score_m: f64,
    /// Fraction of the rocks that came to rest.
    pub stopped_share: f64,
    /// Fraction of the rocks that left the map.
    pub left_map_share: f64,
    /// Number of rocks that did not leave their release in any of twenty attitudes.
    pub did_not_leave: usize,
    /// Factor ρ by which the forecast runouts are multiplied. It follows from the other runs.
    pub correction: f64,
}

/// Mean scores of the forecasts over all runs.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Means {
    /// CRPS of the runout, mean over the runs (m).
    pub mean_crps_m: f64,
    /// Error of the median of the forecast runout, mean over the runs (m).
    pub mean_median_error_m: f64,
    /// Mean distance in plan of the forecast places of rest from the observed place, mean over the runs (m).
    pub mean_plan_error_m: f64,
    /// Distance in plan of the median place of the forecast from the observed place, mean over the runs (m).
    pub mean_plan_error_of_median_m: f64,
    /// Energy score in plan, mean over the runs (m).
    pub mean_energy_score_m: f64,
    /// Runs whose observed runout lies in the central 90 % of their forecast.
    pub observed_inside_90: usize,
    /// Kolmogorov–Smirnov distance between the distribution of `share_below_observed` over the runs and the uniform
    /// distribution.
    pub ks_of_shares_below: f64,
    /// Kolmogorov–Smirnov distance between the distribution of all forecast runouts and that of the observed runouts.
    pub ks_of_pooled_runouts: f64,
    /// Mean of all forecast runouts (m).
    pub mean_forecast_runout_m: f64,
}

/// Scores of the forecasts with and without the correction, and of the null models. Every CRPS and energy score is the
/// fair one, over pairs of different members (Ferro 2014).
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Summary {
    /// Number of runs.
    pub runs: usize,
    /// Rocks of the forecast of each run.
    pub rocks_per_run: usize,
    /// Number of sets of ground parameters that were compared.
    pub sets: usize,
    /// Number of sets that are kept for a forecast.
    pub sets_kept: usize,
    /// Factor ρ by which the observed runouts differ from those of the sets that are kept if all runs are used: median
    /// of observed over forecast runouts. A forecast on another slope does not apply it.
    pub correction: f64,
    /// Parameters of the set that is best on all runs, with confidence intervals from the scatter between runs.
    pub parameters: Vec<Fitted>,
    /// The forecasts, each by sets that have not seen its run, beside the null model that is best on these runs; the
    /// losses are the CRPS of the runout (m).
    pub held_out: HeldOut,
    /// Scores of the forecasts.
    #[serde(flatten)]
    pub forecast: Means,
    /// Scores of the forecasts without the correction.
    pub uncorrected: Means,
    /// CRPS of the null distribution (the other runs' runouts), mean over the runs (m).
    pub null_distribution_mean_crps_m: f64,
    /// Mean distance in plan of the null distribution (the other runs' runouts) from the observed place of rest, mean
    /// over the runs (m).
    pub null_distribution_mean_plan_error_m: f64,
    /// Distance in plan of the median place of the null distribution (the other runs' runouts) from the observed place
    /// of rest, mean over the runs (m).
    pub null_distribution_mean_plan_error_of_median_m: f64,
    /// Energy score in plan of the null distribution (the other runs' runouts), mean over the runs (m).
    pub null_distribution_mean_energy_score_m: f64,
    /// CRPS of the null median (the median of the other runs' runouts), mean over the runs (m).
    pub null_median_mean_crps_m: f64,
    /// Distance in plan of the null median (the median of the other runs' runouts) from the observed place of rest,
    /// mean over the runs (m).
    pub null_median_mean_plan_error_m: f64,
    /// Energy score in plan of the null median (the median of the other runs' runouts), mean over the runs (m).
    pub null_median_mean_energy_score_m: f64,
    /// CRPS of the null distribution of the same rock (the runouts of its other runs), mean over the runs (m).
    pub null_rock_distribution_mean_crps_m: f64,
    /// Energy score in plan of the null distribution of the same rock (the runouts of its other runs), mean over the
    /// runs (m).
    pub null_rock_distribution_mean_energy_score_m: f64,
    /// CRPS of the null median of the same rock (the median runout of its other runs), mean over the runs (m).
    pub null_rock_median_mean_crps_m: f64,
    /// Energy score in plan of the null median of the same rock (the median runout of its other runs), mean over the
    /// runs (m).
    pub null_rock_median_mean_energy_score_m: f64,
    /// Number of rocks of all forecasts that did not leave their release in any of twenty attitudes.
    pub did_not_leave: usize,
    /// Critical value of the Kolmogorov–Smirnov distance between forecast and observed runouts: chance alone exceeds it
    /// in 5 % of cases.
    pub ks_critical_5_percent: f64,
    /// Mean of the observed runouts (m).
    pub mean_observed_runout_m: f64,
}

/// A fitted parameter of the ground or of a class of rock.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Fitted {
    /// Name of the parameter, as the column of `sets.csv`.
    pub parameter: String,
    /// What was found of it.
    #[serde(flatten)]
    pub found: Parameter,
}

/// A set of ground parameters and its mean loss over the observed runs.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct SetRow {
    /// Number of the set, from 0.
    pub set: usize,
    /// Its parameters.
    #[serde(flatten)]
    pub parameters: Columns,
    /// Loss of the set, mean over the runs (m). The loss of a run is the CRPS of the runout plus the mean distance in
    /// plan of the computed places of rest from the observed place.
    pub mean_loss_m: f64,
    /// 1 if the set is retained to forecast a new run, or 0.
    pub retained: u8,
}

/// A class of rock: its drag and its sharpness over the sets that are kept for a new forecast, and the scores of its
/// runs.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct ClassRow {
    /// Name of the class.
    pub class: String,
    /// Number of runs of the class.
    pub runs: usize,
    /// Drag coefficient over mass (1/s): 5 % quantile over the sets.
    pub drag_05_per_s: f64,
    /// Drag coefficient over mass (1/s): median over the sets.
    pub drag_50_per_s: f64,
    /// Drag coefficient over mass (1/s): 95 % quantile over the sets.
    pub drag_95_per_s: f64,
    /// Sharpness: 5 % quantile over the sets.
    pub sharpness_05: f64,
    /// Sharpness: median over the sets.
    pub sharpness_50: f64,
    /// Sharpness: 95 % quantile over the sets.
    pub sharpness_95: f64,
    /// CRPS of the runout, mean over the runs of the class (m).
    pub mean_crps_m: Option<f64>,
    /// Runs whose observed runout lies in the central 90 % of their forecast.
    pub observed_inside_90: usize,
}

/// Place of rest of a forecast rock, with the correction of the runout.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct ForecastRow {
    /// Name of the run.
    pub run: String,
    /// Number of the rock, counted from 0.
    pub rock: usize,
    /// Place of rest in map coordinates, x (m).
    pub x_m: f64,
    /// Place of rest in map coordinates, y (m).
    pub y_m: f64,
    /// Runout (m).
    pub runout_m: f64,
    /// Runout without the correction (m).
    pub uncorrected_runout_m: f64,
    /// Outcome of the rock.
    pub outcome: &'static str,
}

impl Results {
    /// Runs of which no rock left its release.
    #[must_use]
    pub fn did_not_leave(&self) -> Vec<&str> {
        let stayed = |l: &&Line| l.did_not_leave == self.summary.rocks_per_run;
        self.runs
            .iter()
            .filter(stayed)
            .map(|l| l.run.as_str())
            .collect()
    }

    /// Warnings of classes of which no run was observed.
    #[must_use]
    pub fn unseen_classes(&self) -> Vec<String> {
        let unseen = self.classes.iter().filter(|c| c.runs == 0);
        unseen
            .map(|c| {
                format!(
                    "class '{}' has no run: its drag and sharpness stay as the prior has them",
                    c.class
                )
            })
            .collect()
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
        let names = GroundSet::NAMES.iter().map(|&name| (name, 0.0));
        let like = SetRow {
            parameters: Columns::of(names),
            ..SetRow::default()
        };
        files.table_like("sets.csv", &like, &self.sets)?;
        files.table("forecasts.csv", &self.forecasts)?;
        if !self.classes.is_empty() {
            files.table("classes.csv", &self.classes)?;
        }
        files.json("posterior.json", &self.posterior)?;
        files.json("runs.json", &self.runs)?;
        files.table("runs.csv", &self.runs)
    }
}
