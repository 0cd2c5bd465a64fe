//! A study: trials, and what they say together.

use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use klast_dynamics::{Purpose, Streams, open_uniform};
use klast_rockfall::score::{fair_crps, quantile};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::result::{EffectRow, FoundRow, OneRow, Results, SetRow, Summary};
use super::scene::{Method, Scene, Varied, Witness};
use super::trial::{Base, Trial};
use crate::job::{Interrupted, Job, Keeps, Run};
use crate::parts::{self, Number};
use crate::pieces::{STATE, in_pieces};
use crate::progress::Progress;
use crate::results::Results as Any;
use crate::text::SceneText;

struct Study {
    scene: Scene,
    base: Base,
    /// Numbers of the barriers and collectors that witnesses are at.
    witnesses: Vec<usize>,
    /// The name of all that decides the trials but the seed.
    key: String,
}

/// What a trial has shown.
#[derive(Serialize, Deserialize)]
struct Shown {
    /// Named outcomes; of a back analysis none.
    outcomes: Vec<(String, Option<f64>)>,
    /// Of a back analysis.
    loss: Number,
}

/// A trajectory of Morris' method: trials at the shares in order, each by a step of one number from the one before.
struct Trajectory {
    shares: Vec<Vec<f64>>,
    /// The number that is stepped and its step, from the second trial on.
    steps: Vec<(usize, f64)>,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let base = Base::new(&scene, text)?;
    let ends: [fn(&Varied) -> f64; 2] = [|v| v.lower, |v| v.upper];
    let mut witnesses = Vec::new();
    for end in ends {
        let values: Vec<f64> = scene.vary.iter().map(end).collect();
        let simulation = base.simulation(&values)?;
        let collectors = &simulation.scene().collectors;
        witnesses = at(&scene.method, |name| {
            collectors.iter().position(|g| g.name == name)
        })?;
    }
    match &scene.method {
        Method::OneAtATime { values } => within("values", *values, (2, 100))?,
        Method::Morris { trajectories } => within("trajectories", *trajectories, (2, 1000))?,
        Method::BackAnalysis {
            sets,
            retained_fraction,
            runouts_m,
            witnesses,
        } => {
            within("sets", *sets, (10, 100_000))?;
            let part = *retained_fraction;
            ensure!(
                part > 0.0 && part <= 1.0,
                "retained_fraction is {part}; accepted: above 0, up to 1"
            );
            let heights = witnesses.iter().flat_map(|w| &w.heights_m);
            let found: Vec<f64> = runouts_m.iter().chain(heights).copied().collect();
            ensure!(
                !found.is_empty() && found.iter().all(|x| x.is_finite() && *x >= 0.0),
                "runouts_m, witnesses: accepted: one or more numbers in all, each 0 m or more"
            );
        }
    }
    Ok(Box::new(Study {
        key: text.key(),
        scene,
        base,
        witnesses,
    }))
}

fn within(what: &str, found: u32, (low, high): (u32, u32)) -> Result<()> {
    let holds = (low..=high).contains(&found);
    ensure!(holds, "{what} is {found}; accepted: {low} to {high}");
    Ok(())
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
    fn trials(&self) -> usize {
        let numbers = self.scene.vary.len();
        match self.scene.method {
            Method::OneAtATime { values } => numbers * values as usize,
            Method::Morris { trajectories } => (numbers + 1) * trajectories as usize,
            Method::BackAnalysis { sets, .. } => sets as usize,
        }
    }

    /// Values at shares of the ranges.
    fn values(&self, shares: &[f64]) -> Vec<f64> {
        let pairs = self.scene.vary.iter().zip(shares);
        pairs
            .map(|(v, s)| v.lower * (1.0 - s) + v.upper * s)
            .collect()
    }

    /// Shares of the ranges of every trial in its order.
    fn shares(&self, seed: u64) -> Vec<Vec<f64>> {
        let numbers = self.scene.vary.len();
        match self.scene.method {
            Method::OneAtATime { values } => (0..numbers)
                .flat_map(|number| (0..values).map(move |k| (number, k)))
                .map(|(number, k)| {
                    let share = f64::from(k) / f64::from(values - 1);
                    (0..numbers)
                        .map(|n| if n == number { share } else { 0.5 })
                        .collect()
                })
                .collect(),
            Method::Morris { trajectories } => {
                let all = self.trajectories(trajectories, seed).into_iter();
                all.flat_map(|t| t.shares).collect()
            }
            Method::BackAnalysis { sets, .. } => spread(sets as usize, numbers),
        }
    }

    /// Some of the trials.
    fn shown(&self, seed: u64, trials: Range<usize>, run: &mut Run) -> Result<Vec<Shown>> {
        let progress = run.progress;
        progress.begin("trials", trials.len() as u64);
        let shares = self.shares(seed);
        let key = format!("{} {seed}", self.key);
        let shown = in_pieces(run, (STATE, &key), trials, 1, |trials, kept| {
            let own = shares.get(trials).unwrap_or(&[]).iter();
            let more = own.map(|shares| self.show(shares, progress));
            Vec::extend(kept, more.collect::<Result<Vec<_>>>()?);
            Ok(())
        })?;
        progress.finish();
        run.files.remove(STATE);
        Ok(shown)
    }

    fn show(&self, shares: &[f64], progress: &dyn Progress) -> Result<Shown> {
        if progress.interrupted() {
            bail!(Interrupted);
        }
        let trial = self.base.run(&self.values(shares))?;
        progress.add(1);
        Ok(match &self.scene.method {
            Method::BackAnalysis {
                runouts_m,
                witnesses,
                ..
            } => Shown {
                outcomes: Vec::new(),
                loss: self.loss(&trial, runouts_m, witnesses).into(),
            },
            _ => Shown {
                outcomes: trial.outcomes,
                loss: f64::NAN.into(),
            },
        })
    }

    /// How far a trial is from what was found.
    fn loss(&self, trial: &Trial, runouts_m: &[f64], witnesses: &[Witness]) -> f64 {
        let mut losses = vec![mean_crps(&trial.runouts, runouts_m)];
        for (number, witness) in self.witnesses.iter().zip(witnesses) {
            let seen = trial.heights.get(*number).map_or(&[][..], Vec::as_slice);
            losses.push(mean_crps(seen, &witness.heights_m));
        }
        losses.into_iter().flatten().sum()
    }

    fn one_at_a_time(&self, shares: &[Vec<f64>], shown: Vec<Shown>) -> Vec<OneRow> {
        let values = shown.len() / self.scene.vary.len().max(1);
        let mut rows = Vec::new();
        for (k, (shares, shown)) in shares.iter().zip(shown).enumerate() {
            let number = k.checked_div(values).unwrap_or(0);
            let value = self.values(shares).get(number).copied();
            let key = self.scene.vary.get(number).map(|v| v.key.clone());
            rows.extend(shown.outcomes.into_iter().map(|(outcome, found)| OneRow {
                key: key.clone().unwrap_or_default(),
                value: value.unwrap_or(f64::NAN),
                outcome,
                found,
            }));
        }
        rows
    }

    /// Morris' trajectories over four levels, each number stepping by two thirds of its range once.
    fn trajectories(&self, trajectories: u32, seed: u64) -> Vec<Trajectory> {
        const STEP: f64 = 2.0 / 3.0;
        let numbers = self.scene.vary.len();
        let streams = Streams::new(seed);
        let trajectory = |k: u32| {
            let mut rng = streams.rng(Purpose::Custom(0), u64::from(k));
            let mut shares: Vec<f64> = (0..numbers)
                .map(|_| {
                    if open_uniform(&mut rng) < 0.5 {
                        0.0
                    } else {
                        1.0 / 3.0
                    }
                })
                .collect();
            // Some go down: those that start at the top of their step.
            let down: Vec<bool> = (0..numbers).map(|_| open_uniform(&mut rng) < 0.5).collect();
            for (share, down) in shares.iter_mut().zip(&down) {
                *share += if *down { STEP } else { 0.0 };
            }
            let mut order: Vec<(f64, usize)> =
                (0..numbers).map(|n| (open_uniform(&mut rng), n)).collect();
            order.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (mut all, mut steps) = (vec![shares.clone()], Vec::new());
            for (_, number) in order {
                let step = if down.get(number) == Some(&true) {
                    -STEP
                } else {
                    STEP
                };
                if let Some(share) = shares.get_mut(number) {
                    *share += step;
                }
                all.push(shares.clone());
                steps.push((number, step));
            }
            Trajectory { shares: all, steps }
        };
        (0..trajectories).map(trajectory).collect()
    }

    fn morris(&self, trajectories: u32, seed: u64, shown: &[Shown]) -> Vec<EffectRow> {
        let numbers = self.scene.vary.len();
        // Effects by number and outcome.
        let mut effects: Vec<Vec<Vec<f64>>> = vec![Vec::new(); numbers];
        let trajectories = self.trajectories(trajectories, seed);
        for (trajectory, shown) in trajectories.iter().zip(shown.chunks(numbers + 1)) {
            let pairs = shown.iter().zip(shown.iter().skip(1));
            for ((number, step), (before, after)) in trajectory.steps.iter().zip(pairs) {
                let Some(list) = effects.get_mut(*number) else {
                    continue;
                };
                list.resize(after.outcomes.len(), Vec::new());
                let pairs = before.outcomes.iter().zip(&after.outcomes).zip(list);
                for ((a, b), list) in pairs {
                    list.extend(a.1.zip(b.1).map(|(a, b)| (b - a) / step));
                }
            }
        }
        let names = shown.first().map_or(&[][..], |s| s.outcomes.as_slice());
        let mut rows = Vec::new();
        for (outcome, (name, _)) in names.iter().enumerate() {
            let found = shown.iter().filter_map(|s| s.outcomes.get(outcome)?.1);
            let largest = found.fold(0.0_f64, |most, x| most.max(x.abs()));
            for (varied, lists) in self.scene.vary.iter().zip(&effects) {
                let list = lists.get(outcome).map_or(&[][..], Vec::as_slice);
                rows.extend(effect((name, largest), &varied.key, list));
            }
        }
        rows
    }

    fn back_analysis(
        &self,
        retained_fraction: f64,
        shares: &[Vec<f64>],
        shown: &[Shown],
    ) -> Result<(Vec<SetRow>, Vec<FoundRow>, usize)> {
        let losses = shown.iter().map(|s| f64::from(s.loss));
        let tried: Vec<(Vec<f64>, f64)> =
            shares.iter().map(|s| self.values(s)).zip(losses).collect();
        ensure!(
            tried.iter().any(|(_, loss)| loss.is_finite()),
            "no set of numbers brings two rocks or more to rest and to every witness: none explains what was found; accepted: other ranges in `vary`, or more rocks"
        );
        let mut order: Vec<usize> = (0..tried.len()).collect();
        order.sort_by(|a, b| tried[*a].1.total_cmp(&tried[*b].1));
        let count = (retained_fraction * tried.len() as f64 - 1e-9)
            .ceil()
            .max(1.0) as usize;
        let kept: Vec<usize> = order.into_iter().take(count).collect();
        let mut rows = Vec::new();
        for (set, (values, loss)) in tried.iter().enumerate() {
            for (varied, value) in self.scene.vary.iter().zip(values) {
                rows.push(SetRow {
                    set,
                    key: varied.key.clone(),
                    value: *value,
                    loss: *loss,
                    retained: u8::from(kept.contains(&set)),
                });
            }
        }
        let found = self.scene.vary.iter().enumerate().map(|(number, varied)| {
            let value = |k: &usize| tried[*k].0.get(number).copied();
            let values: Vec<f64> = kept.iter().filter_map(value).collect();
            let at = |p| quantile(&values, p).unwrap_or(f64::NAN);
            let (q05, q95) = (at(0.05), at(0.95));
            FoundRow {
                key: varied.key.clone(),
                lower: varied.lower,
                upper: varied.upper,
                q05,
                median: at(0.5),
                q95,
                open: (q95 - q05) / (0.9 * (varied.upper - varied.lower)),
            }
        });
        Ok((rows, found.collect(), kept.len()))
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

/// Mean CRPS of an ensemble over what was found (m); infinite where there are too few rocks to tell, none where nothing
/// was found.
fn mean_crps(ensemble: &[f64], found: &[f64]) -> Option<f64> {
    if found.is_empty() {
        return None;
    }
    let score = |x: &f64| fair_crps(ensemble, *x).unwrap_or(f64::INFINITY);
    Some(found.iter().map(score).sum::<f64>() / found.len() as f64)
}

/// Shares spread evenly over the ranges: fractional parts of multiples of the powers of the generalised golden ratio.
fn spread(count: usize, numbers: usize) -> Vec<Vec<f64>> {
    // The root of x^(n + 1) = x + 1 by iteration, which converges as its derivative is below one.
    let power = 1.0 / (numbers as f64 + 1.0);
    let golden = (0..64).fold(1.5_f64, |x, _| libm::pow(1.0 + x, power));
    let shares = |k: usize| {
        let share = |d: usize| (0.5 + (k + 1) as f64 / libm::pow(golden, (d + 1) as f64)).fract();
        (0..numbers).map(share).collect()
    };
    (0..count).map(shares).collect()
}

fn effect((outcome, largest): (&str, f64), key: &str, effects: &[f64]) -> Option<EffectRow> {
    let n = effects.len() as f64;
    if effects.is_empty() {
        return None;
    }
    let mean = effects.iter().sum::<f64>() / n;
    let square = effects.iter().map(|e| (e - mean) * (e - mean)).sum::<f64>();
    Some(EffectRow {
        outcome: outcome.to_owned(),
        key: key.to_owned(),
        mean_absolute: effects.iter().map(|e| e.abs()).sum::<f64>() / n,
        mean,
        standard_deviation: (square / (n - 1.0).max(1.0)).sqrt(),
        effects: effects.len(),
        largest,
    })
}

impl Job for Study {
    fn describe(&self) -> String {
        format!(
            "rockfall_study: {} numbers, {} trials of {} rocks",
            self.scene.vary.len(),
            self.trials(),
            self.scene.rocks
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

    fn run(&self, run: &mut Run) -> Result<Any> {
        let seed = run.seed.unwrap_or(self.scene.seed);
        run.seed = Some(seed);
        let shown = self.shown(seed, run.part(self.trials()), run)?;
        if run.shard.is_some() {
            run.count("trials", shown.len());
            let numbers = numbers(&shown);
            return parts::keep(run, &shown, numbers);
        }
        self.results(run, seed, shown)
    }

    fn merge(&self, parts: &[PathBuf], run: &mut Run) -> Result<Any> {
        let seed = run.seed.unwrap_or(self.scene.seed);
        run.seed = Some(seed);
        let shown = parts::joined(parts, "trials", self.trials())?;
        self.results(run, seed, shown)
    }
}

impl Study {
    fn results(&self, run: &mut Run, seed: u64, shown: Vec<Shown>) -> Result<Any> {
        let mut results = Results {
            summary: Summary {
                trials: self.trials(),
                rocks: self.scene.rocks,
                numbers: self.scene.vary.len(),
                ..Summary::default()
            },
            ..Results::default()
        };
        match self.scene.method {
            Method::OneAtATime { .. } => {
                results.summary.method = "one_at_a_time";
                results.sensitivity = self.one_at_a_time(&self.shares(seed), shown);
            }
            Method::Morris { trajectories } => {
                results.summary.method = "morris";
                results.effects = self.morris(trajectories, seed, &shown);
            }
            Method::BackAnalysis {
                retained_fraction, ..
            } => {
                results.summary.method = "back_analysis";
                let shares = self.shares(seed);
                let (sets, found, kept) = self.back_analysis(retained_fraction, &shares, &shown)?;
                (results.sets, results.found) = (sets, found);
                results.summary.retained = kept;
            }
        }
        run.count("trials", results.summary.trials);
        Ok(Any::RockfallStudy(Box::new(results)))
    }
}
