//! Barriers and collectors: design sheets, histograms, quantiles, exceedance, and convergence of E95.

use klast_rockfall::{Collector, CollectorStatistics, Histogram as Bins, Results as Statistics};
use schemars::JsonSchema;
use serde::Serialize;

use klast_files::shapes::geojson;

/// Results at a barrier or collector. Each rock counts once, at its first passage. Keys with `low` and `high` are the
/// ends of the 95 % confidence interval of a quantile; `high` is null if there are too few rocks. Quantiles are null if
/// no rock arrives, and results that only a barrier has are null for a collector.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Sheet {
    /// Name of the barrier or collector.
    pub name: String,
    /// Number of rocks that arrived.
    pub arrived: u64,
    /// Number of rocks that the barrier held.
    pub held: Option<u64>,
    /// Number of held rocks with more than the service energy, after which the barrier needs repair.
    pub held_above_service: Option<u64>,
    /// Number of rocks that tore the barrier.
    pub torn: Option<u64>,
    /// Number of rocks that pass beside the ends of the barrier: they cross its line, prolonged straight at both ends
    /// to the edge of the map, never arrive at the barrier, and no other barrier holds them.
    pub passed_beside: Option<u64>,
    /// Number of rocks that arrive at the barrier and pass it: over its top, or through it.
    pub passed: Option<u64>,
    /// 95 % quantile of the energy behind the barrier of the rocks in `passed` (kJ): of a rock that tears a flexible
    /// barrier the energy that is left, of any other rock its energy at the barrier. Of fewer than 20 rocks it is the
    /// greatest energy, or nearly. Rocks that pass beside the ends of the barrier are not included.
    pub residual_energy_95_kj: Option<f64>,
    /// Height of the barrier after an impact of its maximum energy (m).
    pub residual_height_m: Option<f64>,
    /// Fraction of the released rocks that passes the barrier.
    pub residual_rate: Option<f64>,
    /// 95 % quantile of the kinetic energy (kJ).
    pub energy_95_kj: Option<f64>,
    /// Lower end of the 95 % confidence interval of the 95 % quantile (kJ).
    pub energy_95_low_kj: Option<f64>,
    /// Upper end of the 95 % confidence interval of the 95 % quantile (kJ); null if there are too few rocks.
    pub energy_95_high_kj: Option<f64>,
    /// 99 % quantile of the kinetic energy (kJ).
    pub energy_99_kj: Option<f64>,
    /// Lower end of the 95 % confidence interval of the 99 % quantile (kJ).
    pub energy_99_low_kj: Option<f64>,
    /// Upper end of the 95 % confidence interval of the 99 % quantile (kJ); null if there are too few rocks.
    pub energy_99_high_kj: Option<f64>,
    /// 95 % quantile of the heights of the tops of the rocks over the ground (m).
    pub top_95_m: Option<f64>,
    /// 99 % quantile of the heights of the tops of the rocks over the ground (m).
    pub top_99_m: Option<f64>,
    /// Height of the barrier less the 95 % quantile of the heights of the tops of the rocks (m).
    pub clearance_95_m: Option<f64>,
    /// Height of the barrier less the 99 % quantile of the heights of the tops of the rocks (m).
    pub clearance_99_m: Option<f64>,
}

/// The share of the rocks past the ends of a barrier above which a run is warned of it: a choice of this program.
const BESIDE: f64 = 0.01;

/// Of the rocks that cross the line of a barrier, prolonged to the edge of the map, the share that passes beside its
/// ends, in words; none where no rock does.
#[must_use]
pub fn beside(statistics: &CollectorStatistics) -> Option<String> {
    let all = statistics.beside + statistics.arrived();
    (statistics.beside > 0).then(|| {
        format!(
            "{} of {} rocks that cross its line bypass its ends",
            statistics.beside, all,
        )
    })
}

/// Whether more rocks go round a barrier than is passed over in the headline.
#[must_use]
pub fn many_beside(statistics: &CollectorStatistics) -> bool {
    let all = statistics.beside + statistics.arrived();
    statistics.beside as f64 > BESIDE * all as f64
}

/// Warnings of barriers that rocks go round.
#[must_use]
pub fn warnings(screens: &[Collector], statistics: &Statistics) -> Vec<String> {
    let measured = screens.iter().zip(&statistics.collectors);
    let round = measured.filter(|(screen, seen)| screen.barrier.is_some() && many_beside(seen));
    round
        .filter_map(|(screen, seen)| {
            Some(format!(
                "barrier '{}': {} (more than {} % is told). The barrier may be too short",
                screen.name,
                beside(seen)?,
                100.0 * BESIDE
            ))
        })
        .collect()
}

impl Sheet {
    /// The sheet of one of them, of so many released rocks.
    #[must_use]
    pub fn of(screen: &Collector, statistics: &CollectorStatistics, seeded: u64) -> Self {
        let name = screen.name.clone();
        let Some(sheet) = statistics.sheet(screen, seeded) else {
            return Self {
                name,
                passed_beside: screen.barrier.map(|_| statistics.beside),
                ..Self::default()
            };
        };
        let bounded = |x: f64| Some(x).filter(|x| x.is_finite());
        let kilo = |x: f64| bounded(1e-3 * x);
        let barrier = screen.barrier;
        let net = barrier.and_then(|b| b.flexible.map(|n| (b.height, n)));
        Self {
            name,
            arrived: sheet.arrived,
            held: Some(sheet.held),
            held_above_service: net.map(|_| statistics.above_service),
            torn: net.map(|_| statistics.torn),
            passed_beside: barrier.map(|_| statistics.beside),
            passed: barrier.map(|_| statistics.residual.count()),
            residual_energy_95_kj: barrier
                .and_then(|_| statistics.residual.quantile(0.95))
                .and_then(kilo),
            residual_height_m: net.map(|(height, n)| height * n.residual_height),
            residual_rate: Some(sheet.residual_rate),
            energy_95_kj: kilo(sheet.energy_95.0),
            energy_95_low_kj: kilo(sheet.energy_95.1),
            energy_95_high_kj: kilo(sheet.energy_95.2),
            energy_99_kj: kilo(sheet.energy_99.0),
            energy_99_low_kj: kilo(sheet.energy_99.1),
            energy_99_high_kj: kilo(sheet.energy_99.2),
            top_95_m: bounded(sheet.top_95),
            top_99_m: bounded(sheet.top_99),
            clearance_95_m: sheet.clearance.and_then(|c| bounded(c.0)),
            clearance_99_m: sheet.clearance.and_then(|c| bounded(c.1)),
        }
    }
}

/// Quantiles of a quantity with the ends of their 95 % confidence intervals, in the unit of the quantity. They are null
/// if no rock arrives.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Quantiles {
    /// Name of the barrier or collector.
    pub name: String,
    /// The quantity with its unit, such as `energy_kj`.
    pub quantity: &'static str,
    /// Number of rocks that arrived.
    pub rocks: u64,
    /// Least value.
    pub min: Option<f64>,
    /// Mean value.
    pub mean: Option<f64>,
    /// Greatest value.
    pub max: Option<f64>,
    /// Median of the quantity.
    pub q50: Option<f64>,
    /// Lower end of the 95 % confidence interval of the median.
    pub q50_low: Option<f64>,
    /// Upper end of the 95 % confidence interval of the median; null if there are too few rocks.
    pub q50_high: Option<f64>,
    /// 90 % quantile of the quantity.
    pub q90: Option<f64>,
    /// Lower end of the 95 % confidence interval of the 90 % quantile.
    pub q90_low: Option<f64>,
    /// Upper end of the 95 % confidence interval of the 90 % quantile; null if there are too few rocks.
    pub q90_high: Option<f64>,
    /// 95 % quantile of the quantity.
    pub q95: Option<f64>,
    /// Lower end of the 95 % confidence interval of the 95 % quantile.
    pub q95_low: Option<f64>,
    /// Upper end of the 95 % confidence interval of the 95 % quantile; null if there are too few rocks.
    pub q95_high: Option<f64>,
    /// 99 % quantile of the quantity.
    pub q99: Option<f64>,
    /// Lower end of the 95 % confidence interval of the 99 % quantile.
    pub q99_low: Option<f64>,
    /// Upper end of the 95 % confidence interval of the 99 % quantile; null if there are too few rocks.
    pub q99_high: Option<f64>,
}

/// One interval of a histogram, in the unit of the quantity.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Histogram {
    /// Name of the barrier or collector.
    pub name: String,
    /// Name of the quantity with its unit.
    pub quantity: &'static str,
    /// Lower end of the interval.
    pub from: f64,
    /// Upper end of the interval.
    pub to: f64,
    /// Number of rocks in the interval.
    pub rocks: u64,
}

/// The 95 % quantile of the energy at a barrier or collector after a number of rocks; null if none of these rocks
/// arrives.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Settling {
    /// Name of the barrier or collector.
    pub name: String,
    /// Number of rocks of the run that are counted.
    pub rocks: u64,
    /// 95 % quantile of the kinetic energy (kJ).
    pub energy_95_kj: Option<f64>,
    /// Lower end of the 95 % confidence interval of the 95 % quantile (kJ).
    pub energy_95_low_kj: Option<f64>,
    /// Upper end of the 95 % confidence interval of the 95 % quantile (kJ); null if there are too few rocks.
    pub energy_95_high_kj: Option<f64>,
}

/// Exceedance: number of rocks in a year that arrive with more than a stated energy.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Exceedance {
    /// Name of the barrier or collector.
    pub name: String,
    /// Kinetic energy (kJ).
    pub energy_kj: f64,
    /// Number of rocks in a year that arrive with more than this energy (1/a).
    pub exceeded_per_a: f64,
    /// Return period of a rock with more than this energy (years, a); null if no rock has more energy.
    pub return_period_a: Option<f64>,
}

/// What is measured: name with unit, factor from SI, histogram.
fn quantities(statistics: &CollectorStatistics) -> [(&'static str, f64, &Bins); 6] {
    [
        ("speed_m_s", 1.0, &statistics.speed),
        ("height_m", 1.0, &statistics.height),
        ("top_m", 1.0, &statistics.top),
        ("translational_energy_kj", 1e-3, &statistics.translational),
        ("rotational_energy_kj", 1e-3, &statistics.rotational),
        ("energy_kj", 1e-3, &statistics.energy),
    ]
}

/// Quantiles of all quantities.
pub fn quantiles((screen, statistics): (&Collector, &CollectorStatistics)) -> Vec<Quantiles> {
    let row = |(quantity, factor, values): (&'static str, f64, &Bins)| {
        let number = |v: Option<f64>| v.map(|v| factor * v);
        let at = |p: f64| {
            let (low, high) = values.quantile_interval(p).unzip();
            [values.quantile(p), low, high].map(number)
        };
        let [q50, q50_low, q50_high] = at(0.5);
        let [q90, q90_low, q90_high] = at(0.9);
        let [q95, q95_low, q95_high] = at(0.95);
        let [q99, q99_low, q99_high] = at(0.99);
        Quantiles {
            name: screen.name.clone(),
            quantity,
            rocks: values.count(),
            min: number(values.least()),
            mean: number(values.mean()),
            max: number(values.greatest()),
            q50,
            q50_low,
            q50_high,
            q90,
            q90_low,
            q90_high,
            q95,
            q95_low,
            q95_high,
            q99,
            q99_low,
            q99_high,
        }
    };
    quantities(statistics).into_iter().map(row).collect()
}

/// Histograms of all quantities.
pub fn histograms((screen, statistics): (&Collector, &CollectorStatistics)) -> Vec<Histogram> {
    let of = |(quantity, factor, values): (&'static str, f64, &Bins)| {
        let row = |(from, to, rocks): (f64, f64, u64)| Histogram {
            name: screen.name.clone(),
            quantity,
            from: factor * from,
            to: factor * to,
            rocks,
        };
        values.bins().map(row).collect::<Vec<_>>()
    };
    quantities(statistics).into_iter().flat_map(of).collect()
}

/// The curve of exceedance.
pub fn exceedance((screen, statistics): (&Collector, &CollectorStatistics)) -> Vec<Exceedance> {
    let row = |(energy, frequency): (f64, f64)| Exceedance {
        name: screen.name.clone(),
        energy_kj: 1e-3 * energy,
        exceeded_per_a: frequency,
        return_period_a: Some(1.0 / frequency).filter(|x| x.is_finite()),
    };
    let curve = statistics.energy.exceedance();
    curve.into_iter().map(row).collect()
}

/// How the 95 % energies have settled.
pub fn settling(screens: &[Collector], statistics: &Statistics) -> Vec<Settling> {
    let bounded = |x: f64| Some(1e-3 * x).filter(|x| x.is_finite());
    let of = |(number, screen): (usize, &Collector)| {
        let rows = statistics.settling(number).into_iter();
        let name = screen.name.clone();
        rows.map(move |r| Settling {
            name: name.clone(),
            rocks: r.rocks,
            energy_95_kj: bounded(r.energy),
            energy_95_low_kj: bounded(r.interval.0),
            energy_95_high_kj: bounded(r.interval.1),
        })
    };
    screens.iter().enumerate().flat_map(of).collect()
}

/// Barriers and collectors as lines with what they have seen.
pub fn lines(screens: &[Collector], sheets: &[Sheet]) -> Vec<geojson::Line> {
    let line = |(screen, sheet): (&Collector, &Sheet)| {
        let mut properties = serde_json::Map::new();
        properties.insert("name".into(), screen.name.clone().into());
        if let Some(barrier) = &screen.barrier {
            properties.insert("height_m".into(), barrier.height.into());
            properties.insert("capacity_kj".into(), (1e-3 * barrier.capacity).into());
        }
        properties.insert("arrived".into(), sheet.arrived.into());
        if let Some(held) = sheet.held {
            properties.insert("held".into(), held.into());
            properties.insert("energy_95_kj".into(), sheet.energy_95_kj.into());
            properties.insert("top_95_m".into(), sheet.top_95_m.into());
        }
        let points = screen.line.iter().map(|p| p.to_array().to_vec());
        (points.collect(), properties)
    };
    screens.iter().zip(sheets).map(line).collect()
}
