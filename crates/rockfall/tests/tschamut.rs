//! The Tschamut 2014 runs (EnviDat doi 10.16904/envidat.34): a small version of the leave-one-out of the book's chapter
//! on calibration.

use crate::field;

use glam::DVec2;
use klast_geometry::terrain::Terrain;
use klast_rockfall::calibrate::{Fit, NullModel, ObservedRun, Prior, Score};

/// Mean CRPS and plan error of a null model over all runs.
fn null(runs: &[ObservedRun], model: NullModel) -> (f64, f64) {
    let n = runs.len() as f64;
    let scores = runs.iter().enumerate().map(|(k, run)| {
        let mut places = model.places(runs, k);
        if places.len() == 1 {
            places.push(places[0]);
        }
        Score::of(&places, run).unwrap()
    });
    scores.fold((0.0, 0.0), |(a, b), s| (a + s.crps / n, b + s.plan / n))
}

#[test]
fn leave_one_out_on_eighteen_runs() {
    let terrain = field::terrain();
    let campaign = field::campaign(&terrain);
    campaign.validate().unwrap();
    assert_eq!(campaign.runs.len(), 18);
    // The table lists the runouts that the places give, printed to a micrometre.
    assert!((campaign.runs[0].runout() - 110.226_594).abs() < 1e-5);
    // Computed apart from this code, by the definitions of the scores; the digits given.
    let (crps, plan) = null(&campaign.runs, NullModel::Distribution);
    assert!(
        (crps - 11.34).abs() < 0.005 && (plan - 25.76).abs() < 0.005,
        "{crps} {plan}"
    );
    let (crps, plan) = null(&campaign.runs, NullModel::Median);
    assert!(
        (crps - 13.25).abs() < 0.005 && (plan - 19.06).abs() < 0.005,
        "{crps} {plan}"
    );

    let sets = Prior::default().sets(6);
    let mut places = Vec::new();
    for set in &sets {
        let trial = campaign.trial(*set).unwrap();
        let run = |k| (0..2).map(|n| trial.place(k, n).unwrap().place).collect();
        let of_set: Vec<Vec<DVec2>> = (0..campaign.runs.len()).map(run).collect();
        // A rock rests on the map, or where it left it: within the last step of its way.
        let map = terrain.extent().grown(1.0);
        assert!(of_set.iter().flatten().all(|p| map.contains(*p)));
        places.push(of_set);
    }
    let fit = Fit::new(places, &campaign.runs).unwrap();
    for run in 0..campaign.runs.len() {
        let share = fit.share(&campaign.runs, Some(run), &[0.1, 0.5]).unwrap();
        let kept = fit.kept(&[run], share);
        let factor = fit.correction(&campaign.runs, Some(run), share).unwrap();
        println!(
            "{}: sets {kept:?}, runouts by {factor:.2}",
            campaign.runs[run].name
        );
    }
}
