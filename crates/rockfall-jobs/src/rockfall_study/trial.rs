//! One trial: the rockfall with some of its numbers replaced.

use std::ops::Range;

use klast_rockfall::score::quantile;
use klast_rockfall::{Outcome, RockResult, Simulation, taken_evenly};
use klast_runs::bail;
use klast_runs::error::{Context as _, Result};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::scene::{Line, Method, Scene, Varied};
use crate::rockfall::stations::{self, StationRow};
use crate::rockfall::{scene::Scene as Rockfall, simulation};
use klast_runs::faults::{At as _, Fault, Faults};
use klast_runs::progress::Interrupted;
use klast_runs::progress::Progress;
use klast_runs::text::SceneText;

/// What is varied.
pub struct Base {
    scene: Value,
    text: SceneText,
    keys: Vec<String>,
    /// All rocks without a number.
    rocks: Option<u64>,
}

/// Rocks of a trial whose numbers are varied.
const ROCKS: u64 = 200;
/// Where the line of a section stands in a scene of kind rockfall.
const LINE: &str = "/terrain/section/line_m";

/// What a trial gives.
#[derive(Debug, Clone)]
pub struct Trial {
    /// Distance in plan from release to end of each rock that stops or is caught (m).
    pub runouts: Vec<f64>,
    /// Heights of the mass centre at the first passage of each rock (m), by barrier and collector.
    pub heights: Vec<Vec<f64>>,
    /// Named outcomes.
    pub outcomes: Vec<(String, Option<f64>)>,
    /// All rocks by station; of a section.
    pub stations: Vec<StationRow>,
}

impl Base {
    /// Checks the scene and the keys.
    pub fn new(scene: &Scene, text: &SceneText) -> Result<Self> {
        let mut inner = scene.scene.clone();
        let mut faults = Faults::default();
        let Some(object) = inner.as_object_mut() else {
            let fault = Fault::new("scene", "no object").accepted("a scene of kind rockfall");
            bail!(fault);
        };
        object.insert("schema".to_owned(), json!(1));
        object.insert("kind".to_owned(), json!("rockfall"));
        let sections = matches!(scene.method, Method::Sections { .. });
        faults.check(sections == scene.vary.is_empty(), || {
            Fault::new("vary", format!("{} numbers", scene.vary.len()))
                .accepted("one or more numbers of the scene, and none for sections")
        });
        faults.check(!sections || inner.pointer(LINE).is_some(), || {
            Fault::new("method", "sections: the terrain of the scene is no section")
                .accepted("terrain {\"section\": {\"file\", \"line_m\"}}")
        });
        for (k, Varied { key, lower, upper }) in scene.vary.iter().enumerate() {
            let number = |v: &Value| v.is_number() || v.is_object();
            faults.check(inner.pointer(key).is_some_and(number), || {
                let found = format!("'{key}' is no number or distribution of the scene");
                Fault::new(format!("vary[{k}].key"), found)
                    .accepted("a pointer such as /materials/0/friction")
            });
            faults.check(
                lower.is_finite() && upper.is_finite() && lower < upper,
                || {
                    Fault::new(format!("vary[{k}]"), format!("'{key}': {lower} to {upper}"))
                        .accepted("two numbers, the least first")
                },
            );
        }
        let rocks = scene.rocks.unwrap_or(ROCKS);
        faults.check((2..=1_000_000).contains(&rocks), || {
            Fault::new("rocks", rocks).accepted("2 to 1000000")
        });
        faults.or_all(|| Some(()))?;
        Ok(Self {
            scene: inner,
            text: text.clone(),
            keys: scene.vary.iter().map(|v| v.key.clone()).collect(),
            rocks: scene.rocks.or((!sections).then_some(ROCKS)),
        })
    }

    /// Rocks of a trial, if the scene has as many.
    pub fn rocks(&self) -> u64 {
        self.rocks.unwrap_or(u64::MAX)
    }

    /// The rockfall with these numbers.
    pub fn simulation(&self, values: &[f64]) -> Result<Simulation> {
        let mut scene = self.scene.clone();
        for (key, value) in self.keys.iter().zip(values) {
            let slot = scene.pointer_mut(key);
            *slot.with_context(|| format!("vary: no '{key}'"))? = json!(value);
        }
        self.made(&scene)
    }

    /// The seed of the rockfall.
    pub fn seed(&self) -> Result<u64> {
        let text = self.text.inner(&self.scene.to_string())?;
        let seed = text.parse::<Rockfall>().map(|scene| scene.seed);
        Ok(text.checked(seed.map_err(Into::into)).at("scene")?)
    }

    /// The rockfall on the section along another line.
    pub fn on_section(&self, line: &Line, seed: u64) -> Result<Simulation> {
        let mut scene = self.scene.clone();
        let slot = scene.pointer_mut(LINE).context("terrain: no section")?;
        *slot = json!(line.line_m);
        if let Some(own) = scene.as_object_mut() {
            own.insert("seed".to_owned(), json!(seed));
        }
        let made = self.made(&scene);
        made.with_context(|| format!("section '{}'", line.name))
    }

    fn made(&self, scene: &Value) -> Result<Simulation> {
        let text = self.text.inner(&scene.to_string())?;
        let made = text.parse::<Rockfall>().map_err(Into::into);
        let made = made.and_then(|scene| simulation(&scene, &text, scene.seed));
        Ok(text.checked(made).at("scene")?)
    }

    /// One trial.
    pub fn run(&self, values: &[f64]) -> Result<Trial> {
        let simulation = self.simulation(values)?;
        let rocks = self.rolled(&simulation);
        Ok(of(&simulation, &rocks))
    }

    /// One section; an error where it is interrupted. Of each rock no more is kept than what its end and its barriers
    /// need.
    pub fn section(&self, line: &Line, seed: u64, progress: &dyn Progress) -> Result<Trial> {
        let simulation = self.on_section(line, seed)?;
        let mut statistics = simulation.empty_results();
        let (count, mut rocks) = (self.count(&simulation), Vec::new());
        for from in (0..count).step_by(AT_ONCE as usize) {
            if progress.interrupted() {
                bail!(Interrupted);
            }
            let some = self.some(&simulation, from..count.min(from + AT_ONCE));
            statistics.add_each(&some.iter());
            for mut rock in some {
                rock.visits = Vec::new();
                rocks.push(rock);
            }
        }
        Ok(Trial {
            stations: stations::rows(&statistics),
            ..of(&simulation, &rocks)
        })
    }

    fn count(&self, simulation: &Simulation) -> u64 {
        let count = simulation.count();
        self.rocks.map_or(count, |rocks| rocks.min(count))
    }

    fn rolled(&self, simulation: &Simulation) -> Vec<RockResult> {
        self.some(simulation, 0..self.count(simulation))
    }

    fn some(&self, simulation: &Simulation, range: Range<u64>) -> Vec<RockResult> {
        let (all, rocks) = (simulation.count(), self.count(simulation));
        range
            .into_par_iter()
            .map(|k| simulation.rock(taken_evenly(k, all, rocks), &mut |_| {}))
            .collect()
    }
}

/// Rocks of a section between two questions whether to go on.
const AT_ONCE: u64 = 2000;

fn of(simulation: &Simulation, rocks: &[RockResult]) -> Trial {
    let settled = |r: &&RockResult| matches!(r.outcome, Outcome::Stopped | Outcome::Caught { .. });
    let runouts: Vec<f64> = rocks
        .iter()
        .filter(settled)
        .map(RockResult::runout)
        .collect();
    let part = |n: usize| n as f64 / rocks.len().max(1) as f64;
    let mut outcomes = vec![
        ("runout_50_m".to_owned(), quantile(&runouts, 0.5)),
        ("runout_95_m".to_owned(), quantile(&runouts, 0.95)),
        (
            "settled_fraction".to_owned(),
            Some(part(rocks.iter().filter(settled).count())),
        ),
    ];
    let mut heights = Vec::new();
    for (number, collector) in simulation.scene().collectors.iter().enumerate() {
        let first = |r: &RockResult| {
            let met = r.passages.iter().find(|p| p.collector as usize == number);
            met.copied()
        };
        let met: Vec<_> = rocks.iter().filter_map(first).collect();
        let energy: Vec<f64> = met
            .iter()
            .map(|p| 1e-3 * (p.translational + p.rotational))
            .collect();
        let tops: Vec<f64> = met.iter().map(|p| p.top).collect();
        heights.push(met.iter().map(|p| p.height).collect());
        let name = |what: &str| format!("{}: {what}", collector.name);
        outcomes.push((name("arrived_fraction"), Some(part(met.len()))));
        outcomes.push((name("energy_95_kj"), quantile(&energy, 0.95)));
        outcomes.push((name("top_95_m"), quantile(&tops, 0.95)));
    }
    Trial {
        runouts,
        heights,
        outcomes,
        stations: Vec::new(),
    }
}
