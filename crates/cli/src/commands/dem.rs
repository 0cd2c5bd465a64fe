//! `klast dem …`: a layer alone, one shot, or the study.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Subcommand, ValueEnum};
use klast_dem::{Judgement, Stage, Store, StudyPlan, StudyResult, judge};

use klast_scenes::failure::{Interrupted, input};
use klast_scenes::kinds::rockfill::{job, scene::Rockfill};
use klast_scenes::output::Output;
use klast_scenes::progress::Progress;
use klast_scenes::scene::SceneText;
use klast_scenes::session::{Options, Session};

/// What to do with rockfill.
#[derive(Subcommand)]
pub enum Command {
    /// Make the layer of a scene, or find it in the cache, and say what it is like
    Pack {
        /// A scene of kind rockfill
        scene: PathBuf,
    },
    /// The penetration study: all shots, judged against the paper; goes on where it was stopped
    Study {
        /// How much of it
        #[arg(value_enum, default_value_t = Plan::Small)]
        plan: Plan,
    },
}

/// Size of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Plan {
    /// A thin layer: seconds
    Small,
    /// A narrow layer of the full length: under an hour on a core
    Reduced,
    /// The layer of the paper with all sizes and seeds: some core-hours
    Full,
}

/// Runs the command.
///
/// # Errors
/// Bad input, a folder that cannot be written, an interruption.
pub fn run(command: &Command, options: &Options) -> Result<()> {
    match command {
        Command::Pack { scene } => pack(scene, options),
        Command::Study { plan } => study(*plan, options),
    }
}

fn pack(path: &Path, options: &Options) -> Result<()> {
    let text = input(SceneText::read(path))?;
    let mut scene: Rockfill = input(text.parse())?;
    scene.layer.seed = options.seed.unwrap_or(scene.layer.seed);
    let (spec, shot) = input(scene.convert())?;
    let mut session = Session::start(&text, options)?;
    session.seed = Some(scene.layer.seed);
    let (packing, cached) = job::layer(&spec, &session)?;
    let report = packing.report(&shot.rock_law)?;
    let store = Store::new(&Store::default_folder())?;
    let figures = serde_json::json!({
        "layer_hash": format!("{:016x}", spec.hash()),
        "file": store.packing_path(&spec).display().to_string(),
        "found_in_cache": cached,
        "rocks": report.rocks,
        "porosity": report.porosity,
        "coordination": report.coordination,
        "mean_size_m": report.mean_size,
        "size_deviation_m": report.size_deviation,
        "mean_overlap_over_size": report.mean_overlap,
        "largest_overlap_over_size": report.largest_overlap,
        "state_hash": format!("{:016x}", report.hash),
    });
    session.output.json("layer.json", &figures)?;
    if !options.quiet && !options.json {
        klast_scenes::output::say(serde_json::to_string_pretty(&figures)?)?;
    }
    session.count("rocks", report.rocks);
    session.finish()
}

fn study(plan: Plan, options: &Options) -> Result<()> {
    let (name, plan) = match plan {
        Plan::Small => ("small", StudyPlan::small()),
        Plan::Reduced => ("reduced", StudyPlan::reduced()),
        Plan::Full => ("full", StudyPlan::full()),
    };
    let default = PathBuf::from("out").join(format!("dem-study-{name}"));
    let folder = options.out.clone().unwrap_or(default);
    let mut output = Output::open(&folder)?;
    let store = Store::new(&Store::default_folder())?;
    let quiet = options.quiet || options.json;
    let display = Progress::new("shots", plan.runs.len() as u64 + 1, quiet);
    let (mut done, mut told) = (0, String::new());
    let result = store.study(&plan, &mut |status| {
        display.add((status.done as u64).saturating_sub(done));
        done = done.max(status.done as u64);
        let stage = match status.stage {
            Stage::Layer => "layer",
            Stage::Shot => "shot",
        };
        // One line a tenth: a layer of fine rock takes an hour.
        let line = format!(
            "{stage} {}: {:.0} %",
            status.name,
            (10.0 * status.fraction).floor() * 10.0
        );
        if !quiet && line != told {
            klast_scenes::output::tell(&line);
            told = line;
        }
        match Session::interrupted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    let Some(result) = result else {
        bail!(Interrupted)
    };
    write(&result, &mut output, options)
}

fn write(result: &StudyResult, output: &mut Output, options: &Options) -> Result<()> {
    let runs = result.all();
    let header = [
        "size_mm",
        "seed",
        "variation",
        "mass_kg",
        "rocks",
        "residual_m_per_s",
        "exit_ms",
        "velocity_deflection_deg",
        "axis_deflection_deg",
        "affected_radius_m",
        "mean_resistance_mn",
        "fluctuation",
        "energy_drift",
    ];
    let rows = runs.iter().map(|r| {
        [
            format!("{:.0}", r.run.size * 1e3),
            r.run.seed.to_string(),
            r.run.variation.name(),
            r.mass.to_string(),
            r.rocks.to_string(),
            r.residual.to_string(),
            r.exit.map_or(String::new(), |t| (t * 1e3).to_string()),
            r.velocity_deflection.to_degrees().to_string(),
            r.axis_deflection.to_degrees().to_string(),
            r.affected_radius.to_string(),
            (r.mean_resistance * 1e-6).to_string(),
            r.fluctuation.to_string(),
            r.energy_drift.to_string(),
        ]
    });
    output.csv("shots.csv", &header, rows)?;
    let statements: Vec<_> = judge(&runs)
        .into_iter()
        .map(|s| {
            let verdict = match s.judgement {
                Judgement::Met => "met",
                Judgement::NotMet => "not met",
                Judgement::NotTested => "not tested",
            };
            if !options.quiet && !options.json {
                klast_scenes::output::say(format_args!("{verdict:<10}  {}: {} [{}]", s.claim, s.found, s.accepted))?;
            }
            Ok(serde_json::json!({
                "id": s.id, "claim": s.claim, "accepted": s.accepted, "found": s.found, "verdict": verdict,
            }))
        })
        .collect::<Result<_>>()?;
    let verdicts = serde_json::json!({ "mass_kg": result.mass, "statements": statements });
    output.json("verdicts.json", &verdicts)?;
    if options.json {
        klast_scenes::output::say(serde_json::to_string_pretty(&verdicts)?)?;
    } else if !options.quiet {
        klast_scenes::output::say(format_args!("results: {}", output.folder().display()))?;
    }
    Ok(())
}
