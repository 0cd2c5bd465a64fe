//! What the trials of a study say together: elementary effects, sets that explain what was
//! found.

use klast_rockfall::score::{fair_crps, quantile};
use klast_runs::ensure;
use klast_runs::error::Result;
use serde::{Deserialize, Serialize};

use super::design::{drawn, values};
use super::result::{EffectRow, FoundRow, SectionRow, SectionStation, SetRow};
use super::scene::{Line, Scene, Witness};
use super::trial::Trial;
use crate::rockfall::stations::StationRow;
use klast_runs::parts::Number;

/// What a trial has shown.
#[derive(Serialize, Deserialize)]
pub(super) struct Shown {
    /// Named outcomes; of a back analysis none.
    pub outcomes: Vec<(String, Option<f64>)>,
    /// Of a back analysis.
    pub loss: Number,
    /// Of a section.
    #[serde(default)]
    pub stations: Vec<StationRow>,
}

/// How far a trial is from what was found; `at` are the numbers of the barriers and collectors of the witnesses.
pub(super) fn loss(at: &[usize], trial: &Trial, runouts_m: &[f64], witnesses: &[Witness]) -> f64 {
    let mut losses = vec![mean_crps(&trial.runouts, runouts_m)];
    for (number, witness) in at.iter().zip(witnesses) {
        let seen = trial.heights.get(*number).map_or(&[][..], Vec::as_slice);
        losses.push(mean_crps(seen, &witness.heights_m));
    }
    losses.into_iter().flatten().sum()
}

/// Every outcome of every section.
pub(super) fn sections(lines: &[Line], shown: &[Shown]) -> Vec<SectionRow> {
    let pairs = lines.iter().zip(shown);
    pairs
        .flat_map(|(line, shown)| {
            shown.outcomes.iter().map(|(outcome, found)| SectionRow {
                section: line.name.clone(),
                outcome: outcome.clone(),
                found: *found,
            })
        })
        .collect()
}

/// All rocks by section and station.
pub(super) fn stations(lines: &[Line], shown: &[Shown]) -> Vec<SectionStation> {
    let pairs = lines.iter().zip(shown);
    pairs
        .flat_map(|(line, shown)| {
            shown.stations.iter().map(|station| SectionStation {
                section: line.name.clone(),
                station: *station,
            })
        })
        .collect()
}

/// Elementary effects (Morris 1991, Technometrics 33, 161–174).
pub(super) fn morris(
    scene: &Scene,
    trajectories: u32,
    seed: u64,
    shown: &[Shown],
) -> Vec<EffectRow> {
    let numbers = scene.vary.len();
    // Effects by number and outcome.
    let mut effects: Vec<Vec<Vec<f64>>> = vec![Vec::new(); numbers];
    let trajectories = drawn(scene, trajectories, seed);
    for (trajectory, shown) in trajectories.iter().zip(shown.chunks(numbers + 1)) {
        let pairs = shown.iter().zip(shown.iter().skip(1));
        for ((number, step), (before, after)) in trajectory.steps.iter().zip(pairs) {
            let Some(list) = effects.get_mut(*number) else {
                continue;
            };
            list.resize(after.outcomes.len(), Vec::new());
            let pairs = before.outcomes.iter().zip(&after.outcomes).zip(list);
            for ((a, b), list) in pairs {
                list.extend(a.1.zip(b.1).map(|(a, b)| (b - a) / step));
            }
        }
    }
    let names = shown.first().map_or(&[][..], |s| s.outcomes.as_slice());
    let mut rows = Vec::new();
    for (outcome, (name, _)) in names.iter().enumerate() {
        let found = shown.iter().filter_map(|s| s.outcomes.get(outcome)?.1);
        let largest = found.fold(0.0_f64, |most, x| most.max(x.abs()));
        for (varied, lists) in scene.vary.iter().zip(&effects) {
            let list = lists.get(outcome).map_or(&[][..], Vec::as_slice);
            rows.extend(effect((name, largest), &varied.key, list));
        }
    }
    rows
}

fn effect((outcome, largest): (&str, f64), key: &str, effects: &[f64]) -> Option<EffectRow> {
    let n = effects.len() as f64;
    if effects.is_empty() {
        return None;
    }
    let mean = effects.iter().sum::<f64>() / n;
    let square = effects.iter().map(|e| (e - mean) * (e - mean)).sum::<f64>();
    Some(EffectRow {
        outcome: outcome.to_owned(),
        key: key.to_owned(),
        mean_absolute: effects.iter().map(|e| e.abs()).sum::<f64>() / n,
        mean,
        standard_deviation: (square / (n - 1.0).max(1.0)).sqrt(),
        effects: effects.len(),
        largest,
    })
}

/// The sets of a back analysis, what they say of each number, and how many are kept.
///
/// # Errors
/// No set that explains what was found.
pub(super) fn back_analysis(
    scene: &Scene,
    retained_fraction: f64,
    shares: &[Vec<f64>],
    shown: &[Shown],
) -> Result<(Vec<SetRow>, Vec<FoundRow>, usize)> {
    let losses = shown.iter().map(|s| f64::from(s.loss));
    let tried: Vec<(Vec<f64>, f64)> = shares
        .iter()
        .map(|s| values(scene, s))
        .zip(losses)
        .collect();
    ensure!(
        tried.iter().any(|(_, loss)| loss.is_finite()),
        "no set of numbers brings two rocks or more to rest and to every witness: none explains what was found; accepted: other ranges in `vary`, or more rocks"
    );
    let mut order: Vec<usize> = (0..tried.len()).collect();
    order.sort_by(|a, b| tried[*a].1.total_cmp(&tried[*b].1));
    let count = (retained_fraction * tried.len() as f64 - 1e-9)
        .ceil()
        .max(1.0) as usize;
    let kept: Vec<usize> = order.into_iter().take(count).collect();
    let mut rows = Vec::new();
    for (set, (values, loss)) in tried.iter().enumerate() {
        for (varied, value) in scene.vary.iter().zip(values) {
            rows.push(SetRow {
                set,
                key: varied.key.clone(),
                value: *value,
                loss: *loss,
                retained: u8::from(kept.contains(&set)),
            });
        }
    }
    let found = scene.vary.iter().enumerate().map(|(number, varied)| {
        let value = |k: &usize| tried[*k].0.get(number).copied();
        let values: Vec<f64> = kept.iter().filter_map(value).collect();
        let at = |p| quantile(&values, p).unwrap_or(f64::NAN);
        let (q05, q95) = (at(0.05), at(0.95));
        FoundRow {
            key: varied.key.clone(),
            lower: varied.lower,
            upper: varied.upper,
            q05,
            median: at(0.5),
            q95,
            open: (q95 - q05) / (0.9 * (varied.upper - varied.lower)),
        }
    });
    Ok((rows, found.collect(), kept.len()))
}

/// Mean CRPS of an ensemble over what was found (m); infinite where there are too few rocks to tell, none where nothing
/// was found.
fn mean_crps(ensemble: &[f64], found: &[f64]) -> Option<f64> {
    if found.is_empty() {
        return None;
    }
    let score = |x: &f64| fair_crps(ensemble, *x).unwrap_or(f64::INFINITY);
    Some(found.iter().map(score).sum::<f64>() / found.len() as f64)
}
