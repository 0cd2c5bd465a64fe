//! Which sets forecast a run that they have not seen, and what there is to beat.

use super::{GroundSet, ObservedRun};
use crate::score::{crps, energy_score, fair_crps, median_error, plan_error, probability_transform, quantile};
use glam::DVec2;

/// The sets that forecast the training runs best: the `share` of all sets (at least one) with the least mean loss over all runs but one (or all, for `None`), the
/// best first. `losses[set][run]`.
pub fn kept(losses: &[Vec<f64>], left_out: Option<usize>, share: f64) -> Vec<usize> {
    let loss = |set: &[f64]| -> f64 {
        let training = set.iter().enumerate().filter(|(k, _)| Some(*k) != left_out);
        training.map(|(_, loss)| loss).sum()
    };
    let sums: Vec<f64> = losses.iter().map(|set| loss(set)).collect();
    let mut order: Vec<(usize, f64)> = sums.into_iter().enumerate().collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let count = (share.clamp(0.0, 1.0) * losses.len() as f64).ceil().max(1.0) as usize;
    order.into_iter().take(count).map(|(set, _)| set).collect()
}

/// The set of rock `number` of a forecast by several sets: each takes its turn.
pub fn member(kept: &[usize], sets: &[GroundSet], number: u64) -> Option<GroundSet> {
    let turn = number.checked_rem(kept.len() as u64)? as usize;
    kept.get(turn).and_then(|k| sets.get(*k)).copied()
}

/// A forecast of a run: places of rest, judged against the observed one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// CRPS of the runout (m).
    pub crps: f64,
    /// Mean distance in plan to the observed place of rest (m).
    pub plan: f64,
    /// Distance in plan from the median place to the observed one (m).
    pub plan_of_median: f64,
    /// Energy score in plan (m).
    pub energy: f64,
    /// 5, 50 and 95 % quantile of the runout (m).
    pub runout: [f64; 3],
    /// What sets are compared by: CRPS of the runout, over pairs of different rocks so that a few rocks of any spread are comparable (Ferro 2014), plus `plan` (m).
    pub loss: f64,
    /// Share of the forecast runouts below the observed one: uniform over the runs for a calibrated forecast.
    pub transform: f64,
    /// Whether the observed runout lies in the central 90 % band.
    pub inside: bool,
}

impl Score {
    /// The score of places of rest; `None` without any.
    pub fn of(places: &[DVec2], run: &ObservedRun) -> Option<Self> {
        let runouts: Vec<f64> = places.iter().map(|p| p.distance(run.release)).collect();
        let observed = run.runout();
        let q = |p| quantile(&runouts, p);
        let runout = [q(0.05)?, q(0.5)?, q(0.95)?];
        Some(Score {
            crps: crps(&runouts, observed)?,
            plan: plan_error(places, run.deposition)?,
            plan_of_median: median_error(places, run.deposition)?,
            energy: energy_score(places, run.deposition)?,
            loss: fair_crps(&runouts, observed)? + plan_error(places, run.deposition)?,
            runout,
            transform: probability_transform(&runouts, observed)?,
            inside: (runout[0]..=runout[2]).contains(&observed),
        })
    }
}

/// What needs no simulation: the training runs' own runouts, laid off from the release along their mean direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NullModel {
    /// All of them, as a distribution.
    Distribution,
    /// Their median, as a certainty.
    Median,
}

impl NullModel {
    /// The places of rest it forecasts for a run from the others.
    pub fn places(self, runs: &[ObservedRun], left_out: usize) -> Vec<DVec2> {
        let Some(target) = runs.get(left_out) else {
            return Vec::new();
        };
        let direction = mean_direction(runs, left_out);
        let training = runs.iter().enumerate().filter(|(k, _)| *k != left_out);
        let runouts: Vec<f64> = training.map(|(_, run)| run.runout()).collect();
        let runouts = match self {
            NullModel::Distribution => runouts,
            NullModel::Median => quantile(&runouts, 0.5).into_iter().collect(),
        };
        let place = |runout: &f64| target.release + direction * *runout;
        runouts.iter().map(place).collect()
    }
}

/// Mean direction in plan of all runs but one.
pub fn mean_direction(runs: &[ObservedRun], left_out: usize) -> DVec2 {
    let training = runs.iter().enumerate().filter(|(k, _)| *k != left_out);
    training
        .map(|(_, r)| (r.deposition - r.release).normalize_or_zero())
        .sum::<DVec2>()
        .normalize_or_zero()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_best_of_the_others() {
        // Set 0 is best on run 0 alone; without it set 2 is.
        let losses = [vec![0.0, 9.0, 9.0], vec![20.0, 5.0, 5.0], vec![30.0, 1.0, 1.0]];
        assert_eq!(kept(&losses, None, 0.1), [0]);
        assert_eq!(kept(&losses, Some(0), 0.1), [2]);
        assert_eq!(kept(&losses, Some(0), 0.5), [2, 1]);
        assert_eq!(kept(&losses, Some(0), 1.0), [2, 1, 0]);
        assert!(kept(&[], None, 0.5).is_empty());
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
    }
}
