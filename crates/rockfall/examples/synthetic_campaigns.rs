//! Campaigns made with known ground: does the 90 % band of a forecast of a new release hold as often as it says, and is
//! drag found again?
//!
//! Each campaign draws its ground and its rocks' sharpness evenly from the prior, observes one rock at each of its
//! releases, is fitted as `klast run` fits it (sets, contenders, share by leave-one-out), and forecasts releases at
//! other places with new rocks of its ground. The releases are those of all campaigns, so that the rocks of the sets
//! run once.
//!
//! ```sh
//! cargo run --release -p klast-rockfall --example synthetic_campaigns -- 20 20
//! cargo run --release -p klast-rockfall --example synthetic_campaigns -- 200 12 240 6 6 12
//! cargo run --release -p klast-rockfall --example synthetic_campaigns -- 20 20 240 6 6 5 3
//! ```
//!
//! Campaigns, forecasts of each; then sets, rocks of the first fit and of the refinement, rocks of each set in a
//! forecast, and classes of rock (1 to 3), each with its own drag and sharpness. Campaigns with several classes are
//! fitted by class and without classes.
#![expect(clippy::unwrap_used, reason = "an example")]

use glam::{DVec2, DVec3};
use klast_geometry::terrain::Grid;
use klast_rockfall::StopConditions;
use klast_rockfall::calibrate::{
    CONTENDERS, Campaign, FieldRock, Fit, GroundSet, ObservedRun, OfClass, ParameterSet, Prior,
    RETAINED, SETS, Score,
};
use klast_rockfall::score::quantile;
use klast_sampling::{Purpose, Streams, open_uniform};
use rayon::prelude::*;
use std::ops::Range;

const RUNS: usize = 12;
const UNSEEN: u64 = 1_000_000;

/// A slope of 40 m at 33° with humps, and ground that flattens below it, in cells of 4 m.
fn terrain() -> Grid {
    let (columns, rows) = (50, 30);
    let height = |k: usize| {
        let (x, y) = (4.0 * (k % columns) as f64, 4.0 * (k / columns) as f64);
        let slope = 0.65 * (40.0 - x).max(0.0) - 0.05 * x.max(40.0);
        slope + 0.4 * libm::sin(0.3 * x) * libm::cos(0.2 * y)
    };
    let heights = (0..columns * rows).map(height).collect();
    Grid::new(columns, rows, 4.0, DVec2::ZERO, heights).unwrap()
}

fn field_rocks(classes: usize) -> Vec<FieldRock> {
    let rock = |number: usize, x, y, z, mass| FieldRock {
        sizes: DVec3::new(x, y, z),
        mass,
        density: 2650.0,
        class: number % classes,
    };
    vec![
        rock(0, 0.9, 0.8, 0.85, 800.0),
        rock(1, 1.1, 0.9, 0.6, 900.0),
        rock(2, 0.6, 0.5, 0.5, 200.0),
    ]
}

/// Runs from `first`: of releases at places that no other has.
fn runs(first: usize, count: usize) -> Vec<ObservedRun> {
    let run = |k: usize| {
        let share = (0.618_033_988_749_895 * k as f64).fract();
        ObservedRun {
            name: format!("{k}"),
            release: DVec2::new(6.0 + 16.0 * share, 40.0 + 40.0 * (7.0 * share).fract()),
            velocity: DVec3::new(1.0, 0.0, 0.0),
            rock: k % 3,
            deposition: DVec2::ZERO,
        }
    };
    (first..first + count).map(run).collect()
}

fn campaign(terrain: &Grid, runs: Vec<ObservedRun>, seed: u64, classes: usize) -> Campaign<'_> {
    Campaign {
        terrain,
        rocks: field_rocks(classes),
        runs,
        stop: StopConditions {
            maximum_time: 60.0,
            ..StopConditions::default()
        },
        contact_step: None,
        drag_height: 0.5,
        least_runout: 4.0,
        seed,
    }
}

/// Where one rock of a ground ends in each run.
fn observe(campaign: &Campaign, truth: &ParameterSet, number: u64) -> Vec<DVec2> {
    let trial = campaign.trial(truth.clone()).unwrap();
    let place = |k| trial.place(k, number).unwrap().place;
    (0..campaign.runs.len()).map(place).collect()
}

/// Places of rest by set, run and rock.
type Places = Vec<Vec<Vec<DVec2>>>;

fn roll(campaign: &Campaign, sets: &[ParameterSet], numbers: Range<u64>) -> Places {
    let of = |set: &ParameterSet| {
        let trial = campaign.trial(set.clone()).unwrap();
        let place = |run: usize, n: u64| trial.place(run, n).unwrap().place;
        let runs = 0..campaign.runs.len();
        runs.map(|run| numbers.clone().map(|n| place(run, n)).collect())
            .collect()
    };
    sets.par_iter().map(of).collect()
}

/// Sets for a number of classes with their rocks, and what became of the campaigns.
struct Fitted {
    sets: Vec<ParameterSet>,
    first: Places,
    second: Places,
    forecast: Places,
    inside: usize,
    drags_inside: usize,
    drag_error: f64,
    crps: f64,
}

impl Fitted {
    fn new(
        (count, classes): (usize, usize),
        (fitted, new): (&Campaign, &Campaign),
        (first, second, rocks): (u64, u64, u64),
    ) -> Self {
        let sets = Prior::default().sets_by_class(count, classes);
        Self {
            first: roll(fitted, &sets, 0..first),
            second: roll(fitted, &sets, first..first + second),
            forecast: roll(new, &sets, UNSEEN..UNSEEN + rocks),
            sets,
            inside: 0,
            drags_inside: 0,
            drag_error: 0.0,
            crps: 0.0,
        }
    }

    /// Fits a campaign; the sets that are kept.
    fn kept(&self, seen: &[ObservedRun]) -> Vec<usize> {
        let mut fit = Fit::new(self.first.clone(), seen).unwrap();
        if !self.second[0][0].is_empty() {
            let contenders = fit.contenders(CONTENDERS).into_iter();
            let more: Vec<_> = contenders.map(|k| (k, self.second[k].clone())).collect();
            fit = fit.refined(CONTENDERS, more, seen).unwrap();
        }
        fit.kept(&[], fit.share(seen, None, &RETAINED).unwrap())
    }

    /// Forecasts of new releases against what they do, and the drag of each class of the truth against the sets.
    fn judge(&mut self, kept: &[usize], new: &[ObservedRun], truth: &ParameterSet) -> String {
        let mut said = String::new();
        for class in 0..truth.classes() {
            let own = |k: &usize| {
                let set = &self.sets[*k];
                set.of_class(class.min(set.classes() - 1)).unwrap().drag
            };
            let drags: Vec<f64> = kept.iter().map(own).collect();
            let at = |p| quantile(&drags, p).unwrap();
            let (found, right) = (
                drags.iter().sum::<f64>() / drags.len() as f64,
                truth.of_class(class).unwrap().drag,
            );
            self.drags_inside += usize::from((at(0.05)..=at(0.95)).contains(&right));
            self.drag_error += (found - right).abs();
            said += &format!(", drag {found:.2} for {right:.2} 1/s");
        }
        let mut hits = 0;
        for (k, run) in new.iter().enumerate() {
            let places = kept.iter().flat_map(|set| &self.forecast[*set][k]);
            let score = Score::of(&places.copied().collect::<Vec<_>>(), run).unwrap();
            hits += usize::from(score.inside);
            self.crps += score.crps;
        }
        self.inside += hits;
        format!(
            "{} sets kept, inside {hits} of {}{said}",
            kept.len(),
            new.len()
        )
    }
}

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .map(|a| a.parse::<usize>().unwrap());
    let mut next = |default: usize| arguments.next().unwrap_or(default);
    let (campaigns, forecasts, count) = (next(20), next(20), next(SETS));
    let rocks = (next(6) as u64, next(24) as u64, next(10) as u64);
    let classes = next(1);
    let terrain = terrain();
    let mut fits: Vec<Fitted> = Vec::new();
    for classes in (1..=classes).filter(|k| *k == 1 || *k == classes) {
        let fitted = campaign(&terrain, runs(0, RUNS), 1, classes);
        let new = campaign(&terrain, runs(1000, forecasts), 2, classes);
        fits.push(Fitted::new((count, classes), (&fitted, &new), rocks));
    }
    for number in 0..campaigns {
        let mut rng = Streams::new(41).rng(Purpose::Custom(0), number as u64);
        let mut draw = |low: f64, high: f64| low + (high - low) * open_uniform(&mut rng);
        let prior = Prior::default();
        let (low, high) = (prior.lower.values(), prior.upper.values());
        let ground = GroundSet::from_values(std::array::from_fn(|d| draw(low[d], high[d])));
        let others = (1..classes).map(|_| OfClass {
            drag: draw(prior.lower.drag, prior.upper.drag),
            sharpness: draw(prior.lower.sharpness, prior.upper.sharpness),
        });
        let truth = ParameterSet::with_classes(ground, others.collect());
        let seed = 100 + number as u64;
        let observed = |mut runs: Vec<ObservedRun>, number: u64| {
            let own = campaign(&terrain, runs.clone(), seed, classes);
            for (run, place) in runs.iter_mut().zip(observe(&own, &truth, number)) {
                run.deposition = place;
            }
            runs
        };
        let (seen, new) = (
            observed(runs(0, RUNS), 0),
            observed(runs(1000, forecasts), 7),
        );
        for fit in &mut fits {
            let kept = fit.kept(&seen);
            let said = fit.judge(&kept, &new, &truth);
            println!(
                "campaign {number}, {} classes: {said}",
                fit.sets[0].classes()
            );
        }
    }
    for fit in &fits {
        let (total, drags) = (campaigns * forecasts, campaigns * classes);
        println!(
            "{} classes: inside the 90 % band: {} of {total} ({:.1} %), mean CRPS {:.2} m; drag inside its 90 % band in {} of {drags}, mean error {:.3} 1/s of a range of 0.9",
            fit.sets[0].classes(),
            fit.inside,
            1e2 * fit.inside as f64 / total as f64,
            fit.crps / total as f64,
            fit.drags_inside,
            fit.drag_error / drags as f64
        );
    }
}
