//! Every run judged by its forecast and beside null models, and the means over the runs.

use glam::DVec2;
use klast_rockfall::Outcome;
use klast_rockfall::calibrate::{
    Campaign, GroundSet, NullModel, ObservedRun, ParameterSet, Rest, Score, Yielding,
};
use klast_rockfall::score::{
    kolmogorov_smirnov, kolmogorov_smirnov_critical, kolmogorov_smirnov_uniform, quantile,
};
use klast_runs::error::{Context as _, Result};

use super::result::{
    Chosen, ClassRow, Fitted, Forecast, ForecastRow, Line, Means, Results, SetRow, Summary, Tried,
};
use crate::rockfall::posterior;
use klast_runs::fit::of_candidates;
use klast_runs::table::Columns;

impl Results {
    /// The results of all forecasts.
    ///
    /// # Errors
    /// A run without a rock to judge by.
    pub fn of(
        campaign: &Campaign,
        tried: &Tried,
        calibrated: &Chosen,
        forecasts: &[Forecast],
    ) -> Result<Self> {
        let runs = lines(campaign, forecasts, |f| f.correction)?;
        let Tried { sets, classes, .. } = *tried;
        let kept = calibrated.kept.iter().filter_map(|k| sets.get(*k).cloned());
        let kept: Vec<ParameterSet> = kept.collect();
        let counts = (campaign.runs.len(), sets.len());
        let (height, correction) = (campaign.drag_height, calibrated.correction);
        let mut summary = summary(campaign, &runs, forecasts, sets.len(), calibrated)?;
        summary.parameters = fitted(tried, campaign.seed)?;
        let mut results = Self {
            posterior: posterior::File::of(&kept, classes, counts, height, correction),
            summary,
            sets: set_rows(tried, &calibrated.kept),
            classes: class_rows(campaign, classes, &kept, &runs),
            forecasts: forecast_rows(campaign, forecasts),
            runs,
        };
        results.posterior.verdict = Some(results.for_a_forecast());
        Ok(results)
    }
}

/// Every run judged by its forecast, the runouts times a factor.
fn lines(
    campaign: &Campaign,
    forecasts: &[Forecast],
    factor: impl Fn(&Forecast) -> f64,
) -> Result<Vec<Line>> {
    let each = forecasts.iter().enumerate();
    each.map(|(run, forecast)| line(campaign, run, forecast, factor(forecast)))
        .collect()
}

fn line(campaign: &Campaign, k: usize, forecast: &Forecast, factor: f64) -> Result<Line> {
    let none = "no rock to judge by";
    let run: &ObservedRun = campaign.runs.get(k).context(none)?;
    let rests = &forecast.rests;
    let places = rests.iter().map(|r| run.corrected(r.place, factor));
    let places: Vec<DVec2> = places.collect();
    let score = Score::of(&places, run).context(none)?;
    // Scores over pairs of different members need two. A single place is a certainty: the same place twice, whose
    // score is its error. Forecast and null models have different numbers of members, so no other pairs are fair.
    let null = |model: NullModel| {
        let mut places = model.places(&campaign.runs, k);
        if let [single] = places[..] {
            places.push(single);
        }
        Score::of(&places, run).context(none)
    };
    let (all, median) = (null(NullModel::Distribution)?, null(NullModel::Median)?);
    let (rock, rock_median) = (null(NullModel::OfRock)?, null(NullModel::MedianOfRock)?);
    let count = |is: &dyn Fn(&Rest) -> bool| rests.iter().filter(|r| is(r)).count();
    let share = |is: &dyn Fn(&Rest) -> bool| count(is) as f64 / rests.len().max(1) as f64;
    let observed = run.runout();
    let [low, middle, high] = score.runout;
    Ok(Line {
        run: run.name.clone(),
        observed_runout_m: observed,
        runout_05_m: low,
        runout_50_m: middle,
        runout_95_m: high,
        inside_90: score.inside,
        share_below_observed: score.transform,
        crps_m: score.fair_crps,
        median_error_m: (middle - observed).abs(),
        plan_error_m: score.plan,
        plan_error_of_median_m: score.plan_of_median,
        energy_score_m: score.fair_energy,
        null_crps_m: all.fair_crps,
        null_plan_error_m: all.plan,
        null_plan_error_of_median_m: all.plan_of_median,
        null_energy_score_m: all.fair_energy,
        median_null_crps_m: median.fair_crps,
        median_null_plan_error_m: median.plan,
        median_null_energy_score_m: median.fair_energy,
        rock_null_crps_m: rock.fair_crps,
        rock_null_energy_score_m: rock.fair_energy,
        rock_median_null_crps_m: rock_median.fair_crps,
        rock_median_null_energy_score_m: rock_median.fair_energy,
        stopped_share: share(&|r| r.left && r.outcome == Outcome::Stopped),
        left_map_share: share(&|r| r.outcome == Outcome::LeftMap),
        did_not_leave: count(&|r| !r.left),
        correction: factor,
    })
}

/// The numbers of all runs.
fn summary(
    campaign: &Campaign,
    judged: &[Line],
    forecasts: &[Forecast],
    sets: usize,
    calibrated: &Chosen,
) -> Result<Summary> {
    let mean = |f: fn(&Line) -> f64| mean(judged, f);
    let rocks = forecasts.iter().map(|f| f.rests.len());
    Ok(Summary {
        runs: judged.len(),
        rocks_per_run: forecasts.first().map_or(0, |f| f.rests.len()),
        sets,
        sets_kept: calibrated.kept.len(),
        correction: calibrated.correction,
        parameters: Vec::new(),
        held_out: Results::beside_null(judged),
        forecast: means(campaign, judged, forecasts)?,
        uncorrected: means(campaign, &lines(campaign, forecasts, |_| 1.0)?, forecasts)?,
        null_distribution_mean_crps_m: mean(|l| l.null_crps_m),
        null_distribution_mean_plan_error_m: mean(|l| l.null_plan_error_m),
        null_distribution_mean_plan_error_of_median_m: mean(|l| l.null_plan_error_of_median_m),
        null_distribution_mean_energy_score_m: mean(|l| l.null_energy_score_m),
        null_median_mean_crps_m: mean(|l| l.median_null_crps_m),
        null_median_mean_plan_error_m: mean(|l| l.median_null_plan_error_m),
        null_median_mean_energy_score_m: mean(|l| l.median_null_energy_score_m),
        null_rock_distribution_mean_crps_m: mean(|l| l.rock_null_crps_m),
        null_rock_distribution_mean_energy_score_m: mean(|l| l.rock_null_energy_score_m),
        null_rock_median_mean_crps_m: mean(|l| l.rock_median_null_crps_m),
        null_rock_median_mean_energy_score_m: mean(|l| l.rock_median_null_energy_score_m),
        did_not_leave: judged.iter().map(|l| l.did_not_leave).sum(),
        ks_critical_5_percent: kolmogorov_smirnov_critical(0.05, rocks.sum(), judged.len()),
        mean_observed_runout_m: mean(|l| l.observed_runout_m),
    })
}

fn mean(lines: &[Line], f: impl Fn(&Line) -> f64) -> f64 {
    lines.iter().map(f).sum::<f64>() / lines.len() as f64
}

/// What is asked of forecasts with the corrections of their lines.
fn means(campaign: &Campaign, lines: &[Line], forecasts: &[Forecast]) -> Result<Means> {
    let observed: Vec<f64> = lines.iter().map(|l| l.observed_runout_m).collect();
    let shares: Vec<f64> = lines.iter().map(|l| l.share_below_observed).collect();
    let pooled: Vec<f64> = forecasts
        .iter()
        .zip(&campaign.runs)
        .zip(lines)
        .flat_map(|((forecast, run), line)| {
            let rests = forecast.rests.iter();
            rests.map(move |r| {
                run.corrected(r.place, line.correction)
                    .distance(run.release)
            })
        })
        .collect();
    Ok(Means {
        mean_crps_m: mean(lines, |l| l.crps_m),
        mean_median_error_m: mean(lines, |l| l.median_error_m),
        mean_plan_error_m: mean(lines, |l| l.plan_error_m),
        mean_plan_error_of_median_m: mean(lines, |l| l.plan_error_of_median_m),
        mean_energy_score_m: mean(lines, |l| l.energy_score_m),
        observed_inside_90: lines.iter().filter(|l| l.inside_90).count(),
        ks_of_shares_below: kolmogorov_smirnov_uniform(&shares).context("no runs")?,
        ks_of_pooled_runouts: kolmogorov_smirnov(&pooled, &observed).context("no runs")?,
        mean_forecast_runout_m: pooled.iter().sum::<f64>() / pooled.len() as f64,
    })
}

/// The rocks of the forecasts where the correction puts them, and how far they ran.
fn forecast_rows(campaign: &Campaign, forecasts: &[Forecast]) -> Vec<ForecastRow> {
    let origin = campaign.terrain.origin().truncate();
    let each = forecasts.iter().zip(&campaign.runs);
    each.flat_map(|(forecast, run)| {
        let rests = forecast.rests.iter().enumerate();
        rests.map(move |(rock, rest)| {
            let place = run.corrected(rest.place, forecast.correction);
            let map = origin + place;
            ForecastRow {
                run: run.name.clone(),
                rock,
                x_m: millimetres(map.x),
                y_m: millimetres(map.y),
                runout_m: millimetres(place.distance(run.release)),
                uncorrected_runout_m: millimetres(rest.place.distance(run.release)),
                outcome: name(rest),
            }
        })
    })
    .collect()
}

/// Rounded to a millimetre.
fn millimetres(x: f64) -> f64 {
    (1e3 * x).round() / 1e3
}

fn name(rest: &Rest) -> &'static str {
    match rest.outcome {
        _ if !rest.left => "did_not_leave",
        Outcome::Stopped => "stopped",
        Outcome::LeftMap => "left_map",
        Outcome::TimedOut => "timed_out",
        Outcome::Unresolved => "unresolved",
        Outcome::Caught { .. } => "caught",
    }
}

fn set_rows(tried: &Tried, retained: &[usize]) -> Vec<SetRow> {
    let row = |(set, (set_of, loss)): (usize, (&ParameterSet, &Vec<f64>))| SetRow {
        set,
        parameters: Columns::of(parameters(set_of, tried.classes)),
        mean_loss_m: loss.iter().sum::<f64>() / loss.len() as f64,
        retained: u8::from(retained.contains(&set)),
    };
    tried
        .sets
        .iter()
        .zip(tried.losses)
        .enumerate()
        .map(row)
        .collect()
}

/// The parameters of the ground, then drag and sharpness, of each class where there are classes; and how the ground
/// yields, where it does.
fn parameters(set: &ParameterSet, classes: &[String]) -> Vec<(String, f64)> {
    let named = |class: usize| {
        let values = set.of_class(class).map(|own| own.values());
        GroundSet::NAMES
            .into_iter()
            .zip(values.into_iter().flatten())
    };
    let ground = named(0).take(if classes.is_empty() {
        usize::MAX
    } else {
        SHARED
    });
    let ground = ground.map(|(name, v)| (name.to_owned(), v));
    let own = classes.iter().enumerate().flat_map(|(k, class)| {
        let own = named(k).skip(SHARED);
        own.map(move |(name, v)| (format!("{class}_{name}"), v))
    });
    let soft = set.of_class(0).and_then(|own| own.yielding);
    let soft = soft.into_iter().flat_map(|own| {
        let values = Yielding::NAMES.into_iter().zip(own.values());
        values.map(|(name, v)| (name.to_owned(), v))
    });
    ground.chain(own).chain(soft).collect()
}

/// What the runs say of each parameter.
fn fitted(tried: &Tried, seed: u64) -> Result<Vec<Fitted>> {
    let sets = tried.sets.iter().map(|set| parameters(set, tried.classes));
    let sets: Vec<Vec<(String, f64)>> = sets.collect();
    let (lower, upper) = (tried.prior.lower.values(), tried.prior.upper.values());
    let ends: Vec<[f64; 2]> = lower.into_iter().zip(upper).map(|(a, b)| [a, b]).collect();
    let (ground, of_class) = ends.split_at(SHARED);
    let classes = tried.classes.len().max(1);
    let soft = tried.prior.lower.yielding.zip(tried.prior.upper.yielding);
    let soft = soft.map_or(Vec::new(), |(a, b)| {
        let pairs = a.values().into_iter().zip(b.values());
        pairs.map(|(a, b)| [a, b]).collect()
    });
    let ranges = [ground, &of_class.repeat(classes), &soft].concat();
    let values = sets.iter().map(|set| set.iter().map(|(_, v)| *v).collect());
    let values: Vec<Vec<f64>> = values.collect();
    let found = of_candidates(&values, tried.losses, &ranges, (RESAMPLES, seed))?;
    let names = sets.into_iter().next().unwrap_or_default();
    let pairs = names.into_iter().zip(found);
    Ok(pairs
        .map(|((parameter, _), found)| Fitted { parameter, found })
        .collect())
}

/// Resamples of the runs for the intervals of parameters.
const RESAMPLES: usize = 1000;

/// Parameters that all classes share, the first of [`GroundSet::NAMES`].
const SHARED: usize = 5;

/// What the sets that are kept say of each class, and how its runs are forecast.
fn class_rows(
    campaign: &Campaign,
    classes: &[String],
    kept: &[ParameterSet],
    lines: &[Line],
) -> Vec<ClassRow> {
    let row = |(class, name): (usize, &String)| {
        let own: Vec<GroundSet> = kept.iter().filter_map(|s| s.of_class(class)).collect();
        let quantiles = |of: fn(&GroundSet) -> f64| {
            let values: Vec<f64> = own.iter().map(of).collect();
            [0.05, 0.5, 0.95].map(|p| quantile(&values, p).unwrap_or(f64::NAN))
        };
        let is_of_class = |run: &ObservedRun| {
            let rock = campaign.rocks.get(run.rock);
            rock.is_some_and(|rock| rock.class == class)
        };
        let pairs = campaign.runs.iter().zip(lines);
        let lines: Vec<Line> = pairs
            .filter(|(run, _)| is_of_class(run))
            .map(|(_, line)| line.clone())
            .collect();
        let [drag_05_per_s, drag_50_per_s, drag_95_per_s] = quantiles(|s| s.drag);
        let [sharpness_05, sharpness_50, sharpness_95] = quantiles(|s| s.sharpness);
        ClassRow {
            class: name.clone(),
            runs: lines.len(),
            drag_05_per_s,
            drag_50_per_s,
            drag_95_per_s,
            sharpness_05,
            sharpness_50,
            sharpness_95,
            mean_crps_m: Some(mean(&lines, |l| l.crps_m)).filter(|m| m.is_finite()),
            observed_inside_90: lines.iter().filter(|l| l.inside_90).count(),
        }
    };
    classes.iter().enumerate().map(row).collect()
}
