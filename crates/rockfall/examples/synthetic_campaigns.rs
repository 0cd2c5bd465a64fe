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
//! ```
//!
//! Campaigns, forecasts of each; then sets, rocks of the first and of the second heat, rocks of each set in a forecast.
#![expect(clippy::unwrap_used, reason = "an example")]

use glam::{DVec2, DVec3};
use klast_dynamics::{Purpose, Streams, open_uniform};
use klast_geometry::terrain::Grid;
use klast_rockfall::StopConditions;
use klast_rockfall::calibrate::{
    CONTENDERS, Campaign, FieldRock, Fit, GroundSet, ObservedRun, Prior, RETAINED, SETS,
};
use klast_rockfall::score::quantile;
use rayon::prelude::*;
use std::ops::Range;

const RUNS: usize = 12;
const UNSEEN: u64 = 1_000_000;
/// Place of drag in a set.
const DRAG: usize = 5;

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

fn field_rocks() -> Vec<FieldRock> {
    let rock = |x, y, z, mass| FieldRock {
        sizes: DVec3::new(x, y, z),
        mass,
        density: 2650.0,
    };
    vec![
        rock(0.9, 0.8, 0.85, 800.0),
        rock(1.1, 0.9, 0.6, 900.0),
        rock(0.6, 0.5, 0.5, 200.0),
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

fn campaign(terrain: &Grid, runs: Vec<ObservedRun>, seed: u64) -> Campaign<'_> {
    Campaign {
        terrain,
        rocks: field_rocks(),
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
fn observe(campaign: &Campaign, truth: GroundSet, number: u64) -> Vec<DVec2> {
    let trial = campaign.trial(truth).unwrap();
    let place = |k| trial.place(k, number).unwrap().place;
    (0..campaign.runs.len()).map(place).collect()
}

/// Where rocks of each set end, by set and run.
fn roll(campaign: &Campaign, sets: &[GroundSet], numbers: Range<u64>) -> Vec<Vec<Vec<DVec2>>> {
    let of = |set: &GroundSet| {
        let trial = campaign.trial(*set).unwrap();
        let place = |run: usize, n: u64| trial.place(run, n).unwrap().place;
        let runs = 0..campaign.runs.len();
        runs.map(|run| numbers.clone().map(|n| place(run, n)).collect())
            .collect()
    };
    sets.par_iter().map(of).collect()
}

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .map(|a| a.parse::<usize>().unwrap());
    let mut next = |default: usize| arguments.next().unwrap_or(default);
    let (campaigns, forecasts, count) = (next(20), next(20), next(SETS));
    let (first, second, rocks) = (next(6), next(24), next(10) as u64);
    let terrain = terrain();
    let prior = Prior::default();
    let sets = prior.sets(count);
    let fitted = campaign(&terrain, runs(0, RUNS), 1);
    let new = campaign(&terrain, runs(1000, forecasts), 2);
    let places = roll(&fitted, &sets, 0..(first + second) as u64);
    let forecast = roll(&new, &sets, UNSEEN..UNSEEN + rocks);
    let part = |range: Range<usize>| -> Vec<Vec<Vec<DVec2>>> {
        let of = |set: &Vec<Vec<DVec2>>| set.iter().map(|p| p[range.clone()].to_vec()).collect();
        places.iter().map(of).collect()
    };
    let (first, second) = (part(0..first), part(first..first + second));
    let (mut inside, mut drag_inside, mut drag_error) = (0, 0, 0.0);
    for number in 0..campaigns {
        let mut rng = Streams::new(41).rng(Purpose::Custom(0), number as u64);
        let (low, high) = (prior.lower.values(), prior.upper.values());
        let drawn = std::array::from_fn(|d| low[d] + (high[d] - low[d]) * open_uniform(&mut rng));
        let truth = GroundSet::from_values(drawn);
        let seed = 100 + number as u64;
        let mut seen = runs(0, RUNS);
        let found = observe(&campaign(&terrain, seen.clone(), seed), truth, 0);
        for (run, place) in seen.iter_mut().zip(found) {
            run.deposition = place;
        }
        let mut fit = Fit::new(first.clone(), &seen).unwrap();
        if !second[0][0].is_empty() {
            let contenders = fit.contenders(CONTENDERS).into_iter();
            let more: Vec<_> = contenders.map(|k| (k, second[k].clone())).collect();
            fit = fit.second_heat(CONTENDERS, more, &seen).unwrap();
        }
        let kept = fit.kept(&[], fit.share(&seen, None, &RETAINED).unwrap());
        let drags: Vec<f64> = kept.iter().map(|k| sets[*k].values()[DRAG]).collect();
        let at = |p| quantile(&drags, p).unwrap();
        let found = drags.iter().sum::<f64>() / drags.len() as f64;
        drag_inside += usize::from((at(0.05)..=at(0.95)).contains(&drawn[DRAG]));
        drag_error += (found - drawn[DRAG]).abs() / campaigns as f64;
        // New releases: what they do on this ground, and what is forecast of them.
        let ends = observe(&campaign(&terrain, runs(1000, forecasts), seed), truth, 7);
        let holds = |k: &usize| {
            let release = new.runs[*k].release;
            let places = kept.iter().flat_map(|set| &forecast[*set][*k]);
            let runouts: Vec<f64> = places.map(|p| p.distance(release)).collect();
            let q = |p| quantile(&runouts, p).unwrap();
            (q(0.05)..=q(0.95)).contains(&ends[*k].distance(release))
        };
        let hits = (0..forecasts).filter(holds).count();
        inside += hits;
        println!(
            "campaign {number}: {} sets kept, inside {hits} of {forecasts}, drag {found:.2} for {:.2} 1/s",
            kept.len(),
            drawn[DRAG]
        );
    }
    let total = campaigns * forecasts;
    println!(
        "inside the 90 % band: {inside} of {total} ({:.1} %); drag inside its 90 % band in {drag_inside} of {campaigns}, mean error {drag_error:.3} 1/s of a range of 0.9",
        1e2 * inside as f64 / total as f64
    );
}
