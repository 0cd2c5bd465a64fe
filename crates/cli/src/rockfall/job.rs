//! A rockfall run: seeded, interruptible, resumable, in parts.

use anyhow::Result;
use klast_rockfall::{Results, Simulation};
use serde::{Deserialize, Serialize};
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
#[derive(Serialize, Deserialize)]
struct State {
    /// The scene and everything that decides the numbers.
    key: String,
    next: u64,
    results: Results,
}

const STATE: &str = "state.json";
/// How often the state of a long run is kept.
const KEEP: Duration = Duration::from_secs(60);

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
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

    fn run(&self, session: &mut Session) -> Result<()> {
        let seed = session.seed.unwrap_or(self.scene.seed);
        session.seed = Some(seed);
        let simulation = convert::simulation(&self.scene, &self.text, seed)?;
        let range = session
            .options
            .shard
            .map_or(0..self.count, |s| s.range(self.count));
        let key = format!("{seed} {range:?} {}", self.text.text);
        let (mut results, mut next) =
            resume(session, &key, &simulation).unwrap_or((simulation.empty_results(), range.start));
        let display = session.progress("rocks", range.end - range.start);
        display.add(next - range.start);
        while next < range.end {
            let clock = Instant::now();
            next = simulation.run(next..range.end, &mut results, |_, _| {
                display.add(1);
                !Session::interrupted() && clock.elapsed() < KEEP
            });
            if next < range.end {
                session.output.json(
                    STATE,
                    &State {
                        key: key.clone(),
                        next,
                        results: results.clone(),
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
        let _ = std::fs::remove_file(session.output.folder().join(STATE));
        Ok(())
    }
}

/// The state of an interrupted run of the same scene, seed and part.
fn resume(session: &Session, key: &str, simulation: &Simulation) -> Option<(Results, u64)> {
    let text = std::fs::read_to_string(session.output.folder().join(STATE)).ok()?;
    let state: State = serde_json::from_str(&text).ok()?;
    (state.key == key && state.next <= simulation.count()).then_some((state.results, state.next))
}
