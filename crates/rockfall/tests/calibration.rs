//! A campaign made with known parameters: leave-one-out forecasts it with calibrated bands, better than the null models, and the fit finds restitution and
//! friction again, each where all else is known.

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

fn campaign(terrain: &Grid, runs: usize, seed: u64) -> Campaign<'_> {
    let rock = |x, y, z, mass| FieldRock {
        sizes: DVec3::new(x, y, z),
        mass,
        density: 2650.0,
    };
    let run = |k: usize| ObservedRun {
        name: format!("run {k}"),
        // Releases from the top of the slope to its lower half: runouts differ.
        release: DVec2::new(4.0 + 3.0 * (k % RUNS) as f64, 60.0),
        velocity: DVec3::new(1.0, 0.0, 0.0),
        rock: k % 2,
        deposition: DVec2::ZERO,
    };
    Campaign {
        terrain,
        rocks: vec![rock(1.0, 0.8, 0.9, 1000.0), rock(1.2, 0.9, 0.6, 900.0)],
        runs: (0..runs).map(run).collect(),
        stop: StopConditions::default(),
        contact_step: 0.02,
        drag_height: 1.0,
        least_runout: 3.0,
        seed,
    }
}

/// Places of the parameters that are looked for, and ranges that hold the truth at a quarter, far off their middles.
const SOUGHT: [(usize, f64, f64); 2] = [(0, 0.0, 0.8), (1, 0.3, 1.5)];
const DRAG: (usize, f64, f64) = (5, 0.0, 1.8);

/// A range of one parameter; the rest is known.
fn prior((parameter, low, high): (usize, f64, f64)) -> Prior {
    let (mut lower, mut upper) = (TRUTH, TRUTH);
    (lower[parameter], upper[parameter]) = (low, high);
    Prior {
        lower: GroundSet::from_values(lower),
        upper: GroundSet::from_values(upper),
    }
}

/// The campaign with observations made by the truth; forecasts have other chance than the observations.
fn observed(terrain: &Grid, runs: usize) -> Campaign<'_> {
    let mut observed = campaign(terrain, runs, 99);
    let truth = observed.trial(GroundSet::from_values(TRUTH)).unwrap();
    let places: Vec<DVec2> = (0..runs).map(|k| truth.place(k, 0).unwrap().0).collect();
    for (run, place) in observed.runs.iter_mut().zip(places) {
        run.deposition = place;
    }
    Campaign {
        seed: 1,
        ..observed
    }
}

fn fit(campaign: &Campaign, sets: &[GroundSet], rocks: u64) -> Fit {
    let of_set = |set: &GroundSet| {
        let trial = campaign.trial(*set).unwrap();
        let run = |k| (0..rocks).map(|n| trial.place(k, n).unwrap().0).collect();
        (0..campaign.runs.len()).map(run).collect()
    };
    Fit::new(sets.iter().map(of_set).collect(), &campaign.runs).unwrap()
}

#[test]
fn forecasts_a_known_campaign() {
    let terrain = terrain();
    let campaign = observed(&terrain, RUNS);
    let sets = prior(DRAG).sets(12);
    let fit = fit(&campaign, &sets, 3);
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
}

#[test]
fn finds_restitution_and_friction_again() {
    let terrain = terrain();
    // Three observations of each release, so that the chance of one decides nothing.
    let campaign = observed(&terrain, 3 * RUNS);
    for sought in SOUGHT {
        let (parameter, low, high) = sought;
        let sets = prior(sought).sets(16);
        let best = fit(&campaign, &sets, 2).kept(&[], SHARE);
        let value = |k: &usize| sets[*k].values()[parameter];
        let found = best.iter().map(value).sum::<f64>() / best.len() as f64;
        let (name, truth) = (GroundSet::NAMES[parameter], TRUTH[parameter]);
        println!("{name} {found}, made with {truth}");
        // Four draws from the range have a mean in its middle, a quarter of the range off, and a standard error of 0.144 of the range: the fit is to be nearer to the
        // truth than that.
        assert!(
            (found - truth).abs() < 0.144 * (high - low),
            "{name} {found}"
        );
    }
}

#[test]
fn a_campaign_that_cannot_be_is_refused() {
    let terrain = terrain();
    let good = || campaign(&terrain, RUNS, 1);
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
