//! Which sets forecast a run that they have not seen, and what there is to beat.

use super::ObservedRun;
use crate::score::{
    crps, fair_crps, fair_energy_score, mean_direction, median_place_error, plan_error,
    probability_transform, quantile,
};
use glam::DVec2;
use klast_numerics::fit::best_of;

/// What every set made of every run, and how well.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// Simulated places of rest, by set and run.
    pub places: Vec<Vec<Vec<DVec2>>>,
    /// [`Score::loss`] of each.
    pub losses: Vec<Vec<f64>>,
    /// The fit by which sets were admitted to the refinement.
    first_fit: Option<FirstFit>,
}

/// The losses of the rocks of the first fit, and the share of the sets that they admit to the refinement.
#[derive(Debug, Clone, PartialEq)]
struct FirstFit {
    losses: Vec<Vec<f64>>,
    admitted: f64,
}

impl Fit {
    /// Scores the places of rest of every set and run; `None` below two rocks or where a run is missing.
    pub fn new(places: Vec<Vec<Vec<DVec2>>>, runs: &[ObservedRun]) -> Option<Self> {
        let losses = places.iter().map(|set| {
            let scores = set.iter().zip(runs).map(|(p, run)| loss(p, run));
            let losses: Option<Vec<f64>> = scores.collect();
            losses.filter(|l| l.len() == runs.len())
        });
        let losses = losses.collect::<Option<_>>()?;
        Some(Fit {
            places,
            losses,
            first_fit: None,
        })
    }

    /// The sets that deserve more rocks, ascending: all that are among the best `share` of them whichever one or two
    /// runs are left out.
    pub fn contenders(&self, share: f64) -> Vec<usize> {
        let runs = 0..self.losses.first().map_or(0, Vec::len);
        let pairs = runs.clone().flat_map(|k| (0..=k).map(move |l| [k, l]));
        let mut found: Vec<usize> = pairs
            .flat_map(|out| best(&self.losses, &out, self.count(share)))
            .chain(best(&self.losses, &[], self.count(share)))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The same with more rocks for some of the sets ([`Fit::contenders`] of the same `share`), each with its places of
    /// rest by run. From now on a set is kept only if its first rocks had it among the best `share`: sets of few rocks
    /// that were lucky do not stand beside sets of many.
    pub fn refined(
        self,
        share: f64,
        more: impl IntoIterator<Item = (usize, Vec<Vec<DVec2>>)>,
        runs: &[ObservedRun],
    ) -> Option<Self> {
        let mut places = self.places;
        for (set, by_run) in more {
            for (known, new) in places.get_mut(set)?.iter_mut().zip(by_run) {
                known.extend(new);
            }
        }
        let first_fit = Some(FirstFit {
            losses: self.losses,
            admitted: share,
        });
        Some(Self {
            first_fit,
            ..Self::new(places, runs)?
        })
    }

    /// The sets that forecast the training runs best: the `share` of all sets (at least one) with the least mean loss
    /// over all runs but those left out, the best first.
    pub fn kept(&self, left_out: &[usize], share: f64) -> Vec<usize> {
        let order = best(&self.losses, left_out, self.losses.len());
        let admitted = self
            .first_fit
            .as_ref()
            .map(|h| best(&h.losses, left_out, self.count(h.admitted)));
        let is_admitted = |set: &usize| admitted.as_ref().is_none_or(|a| a.contains(set));
        let kept = order.into_iter().filter(is_admitted);
        kept.take(self.count(share)).collect()
    }

    /// A share in sets, at least one.
    fn count(&self, share: f64) -> usize {
        // A share in decimals must not round a whole number up.
        let count = (share.clamp(0.0, 1.0) * self.losses.len() as f64 - 1e-9).ceil();
        count.max(1.0) as usize
    }

    /// Of several shares the one whose sets forecast the training runs best, each of them from the others:
    /// leave-one-out within the training runs, so that a run that is left out decides neither the sets nor how many of
    /// them forecast it. `None` without shares.
    pub fn share(
        &self,
        runs: &[ObservedRun],
        left_out: Option<usize>,
        shares: &[f64],
    ) -> Option<f64> {
        let total = |share: f64| -> f64 {
            let training = runs
                .iter()
                .enumerate()
                .filter(|(k, _)| Some(*k) != left_out);
            training
                .filter_map(|(k, run)| {
                    let out: Vec<usize> = left_out.into_iter().chain([k]).collect();
                    loss(&self.pooled(&self.kept(&out, share), k), run)
                })
                .sum()
        };
        let scored = shares.iter().map(|share| (*share, total(*share)));
        scored.min_by(|a, b| a.1.total_cmp(&b.1)).map(|best| best.0)
    }

    /// The places of rest of a run by some of the sets.
    pub(super) fn pooled(&self, sets: &[usize], run: usize) -> Vec<DVec2> {
        let places = |set: &usize| self.places.get(*set).and_then(|s| s.get(run));
        sets.iter().filter_map(places).flatten().copied().collect()
    }
}

/// The `count` sets with the least loss over all runs but those left out, the best first.
fn best(losses: &[Vec<f64>], left_out: &[usize], count: usize) -> Vec<usize> {
    let runs = losses.first().map_or(0, Vec::len);
    let weights = (0..runs).map(|k| u32::from(!left_out.contains(&k)));
    best_of(losses, &weights.collect::<Vec<_>>(), count)
}

/// The set of rock `number` of a forecast by several sets: each takes its turn.
pub fn member<S: Clone>(kept: &[usize], sets: &[S], number: u64) -> Option<S> {
    let turn = number.checked_rem(kept.len() as u64)? as usize;
    kept.get(turn).and_then(|k| sets.get(*k)).cloned()
}

/// A forecast of a run: places of rest, judged against the observed one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// CRPS of the runout over all pairs of rocks (m): of these rocks, which are all that is forecast.
    pub crps: f64,
    /// CRPS of the runout over pairs of different rocks (m): of the distribution that they are drawn from, so that
    /// ensembles of any size are comparable (Ferro 2014).
    pub fair_crps: f64,
    /// Mean distance in plan to the observed place of rest (m).
    pub plan: f64,
    /// Distance in plan from the median place to the observed one (m): as the null model of the median, the median
    /// runout laid off along the mean direction.
    pub plan_of_median: f64,
    /// Energy score in plan (m), over pairs of different rocks as `fair_crps`.
    pub fair_energy: f64,
    /// 5, 50 and 95 % quantile of the runout (m).
    pub runout: [f64; 3],
    /// What sets are compared by: CRPS of the runout, over pairs of different rocks so that a few rocks of any spread
    /// are comparable (Ferro 2014), plus `plan` (m).
    pub loss: f64,
    /// Share of the forecast runouts below the observed one: uniform over the runs for a calibrated forecast.
    pub transform: f64,
    /// Whether the observed runout lies in the central 90 % band.
    pub inside: bool,
}

impl Score {
    /// The score of places of rest; `None` with fewer than two, as `loss` needs pairs.
    pub fn of(places: &[DVec2], run: &ObservedRun) -> Option<Self> {
        let runouts: Vec<f64> = places.iter().map(|p| p.distance(run.release)).collect();
        let observed = run.runout();
        let q = |p| quantile(&runouts, p);
        let runout = [q(0.05)?, q(0.5)?, q(0.95)?];
        Some(Score {
            crps: crps(&runouts, observed)?,
            fair_crps: fair_crps(&runouts, observed)?,
            plan: plan_error(places, run.deposition)?,
            plan_of_median: median_place_error(places, run.release, run.deposition)?,
            fair_energy: fair_energy_score(places, run.deposition)?,
            loss: loss(places, run)?,
            runout,
            transform: probability_transform(&runouts, observed)?,
            inside: (runout[0]..=runout[2]).contains(&observed),
        })
    }
}

/// [`Score::loss`] alone: CRPS of the runout over pairs of different rocks plus the mean distance in plan (m).
fn loss(places: &[DVec2], run: &ObservedRun) -> Option<f64> {
    let runouts: Vec<f64> = places.iter().map(|p| p.distance(run.release)).collect();
    Some(fair_crps(&runouts, run.runout())? + plan_error(places, run.deposition)?)
}

/// What needs no simulation: the training runs' own runouts, laid off from the release along their mean direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NullModel {
    /// All of them, as a distribution.
    Distribution,
    /// Their median, as a certainty.
    Median,
    /// Those of the same rock, as a distribution; all where no other run has it.
    OfRock,
    /// The median of those of the same rock, as a certainty.
    MedianOfRock,
}

impl NullModel {
    /// The places of rest it forecasts for a run from the others.
    pub fn places(self, runs: &[ObservedRun], left_out: usize) -> Vec<DVec2> {
        let Some(target) = runs.get(left_out) else {
            return Vec::new();
        };
        let by_rock = matches!(self, NullModel::OfRock | NullModel::MedianOfRock);
        let others = || runs.iter().enumerate().filter(|(k, _)| *k != left_out);
        let same = others().any(|(_, run)| run.rock == target.rock);
        let training = || others().filter(|(_, run)| !(by_rock && same) || run.rock == target.rock);
        let direction = mean_direction(training().map(|(_, run)| run.deposition - run.release));
        let runouts: Vec<f64> = training().map(|(_, run)| run.runout()).collect();
        let runouts = match self {
            NullModel::Distribution | NullModel::OfRock => runouts,
            NullModel::Median | NullModel::MedianOfRock => {
                quantile(&runouts, 0.5).into_iter().collect()
            }
        };
        let place = |runout: &f64| target.release + direction * *runout;
        runouts.iter().map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(losses: &[[f64; 3]]) -> Fit {
        let losses = losses.iter().map(|l| l.to_vec()).collect();
        Fit {
            places: Vec::new(),
            losses,
            first_fit: None,
        }
    }

    #[test]
    fn keeps_the_best_of_the_others() {
        // Set 0 is best on run 0 alone; without it set 2 is.
        let fit = fit(&[[0.0, 9.0, 9.0], [20.0, 5.0, 5.0], [30.0, 1.0, 1.0]]);
        assert_eq!(fit.kept(&[], 0.1), [0]);
        assert_eq!(fit.kept(&[0], 0.1), [2]);
        assert_eq!(fit.kept(&[0], 2.0 / 3.0), [2, 1]);
        assert_eq!(fit.kept(&[0], 1.0), [2, 1, 0]);
        assert_eq!(fit.kept(&[1, 2], 0.1), [0]);
    }

    #[test]
    fn a_refinement_weighs_again_those_that_the_first_fit_admits() {
        let run = ObservedRun {
            name: String::new(),
            release: DVec2::ZERO,
            velocity: glam::DVec3::ZERO,
            rock: 0,
            deposition: DVec2::new(10.0, 0.0),
        };
        let runs = [run.clone(), run.clone(), run];
        let at = |x: f64| vec![vec![DVec2::new(x, 0.0); 2]; 3];
        // The first rocks miss by 0, 1, 2 and 9 m, the next two of the first set by 8 m.
        let fit = Fit::new(vec![at(10.0), at(11.0), at(12.0), at(19.0)], &runs).unwrap();
        assert_eq!(fit.contenders(0.5), [0, 1]);
        let fit = fit.refined(0.5, [(0, at(18.0)), (1, at(11.0))], &runs);
        let fit = fit.unwrap();
        assert_eq!(fit.places[0][0].len(), 4);
        // The third set misses by less than the first does now, but was not admitted.
        assert_eq!(fit.kept(&[], 1.0), [1, 0]);
        assert_eq!(fit.kept(&[2], 0.25), [1]);
        assert!(fit.refined(0.5, [(9, at(1.0))], &runs).is_none());
    }

    #[test]
    fn the_share_is_chosen_without_the_run_that_is_left_out() {
        let run = |runout: f64| ObservedRun {
            name: String::new(),
            release: DVec2::ZERO,
            velocity: glam::DVec3::ZERO,
            rock: 0,
            deposition: DVec2::new(runout, 0.0),
        };
        let at = |x: f64| vec![DVec2::new(x, 0.0); 2];
        // Three runs end at 10 m, the last at 50 m. The first set is right on the three, the second on the last.
        let runs = [run(10.0), run(10.0), run(10.0), run(50.0)];
        let places = vec![vec![at(10.0); 4], vec![at(50.0); 4]];
        let fit = Fit::new(places, &runs).unwrap();
        // Judged by the three alone, one set is better than both.
        assert_eq!(fit.share(&runs, Some(3), &[1.0, 0.5]), Some(0.5));
        assert_eq!(fit.share(&runs, None, &[]), None);
        assert!(Fit::new(vec![vec![at(1.0); 3]], &runs).is_none());
    }

    #[test]
    fn null_models_know_the_others_only() {
        let run = |runout: f64| ObservedRun {
            name: String::new(),
            release: DVec2::ZERO,
            velocity: glam::DVec3::ZERO,
            rock: 0,
            deposition: DVec2::new(runout, 0.0),
        };
        let runs = [run(1.0), run(2.0), run(4.0), run(100.0)];
        let all = NullModel::Distribution.places(&runs, 3);
        assert_eq!(all, [1.0, 2.0, 4.0].map(|x| DVec2::new(x, 0.0)));
        assert_eq!(NullModel::Median.places(&runs, 3), [DVec2::new(2.0, 0.0)]);
        assert!(NullModel::Median.places(&runs, 9).is_empty());
        // The first two runs are those of another rock.
        let mut runs = runs;
        runs[2].rock = 1;
        runs[3].rock = 1;
        let same = |model: NullModel, run| model.places(&runs, run);
        assert_eq!(same(NullModel::OfRock, 3), [DVec2::new(4.0, 0.0)]);
        assert_eq!(same(NullModel::OfRock, 0), [DVec2::new(2.0, 0.0)]);
        assert_eq!(same(NullModel::MedianOfRock, 2), [DVec2::new(100.0, 0.0)]);
        runs[0].rock = 7;
        assert_eq!(NullModel::OfRock.places(&runs, 0).len(), 3);
    }
}
