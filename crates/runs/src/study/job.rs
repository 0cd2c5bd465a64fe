//! A study: its design, its runs, and what they say together.

use std::ops::Range;
use std::path::PathBuf;

use rayon::prelude::*;
use serde_json::{Value, json};

use super::bisection;
use super::collected;
use super::design::{Choice, Design, numbers};
use super::inner::{Find, Inner};
use super::point::Point;
use super::scene::{Axis, Method, Scene};
use crate::error::Result;
use crate::faults::{Fault, Faults};
use crate::job::{Job, Keeps, Run};
use crate::parts::{self, fraction};
use crate::pieces::own_share;
use crate::progress::Progress;
use crate::results::Results;
use crate::text::SceneText;

struct Study {
    inner: Inner,
    design: Design,
    keys: Vec<String>,
    kind: &'static str,
    seed: u64,
    /// Whether the scene draws at random.
    scene_draws: bool,
    /// What one run is, for the description.
    described: String,
    /// The name of all that decides the runs but the seed.
    key: String,
}

/// Reads and validates: the scene with the first values of all keys, and with the last value of each.
///
/// # Errors
/// Every fault of the study, or of the scene with those values.
pub fn prepare(text: &SceneText, find: Find) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let mut faults = Faults::default();
    let inner = faults.take("", Inner::new(text, &scene.scene, &scene.over, find));
    let design = faults.take("", Design::new(text, &scene.over, &scene.method));
    let keys: Vec<String> = scene.over.iter().map(Axis::name).collect();
    for (k, key) in keys.iter().enumerate() {
        faults.check(!keys[..k].contains(key), || {
            Fault::new(format!("over[{k}].key"), format!("`{key}` is there twice"))
        });
    }
    let (mut inner, design) = faults.or_all(|| inner.zip(design))?;
    let first = design.values(0, scene.seed);
    let job = inner.job(&first)?;
    for (k, choice) in design.choices.iter().enumerate() {
        let mut values = first.clone();
        let last = match choice {
            Choice::Listed(values) => values.last().cloned(),
            Choice::Drawn(distribution) => Some(Value::from(distribution.quantile(0.95))),
        };
        if let (Some(value), Some(last)) = (values.get_mut(k), last) {
            *value = Some(last);
            inner.job(&values)?;
        }
    }
    inner.look_at = scene.look_at;
    if let Method::Bisection(plan) = &scene.method {
        inner.change = Some(plan.look_at.clone());
    }
    Ok(Box::new(Study {
        kind: inner.kind(),
        scene_draws: job.draws(),
        described: job.describe(),
        inner,
        design,
        keys,
        seed: scene.seed,
        key: text.key(),
    }))
}

impl Study {
    /// Whether the study draws the values of its keys.
    fn drawn(&self) -> bool {
        matches!(
            self.design.method,
            Method::Sample { .. } | Method::Sobol { .. }
        )
    }

    /// The seed of the study and that of the scene, where they are not those of the file.
    fn seeds(&self, given: Option<u64>) -> (u64, Option<u64>) {
        match self.drawn() {
            true => (given.unwrap_or(self.seed), None),
            false => (self.seed, given),
        }
    }

    /// Runs whose values are known before the study.
    fn planned(
        &self,
        given: Option<u64>,
        runs: Range<usize>,
        progress: &dyn Progress,
    ) -> Result<Vec<Point>> {
        let (own, of_scene) = self.seeds(given);
        let point = |run| {
            self.inner
                .run(self.design.values(run, own), of_scene, progress)
        };
        runs.into_par_iter().map(point).collect()
    }

    /// Runs after `points`, of which each of a bisection follows from those before.
    fn add(
        &self,
        given: Option<u64>,
        runs: Range<usize>,
        points: &mut Vec<Point>,
        progress: &dyn Progress,
    ) -> Result<()> {
        let known = self.design.runs();
        let planned = runs.start..runs.end.min(known);
        let mut more = self.planned(given, planned, progress)?;
        if let Method::Bisection(plan) = &self.design.method {
            let values = numbers(&self.design.choices).unwrap_or_default();
            let mut all = points.clone();
            all.append(&mut more);
            for _ in runs.start.max(known)..runs.end {
                if let Some(value) = bisection::next(&bisection::state(plan, &values, &all)) {
                    all.push(
                        self.inner
                            .run(vec![Some(value)], self.seeds(given).1, progress)?,
                    );
                }
            }
            *points = all;
        } else {
            points.append(&mut more);
        }
        Ok(())
    }

    /// All runs, with those of a bisection at most.
    fn total(&self) -> usize {
        let more = match &self.design.method {
            Method::Bisection(plan) => {
                let values = numbers(&self.design.choices).unwrap_or_default();
                bisection::most_steps(plan, &values)
            }
            _ => 0,
        };
        self.design.runs() + more
    }

    fn results(&self, run: &mut Run, points: Vec<Point>) -> Box<dyn Results> {
        let (own, of_scene) = self.seeds(run.seed);
        run.seed = if self.drawn() { Some(own) } else { of_scene };
        run.count("runs", points.len());
        warn_of_runs(run, &points);
        let results = collected::results((self.kind, &self.keys), &self.design, points, own);
        let summary = &results.summary;
        if summary.failed > 0 {
            run.warning(&format!(
                "{} of {} runs came to no answer; study.csv says why",
                summary.failed, summary.runs
            ));
        }
        Box::new(results)
    }
}

/// What the runs warned of, once: the texts of runs differ in their numbers.
fn warn_of_runs(run: &mut Run, points: &[Point]) {
    let found = points.iter().filter_map(|p| p.found.as_ref().ok());
    let warned: Vec<&String> = found.filter_map(|f| f.warnings.first()).collect();
    if let Some(first) = warned.first() {
        let (some, all) = (warned.len(), points.len());
        run.warning(&format!(
            "{some} of {all} runs have warnings; the first: {first}"
        ));
    }
}

impl Job for Study {
    fn describe(&self) -> String {
        let keys = self.keys.join(", ");
        format!(
            "{} runs over {keys}; the first: {}",
            self.total(),
            self.described
        )
    }

    fn draws(&self) -> bool {
        self.drawn() || self.scene_draws
    }

    fn has_parts(&self) -> bool {
        !matches!(self.design.method, Method::Bisection(_))
    }

    fn why_whole(&self) -> &'static str {
        "bisects: each run follows from those before it"
    }

    fn keeps(&self) -> Keeps {
        Keeps::EveryMinute
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        let (seed, progress) = (run.seed, run.progress);
        let key = format!("{} {:?}", self.key, self.seeds(seed));
        let work =
            |runs: Range<usize>, points: &mut Vec<Point>| self.add(seed, runs, points, progress);
        let first = rayon::current_num_threads();
        let points: Vec<Point> = own_share(run, ("runs", &key), (self.total(), first), work)?;
        if run.shard.is_none() {
            return Ok(self.results(run, points));
        }
        if self.drawn() {
            run.seed = Some(self.seeds(seed).0);
        }
        run.count("runs", points.len());
        let failed = points.iter().filter(|p| p.found.is_err()).count();
        let numbers = json!({
            "runs": points.len(),
            "failed_fraction": fraction(failed, points.len()),
        });
        parts::keep(run, &points, numbers)
    }

    fn merge(&self, parts: &[PathBuf], run: &mut Run) -> Result<Box<dyn Results>> {
        let points = parts::joined(parts, "runs", self.total())?;
        Ok(self.results(run, points))
    }
}
