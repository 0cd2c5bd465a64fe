//! `klast rockfall …`: calibration against field runs, with leave-one-out, beside null models.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Subcommand;
use glam::{DVec2, DVec3};
use klast_dynamics::Body;
use klast_geometry::terrain::{Grid, Terrain};
use klast_rockfall::StopConditions;
use klast_rockfall::calibrate::{
    Campaign, Candidate, ObservedRun, Score, SearchBox, best_candidate, box_of_mass,
    mean_direction, null_places,
};
use klast_rockfall::score::{kolmogorov_smirnov, median_error, quantile};
use rayon::prelude::*;
use serde::Serialize;

use super::convert;
use crate::failure::input;
use crate::output::Output;
use crate::progress::Progress;
use crate::session::{Options, Session};

/// What to do with rockfall.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Run a scene of kind rockfall: the same as `klast run`
    Run {
        /// The scene
        scene: PathBuf,
    },
    /// Fit ground parameters to observed runs and judge them by leave-one-out
    Calibrate(Calibrate),
}

/// Inputs of a calibration.
#[derive(Debug, Clone, clap::Args)]
pub struct Calibrate {
    /// Terrain raster (ESRI ASCII or GeoTIFF)
    #[arg(long)]
    terrain: PathBuf,
    /// CSV of releases: trajectory_id, x_m, y_m, vx_mps, vy_mps, vz_mps, block_id
    #[arg(long)]
    releases: PathBuf,
    /// CSV of observed places of rest: trajectory_id, x_m, y_m
    #[arg(long)]
    depositions: PathBuf,
    /// CSV of rocks: block_id, mass_kg, size_x_m, size_y_m, size_z_m
    #[arg(long)]
    blocks: PathBuf,
    /// Density of the rocks (kg/m³)
    #[arg(long, default_value_t = 2650.0)]
    density: f64,
    /// Candidates tried
    #[arg(long, default_value_t = 40)]
    candidates: usize,
    /// Rocks for each run and candidate while fitting
    #[arg(long, default_value_t = 24)]
    fit_rocks: u64,
    /// Rocks for each run in the final judgement
    #[arg(long, default_value_t = 1000)]
    rocks: u64,
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// Bad input, or results that cannot be written.
    pub fn run(&self, options: &Options) -> Result<()> {
        match self {
            Command::Run { scene } => crate::commands::run(scene, options),
            Command::Calibrate(calibrate) => calibrate.run(options),
        }
    }
}

/// Where candidates are looked for: what a wider search over the Tschamut runs (R_n 0.1 to 0.5, μ 0.35 to 0.9, drag up to 0.65 1/s, rounder rocks too) left as
/// promising. So the box itself has seen all runs; leave-one-out judges the choice within it.
const SEARCH: SearchBox = SearchBox {
    lower: Candidate {
        normal_restitution: 0.22,
        friction: 0.39,
        friction_spread: 0.09,
        roughness: 0.03,
        drag: 0.001,
        drag_spread: 0.1,
    },
    upper: Candidate {
        normal_restitution: 0.28,
        friction: 0.41,
        friction_spread: 0.12,
        roughness: 0.042,
        drag: 0.006,
        drag_spread: 0.2,
    },
};

/// One run, forecast by a candidate that has not seen it.
#[derive(Debug, Serialize)]
struct Judged {
    run: String,
    observed_runout_m: f64,
    runout_05_m: f64,
    runout_50_m: f64,
    runout_95_m: f64,
    inside_90: bool,
    crps_m: f64,
    median_error_m: f64,
    plan_error_m: f64,
    plan_error_of_median_m: f64,
    null_crps_m: f64,
    null_plan_error_m: f64,
    null_plan_error_of_median_m: f64,
    point_null_crps_m: f64,
    point_null_plan_error_m: f64,
    stopped_share: f64,
}

type Table = Vec<std::collections::BTreeMap<String, String>>;

fn table(path: &PathBuf) -> Result<Table> {
    let mut reader = csv::Reader::from_path(path)
        .with_context(|| format!("{}: cannot be read", path.display()))?;
    reader
        .deserialize()
        .collect::<Result<_, _>>()
        .with_context(|| path.display().to_string())
}

fn field(row: &std::collections::BTreeMap<String, String>, name: &str) -> Result<f64> {
    let text = row
        .get(name)
        .with_context(|| format!("no column '{name}'"))?;
    text.trim()
        .parse()
        .with_context(|| format!("column '{name}': '{text}' is not a number"))
}

fn word(row: &std::collections::BTreeMap<String, String>, name: &str) -> Result<String> {
    row.get(name)
        .cloned()
        .with_context(|| format!("no column '{name}'"))
}

impl Calibrate {
    fn run(&self, options: &Options) -> Result<()> {
        let grid = input(self.grid())?;
        let (bodies, runs) = input(self.runs(&grid))?;
        let campaign = Campaign {
            terrain: &grid,
            bodies,
            runs,
            stop: StopConditions {
                maximum_time: 120.0,
                ..StopConditions::default()
            },
            contact_step: 0.01,
            drag_height: 10.0,
            seed: options.seed.unwrap_or(1),
        };
        let candidates = SEARCH.candidates(self.candidates);
        let scores = self.scores(&campaign, &candidates, options)?;
        let mut output = Output::open(
            options
                .out
                .as_deref()
                .unwrap_or(std::path::Path::new("out/calibration")),
        )?;
        write_candidates(&candidates, &scores, &mut output)?;
        self.judge(&campaign, &candidates, &scores, options, &mut output)
    }

    fn grid(&self) -> Result<Grid> {
        let bytes = std::fs::read(&self.terrain)
            .with_context(|| format!("{}: cannot be read", self.terrain.display()))?;
        convert::raster(&self.terrain.to_string_lossy(), &bytes)
            .with_context(|| self.terrain.display().to_string())
    }

    fn runs(&self, grid: &Grid) -> Result<(Vec<Body>, Vec<ObservedRun>)> {
        let blocks = table(&self.blocks)?;
        let mut bodies = Vec::new();
        for row in &blocks {
            let sizes = DVec3::new(
                field(row, "size_x_m")?,
                field(row, "size_y_m")?,
                field(row, "size_z_m")?,
            );
            bodies.push(box_of_mass(sizes, field(row, "mass_kg")?, self.density)?);
        }
        let (releases, depositions) = (table(&self.releases)?, table(&self.depositions)?);
        let origin = grid.origin().truncate();
        let mut runs = Vec::new();
        for row in &releases {
            let name = word(row, "trajectory_id")?;
            let rest = depositions
                .iter()
                .find(|d| d.get("trajectory_id") == Some(&name))
                .with_context(|| format!("run '{name}' has no place of rest"))?;
            let block = word(row, "block_id")?;
            let rock = blocks
                .iter()
                .position(|b| b.get("block_id") == Some(&block))
                .with_context(|| format!("run '{name}': no block '{block}'"))?;
            runs.push(ObservedRun {
                name,
                release: DVec2::new(field(row, "x_m")?, field(row, "y_m")?) - origin,
                velocity: DVec3::new(
                    field(row, "vx_mps")?,
                    field(row, "vy_mps")?,
                    field(row, "vz_mps")?,
                ),
                rock,
                deposition: DVec2::new(field(rest, "x_m")?, field(rest, "y_m")?) - origin,
            });
        }
        Ok((bodies, runs))
    }

    fn scores(
        &self,
        campaign: &Campaign,
        candidates: &[Candidate],
        options: &Options,
    ) -> Result<Vec<Vec<Score>>> {
        let display = Progress::new(
            "candidates",
            candidates.len() as u64,
            options.quiet || options.json,
        );
        let mut scores = Vec::new();
        for candidate in candidates {
            let mut line = Vec::new();
            for (k, run) in campaign.runs.iter().enumerate() {
                let places = places(campaign, candidate, k, 0..self.fit_rocks)?;
                line.push(Score::of(&places, run).context("no rock to score")?);
                Session::go_on()?;
            }
            scores.push(line);
            display.add(1);
        }
        display.finish();
        Ok(scores)
    }

    fn judge(
        &self,
        campaign: &Campaign,
        candidates: &[Candidate],
        scores: &[Vec<Score>],
        options: &Options,
        output: &mut Output,
    ) -> Result<()> {
        let display = Progress::new(
            "leave-one-out",
            campaign.runs.len() as u64,
            options.quiet || options.json,
        );
        let mut judged = Vec::new();
        let mut medians = Vec::new();
        for (k, run) in campaign.runs.iter().enumerate() {
            let best = best_candidate(scores, Some(k)).context("no candidate")?;
            // Numbers from a million on: none of the rocks that the fit has seen.
            let places = places(
                campaign,
                &candidates[best],
                k,
                1_000_000..1_000_000 + self.rocks,
            )?;
            judged.push(judge(campaign, k, run, &places)?);
            medians.push(judged[k].runout_50_m);
            display.add(1);
            Session::go_on()?;
        }
        display.finish();
        let observed: Vec<f64> = campaign.runs.iter().map(ObservedRun::runout).collect();
        let n = judged.len() as f64;
        let mean = |f: fn(&Judged) -> f64| judged.iter().map(f).sum::<f64>() / n;
        let inside = judged.iter().filter(|j| j.inside_90).count();
        let best = best_candidate(scores, None)
            .map(|k| candidates[k])
            .context("no candidate")?;
        let summary = serde_json::json!({
            "runs": judged.len(),
            "rocks_per_run": self.rocks,
            "mean_crps_m": mean(|j| j.crps_m),
            "mean_plan_error_m": mean(|j| j.plan_error_m),
            "mean_plan_error_of_median_m": mean(|j| j.plan_error_of_median_m),
            "null_distribution": {"mean_crps_m": mean(|j| j.null_crps_m), "mean_plan_error_m": mean(|j| j.null_plan_error_m), "mean_plan_error_of_median_m": mean(|j| j.null_plan_error_of_median_m)},
            "null_median": {"mean_crps_m": mean(|j| j.point_null_crps_m), "mean_plan_error_m": mean(|j| j.point_null_plan_error_m)},
            "observed_inside_90": inside,
            "ks_of_medians": kolmogorov_smirnov(&medians, &observed),
            "calibrated_on_all": {"normal_restitution": best.normal_restitution, "friction": best.friction, "friction_spread": best.friction_spread, "roughness_deg": best.roughness.to_degrees(), "drag_per_s": best.drag, "drag_spread": best.drag_spread},
        });
        output.json("runs.json", &judged)?;
        output.json("summary.json", &summary)?;
        println!("{}", serde_json::to_string_pretty(&summary)?);
        Ok(())
    }
}

fn places(
    campaign: &Campaign,
    candidate: &Candidate,
    run: usize,
    rocks: std::ops::Range<u64>,
) -> Result<Vec<DVec2>> {
    Ok(rocks
        .into_par_iter()
        .map(|i| campaign.simulate(candidate, run, i).map(|r| r.0))
        .collect::<Result<_, _>>()?)
}

fn judge(campaign: &Campaign, k: usize, run: &ObservedRun, places: &[DVec2]) -> Result<Judged> {
    let none = "no rock to judge by";
    let runouts: Vec<f64> = places.iter().map(|p| p.distance(run.release)).collect();
    let score = Score::of(places, run).context(none)?;
    let null = null_places(&campaign.runs, k, mean_direction(&campaign.runs, k));
    let null_score = Score::of(&null, run).context(none)?;
    let training: Vec<f64> = null.iter().map(|p| p.distance(run.release)).collect();
    let point =
        [run.release
            + mean_direction(&campaign.runs, k) * quantile(&training, 0.5).context(none)?];
    let point_score = Score::of(&point, run).context(none)?;
    let q = |p: f64| quantile(&runouts, p).context(none);
    let observed = run.runout();
    let extent = campaign.terrain.extent();
    Ok(Judged {
        run: run.name.clone(),
        observed_runout_m: observed,
        runout_05_m: q(0.05)?,
        runout_50_m: q(0.5)?,
        runout_95_m: q(0.95)?,
        inside_90: (q(0.05)?..=q(0.95)?).contains(&observed),
        crps_m: score.crps,
        median_error_m: (q(0.5)? - observed).abs(),
        plan_error_m: score.plan,
        plan_error_of_median_m: median_error(places, run.deposition).context(none)?,
        null_crps_m: null_score.crps,
        null_plan_error_m: null_score.plan,
        null_plan_error_of_median_m: median_error(&null, run.deposition).context(none)?,
        point_null_crps_m: point_score.crps,
        point_null_plan_error_m: point_score.plan,
        stopped_share: places.iter().filter(|p| extent.contains(**p)).count() as f64
            / places.len() as f64,
    })
}

fn write_candidates(
    candidates: &[Candidate],
    scores: &[Vec<Score>],
    output: &mut Output,
) -> Result<()> {
    let header = [
        "normal_restitution",
        "friction",
        "friction_spread",
        "roughness_deg",
        "drag_per_s",
        "drag_spread",
        "mean_crps_m",
        "mean_plan_error_m",
    ];
    let rows = candidates.iter().zip(scores).map(|(c, s)| {
        let mean = |f: fn(&Score) -> f64| s.iter().map(f).sum::<f64>() / s.len() as f64;
        [
            c.normal_restitution,
            c.friction,
            c.friction_spread,
            c.roughness.to_degrees(),
            c.drag,
            c.drag_spread,
            mean(|s| s.crps),
            mean(|s| s.plan),
        ]
        .map(|x| format!("{x:.5}"))
    });
    output.csv("candidates.csv", &header, rows)
}
