//! A campaign made with known parameters: leave-one-out forecasts it with bands that hold 7 of 12 or more, better than
//! the null models, a bias of the engine is found and taken off, and the fit finds restitution and friction again, each
//! where all else is known.

use glam::{DVec2, DVec3};
use klast_geometry::terrain::Grid;
use klast_rockfall::StopConditions;
use klast_rockfall::calibrate::{
    Campaign, FieldRock, Fit, GroundSet, NullModel, ObservedRun, OfClass, ParameterSet, Prior,
    Score, Yielding, member,
};
use klast_rockfall::score::quantile;

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
        class: 0,
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
        contact_step: Some(0.02),
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
fn observed(campaign: Campaign<'_>) -> Campaign<'_> {
    observed_on(campaign, GroundSet::from_values(TRUTH))
}

/// The same of another truth.
fn observed_on(campaign: Campaign<'_>, truth: GroundSet) -> Campaign<'_> {
    let mut observed = Campaign {
        seed: 99,
        ..campaign
    };
    let truth = observed.trial(truth).unwrap();
    let places = (0..observed.runs.len()).map(|k| truth.place(k, 0).unwrap().place);
    let places: Vec<DVec2> = places.collect();
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
        let run = |k| {
            (0..rocks)
                .map(|n| trial.place(k, n).unwrap().place)
                .collect()
        };
        (0..campaign.runs.len()).map(run).collect()
    };
    Fit::new(sets.iter().map(of_set).collect(), &campaign.runs).unwrap()
}

/// Places of rest of rocks that no fit has seen, by several sets in turn.
fn unseen(
    campaign: &Campaign,
    sets: &[GroundSet],
    kept: &[usize],
    run: usize,
    rocks: u64,
) -> Vec<DVec2> {
    let place = |n: u64| {
        let set = member(kept, sets, n).unwrap();
        let trial = campaign.trial(set).unwrap();
        trial.place(run, 1_000_000 + n).unwrap().place
    };
    (0..rocks).map(place).collect()
}

#[test]
fn forecasts_a_known_campaign() {
    let terrain = terrain();
    let campaign = observed(campaign(&terrain, RUNS, 1));
    let sets = prior(DRAG).sets(12);
    let fit = fit(&campaign, &sets, 3);
    let (mut inside, mut crps, mut null) = (0, 0.0, 0.0);
    for (k, run) in campaign.runs.iter().enumerate() {
        // Three of twelve sets, a quarter, would leave out what is not known of the drag.
        let kept = fit.kept(&[k], 0.5);
        let score = Score::of(&unseen(&campaign, &sets, &kept, k, ROCKS), run).unwrap();
        inside += usize::from(score.inside);
        crps += score.crps / RUNS as f64;
        let places = NullModel::Distribution.places(&campaign.runs, k);
        null += Score::of(&places, run).unwrap().crps / RUNS as f64;
    }
    println!("inside {inside} of {RUNS}, CRPS {crps} m, null {null} m");
    // Of 12 bands of 90 %, 7 or more hold with a probability of 0.9995 (binomial); few sets and rocks, and one fit for
    // all of them, make it less. One campaign shows no more. The shipped numbers of sets and rocks are held to 90 % in
    // `posterior_band`, by a law in closed form and not by the engine.
    assert!(inside >= 7, "{inside}");
    assert!(crps < null, "{crps} {null}");
}

#[test]
fn a_bias_of_the_engine_is_taken_off_and_none_is_put_on() {
    let terrain = terrain();
    // Three observations of each release, of the compact rock: where a plate ends scatters by more than the bias.
    let mut truth = campaign(&terrain, 3 * RUNS, 1);
    truth.runs.iter_mut().for_each(|run| run.rock = 0);
    let truth = observed(truth);
    let sets = [GroundSet::from_values(TRUTH)];
    let known = fit(&truth, &sets, 6).places;
    let of_run = |k| unseen(&truth, &sets, &[0], k, 12);
    let forecasts: Vec<_> = (0..truth.runs.len()).map(of_run).collect();
    let (low, high) = bounds(&truth.runs, &known[0], &forecasts);
    assert!(
        high < 1.2 * low,
        "a factor could pass for both: {low} {high}"
    );
    for bias in [1.0, 1.2] {
        let mut runs = truth.runs.clone();
        for run in &mut runs {
            run.deposition = run.corrected(run.deposition, bias);
        }
        let fit = Fit::new(known.clone(), &runs).unwrap();
        let (mut before, mut after) = (0.0, 0.0);
        for (k, (run, places)) in runs.iter().zip(&forecasts).enumerate() {
            let factor = fit.correction(&runs, Some(k), 1.0).unwrap();
            assert!((low..=high).contains(&(factor / bias)), "{k}: {factor}");
            let moved: Vec<DVec2> = places.iter().map(|p| run.corrected(*p, factor)).collect();
            before += Score::of(places, run).unwrap().crps / runs.len() as f64;
            after += Score::of(&moved, run).unwrap().crps / runs.len() as f64;
        }
        println!("bias {bias} found to {low}..{high}, CRPS {before} m, corrected {after} m");
        if bias > 1.0 {
            assert!(after < before, "{after} {before}");
        }
    }
}

/// Where the correction of an engine without bias lies: the median of n ratios, one rock of each run over the median of
/// those in the fit, is between the quantiles ½ ± 4/(2 √n) of them all, four standard deviations of a rank, however
/// they are distributed. At three, one draw of the observations in 40 is outside, by 6e-4: all medians with one run
/// left out must hold, which reach to both neighbours of the median. A bias of 1.2 is more than ten times as far off.
fn bounds(runs: &[ObservedRun], known: &[Vec<DVec2>], unseen: &[Vec<DVec2>]) -> (f64, f64) {
    let runout = |run: &ObservedRun, p: &DVec2| p.distance(run.release);
    let mut ratios = Vec::new();
    for ((run, known), unseen) in runs.iter().zip(known).zip(unseen) {
        let known: Vec<f64> = known.iter().map(|p| runout(run, p)).collect();
        let median = quantile(&known, 0.5).unwrap();
        ratios.extend(unseen.iter().map(|p| runout(run, p) / median));
    }
    let rank = 2.0 / ((runs.len() - 1) as f64).sqrt();
    let at = |p| quantile(&ratios, p).unwrap();
    (at(0.5 - rank), at(0.5 + rank))
}

#[test]
fn finds_restitution_and_friction_again() {
    let terrain = terrain();
    // Three observations of each release, so that the chance of one decides nothing.
    let campaign = observed(campaign(&terrain, 3 * RUNS, 1));
    for sought in SOUGHT {
        let (parameter, low, high) = sought;
        let sets = prior(sought).sets(16);
        let best = fit(&campaign, &sets, 2).kept(&[], SHARE);
        let value = |k: &usize| sets[*k].values()[parameter];
        let found = best.iter().map(value).sum::<f64>() / best.len() as f64;
        let (name, truth) = (GroundSet::NAMES[parameter], TRUTH[parameter]);
        println!("{name} {found}, made with {truth}");
        // Four draws from the range have a mean in its middle, a quarter of the range off, and a standard error of
        // 0.144 of the range: the fit is to be nearer to the truth than that.
        assert!(
            (found - truth).abs() < 0.144 * (high - low),
            "{name} {found}"
        );
    }
}

/// σ over three decades, with the truth at a quarter of their logarithm.
#[test]
fn finds_the_yield_pressure_again() {
    let terrain = terrain();
    let soft = |pressure| {
        Some(Yielding {
            pressure,
            density: 1700.0,
        })
    };
    let of = |pressure| GroundSet {
        yielding: soft(pressure),
        ..GroundSet::from_values(TRUTH)
    };
    let (low, high) = (4.0, 7.0);
    let truth = 4.75;
    let power = |x: f64| 10f64.powf(x);
    let campaign = observed_on(campaign(&terrain, 3 * RUNS, 1), of(power(truth)));
    let prior = Prior {
        lower: of(power(low)),
        upper: of(power(high)),
    };
    prior.validate().unwrap();
    let sets = prior.sets(16);
    let best = fit(&campaign, &sets, 2).kept(&[], SHARE);
    let value = |k: &usize| sets[*k].yielding.unwrap().pressure.log10();
    let found = best.iter().map(value).sum::<f64>() / best.len() as f64;
    println!("log10 of the yield pressure {found}, made with {truth}");
    // As for restitution and friction.
    assert!((found - truth).abs() < 0.144 * (high - low), "{found}");
}

#[test]
fn each_rock_runs_with_the_drag_and_the_shape_of_its_class() {
    let terrain = terrain();
    let mut campaign = campaign(&terrain, 2, 1);
    let first = GroundSet::from_values(TRUTH);
    let own = OfClass {
        drag: 1.2,
        sharpness: 2.7,
    };
    let second = GroundSet {
        drag: own.drag,
        sharpness: own.sharpness,
        ..first
    };
    let place = |campaign: &Campaign, set: ParameterSet, run: usize| {
        let trial = campaign.trial(set).unwrap();
        trial.place(run, 3).unwrap()
    };
    // Without classes, and with one.
    let alone = [first, second].map(|set| [0, 1].map(|run| place(&campaign, set.into(), run)));
    campaign.rocks[1].class = 1;
    let both = ParameterSet::with_classes(first, vec![own]);
    // Run 0 is of the first rock, run 1 of the second.
    for run in [0, 1] {
        assert_eq!(place(&campaign, both.clone(), run), alone[run][run]);
        assert_ne!(place(&campaign, both.clone(), run), alone[1 - run][run]);
    }
    // A class that the set does not have.
    campaign.rocks[0].class = 2;
    let said = campaign.trial(both).map(|_| ()).unwrap_err();
    assert_eq!(
        said.to_string(),
        "class of a rock: found 2; accepted: below 2"
    );
}

#[test]
fn a_campaign_that_cannot_be_is_refused() {
    let terrain = terrain();
    let good = || campaign(&terrain, RUNS, 1);
    assert!(good().validate().is_ok());
    let mut bad = good();
    bad.runs[3].release.x = -5.0;
    assert!(matches!(
        bad.validate(),
        Err(klast_rockfall::RockfallError::OffMap { .. })
    ));
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
