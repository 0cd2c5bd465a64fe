//! `paths.json`: exact paths of a run, on which its rocks go again past other collectors and over other maps.

use std::collections::BTreeMap;

use klast_rockfall::{KeptPath, RockResult, Simulation};
use klast_runs::error::{Context as _, Outside as _, Result};
use klast_runs::{bail, ensure};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::motion_digest;
use klast_runs::faults::Fault;
use klast_runs::text::SceneText;

/// Its name in a folder of results.
pub const PATHS: &str = "paths.json";
const KIND: &str = "rockfall_paths";
/// Version 2 says what the paths depend on, and where their coordinates begin; version 3 how rocks are turned.
const SCHEMA: u32 = 3;

/// The file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    schema: u32,
    kind: String,
    /// Point of the map (m) from which all coordinates of the paths are measured.
    origin_m: [f64; 3],
    /// SHA-256 of each part of the scene that the motion depends on, by its key.
    motion_sha256: BTreeMap<String, String>,
    /// Seed of the run.
    seed: u64,
    /// Number of rocks of the run.
    rocks: u64,
    /// Its barriers, which acted on the paths.
    barriers: Vec<Barrier>,
    /// From the first rock.
    paths: Vec<KeptPath>,
}

/// What tells whether the rest can be read.
#[derive(Deserialize)]
struct Head {
    schema: u32,
    kind: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Barrier {
    name: String,
    line_m: Vec<[f64; 2]>,
    height_m: f64,
    capacity_j: f64,
    flexible_j_m: Option<[f64; 3]>,
}

fn barriers(simulation: &Simulation) -> Vec<Barrier> {
    let collectors = simulation.scene().collectors.iter();
    let barrier = |collector: &klast_rockfall::Collector| {
        let held = collector.barrier.as_ref()?;
        let net = held.flexible.as_ref();
        Some(Barrier {
            name: collector.name.clone(),
            line_m: collector.line.iter().map(|p| p.to_array()).collect(),
            height_m: held.height,
            capacity_j: held.capacity,
            flexible_j_m: net.map(|n| [n.service_energy, n.elongation, n.residual_height]),
        })
    };
    collectors.filter_map(barrier).collect()
}

impl File {
    /// Keeps the paths of the first rocks of a simulation.
    #[must_use]
    pub fn of(text: &SceneText, simulation: &Simulation, rocks: u64) -> Self {
        let path = |rock: u64| {
            let mut arcs = Vec::new();
            let result: RockResult = simulation.rock(rock, &mut |arc| arcs.push(*arc));
            KeptPath::of(simulation.scene(), &result, arcs)
        };
        Self {
            schema: SCHEMA,
            kind: KIND.to_owned(),
            origin_m: simulation.scene().terrain.origin().to_array(),
            motion_sha256: motion_digest::of(text, simulation.scene()),
            seed: simulation.scene().seed,
            rocks: simulation.count(),
            barriers: barriers(simulation),
            paths: (0..rocks.min(simulation.count()))
                .into_par_iter()
                .map(path)
                .collect(),
        }
    }
}

/// Refuses paths of another motion, by the keys that differ.
fn same_motion(file: &str, read: &File, own: &BTreeMap<String, String>) -> Result<()> {
    let kept = &read.motion_sha256;
    let keys: std::collections::BTreeSet<&String> = kept.keys().chain(own.keys()).collect();
    let other: Vec<&str> = keys
        .into_iter()
        .filter(|key| kept.get(*key) != own.get(*key))
        .map(String::as_str)
        .collect();
    if !other.is_empty() {
        bail!(Fault::of_file(file, format!("the paths were run with other values of: {}", other.join(", "))).accepted("those of the run that wrote the paths. Only collectors, sweeps, maps and what is written may differ"));
    }
    Ok(())
}

/// Takes the paths of the file that a scene names instead of running its rocks.
///
/// # Errors
/// What is no such file, or one of another run.
pub fn take(file: &str, text: &SceneText, simulation: Simulation) -> Result<Simulation> {
    let refuse = || {
        format!(
            "{file}: no paths; accepted: the {PATHS} of a run of kind rockfall with write_paths"
        )
    };
    let read = text.read_text(file)?;
    let head: Head = serde_json::from_str(&read).outside().with_context(refuse)?;
    ensure!(head.schema == SCHEMA && head.kind == KIND, Fault::of_file(file, format!("kind '{}' of schema {}", head.kind, head.schema)).accepted(format!("{KIND} of schema {SCHEMA}. Paths of schema 1 do not say on which ground they were run, those of schema 2 not how rocks are turned: run them again")));
    let read: File = serde_json::from_str(&read).outside().with_context(refuse)?;
    same_motion(file, &read, &motion_digest::of(text, simulation.scene()))?;
    let (seed, rocks) = (simulation.scene().seed, simulation.count());
    ensure!(
        read.seed == seed,
        Fault::of_file(file, format!("paths of seed {}", read.seed))
            .accepted(format!("those of seed {seed}, which is that of the scene"))
    );
    ensure!(
        read.rocks == rocks && read.paths.len() as u64 == rocks,
        Fault::of_file(
            file,
            format!(
                "{} paths of a run of {} rocks",
                read.paths.len(),
                read.rocks
            )
        )
        .accepted(format!(
            "all of {rocks} rocks, as the scene has (write_paths)"
        ))
    );
    ensure!(
        read.barriers == barriers(&simulation),
        Fault::of_file(file, "the paths were run past other barriers")
            .accepted("the barriers of the scene as they were in that run, and any collectors")
    );
    simulation
        .with_paths(read.paths)
        .with_context(|| file.to_owned())
}
