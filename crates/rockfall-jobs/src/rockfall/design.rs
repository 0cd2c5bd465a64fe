//! Design of a barrier: characteristic values, partial factors, utilisation and a verdict.

use klast_rockfall::{Collector, CollectorStatistics, Results as Statistics};
use schemars::JsonSchema;
use serde::Serialize;

use super::barriers;
use super::scene::{Barrier, Basis, Design, EnergyLevel, Quality, Scene, Standard};
use klast_runs::answer::Judgement;
use klast_runs::faults::{Fault, Faults};

/// Where the factors of UNI 11211-4:2012 were read.
const UNI: &str =
    "UNI 11211-4:2012 as the documentation of RocFall3 (page on verification by it) gives it";

/// Verdict on a barrier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The barrier meets every demand.
    Holds,
    /// The barrier does not meet a demand.
    Fails,
    /// The rocks, or the sets of the ground, leave open whether the barrier meets a demand.
    #[default]
    Undecided,
}

impl Verdict {
    /// Its name in the tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Undecided => "undecided",
        }
    }
}

impl From<Verdict> for Judgement {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Holds => Self::Holds,
            Verdict::Fails => Self::Fails,
            Verdict::Undecided => Self::Undecided,
        }
    }
}

/// Comparison of a barrier with its design values. Design values are the characteristic values with the partial
/// factors. Values of the rocks are null if no rock arrives.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct DesignRow {
    /// Name of the barrier.
    pub name: String,
    /// Standard from which the partial factors come.
    pub standard: String,
    /// Percentage of the quantile that is taken as the characteristic value, such as 95.
    pub percentile: u32,
    /// Number of rocks that arrive.
    pub arrived: u64,
    /// Number of rocks that pass beside the ends of the barrier, as in `barriers.csv`.
    pub passed_beside: u64,
    /// Characteristic energy (kJ).
    pub energy_kj: Option<f64>,
    /// Lower bound of the characteristic energy (kJ). The bounds include the uncertainty from the number of rocks and
    /// from the sets of the ground.
    pub energy_low_kj: Option<f64>,
    /// Upper bound of the characteristic energy (kJ); null if there are too few rocks for a bound.
    pub energy_high_kj: Option<f64>,
    /// Partial factor by which the energy is multiplied.
    pub energy_factor: f64,
    /// Design energy (kJ): characteristic energy, multiplied by its partial factor.
    pub design_energy_kj: Option<f64>,
    /// Design capacity (kJ): energy of the barrier, divided by its partial factor.
    pub design_capacity_kj: f64,
    /// Design energy over design capacity.
    pub energy_utilisation: Option<f64>,
    /// Characteristic height of the tops of the rocks over the ground (m).
    pub top_m: Option<f64>,
    /// Design height (m): characteristic height, multiplied by its partial factor, plus `clearance_m`.
    pub design_height_m: Option<f64>,
    /// Height of the barrier (m).
    pub height_m: f64,
    /// Design height over the height of the barrier.
    pub height_utilisation: Option<f64>,
    /// Design elongation (m): elongation of the barrier, multiplied by its partial factor; null if the barrier is not
    /// flexible.
    pub design_elongation_m: Option<f64>,
    /// Free space behind the barrier (m); null if the scene does not state it.
    pub space_behind_m: Option<f64>,
    /// Verdict on the barrier.
    pub verdict: Verdict,
    /// The verdict in a sentence, with the results on which it rests.
    pub sentence: String,
}

/// Factors of a standard.
struct Factors {
    name: String,
    energy: f64,
    height: f64,
    capacity: f64,
    clearance: f64,
    elongation: f64,
}

fn factors(standard: &Standard) -> Factors {
    match standard {
        Standard::Stated {
            name,
            speed,
            mass,
            height,
            capacity,
            clearance_m,
            elongation,
        } => Factors {
            name: name.clone(),
            energy: mass * speed * speed,
            height: *height,
            capacity: *capacity,
            clearance: *clearance_m,
            elongation: *elongation,
        },
        Standard::Uni {
            topography,
            blocks,
            simulation,
            unit_weight,
            capacity,
            clearance_m,
            elongation,
        } => {
            let of = |good: bool| if good { 1.02 } else { 1.10 };
            let topography = of(*topography == Quality::High);
            let simulation = of(*simulation == Basis::BackAnalysis);
            let speed = topography * simulation;
            Factors {
                name: UNI.to_owned(),
                energy: of(*blocks == Quality::High) * unit_weight * speed * speed,
                height: speed,
                capacity: *capacity,
                clearance: *clearance_m,
                elongation: *elongation,
            }
        }
    }
}

/// Refuses factors without meaning.
///
/// # Errors
/// With the barrier and the key.
pub fn check(barrier: &Barrier) -> Result<(), Faults> {
    let mut faults = Faults::default();
    if let Some(space) = barrier.space_behind_m {
        faults.check(space >= 0.0 && space.is_finite(), || {
            Fault::new("space_behind_m", space).accepted("0 m or more")
        });
    }
    let Some(design) = &barrier.design else {
        return faults.or_all(|| Some(()));
    };
    let percentile = design.percentile;
    faults.check(percentile == 95 || percentile == 99, || {
        Fault::new("design.percentile", percentile).accepted("95 or 99")
    });
    let f = factors(&design.standard);
    let numbers = [
        ("factor on the energy", f.energy),
        ("factor on the height", f.height),
        ("factor of the capacity", f.capacity),
        ("factor on the elongation", f.elongation),
    ];
    for (what, found) in numbers {
        faults.check((1.0..=10.0).contains(&found), || {
            Fault::new("design", format!("{what} is {found}")).accepted("1 to 10")
        });
    }
    let least = match design.standard {
        Standard::Uni { .. } => 0.5,
        Standard::Stated { .. } => 0.0,
    };
    faults.check(f.clearance >= least && f.clearance.is_finite(), || {
        Fault::new("design", format!("clearance_m is {}", f.clearance))
            .accepted(format!("{least} or more"))
    });
    let flexible = barrier.flexible.is_some();
    faults.check(
        design.energy_level == EnergyLevel::Maximum || flexible,
        || {
            Fault::new(
                "design.energy_level",
                "service without flexible, which has a service energy",
            )
            .accepted("maximum, or flexible")
        },
    );
    faults.or_all(|| Some(()))
}

/// A row a barrier that has a design; `caveat` is what is to be said of a calibrated ground.
#[must_use]
pub fn rows(
    scene: &Scene,
    screens: &[Collector],
    statistics: &Statistics,
    caveat: Option<&str>,
) -> Vec<DesignRow> {
    let measured = screens.iter().zip(&statistics.collectors).enumerate();
    let row = |(number, (screen, seen)): (usize, (&Collector, &CollectorStatistics))| {
        let barrier = scene.barriers.iter().find(|b| b.name == screen.name)?;
        let design = barrier.design.as_ref()?;
        let mut row = of(barrier, design, seen, (number, statistics));
        if let Some(caveat) = caveat {
            row.sentence += &format!(" {caveat}");
        }
        Some(row)
    };
    measured.filter_map(row).collect()
}

/// A characteristic value with what is open of it.
#[derive(Clone, Copy)]
pub(super) struct Open {
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// A quantile of the energies (J) and of the heights of the top (m) at a collector, open by the number of rocks and by
/// the ground.
pub(super) fn seen_at(statistics: &Statistics, number: usize, p: f64) -> [Option<Open>; 2] {
    let Some(seen) = statistics.collectors.get(number) else {
        return [None, None];
    };
    let sets = statistics.sets.as_ref();
    let open = |h: &klast_rockfall::Histogram, ground: Option<klast_rockfall::Spread>| {
        let (low, high) = h.quantile_interval(p)?;
        Some(Open {
            value: h.quantile(p)?,
            low: ground.map_or(low, |g| low.min(g.low)),
            high: ground.map_or(high, |g| high.max(g.high)),
        })
    };
    [
        open(&seen.energy, sets.and_then(|s| s.energy_at(number, p))),
        open(&seen.top, sets.and_then(|s| s.top_at(number, p))),
    ]
}

fn of(
    barrier: &Barrier,
    design: &Design,
    seen: &CollectorStatistics,
    (number, statistics): (usize, &Statistics),
) -> DesignRow {
    let f = factors(&design.standard);
    let p = 0.01 * f64::from(design.percentile);
    let [energy, top] = seen_at(statistics, number, p);
    let capacity = match (design.energy_level, &barrier.flexible) {
        (EnergyLevel::Service, Some(net)) => net.service_energy_kj,
        _ => barrier.capacity_kj,
    };
    let resistance = capacity / f.capacity;
    let design_energy = |joule: f64| 1e-3 * joule * f.energy;
    let design_height = |metre: f64| metre * f.height + f.clearance;
    let elongation = barrier.flexible.map(|n| n.elongation_m * f.elongation);
    let mut row = DesignRow {
        name: barrier.name.clone(),
        standard: f.name.clone(),
        percentile: design.percentile,
        arrived: seen.arrived(),
        passed_beside: seen.beside,
        energy_kj: energy.map(|e| 1e-3 * e.value),
        energy_low_kj: energy.map(|e| 1e-3 * e.low),
        energy_high_kj: energy.map(|e| 1e-3 * e.high).filter(|e| e.is_finite()),
        energy_factor: f.energy,
        design_energy_kj: energy.map(|e| design_energy(e.value)),
        design_capacity_kj: resistance,
        energy_utilisation: energy.map(|e| design_energy(e.value) / resistance),
        top_m: top.map(|t| t.value),
        design_height_m: top.map(|t| design_height(t.value)),
        height_m: barrier.height_m,
        height_utilisation: top.map(|t| design_height(t.value) / barrier.height_m),
        design_elongation_m: elongation,
        space_behind_m: barrier.space_behind_m,
        verdict: Verdict::Undecided,
        sentence: String::new(),
    };
    let parts = [
        energy.map(|e| judged(design_energy(e.low), design_energy(e.high), resistance)),
        top.map(|t| {
            judged(
                design_height(t.low),
                design_height(t.high),
                barrier.height_m,
            )
        }),
        elongation
            .zip(barrier.space_behind_m)
            .map(|(e, space)| judged(e, e, space)),
    ];
    row.verdict = together(&parts[..2], parts[2]);
    row.sentence = sentence(&row, seen, statistics);
    row
}

/// One demand, as open as it is, against a resistance.
pub(super) fn judged(low: f64, high: f64, resistance: f64) -> Verdict {
    match (high <= resistance, low > resistance) {
        (true, _) => Verdict::Holds,
        (false, true) => Verdict::Fails,
        (false, false) => Verdict::Undecided,
    }
}

/// All demands: one that fails decides, one that is open or missing leaves it open.
pub(super) fn together(needed: &[Option<Verdict>], more: Option<Verdict>) -> Verdict {
    let all = || needed.iter().copied().chain(more.map(Some));
    if all().any(|p| p == Some(Verdict::Fails)) {
        Verdict::Fails
    } else if all().all(|p| p == Some(Verdict::Holds)) {
        Verdict::Holds
    } else {
        Verdict::Undecided
    }
}

fn sentence(row: &DesignRow, seen: &CollectorStatistics, statistics: &Statistics) -> String {
    let beside = barriers::beside(seen);
    let (Some(energy), Some(height)) = (row.design_energy_kj, row.design_height_m) else {
        return format!(
            "Whether barrier '{}' holds is undecided: no rock of {} arrives at it{}.",
            row.name,
            statistics.account.seeded,
            beside.map_or(String::new(), |told| format!(", and {told}"))
        );
    };
    let percent = |x: Option<f64>| 1e2 * x.unwrap_or(f64::NAN);
    let begin = match row.verdict {
        Verdict::Holds => match &beside {
            Some(told) => format!(
                "Barrier '{}' holds the rocks that arrive at it, but {told}",
                row.name
            ),
            None => format!("Barrier '{}' holds", row.name),
        },
        Verdict::Fails => format!("Barrier '{}' does not hold", row.name),
        Verdict::Undecided => format!("Whether barrier '{}' holds is undecided", row.name),
    };
    let mut text = format!(
        "{begin}: design energy {energy:.0} kJ of {:.0} kJ ({:.0} %), design height {height:.2} m of {:.2} m ({:.0} %)",
        row.design_capacity_kj,
        percent(row.energy_utilisation),
        row.height_m,
        percent(row.height_utilisation)
    );
    if let (Some(e), Some(space)) = (row.design_elongation_m, row.space_behind_m) {
        text += &format!(", design elongation {e:.2} m of {space:.2} m");
    }
    text += &format!(
        "; partial factors: {}. It rests on {} rocks that arrive",
        row.standard, row.arrived
    );
    match &statistics.sets {
        Some(sets) => {
            text += &format!(
                " and on a ground calibrated to {} sets of parameters; with the number of rocks and the spread of the sets, the {} % energy is {}.",
                sets.count(),
                row.percentile,
                between(row.energy_low_kj, row.energy_high_kj)
            );
        }
        None => {
            text += &format!(
                " (with 95 % confidence, the {} % energy is {}) and on ground parameters that were not calibrated.",
                row.percentile,
                between(row.energy_low_kj, row.energy_high_kj)
            );
        }
    }
    if let (Some(told), true) = (&beside, row.verdict != Verdict::Holds) {
        text += &format!(" In addition, {told}.");
    }
    if row.design_elongation_m.is_some() && row.space_behind_m.is_none() {
        text += " The space behind it was not given: its elongation is not judged.";
    }
    text
}

/// Between which energies (kJ) a quantile lies.
fn between(low: Option<f64>, high: Option<f64>) -> String {
    let low = low.unwrap_or(f64::NAN);
    match high {
        Some(high) => format!("between {low:.0} kJ and {high:.0} kJ"),
        None => format!("at least {low:.0} kJ; there are too few rocks for an upper bound"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_of_uni_11211_4() {
        let standard = Standard::Uni {
            topography: Quality::High,
            blocks: Quality::Low,
            simulation: Basis::Literature,
            unit_weight: 1.0,
            capacity: 1.2,
            clearance_m: 0.5,
            elongation: 1.3,
        };
        let f = factors(&standard);
        // 1.10 on the mass, (1.02 · 1.10)² on the energy, 1.02 · 1.10 on the height.
        assert!((f.energy - 1.10 * 1.122 * 1.122).abs() < 1e-15);
        assert!((f.height - 1.122).abs() < 1e-15);
    }

    #[test]
    fn what_is_open_is_not_decided() {
        assert_eq!(judged(1.0, 2.0, 3.0), Verdict::Holds);
        assert_eq!(judged(4.0, 5.0, 3.0), Verdict::Fails);
        assert_eq!(judged(2.0, f64::INFINITY, 3.0), Verdict::Undecided);
        let holds = Some(Verdict::Holds);
        assert_eq!(together(&[holds, holds], None), Verdict::Holds);
        assert_eq!(
            together(&[holds, Some(Verdict::Fails)], None),
            Verdict::Fails
        );
        assert_eq!(together(&[holds, None], None), Verdict::Undecided);
        assert_eq!(
            together(&[holds, holds], Some(Verdict::Fails)),
            Verdict::Fails
        );
    }
}
