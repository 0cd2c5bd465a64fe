//! Tables and the picture of a calibration.

use anyhow::{Context as _, Result};
use glam::DVec2;
use klast_plot::{Axis, LineChart, Series};
use klast_rockfall::Outcome;
use klast_rockfall::calibrate::{Campaign, GroundSet, NullModel, ObservedRun, Score};
use klast_rockfall::score::{
    kolmogorov_smirnov, kolmogorov_smirnov_critical, kolmogorov_smirnov_uniform,
};
use serde::Serialize;

use super::job::{Chosen, Forecast};
use crate::session::Session;

/// One run and its forecast by sets that have not seen it, its runouts times `correction`.
#[derive(Debug, Serialize)]
struct Line {
    run: String,
    observed_runout_m: f64,
    runout_05_m: f64,
    runout_50_m: f64,
    runout_95_m: f64,
    inside_90: bool,
    share_below_observed: f64,
    crps_m: f64,
    median_error_m: f64,
    plan_error_m: f64,
    plan_error_of_median_m: f64,
    energy_score_m: f64,
    null_crps_m: f64,
    null_plan_error_m: f64,
    null_plan_error_of_median_m: f64,
    null_energy_score_m: f64,
    median_null_crps_m: f64,
    median_null_plan_error_m: f64,
    median_null_energy_score_m: f64,
    stopped_share: f64,
    left_map_share: f64,
    correction: f64,
}

/// What a forecast is asked, over the runs.
#[derive(Debug, Serialize)]
struct Means {
    mean_crps_m: f64,
    mean_median_error_m: f64,
    mean_plan_error_m: f64,
    mean_plan_error_of_median_m: f64,
    mean_energy_score_m: f64,
    observed_inside_90: usize,
    ks_of_shares_below: f64,
    ks_of_pooled_runouts: f64,
    mean_forecast_runout_m: f64,
}

/// The forecasts, what they would be without the correction, and the null models.
#[derive(Debug, Serialize)]
struct Summary {
    runs: usize,
    rocks_per_run: usize,
    sets: usize,
    sets_kept: usize,
    /// The factor that the sets of all runs come with.
    correction: f64,
    #[serde(flatten)]
    forecast: Means,
    uncorrected: Means,
    null_distribution_mean_crps_m: f64,
    null_distribution_mean_plan_error_m: f64,
    null_distribution_mean_plan_error_of_median_m: f64,
    null_distribution_mean_energy_score_m: f64,
    null_median_mean_crps_m: f64,
    null_median_mean_plan_error_m: f64,
    null_median_mean_energy_score_m: f64,
    ks_critical_5_percent: f64,
    mean_observed_runout_m: f64,
}

pub fn write(
    campaign: &Campaign,
    sets: &[GroundSet],
    losses: &[Vec<f64>],
    calibrated: &Chosen,
    forecasts: &[Forecast],
    session: &mut Session,
) -> Result<()> {
    let lines = lines(campaign, forecasts, |f| f.correction)?;
    let summary = summary(campaign, &lines, forecasts, sets.len(), calibrated)?;
    write_sets(sets, losses, &calibrated.kept, session)?;
    write_forecasts(campaign, forecasts, session)?;
    session.output.json("runs.json", &lines)?;
    write_lines(&lines, session)?;
    session.picture(
        "runouts.svg",
        &picture(&lines)?,
        "Observed runouts, and what the other runs forecast",
    )?;
    session.result(serde_json::to_value(&summary)?)?;
    session.count("runs", lines.len());
    session.count("rocks_per_run", summary.rocks_per_run);
    if !session.options.json && !session.options.quiet {
        crate::output::say(serde_json::to_string_pretty(&summary)?)?;
    }
    Ok(())
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

/// The rocks of the forecasts where the correction puts them, and how far they ran.
fn write_forecasts(
    campaign: &Campaign,
    forecasts: &[Forecast],
    session: &mut Session,
) -> Result<()> {
    let header = [
        "run",
        "rock",
        "x_m",
        "y_m",
        "runout_m",
        "uncorrected_runout_m",
        "outcome",
    ];
    let origin = campaign.terrain.origin().truncate();
    let rows = forecasts
        .iter()
        .zip(&campaign.runs)
        .flat_map(|(forecast, run)| {
            let rests = forecast.rests.iter().enumerate();
            rests.map(move |(k, (rest, outcome))| {
                let place = run.corrected(*rest, forecast.correction);
                let map = origin + place;
                [
                    run.name.clone(),
                    k.to_string(),
                    format!("{:.3}", map.x),
                    format!("{:.3}", map.y),
                    format!("{:.3}", place.distance(run.release)),
                    format!("{:.3}", rest.distance(run.release)),
                    name(*outcome).to_owned(),
                ]
            })
        });
    session.output.csv("forecasts.csv", &header, rows)
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Stopped => "stopped",
        Outcome::LeftMap => "left_map",
        Outcome::TimedOut => "timed_out",
        Outcome::Caught { .. } => "caught",
    }
}

fn line(campaign: &Campaign, k: usize, forecast: &Forecast, factor: f64) -> Result<Line> {
    let none = "no rock to judge by";
    let run: &ObservedRun = campaign.runs.get(k).context(none)?;
    let rests = &forecast.rests;
    let places = rests.iter().map(|r| run.corrected(r.0, factor));
    let places: Vec<DVec2> = places.collect();
    let score = Score::of(&places, run).context(none)?;
    // The loss needs two members; the scores of a certainty come from the same place twice.
    let null = |model: NullModel| {
        let mut places = model.places(&campaign.runs, k);
        if let [single] = places[..] {
            places.push(single);
        }
        Score::of(&places, run).context(none)
    };
    let (all, median) = (null(NullModel::Distribution)?, null(NullModel::Median)?);
    let share = |outcome| {
        rests.iter().filter(|r| r.1 == outcome).count() as f64 / rests.len().max(1) as f64
    };
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
        crps_m: score.crps,
        median_error_m: (middle - observed).abs(),
        plan_error_m: score.plan,
        plan_error_of_median_m: score.plan_of_median,
        energy_score_m: score.energy,
        null_crps_m: all.crps,
        null_plan_error_m: all.plan,
        null_plan_error_of_median_m: all.plan_of_median,
        null_energy_score_m: all.energy,
        median_null_crps_m: median.crps,
        median_null_plan_error_m: median.plan,
        median_null_energy_score_m: median.energy,
        stopped_share: share(Outcome::Stopped),
        left_map_share: share(Outcome::LeftMap),
        correction: factor,
    })
}

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
        forecast: means(campaign, judged, forecasts)?,
        uncorrected: means(campaign, &lines(campaign, forecasts, |_| 1.0)?, forecasts)?,
        null_distribution_mean_crps_m: mean(|l| l.null_crps_m),
        null_distribution_mean_plan_error_m: mean(|l| l.null_plan_error_m),
        null_distribution_mean_plan_error_of_median_m: mean(|l| l.null_plan_error_of_median_m),
        null_distribution_mean_energy_score_m: mean(|l| l.null_energy_score_m),
        null_median_mean_crps_m: mean(|l| l.median_null_crps_m),
        null_median_mean_plan_error_m: mean(|l| l.median_null_plan_error_m),
        null_median_mean_energy_score_m: mean(|l| l.median_null_energy_score_m),
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
            rests.map(move |r| run.corrected(r.0, line.correction).distance(run.release))
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

fn write_sets(
    sets: &[GroundSet],
    losses: &[Vec<f64>],
    calibrated: &[usize],
    session: &mut Session,
) -> Result<()> {
    let mut header = vec!["set"];
    header.extend(GroundSet::NAMES);
    header.extend(["mean_loss_m", "kept"]);
    let rows = sets.iter().zip(losses).enumerate().map(|(k, (set, loss))| {
        let mean = loss.iter().sum::<f64>() / loss.len() as f64;
        let mut row = vec![k.to_string()];
        row.extend(set.values().map(|x| format!("{x:.5}")));
        row.push(format!("{mean:.3}"));
        row.push(u8::from(calibrated.contains(&k)).to_string());
        row
    });
    session.output.csv("sets.csv", &header, rows)
}

/// The runs as a table, its columns in the order of [`Line`].
fn write_lines(lines: &[Line], session: &mut Session) -> Result<()> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for line in lines {
        writer.serialize(line)?;
    }
    let bytes = writer.into_inner().context("runs.csv: cannot be written")?;
    session.output.bytes("runs.csv", &bytes)
}

/// Observed runouts, each beside the band and the median of its forecast, in the order of the runs.
fn picture(lines: &[Line]) -> Result<String> {
    let x = Axis::new("run")
        .range(0.0, lines.len() as f64 + 1.0)
        .whole();
    let mut chart = LineChart::new(
        "Runouts: observed, and forecast from the other runs",
        x,
        Axis::new("runout [m]"),
    );
    for (k, line) in lines.iter().enumerate() {
        let at = (k + 1) as f64;
        let label = if k == 0 { "central 90 %" } else { "" };
        let (low, high) = ([line.runout_05_m; 2], [line.runout_95_m; 2]);
        let band = Series::band(label, &[at - 0.3, at + 0.3], &low, &high);
        chart = chart.with(band.coloured(klast_plot::line_colour(0)));
        let median = vec![(at - 0.3, line.runout_50_m), (at + 0.3, line.runout_50_m)];
        let label = if k == 0 { "median" } else { "" };
        chart = chart.with(Series::line(label, median).coloured(klast_plot::line_colour(0)));
    }
    let observed = lines.iter().enumerate();
    let points = observed.map(|(k, l)| ((k + 1) as f64, l.observed_runout_m));
    let series = Series::points("observed", points.collect());
    Ok(chart
        .with(series.coloured(klast_plot::line_colour(1)))
        .svg()?)
}
