//! How far the results depend on what a calibration leaves open of the ground.

use klast_rockfall::{BySet, Collector, Results as Statistics, Spread, Window};
use schemars::JsonSchema;
use serde::Serialize;

use super::map::Map;

/// Results at a barrier or collector over the sets of ground parameters: the mean, and the 5 and 95 % quantiles. A
/// value is null if no rock arrives.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct GroundSpread {
    /// Name of the barrier or collector.
    pub name: String,
    /// Number of sets of ground parameters.
    pub sets: usize,
    /// Least number of released rocks of a set, whether they arrive or not. The spread over the sets includes the
    /// scatter that comes from this finite number of rocks.
    pub rocks_per_set: u64,
    /// Least number of rocks that arrive, over the sets of which any rock arrives.
    pub arrived_per_set: Option<u64>,
    /// Number of sets of which 1 to 19 rocks arrive. The 95 % quantile of so few values is the greatest value, or
    /// nearly.
    pub sets_with_few_arrivals: usize,
    /// Fraction of the released rocks that arrives: mean over the sets.
    pub arrived_fraction: Option<f64>,
    /// Fraction of the released rocks that arrives: 5 % quantile over the sets.
    pub arrived_fraction_05: Option<f64>,
    /// Fraction of the released rocks that arrives: 95 % quantile over the sets.
    pub arrived_fraction_95: Option<f64>,
    /// 95 % quantile of the kinetic energy (kJ): mean over the sets.
    pub energy_95_kj: Option<f64>,
    /// 95 % quantile of the kinetic energy (kJ): 5 % quantile over the sets.
    pub energy_95_05_kj: Option<f64>,
    /// 95 % quantile of the kinetic energy (kJ): 95 % quantile over the sets.
    pub energy_95_95_kj: Option<f64>,
    /// 95 % quantile of the height of the tops of the rocks over the ground (m): mean over the sets.
    pub top_95_m: Option<f64>,
    /// 95 % quantile of the height of the tops of the rocks over the ground (m): 5 % quantile over the sets.
    pub top_95_05_m: Option<f64>,
    /// 95 % quantile of the height of the tops of the rocks over the ground (m): 95 % quantile over the sets.
    pub top_95_95_m: Option<f64>,
}

/// Arrivals of a set below which its 95 % quantile is its greatest value, or nearly: 1/(1 − 0.95).
pub const FEW_ARRIVALS: u64 = 20;

/// Rocks of each set that arrive, of the sets of which any does.
fn arrivals(sets: &BySet, number: usize) -> impl Iterator<Item = u64> {
    let seen = sets.collector(number).iter();
    seen.map(|s| s.energy.count()).filter(|n| *n > 0)
}

/// Warnings of barriers and collectors whose quantiles by set rest on few rocks.
#[must_use]
pub fn few_arrivals(screens: &[Collector], statistics: &Statistics) -> Vec<String> {
    let Some(sets) = &statistics.sets else {
        return Vec::new();
    };
    let told = |(number, screen): (usize, &Collector)| {
        let few = arrivals(sets, number).filter(|n| *n < FEW_ARRIVALS).count();
        let least = arrivals(sets, number).min()?;
        (few > 0).then(|| {
            format!(
                "'{}': of {few} of {} sets of the ground, fewer than {FEW_ARRIVALS} rocks arrive (at least {least}); the 95 % energy and height of these sets are \
                 their greatest values, or nearly. Run more rocks",
                screen.name,
                sets.count()
            )
        })
    };
    screens.iter().enumerate().filter_map(told).collect()
}

/// A row a barrier or collector; none where the ground has one law.
#[must_use]
pub fn rows(screens: &[Collector], statistics: &Statistics) -> Vec<GroundSpread> {
    let Some(sets) = &statistics.sets else {
        return Vec::new();
    };
    let row = |(number, screen): (usize, &Collector)| {
        let arrived = sets.arrived(number);
        let energy = sets.energy_at(number, 0.95);
        let top = sets.top_at(number, 0.95);
        let [arrived_fraction, arrived_fraction_05, arrived_fraction_95] = three(arrived, 1.0);
        let [energy_95_kj, energy_95_05_kj, energy_95_95_kj] = three(energy, 1e-3);
        let [top_95_m, top_95_05_m, top_95_95_m] = three(top, 1.0);
        GroundSpread {
            name: screen.name.clone(),
            sets: sets.count(),
            arrived_per_set: arrivals(sets, number).min(),
            sets_with_few_arrivals: arrivals(sets, number).filter(|n| *n < FEW_ARRIVALS).count(),
            rocks_per_set: sets.seeded().iter().copied().min().unwrap_or(0),
            arrived_fraction,
            arrived_fraction_05,
            arrived_fraction_95,
            energy_95_kj,
            energy_95_05_kj,
            energy_95_95_kj,
            top_95_m,
            top_95_05_m,
            top_95_95_m,
        }
    };
    screens.iter().enumerate().map(row).collect()
}

fn three(spread: Option<Spread>, factor: f64) -> [Option<f64>; 3] {
    let spread = spread.map(|s| [s.mean, s.low, s.high].map(|x| factor * x));
    spread.map_or([None; 3], |s| s.map(Some))
}

/// Maps of the mean over the sets, and of 5 and 95 % of them.
#[must_use]
pub fn maps(sets: &BySet, window: &Window) -> Vec<Map> {
    type Of = fn(&BySet, u32) -> Option<Spread>;
    let list: [(&str, &str, &'static str, f64, Of); 2] = [
        (
            "reach_probability_ground",
            "Fraction of the rocks that reach a cell",
            "fraction of rocks [-]",
            1.0,
            BySet::reach,
        ),
        (
            "energy_mean_ground",
            "Mean kinetic energy",
            "E [kJ]",
            1e-3,
            BySet::energy,
        ),
    ];
    type Part = fn(&Spread) -> f64;
    let parts: [(&str, &str, Part); 3] = [
        ("mean", "mean over the sets of the ground", |s| s.mean),
        ("05", "5 % of the sets of the ground are below", |s| s.low),
        ("95", "95 % of the sets of the ground are below", |s| s.high),
    ];
    let mut maps = Vec::new();
    for (name, words, label, factor, of) in list {
        let spreads: Vec<Option<Spread>> = window.numbers().map(|k| of(sets, k)).collect();
        for (part, told, value) in parts {
            let number = |s: &Option<Spread>| s.as_ref().map_or(f64::NAN, |s| factor * value(s));
            maps.push(Map {
                name: format!("{name}_{part}"),
                words: format!("{words}: {told}"),
                label,
                first: part == "95",
                window: window.clone(),
                values: spreads.iter().map(number).collect(),
            });
        }
    }
    maps
}
