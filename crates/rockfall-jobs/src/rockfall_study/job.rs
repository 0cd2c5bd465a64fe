//! A study: trials, and what they say together.

use std::ops::Range;
use std::path::PathBuf;

use klast_runs::bail;
use klast_runs::error::{Context as _, Result};
use serde_json::{Value, json};

use super::design::{shares, trials, values};
use super::findings::{Shown, back_analysis, loss, morris, sections, stations};
use super::result::{Results, Summary};
use super::scene::{Line, Method, Scene, Varied, Witness};
use super::trial::Base;
use klast_runs::Results as Any;
use klast_runs::answer::counted;
use klast_runs::faults::{At as _, Fault, Faults};
use klast_runs::job::{Job, Keeps, Run};
use klast_runs::parts;
use klast_runs::pieces::{STATE, in_pieces};
use klast_runs::progress::Interrupted;
use klast_runs::progress::Progress;
use klast_runs::text::SceneText;

struct Study {
    scene: Scene,
    base: Base,
    /// Numbers of the barriers and collectors that witnesses are at.
    witnesses: Vec<usize>,
    /// Rocks of a trial.
    rocks: u64,
    /// The name of all that decides the trials but the seed.
    key: String,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let mut faults = Faults::default();
    let base = faults.take("", Base::new(&scene, text));
    faults.take("method", scene.method.check());
    let base = faults.or_all(|| base)?;
    let ends: [fn(&Varied) -> f64; 2] = [|v| v.lower, |v| v.upper];
    let mut witnesses = Vec::new();
    let mut rocks = base.rocks();
    if let Method::Sections { lines } = &scene.method {
        for line in lines {
            rocks = rocks.min(base.on_section(line, base.seed()?)?.count());
        }
    }
    let varied = !scene.vary.is_empty();
    for end in ends.into_iter().filter(|_| varied) {
        let values: Vec<f64> = scene.vary.iter().map(end).collect();
        let simulation = base.simulation(&values)?;
        let collectors = &simulation.scene().collectors;
        witnesses = at(&scene.method, |name| {
            collectors.iter().position(|g| g.name == name)
        })
        .at("method.back_analysis")?;
    }
    Ok(Box::new(Study {
        key: text.key(),
        scene,
        base,
        witnesses,
        rocks,
    }))
}

impl Method {
    /// Refuses numbers of a method that are out of range, and sections without names of their own.
    fn check(&self) -> Result<(), Faults> {
        let mut faults = Faults::default();
        let mut within = |key: &str, found: u32, (low, high): (u32, u32)| {
            faults.check((low..=high).contains(&found), || {
                Fault::new(key, found).accepted(format!("{low} to {high}"))
            });
        };
        match self {
            Self::Sections { lines } => named(lines, &mut faults),
            Self::Morris { trajectories } => {
                within("morris.trajectories", *trajectories, (2, 1000))
            }
            Self::BackAnalysis {
                sets,
                retained_fraction: part,
                runouts_m,
                witnesses,
            } => {
                within("back_analysis.sets", *sets, (10, 100_000));
                faults.check(*part > 0.0 && *part <= 1.0, || {
                    Fault::new("back_analysis.retained_fraction", part).accepted("above 0, up to 1")
                });
                let heights = witnesses.iter().flat_map(|w| &w.heights_m);
                let mut found = runouts_m.iter().chain(heights).peekable();
                let some = found.peek().is_some();
                faults.check(some && found.all(|x| x.is_finite() && *x >= 0.0), || {
                    Fault::new(
                        "back_analysis",
                        "runouts_m, witnesses: none, or one below 0",
                    )
                    .accepted("one or more numbers in all, each 0 m or more")
                });
            }
        }
        faults.or_all(|| Some(()))
    }
}

fn named(lines: &[Line], faults: &mut Faults) {
    faults.check((1..=1000).contains(&lines.len()), || {
        Fault::new("sections.lines", format!("{} lines", lines.len())).accepted("1 to 1000")
    });
    for (k, line) in lines.iter().enumerate() {
        let own = !line.name.trim().is_empty() && lines[..k].iter().all(|l| l.name != line.name);
        faults.check(own, || {
            let found = format!("the name '{}' is empty or there twice", line.name);
            Fault::new(format!("sections.lines[{k}].name"), found).accepted("names of their own")
        });
    }
}

/// Where the witnesses are.
fn at(method: &Method, find: impl Fn(&str) -> Option<usize>) -> Result<Vec<usize>> {
    let Method::BackAnalysis { witnesses, .. } = method else {
        return Ok(Vec::new());
    };
    let number = |w: &Witness| {
        let found = find(&w.at);
        found.with_context(|| {
            format!(
                "witnesses: the scene has no barrier or collector '{}'",
                w.at
            )
        })
    };
    witnesses.iter().map(number).collect()
}

impl Study {
    /// The seed of a run: of the study, and of sections, which draw nothing of their own, of the rockfall.
    fn seed(&self, given: Option<u64>) -> Result<u64> {
        match (given, &self.scene.method) {
            (Some(seed), _) => Ok(seed),
            (None, Method::Sections { .. }) => self.base.seed(),
            (None, _) => Ok(self.scene.seed),
        }
    }

    /// Some of the trials.
    fn shown(&self, seed: u64, trials: Range<usize>, run: &mut Run) -> Result<Vec<Shown>> {
        let progress = run.progress;
        progress.begin("trials", trials.len() as u64);
        let shares = shares(&self.scene, seed);
        let key = format!("{} {seed}", self.key);
        let shown = in_pieces(run, (STATE, &key), trials, 1, |trials, kept| {
            let own = trials.map(|number| self.show(number, (&shares, seed), progress));
            Vec::extend(kept, own.collect::<Result<Vec<_>>>()?);
            Ok(())
        })?;
        progress.finish();
        run.files.remove(STATE);
        Ok(shown)
    }

    fn show(
        &self,
        number: usize,
        (shares, seed): (&[Vec<f64>], u64),
        progress: &dyn Progress,
    ) -> Result<Shown> {
        if progress.interrupted() {
            bail!(Interrupted);
        }
        let trial = match &self.scene.method {
            Method::Sections { lines } => self.base.section(
                lines.get(number).context("no such section")?,
                seed,
                progress,
            ),
            _ => {
                let shares = shares.get(number).context("no such trial")?;
                self.base.run(&values(&self.scene, shares))
            }
        }?;
        progress.add(1);
        Ok(match &self.scene.method {
            Method::BackAnalysis {
                runouts_m,
                witnesses,
                ..
            } => Shown {
                outcomes: Vec::new(),
                loss: loss(&self.witnesses, &trial, runouts_m, witnesses).into(),
                stations: Vec::new(),
            },
            _ => Shown {
                outcomes: trial.outcomes,
                loss: f64::NAN.into(),
                stations: trial.stations,
            },
        })
    }
}

/// What trials of a part say before all are joined: the ends of each outcome, and the least loss.
fn numbers(shown: &[Shown]) -> Value {
    let ends = |values: Vec<f64>| {
        let least = values.iter().copied().reduce(f64::min);
        json!({"min": least, "max": values.iter().copied().reduce(f64::max)})
    };
    let names = shown.first().map_or(&[][..], |s| s.outcomes.as_slice());
    let outcomes = names.iter().enumerate().map(|(k, (name, _))| {
        let found = shown.iter().filter_map(|s| s.outcomes.get(k)?.1);
        (name.clone(), ends(found.collect()))
    });
    let losses = shown.iter().map(|s| f64::from(s.loss));
    let losses = losses.filter(|loss| loss.is_finite());
    json!({
        "trials": shown.len(),
        "outcomes": Value::Object(outcomes.collect()),
        "min_loss": losses.reduce(f64::min),
    })
}

impl Job for Study {
    fn describe(&self) -> String {
        if let Method::Sections { lines } = &self.scene.method {
            let sections = counted(lines.len() as u64, "section");
            return format!("rockfall_study: {sections} of {} rocks", self.rocks);
        }
        format!(
            "rockfall_study: {} numbers, {} trials of {} rocks",
            self.scene.vary.len(),
            trials(&self.scene),
            self.rocks
        )
    }

    fn draws(&self) -> bool {
        true
    }

    fn has_parts(&self) -> bool {
        true
    }

    fn keeps(&self) -> Keeps {
        Keeps::EveryMinute
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Any>> {
        let seed = self.seed(run.seed)?;
        run.seed = Some(seed);
        let shown = self.shown(seed, run.part(trials(&self.scene)), run)?;
        if run.shard.is_some() {
            run.count("trials", shown.len());
            let numbers = numbers(&shown);
            return parts::keep(run, &shown, numbers);
        }
        self.results(run, seed, shown)
    }

    fn merge(&self, parts: &[PathBuf], run: &mut Run) -> Result<Box<dyn Any>> {
        let seed = self.seed(run.seed)?;
        run.seed = Some(seed);
        let shown = parts::joined(parts, "trials", trials(&self.scene))?;
        self.results(run, seed, shown)
    }
}

impl Study {
    fn results(&self, run: &mut Run, seed: u64, shown: Vec<Shown>) -> Result<Box<dyn Any>> {
        let mut results = Results {
            summary: Summary {
                trials: trials(&self.scene),
                rocks: self.rocks,
                numbers: self.scene.vary.len(),
                ..Summary::default()
            },
            ..Results::default()
        };
        match self.scene.method {
            Method::Sections { ref lines } => {
                results.summary.method = "sections";
                results.sections = sections(lines, &shown);
                results.stations = stations(lines, &shown);
            }
            Method::Morris { trajectories } => {
                results.summary.method = "morris";
                results.effects = morris(&self.scene, trajectories, seed, &shown);
            }
            Method::BackAnalysis {
                retained_fraction, ..
            } => {
                results.summary.method = "back_analysis";
                let shares = shares(&self.scene, seed);
                let (sets, found, kept) =
                    back_analysis(&self.scene, retained_fraction, &shares, &shown)?;
                (results.sets, results.found) = (sets, found);
                results.summary.retained = kept;
            }
        }
        run.count("trials", results.summary.trials);
        Ok(Box::new(results))
    }
}
