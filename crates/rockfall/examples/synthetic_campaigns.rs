//! Campaigns made with known ground: does the 90 % band of a forecast of a new release hold as often as it says, and is drag found again?
//!
//! Each campaign draws its ground and its rocks' sharpness evenly from the prior, observes one rock at each of its releases, is fitted as `klast run` fits it (sets,
//! contenders, share by leave-one-out), and forecasts releases at other places with new rocks of its ground.
//!
//! ```sh
//! cargo run --release -p klast-rockfall --example synthetic_campaigns -- 20 20
//! cargo run --release -p klast-rockfall --example synthetic_campaigns -- 20 20 48 3 0 50
//! ```
//!
//! Campaigns, forecasts of each; then sets, rocks of the first and of the second heat, rocks of a forecast.
#![expect(clippy::unwrap_used, reason = "an example")]

use glam::{DVec2, DVec3};
use klast_dynamics::{Purpose, Streams, open_uniform};
use klast_geometry::terrain::Grid;
use klast_rockfall::StopConditions;
use klast_rockfall::calibrate::{Campaign, FieldRock, Fit, GroundSet, ObservedRun, Prior, member};
use klast_rockfall::score::quantile;
use rayon::prelude::*;

const RUNS: usize = 12;
const SHARES: [f64; 4] = [0.025, 0.05, 0.1, 0.2];
const CONTENDERS: f64 = 0.25;
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

fn roll(
    campaign: &Campaign,
    sets: &[GroundSet],
    chosen: &[usize],
    numbers: std::ops::Range<u64>,
) -> Vec<Vec<Vec<DVec2>>> {
    let of = |k: &usize| {
        let trial = campaign.trial(sets[*k]).unwrap();
        let run = |r| {
            let places = numbers.clone().map(|n| trial.place(r, n).unwrap().place);
            places.collect()
        };
        (0..campaign.runs.len()).map(run).collect()
    };
    chosen.par_iter().map(of).collect()
}

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .map(|a| a.parse::<usize>().unwrap());
    let campaigns = arguments.next().unwrap_or(20);
    let forecasts = arguments.next().unwrap_or(20);
    let count = arguments.next().unwrap_or(120);
    let mut next = |default| arguments.next().map_or(default, |a| a as u64);
    let (first, second, rocks) = (next(6), next(24), next(200));
    let terrain = terrain();
    let prior = Prior::default();
    let sets = prior.sets(count);
    let (mut inside, mut total, mut drag_inside, mut drag_error) = (0, 0, 0, 0.0);
    for number in 0..campaigns {
        let mut rng = Streams::new(41).rng(Purpose::Custom(0), number as u64);
        let (low, high) = (prior.lower.values(), prior.upper.values());
        let drawn = std::array::from_fn(|d| low[d] + (high[d] - low[d]) * open_uniform(&mut rng));
        let truth = GroundSet::from_values(drawn);
        let seed = 100 + number as u64;
        let mut seen = campaign(&terrain, runs(0, RUNS), seed);
        let places = observe(&seen, truth, 0);
        for (run, place) in seen.runs.iter_mut().zip(places) {
            run.deposition = place;
        }
        let fitted = campaign(&terrain, seen.runs.clone(), 1);
        let all: Vec<usize> = (0..count).collect();
        let mut fit = Fit::new(roll(&fitted, &sets, &all, 0..first), &fitted.runs).unwrap();
        if second > 0 {
            let contenders = fit.contenders(CONTENDERS);
            let more = roll(&fitted, &sets, &contenders, first..first + second);
            let more = contenders.into_iter().zip(more);
            fit = fit.second_heat(CONTENDERS, more, &fitted.runs).unwrap();
        }
        let share = fit.share(&fitted.runs, None, &SHARES).unwrap();
        let kept = fit.kept(&[], share);
        let drags: Vec<f64> = kept.iter().map(|k| sets[*k].values()[DRAG]).collect();
        let at = |p| quantile(&drags, p).unwrap();
        let found = drags.iter().sum::<f64>() / drags.len() as f64;
        drag_inside += usize::from((at(0.05)..=at(0.95)).contains(&drawn[DRAG]));
        drag_error += (found - drawn[DRAG]).abs() / campaigns as f64;
        // New releases: what they do on this ground, and what is forecast of them.
        let new = campaign(&terrain, runs(1000, forecasts), seed);
        let ends = observe(&new, truth, 7);
        let new = campaign(&terrain, new.runs, 2);
        let hits: usize = (0..forecasts)
            .into_par_iter()
            .map(|k| {
                let place = |n: u64| {
                    let set = member(&kept, &sets, n).unwrap();
                    new.trial(set).unwrap().place(k, UNSEEN + n).unwrap().place
                };
                let release = new.runs[k].release;
                let runouts = (0..rocks).map(|n| place(n).distance(release));
                let runouts: Vec<f64> = runouts.collect();
                let q = |p| quantile(&runouts, p).unwrap();
                usize::from((q(0.05)..=q(0.95)).contains(&ends[k].distance(release)))
            })
            .sum();
        (inside, total) = (inside + hits, total + forecasts);
        println!(
            "campaign {number}: {} sets kept, inside {hits} of {forecasts}, drag {found:.2} for {:.2} 1/s",
            kept.len(),
            drawn[DRAG]
        );
    }
    println!(
        "inside the 90 % band: {inside} of {total} ({:.1} %); drag inside its 90 % band in {drag_inside} of {campaigns}, mean error {drag_error:.3} 1/s of a range of 0.9",
        1e2 * f64::from(inside as u32) / f64::from(total as u32)
    );
}
