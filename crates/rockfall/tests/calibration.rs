//! A campaign made with known parameters: leave-one-out forecasts it with calibrated bands, better than the null models, and finds the parameters again.

use glam::{DVec2, DVec3};
use klast_geometry::terrain::Grid;
use klast_rockfall::StopConditions;
use klast_rockfall::calibrate::{
    Campaign, FieldRock, Fit, GroundSet, NullModel, ObservedRun, Prior, Score, member,
};

/// What made the observations: R_n, μ, scarring, κ, roughness (°), drag (1/s), sharpness.
const TRUTH: [f64; 7] = [0.2, 0.6, 0.5, 2.0, 6.0, 0.45, 2.0];
const RUNS: usize = 12;
const ROCKS: u64 = 40;
const SHARE: f64 = 0.25;

/// A slope of 60 m at 28°, and level ground below it, in cells of 4 m.
fn terrain() -> Grid {
    let (columns, rows) = (40, 30);
    let height = |k: usize| {
        let x = 4.0 * (k % columns) as f64;
        0.53 * (60.0 - x).max(0.0)
    };
    let heights = (0..columns * rows).map(height).collect();
    Grid::new(columns, rows, 4.0, DVec2::ZERO, heights).unwrap()
}

fn campaign(terrain: &Grid, seed: u64) -> Campaign<'_> {
    let rock = |x, y, z, mass| FieldRock {
        sizes: DVec3::new(x, y, z),
        mass,
        density: 2650.0,
    };
    let run = |k: usize| ObservedRun {
        name: format!("run {k}"),
        // Releases from the top of the slope to its lower half: runouts differ.
        release: DVec2::new(4.0 + 3.0 * k as f64, 60.0),
        velocity: DVec3::new(1.0, 0.0, 0.0),
        rock: k % 2,
        deposition: DVec2::ZERO,
    };
    Campaign {
        terrain,
        rocks: vec![rock(1.0, 0.8, 0.9, 1000.0), rock(1.2, 0.9, 0.6, 900.0)],
        runs: (0..RUNS).map(run).collect(),
        stop: StopConditions::default(),
        contact_step: 0.02,
        drag_height: 1.0,
        least_runout: 3.0,
        seed,
    }
}

/// A range of drag that holds the truth off its middle; the rest is known.
fn prior() -> Prior {
    let (mut lower, mut upper) = (TRUTH, TRUTH);
    (lower[5], upper[5]) = (0.0, 2.0);
    Prior {
        lower: GroundSet::from_values(lower),
        upper: GroundSet::from_values(upper),
    }
}

#[test]
fn forecasts_a_known_campaign_and_finds_its_parameters() {
    let terrain = terrain();
    let mut observed = campaign(&terrain, 99);
    let truth = observed.trial(GroundSet::from_values(TRUTH)).unwrap();
    let places: Vec<DVec2> = (0..RUNS).map(|k| truth.place(k, 0).unwrap().0).collect();
    for (run, place) in observed.runs.iter_mut().zip(places) {
        run.deposition = place;
    }
    // Forecasts have other chance than the observations.
    let campaign = Campaign {
        seed: 1,
        ..observed
    };
    let sets = prior().sets(12);
    let mut places = Vec::new();
    for set in &sets {
        let trial = campaign.trial(*set).unwrap();
        let run = |k| (0..3).map(|n| trial.place(k, n).unwrap().0).collect();
        places.push((0..RUNS).map(run).collect());
    }
    let fit = Fit::new(places, &campaign.runs).unwrap();
    let (mut inside, mut crps, mut null) = (0, 0.0, 0.0);
    for (k, run) in campaign.runs.iter().enumerate() {
        let kept = fit.kept(&[k], SHARE);
        let place = |n: u64| {
            let set = member(&kept, &sets, n).unwrap();
            campaign
                .trial(set)
                .unwrap()
                .place(k, 1_000_000 + n)
                .unwrap()
                .0
        };
        let score = Score::of(&(0..ROCKS).map(place).collect::<Vec<_>>(), run).unwrap();
        inside += usize::from(score.inside);
        crps += score.crps / RUNS as f64;
        let places = NullModel::Distribution.places(&campaign.runs, k);
        null += Score::of(&places, run).unwrap().crps / RUNS as f64;
    }
    println!("inside {inside} of {RUNS}, CRPS {crps} m, null {null} m");
    // Of 12 calibrated bands of 90 %, 9 or more hold with a probability of 0.996 (binomial).
    assert!(inside >= 9, "{inside}");
    assert!(crps < null, "{crps} {null}");
    let best = fit.kept(&[], SHARE);
    let drag = best.iter().map(|k| sets[*k].drag).sum::<f64>() / best.len() as f64;
    println!("drag {drag} 1/s, made with {}", TRUTH[5]);
    // Three draws from the range have a mean of 1 and a standard error of 0.33: the fit is to be nearer to the truth than that.
    assert!((drag - TRUTH[5]).abs() < 0.3, "{drag}");
}

#[test]
fn a_campaign_that_cannot_be_is_refused() {
    let terrain = terrain();
    let good = || campaign(&terrain, 1);
    assert!(good().validate().is_ok());
    let mut bad = good();
    bad.runs[3].release.x = -5.0;
    assert!(
        bad.validate()
            .unwrap_err()
            .to_string()
            .contains("off the map")
    );
    let mut bad = good();
    bad.runs[3].rock = 2;
    assert!(bad.validate().is_err());
    let mut bad = good();
    bad.runs.truncate(1);
    assert!(bad.validate().is_err());
    let campaign = good();
    let trial = campaign.trial(GroundSet::from_values(TRUTH)).unwrap();
    assert!(trial.place(RUNS, 0).is_err());
}
