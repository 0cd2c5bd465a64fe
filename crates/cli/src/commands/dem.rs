//! `klast dem …`: a layer alone, one shot, or the study.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Subcommand, ValueEnum};
use klast_dem::{
    Judgement, PackingReport, RunSummary, Stage, Store, StudyPlan, StudyResult, judge,
};
use klast_scenes::Progress as _;
use klast_scenes::files::{FilesExt as _, Folder};
use klast_scenes::job::Interrupted;
use klast_scenes::kinds::rockfill::{job, scene::Rockfill};
use klast_scenes::text::SceneText;
use serde::Serialize;

use crate::failure::input;
use crate::interrupt::interrupted;
use crate::progress::Terminal;
use crate::session::Options;
use crate::terminal::{stderr_line, stdout_line};

/// What to do with rockfill.
#[derive(Subcommand)]
pub enum Command {
    /// Describe the layer of a scene; the command makes the layer, or reads it from the cache if it was made before
    Pack {
        /// A scene of kind `rockfill`
        scene: PathBuf,
    },
    /// Run all shots of the penetration study and compare them with the paper by Feng and others (2021); it continues a
    /// study that was stopped
    Study {
        /// Size of the study
        #[arg(value_enum, default_value_t = Plan::Small)]
        plan: Plan,
    },
}

/// Size of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Plan {
    /// A thin layer, which takes seconds
    Small,
    /// Narrow layers of the full length, which take less than an hour on one core
    Reduced,
    /// The layers of the paper with all sizes and seeds, which take some core-hours
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

/// A layer and where it is kept.
#[derive(Debug, Serialize)]
struct Layer {
    layer_hash: String,
    file: String,
    found_in_cache: bool,
    rocks: usize,
    porosity: f64,
    coordination: f64,
    mean_size_m: f64,
    size_deviation_m: f64,
    mean_overlap_over_size: f64,
    max_overlap_over_size: f64,
    state_hash: String,
}

fn pack(path: &Path, options: &Options) -> Result<()> {
    options.refuse("dem pack", &["shard"])?;
    let text = input(SceneText::read(path))?;
    let mut scene: Rockfill = input(text.parse())?;
    scene.layer.seed = options.seed.unwrap_or(scene.layer.seed);
    let (spec, shot) = input(scene.convert())?;
    let folder = options.out.clone().unwrap_or_else(|| "out/layer".into());
    let mut folder = Folder::open(&folder)?;
    let terminal = Terminal::new(options.quiet || options.json);
    let (packing, found_in_cache) = job::layer(&spec, &terminal)?;
    let report: PackingReport = packing.report(&shot.rock_law)?;
    let store = Store::new(&Store::default_folder())?;
    let layer = Layer {
        layer_hash: format!("{:016x}", spec.hash()),
        file: store.packing_path(&spec).display().to_string(),
        found_in_cache,
        rocks: report.rocks,
        porosity: report.porosity,
        coordination: report.coordination,
        mean_size_m: report.mean_size,
        size_deviation_m: report.size_deviation,
        mean_overlap_over_size: report.mean_overlap,
        max_overlap_over_size: report.largest_overlap,
        state_hash: format!("{:016x}", report.hash),
    };
    folder.json("layer.json", &layer)?;
    if options.quiet {
        return Ok(());
    }
    stdout_line(serde_json::to_string_pretty(&layer)?)
}

fn study(plan: Plan, options: &Options) -> Result<()> {
    // Its shots have seeds of their own.
    options.refuse("dem study", &["seed"])?;
    let (name, mut plan) = match plan {
        Plan::Small => ("small", StudyPlan::small()),
        Plan::Reduced => ("reduced", StudyPlan::reduced()),
        Plan::Full => ("full", StudyPlan::full()),
    };
    let cache = Store::default_folder();
    let store = Store::new(&cache)?;
    if let Some(shard) = options.shard {
        options.refuse("dem study --shard", &["out"])?;
        let own = shard.range(plan.runs.len() as u64);
        let own = plan.runs.get(own.start as usize..own.end as usize);
        plan.runs = own.unwrap_or(&[]).to_vec();
        shots(&store, &plan, options)?;
        return match options.quiet {
            true => Ok(()),
            false => stdout_line(format_args!(
                "part {shard}: {} shots are kept in {}; the study without --shard takes them from there",
                plan.runs.len(),
                cache.display()
            )),
        };
    }
    let default = PathBuf::from("out").join(format!("dem-study-{name}"));
    let folder = options.out.clone().unwrap_or(default);
    let mut output = Folder::open(&folder)?;
    write(&shots(&store, &plan, options)?, &mut output, options)
}

/// All shots of a plan, those that are kept and the others.
fn shots(store: &Store, plan: &StudyPlan, options: &Options) -> Result<StudyResult> {
    let quiet = options.quiet || options.json;
    let display = Terminal::new(quiet);
    display.begin("shots", plan.runs.len() as u64 + 1);
    let (mut done, mut told) = (0, String::new());
    let result = store.study(plan, &mut |status| {
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
            stderr_line(&line);
            told = line;
        }
        match interrupted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    match result {
        Some(result) => Ok(result),
        None => bail!(Interrupted),
    }
}

/// One shot of the study.
#[derive(Debug, Default, Serialize)]
struct Shot {
    size_mm: f64,
    seed: u64,
    variation: String,
    mass_kg: f64,
    rocks: usize,
    residual_m_s: f64,
    exit_ms: Option<f64>,
    velocity_deflection_deg: f64,
    axis_deflection_deg: f64,
    affected_radius_m: f64,
    mean_resistance_mn: f64,
    fluctuation: f64,
    energy_drift: f64,
}

impl From<&RunSummary> for Shot {
    fn from(r: &RunSummary) -> Self {
        Self {
            size_mm: (r.run.size * 1e3).round(),
            seed: r.run.seed,
            variation: r.run.variation.name(),
            mass_kg: r.mass,
            rocks: r.rocks,
            residual_m_s: r.residual,
            exit_ms: r.exit.map(|t| t * 1e3),
            velocity_deflection_deg: r.velocity_deflection.to_degrees(),
            axis_deflection_deg: r.axis_deflection.to_degrees(),
            affected_radius_m: r.affected_radius,
            mean_resistance_mn: r.mean_resistance * 1e-6,
            fluctuation: r.fluctuation,
            energy_drift: r.energy_drift,
        }
    }
}

/// One claim of the paper.
#[derive(Debug, Serialize)]
struct Statement {
    id: String,
    claim: String,
    accepted: String,
    found: String,
    verdict: &'static str,
}

/// All claims of the paper.
#[derive(Debug, Serialize)]
struct Verdicts {
    mass_kg: f64,
    statements: Vec<Statement>,
}

fn write(result: &StudyResult, output: &mut Folder, options: &Options) -> Result<()> {
    let runs = result.all();
    let shots: Vec<Shot> = runs.iter().map(Shot::from).collect();
    output.table("shots.csv", &shots)?;
    let statement = |s: klast_dem::Statement| Statement {
        id: s.id.to_string(),
        claim: s.claim.to_string(),
        accepted: s.accepted.to_string(),
        found: s.found.to_string(),
        verdict: match s.judgement {
            Judgement::Met => "within our band",
            Judgement::NotMet => "outside our band",
            Judgement::NotTested => "not tested",
        },
    };
    let verdicts = Verdicts {
        mass_kg: result.mass,
        statements: judge(&runs).into_iter().map(statement).collect(),
    };
    output.json("verdicts.json", &verdicts)?;
    if options.json {
        stdout_line(serde_json::to_string_pretty(&verdicts)?)?;
    } else if !options.quiet {
        for s in &verdicts.statements {
            let (verdict, claim) = (s.verdict, &s.claim);
            stdout_line(format_args!(
                "{verdict:<16}  printed: {claim}; ours: {} [our band: {}]",
                s.found, s.accepted
            ))?;
        }
        stdout_line(format_args!("results: {}", output.path().display()))?;
    }
    Ok(())
}
