//! A calibration: compare sets on every run, forecast each run by the best on the others.

use std::ops::Range;
use std::path::PathBuf;

use glam::DVec2;
use klast_rockfall::StopConditions;
use klast_rockfall::calibrate::{CONTENDERS, Campaign, Fit, ParameterSet, Prior, Rest, member};
use klast_runs::error::{Context as _, Result};
use rayon::prelude::*;
use serde_json::json;

use super::read::{self, Field};
use super::result::{self, Chosen, Forecast, Tried};
use super::scene::Scene;
use crate::rockfall::posterior;
use klast_runs::faults::{Fault, Faults};
use klast_runs::job::{Job, Keeps, Run};
use klast_runs::pieces::of_each;
use klast_runs::text::SceneText;
use klast_runs::{Results, parts};

struct Calibration {
    scene: Scene,
    text: SceneText,
    field: Field,
    prior: Prior,
    sets: Vec<ParameterSet>,
}

/// Rocks of the forecasts are numbered from here: none of them has been in the fit.
const UNSEEN: u64 = 1_000_000;
/// A bound that keeps numbers apart and memory in reason.
const MAX_ROCKS: u64 = 1_000_000;

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let mut faults = Faults::default();
    let mut check = |holds: bool, key: &str, found: u64, accepted: &str| {
        faults.check(holds, || Fault::new(key, found).accepted(accepted));
    };
    let (sets, fit, refined) = (scene.sets, scene.fit_rocks, scene.refinement_rocks);
    check(
        (1..=100_000).contains(&sets),
        "sets",
        sets as u64,
        "1 to 100000",
    );
    check(
        (2..MAX_ROCKS).contains(&fit),
        "fit_rocks",
        fit,
        "2 to 999999",
    );
    let good = fit >= MAX_ROCKS || refined < MAX_ROCKS - fit;
    check(
        good,
        "refinement_rocks",
        refined,
        "below 1000000 with fit_rocks",
    );
    check(
        (2..MAX_ROCKS).contains(&scene.rocks),
        "rocks",
        scene.rocks,
        "2 to 999999",
    );
    let retained = &scene.retained_fractions;
    let good = !retained.is_empty() && retained.iter().all(|s| *s > 0.0 && *s <= 1.0);
    faults.check(good, || {
        Fault::new("retained_fractions", format!("{retained:?}"))
            .accepted("one or more, each above 0, up to 1")
    });
    let field = faults.take("", Field::read(&scene, text));
    let prior = faults.take("", read::prior(&scene));
    let (field, prior) = faults.or_all(|| field.zip(prior))?;
    let sets = prior.sets_by_class(scene.sets, field.classes.len().max(1));
    let job = Calibration {
        scene,
        text: text.clone(),
        field,
        prior,
        sets,
    };
    let campaign = job.campaign(job.scene.seed);
    campaign.validate()?;
    // A rock that cannot be made is found now.
    job.sets
        .first()
        .map_or(Ok(()), |s| campaign.trial(s.clone()).map(|_| ()))?;
    Ok(Box::new(job))
}

/// Places of rest of a set, by run.
type Places = Vec<Vec<[f64; 2]>>;

/// The file of the state of a stage.
fn state(what: &str) -> String {
    format!("state-{what}.json")
}

/// As the fit takes them.
fn points(sets: Vec<Places>) -> Vec<Vec<Vec<DVec2>>> {
    let of_run = |run: Vec<[f64; 2]>| run.into_iter().map(DVec2::from_array).collect();
    let of_set = |set: Places| set.into_iter().map(of_run).collect();
    sets.into_iter().map(of_set).collect()
}

impl Calibration {
    fn campaign(&self, seed: u64) -> Campaign<'_> {
        Campaign {
            terrain: &self.field.grid,
            rocks: self.field.rocks.clone(),
            runs: self.field.runs.clone(),
            stop: StopConditions {
                maximum_time: self.scene.maximum_time_s,
                ..StopConditions::default()
            },
            contact_step: self.scene.contact_step_s,
            drag_height: self.scene.drag_height_m,
            least_runout: self.scene.minimum_runout_m,
            seed,
        }
    }

    /// Some of the sets on every run.
    fn first_fit(
        &self,
        campaign: &Campaign,
        run: &mut Run,
        sets: Range<usize>,
    ) -> Result<Vec<Places>> {
        let sets: Vec<usize> = sets.collect();
        self.roll(campaign, run, "sets", &sets, 0..self.scene.fit_rocks)
    }

    /// The contenders among all sets with more rocks.
    fn fit(&self, campaign: &Campaign, run: &mut Run, places: Vec<Places>) -> Result<Fit> {
        let (first, second) = (self.scene.fit_rocks, self.scene.refinement_rocks);
        let fit = Fit::new(points(places), &campaign.runs).context("no rocks to score")?;
        if second == 0 {
            return Ok(fit);
        }
        let contenders = fit.contenders(CONTENDERS);
        let numbers = first..first + second;
        let more = self.roll(campaign, run, "contenders", &contenders, numbers)?;
        fit.refined(
            CONTENDERS,
            contenders.into_iter().zip(points(more)),
            &campaign.runs,
        )
        .context("no rocks to score")
    }

    /// Places of rest of some of the sets, by set and run.
    fn roll(
        &self,
        campaign: &Campaign,
        run: &mut Run,
        what: &str,
        sets: &[usize],
        numbers: Range<u64>,
    ) -> Result<Vec<Places>> {
        run.progress.begin(what, sets.len() as u64);
        let key = format!("{} {:?} {sets:?} {numbers:?}", self.text.key(), run.seed);
        let places = of_each(run, (&state(what), &key), sets, |set| {
            let set = self.sets.get(*set).context("no such set")?;
            let trial = campaign.trial(set.clone())?;
            let of_run = |k| -> Result<Vec<[f64; 2]>> {
                let places = numbers.clone().map(|n| trial.place(k, n));
                let places = places.map(|r| r.map(|r| r.place.to_array()));
                Ok(places.collect::<Result<_, _>>()?)
            };
            (0..campaign.runs.len()).map(of_run).collect()
        })?;
        run.progress.finish();
        Ok(places)
    }

    /// What forecasts a run, decided without it.
    fn chosen(&self, fit: &Fit, run: Option<usize>) -> Result<Chosen> {
        let runs = &self.field.runs;
        let share = fit.share(runs, run, &self.scene.retained_fractions);
        let share = share.context("no share")?;
        let left_out: Vec<usize> = run.into_iter().collect();
        let correction = fit.correction(runs, run, share);
        Ok(Chosen {
            kept: fit.kept(&left_out, share),
            correction: correction.context(
                "runouts observed and forecast have no ratio: rocks rest where they were let go",
            )?,
        })
    }

    /// Rocks of a run from the sets that were kept, each in turn.
    fn forecast(&self, campaign: &Campaign, run: usize, kept: &[usize]) -> Result<Vec<Rest>> {
        let trials: Vec<_> = (0..kept.len() as u64)
            .filter_map(|turn| member(kept, &self.sets, turn))
            .map(|set| campaign.trial(set))
            .collect::<Result<_, _>>()?;
        (0..self.scene.rocks)
            .into_par_iter()
            .map(|n| {
                let turn = n.checked_rem(trials.len() as u64).unwrap_or(0) as usize;
                let trial = trials.get(turn).context("no set was kept")?;
                Ok(trial.place(run, UNSEEN + n)?)
            })
            .collect()
    }
}

impl Job for Calibration {
    fn describe(&self) -> String {
        format!(
            "rockfall_calibration: {} runs, {} rocks, {} sets of parameters, {} trajectories and those of the refinement",
            self.field.runs.len(),
            self.field.rocks.len(),
            self.sets.len(),
            self.field.runs.len() as u64
                * (self.sets.len() as u64 * self.scene.fit_rocks + self.scene.rocks)
        )
    }

    fn draws(&self) -> bool {
        true
    }

    fn keeps(&self) -> Keeps {
        Keeps::EveryMinute
    }

    /// What parts divide is the first fit; the merge runs the refinement, which needs the best of all sets, and the
    /// forecasts.
    fn has_parts(&self) -> bool {
        true
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        let seed = run.seed.unwrap_or(self.scene.seed);
        run.seed = Some(seed);
        let sets = run.part(self.sets.len());
        let places = self.first_fit(&self.campaign(seed), run, sets)?;
        if run.shard.is_some() {
            run.files.remove(&state("sets"));
            run.count("sets", places.len());
            let rocks = places.iter().flatten().map(Vec::len).sum::<usize>();
            let numbers = json!({"sets": places.len(), "places_of_rest": rocks});
            return parts::keep(run, &places, numbers);
        }
        self.results(run, places)
    }

    fn merge(&self, parts: &[PathBuf], run: &mut Run) -> Result<Box<dyn Results>> {
        let places = parts::joined(parts, "sets", self.sets.len())?;
        self.results(run, places)
    }
}

impl Calibration {
    fn results(&self, run: &mut Run, places: Vec<Places>) -> Result<Box<dyn Results>> {
        let seed = run.seed.unwrap_or(self.scene.seed);
        run.seed = Some(seed);
        run.warnings(&self.text.cautions());
        let campaign = self.campaign(seed);
        let fit = self.fit(&campaign, run, places)?;
        let progress = run.progress;
        let runs = campaign.runs.len();
        progress.begin("forecasts", runs as u64);
        let mut forecasts = Vec::new();
        for number in 0..runs {
            run.check_interrupted()?;
            let Chosen { kept, correction } = self.chosen(&fit, Some(number))?;
            let rests = self.forecast(&campaign, number, &kept)?;
            forecasts.push(Forecast { rests, correction });
            progress.add(1);
        }
        progress.finish();
        for what in ["sets", "contenders"] {
            run.files.remove(&state(what));
        }
        let calibrated = self.chosen(&fit, None)?;
        let tried = Tried {
            prior: &self.prior,
            sets: &self.sets,
            losses: &fit.losses,
            classes: &self.field.classes,
        };
        let results = result::Results::of(&campaign, &tried, &calibrated, &forecasts)?;
        run.warnings(&results.unseen_classes());
        let stayed = results.did_not_leave();
        run.count("runs_that_did_not_leave", stayed.len());
        if !stayed.is_empty() {
            run.warning(&format!(
                "no rock of {} runs left its release, in any of twenty attitudes each: {}. Their forecasts are rocks at rest",
                stayed.len(),
                stayed.join(", ")
            ));
        }
        run.warnings(
            &posterior::few_sets(calibrated.kept.len())
                .into_iter()
                .collect::<Vec<_>>(),
        );
        run.count("runs", results.runs.len());
        run.count("rocks_per_run", results.summary.rocks_per_run);
        Ok(Box::new(results))
    }
}
