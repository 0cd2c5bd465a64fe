//! A rockfall run: seeded, interruptible, resumable, in parts.

use anyhow::{Context as _, Result, bail};
use klast_rockfall::{Results, Simulation};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::{convert, report, scene::Scene};
use crate::failure::Interrupted;
use crate::kinds::Job;
use crate::scene::SceneText;
use crate::session::Session;

struct RockfallJob {
    scene: Scene,
    text: SceneText,
    count: u64,
    gates: usize,
}

/// Where an interrupted run goes on, and what it has so far.
#[derive(Deserialize)]
struct State {
    /// Everything that decides the numbers.
    key: String,
    next: u64,
    results: Results,
}

/// The same as it is written, without a copy.
#[derive(Serialize)]
struct Kept<'a> {
    key: &'a str,
    next: u64,
    results: &'a Results,
}

const STATE: &str = "state.json";
/// Energies and periods that maps may be asked for: the name of a map's file holds one in decimals.
const MAPPED: std::ops::RangeInclusive<f64> = 1e-6..=1e12;
/// How often the state of a long run is kept.
const KEEP: Duration = Duration::from_secs(60);

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    for (key, list) in [
        ("return_periods_a", &scene.return_periods_a),
        (
            "return_period_energies_kj",
            &scene.return_period_energies_kj,
        ),
    ] {
        if let Some(found) = list.iter().find(|v| !MAPPED.contains(*v)) {
            bail!("{key} holds {found}; accepted: 1e-6 to 1e12");
        }
    }
    for source in &scene.sources {
        if source.height_m.is_some() && source.elevation_m.is_some() {
            bail!(
                "source '{}': height_m and elevation_m: both are given; accepted: one of them",
                source.name
            );
        }
    }
    for (k, gate) in scene.gates.iter().enumerate() {
        if scene.gates[..k].iter().any(|g| g.name == gate.name) {
            bail!(
                "gates: '{}' is there twice; accepted: names of their own",
                gate.name
            );
        }
    }
    let simulation = convert::simulation(&scene, text, scene.seed)?;
    Ok(Box::new(RockfallJob {
        count: simulation.count(),
        gates: scene.gates.len(),
        text: text.clone(),
        scene,
    }))
}

impl Job for RockfallJob {
    fn describe(&self) -> String {
        format!(
            "rockfall: {} rocks from {} sources, {} barriers and collectors",
            self.count,
            self.scene.sources.len(),
            self.gates
        )
    }

    fn has_parts(&self) -> bool {
        true
    }

    fn keeps_state(&self) -> bool {
        true
    }

    fn draws(&self) -> bool {
        true
    }

    fn run(&self, session: &mut Session) -> Result<()> {
        let seed = session.seed.unwrap_or(self.scene.seed);
        session.seed = Some(seed);
        let simulation = convert::simulation(&self.scene, &self.text, seed)?;
        let range = session
            .options
            .shard
            .map_or(0..self.count, |s| s.range(self.count));
        let key = format!("{seed} {range:?} {}", session.key());
        let (mut results, mut next) =
            resume(session, &key, &simulation).unwrap_or((simulation.empty_results(), range.start));
        let display = session.progress("rocks", range.end - range.start);
        display.skip(next - range.start);
        while next < range.end {
            let clock = Instant::now();
            next = simulation.run(next..range.end, &mut results, |_, _| {
                display.add(1);
                !Session::interrupted() && clock.elapsed() < KEEP
            });
            if next < range.end {
                session.output.data(
                    STATE,
                    &Kept {
                        key: &key,
                        next,
                        results: &results,
                    },
                )?;
                if Session::interrupted() {
                    return Err(Interrupted.into());
                }
            }
        }
        display.finish();
        report::write(&self.scene, &simulation, &results, session)?;
        // The state of a finished run has served.
        session.output.remove(STATE);
        Ok(())
    }

    fn merge(&self, parts: &[PathBuf], session: &mut Session) -> Result<()> {
        let seed = session.seed.unwrap_or(self.scene.seed);
        session.seed = Some(seed);
        let simulation = convert::simulation(&self.scene, &self.text, seed)?;
        let mut results = simulation.empty_results();
        for part in parts {
            let file = part.join(report::RESULTS);
            let name = file.display();
            let reader = std::fs::File::open(&file)
                .map(std::io::BufReader::new)
                .with_context(|| format!("{name}: cannot be read"))?;
            let more: Results = serde_json::from_reader(reader)
                .with_context(|| format!("{name}: not the results of a part"))?;
            results.merge(&more).with_context(|| name.to_string())?;
        }
        let found = results.account.seeded;
        if found != self.count {
            bail!("the parts hold {found} rocks; accepted: {}", self.count);
        }
        report::write(&self.scene, &simulation, &results, session)
    }
}

/// The state of an interrupted run of the same scene, seed and part.
fn resume(session: &Session, key: &str, simulation: &Simulation) -> Option<(Results, u64)> {
    let text = std::fs::read_to_string(session.output.folder().join(STATE)).ok()?;
    let state: State = serde_json::from_str(&text).ok()?;
    (state.key == key && state.next <= simulation.count()).then_some((state.results, state.next))
}
