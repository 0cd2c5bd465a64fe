//! The posterior's band holds as often as it says: campaigns whose ground is drawn from the prior, fitted by the
//! shipped numbers of sets and shares, and forecasts of new releases on it. Rocks here go by a law in closed form, so
//! that there are forecasts enough; with rigid rocks the example `synthetic_campaigns` does the same.

use glam::{DVec2, DVec3};
use klast_dynamics::{Purpose, Streams, open_uniform};
use klast_rockfall::calibrate::{
    CONTENDERS, Fit, GroundSet, ObservedRun, Prior, RETAINED, SETS, member,
};
use klast_rockfall::score::quantile;

const RUNS: usize = 12;
const RELEASES: usize = 20;
const CAMPAIGNS: u64 = 60;
const FIRST: u64 = 6;
const SECOND: u64 = 24;
const FORECAST: u64 = 240;

/// Where rock `number` of release `run` ends: the friction line of the slope with what each parameter adds, more at
/// some releases than at others, and a scatter between rocks of a tenth.
fn place(set: &GroundSet, shares: [f64; 7], seed: u64, run: u64, number: u64) -> DVec2 {
    let mut rng = Streams::new(seed).rng(Purpose::Custom(1), run << 32 | number);
    // The mean of twelve uniform numbers less a half has a standard deviation of 1/12.
    let normal: f64 = (0..12).map(|_| open_uniform(&mut rng) - 0.5).sum();
    let along = |step: f64| (0.5 + step * run as f64).fract();
    let of = |k: usize| shares[k] - 0.5;
    let drop = 20.0 + 40.0 * along(0.618);
    let rolls =
        of(0) - 0.8 * of(2) * along(0.755) + 0.5 * of(4) - 0.4 * of(6) * along(0.57) - of(5);
    let reach = drop / (0.3 + set.friction) * libm::exp(0.8 * rolls);
    DVec2::new(reach * (1.0 + 0.1 * normal).max(0.1), 0.0)
}

fn runs() -> Vec<ObservedRun> {
    let run = |k: usize| ObservedRun {
        name: format!("{k}"),
        release: DVec2::ZERO,
        velocity: DVec3::ZERO,
        rock: k % 3,
        deposition: DVec2::ZERO,
    };
    (0..RUNS).map(run).collect()
}

/// Observed runouts of new releases inside their bands, of all, and the mean width of a band (m).
fn inside(shares: &[f64]) -> (usize, usize, f64) {
    let prior = Prior::default();
    let sets = prior.sets(SETS);
    let (low, high) = (prior.lower.values(), prior.upper.values());
    let share_of = |set: &GroundSet| {
        let v = set.values();
        std::array::from_fn(|k| (v[k] - low[k]) / (high[k] - low[k]))
    };
    let by_run = |set: &GroundSet, numbers: std::ops::Range<u64>| -> Vec<Vec<DVec2>> {
        let rocks = |run: u64| {
            numbers
                .clone()
                .map(move |n| place(set, share_of(set), 1, run, n))
        };
        (0..RUNS as u64).map(|run| rocks(run).collect()).collect()
    };
    let first: Vec<_> = sets.iter().map(|s| by_run(s, 0..FIRST)).collect();
    let (mut held, mut width) = (0, 0.0);
    for number in 0..CAMPAIGNS {
        let mut rng = Streams::new(41).rng(Purpose::Custom(0), number);
        let drawn = std::array::from_fn(|k| low[k] + (high[k] - low[k]) * open_uniform(&mut rng));
        let truth = GroundSet::from_values(drawn);
        let observed = |run: u64| place(&truth, share_of(&truth), 100 + number, run, 0);
        let mut seen = runs();
        for (k, run) in seen.iter_mut().enumerate() {
            run.deposition = observed(k as u64);
        }
        let fit = Fit::new(first.clone(), &seen).unwrap();
        let more = fit.contenders(CONTENDERS).into_iter();
        let more = more.map(|k| (k, by_run(&sets[k], FIRST..FIRST + SECOND)));
        let fit = fit
            .second_heat(CONTENDERS, more.collect::<Vec<_>>(), &seen)
            .unwrap();
        let kept = fit.kept(&[], fit.share(&seen, None, shares).unwrap());
        for release in 1000..1000 + RELEASES as u64 {
            let runouts = (0..FORECAST).map(|n| {
                let set = member(&kept, &sets, n).unwrap();
                place(&set, share_of(&set), 2, release, n).length()
            });
            let runouts: Vec<f64> = runouts.collect();
            let ends = [0.05, 0.95].map(|p| quantile(&runouts, p).unwrap());
            held += usize::from((ends[0]..=ends[1]).contains(&observed(release).length()));
            width += (ends[1] - ends[0]) / (CAMPAIGNS as usize * RELEASES) as f64;
        }
    }
    (held, CAMPAIGNS as usize * RELEASES, width)
}

#[test]
fn the_band_of_the_shipped_shares_holds() {
    let (held, all, width) = inside(&RETAINED);
    let part = held as f64 / all as f64;
    // 0.9 is due. Forecasts of a campaign share its ground, so that their part has a standard error of some 0.1/√60 =
    // 0.013: thrice that below. Above, shares of a tenth or more are wider than the likelihood where rocks scatter
    // little.
    assert!((0.86..=0.97).contains(&part), "{held} of {all}");
    // It tells something: rocks scatter over two thirds of what the prior's band is wide, and of what the ground adds a
    // part is known now.
    let (_, _, prior) = inside(&[1.0]);
    assert!(width < 0.85 * prior, "{width} m, {prior} m");
}

#[test]
fn the_share_is_what_makes_it_hold() {
    let (few, all, _) = inside(&[1.0 / SETS as f64]);
    // One set alone leaves out what is not known of the ground: 0.9 is missed by more than chance does.
    assert!((few as f64) < 0.86 * all as f64, "{few} of {all}");
}
