//! Restrainers of a rocking block.

use klast_rocking as rocking;
use klast_runs::bail;
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use klast_runs::faults::Fault;

/// A restrainer that is elastic up to its strength, and then breaks or yields: an anchor, a bolt, a cable or a brace.
/// It only pulls, unless it is a bar that pushes as well. Its points are stated for the block at rest. x is the
/// distance to the right of the point below the mass centre; z is the height over the base.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Restrainer {
    /// Point on the block, x (m).
    block_x_m: f64,
    /// Point on the block, z (m).
    #[serde(default)]
    block_z_m: f64,
    /// Point on the base, x (m); `block_x_m` unless stated. If neither `base_x_m` nor `base_z_m` is stated, the
    /// restrainer has no length, as a bolt.
    #[serde(default)]
    base_x_m: Option<f64>,
    /// Point on the base, z (m); `block_z_m` unless stated.
    #[serde(default)]
    base_z_m: Option<f64>,
    /// Stiffness beyond the slack (N/m), above 0.
    stiffness_n_per_m: f64,
    /// Force at which the restrainer breaks, or yields if it has a ductility above 1 (N), above 0.
    strength_n: f64,
    /// Slack (m), 0 or more: elongation up to which the restrainer does not pull.
    #[serde(default)]
    slack_m: f64,
    /// Pretension: force at rest (N), 0 or more and below `strength_n`; only of a restrainer with a length and without
    /// slack.
    #[serde(default)]
    pretension_n: f64,
    /// Ductility: elongation at rupture over that at `strength_n`, 1 or more; 1 unless stated: it breaks without
    /// yielding.
    #[serde(default = "brittle")]
    ductility: f64,
    /// Whether the restrainer is a bar: it pushes with the same stiffness and yields under pressure at `strength_n`. A
    /// bar has a length. Otherwise it only pulls.
    #[serde(default)]
    pushes: bool,
}

fn brittle() -> f64 {
    1.0
}

/// The restrainers of a scene and the mass they hold.
///
/// # Errors
/// Restrainers without a mass, and numbers out of range.
pub fn restraint(mass_kg: Option<f64>, list: &[Restrainer]) -> Result<Option<rocking::Restraint>> {
    if list.is_empty() {
        return Ok(None);
    }
    let Some(mass) = mass_kg else {
        bail!(Fault::new("restrainers", "no mass_kg").accepted("mass_kg, above 0"));
    };
    let built: Vec<rocking::Restrainer> = list.iter().map(Restrainer::build).collect();
    Ok(Some(rocking::Restraint::new(mass, &built)?))
}

impl Restrainer {
    fn build(&self) -> rocking::Restrainer {
        rocking::Restrainer {
            block_point: (self.block_x_m, self.block_z_m),
            base_point: (
                self.base_x_m.unwrap_or(self.block_x_m),
                self.base_z_m.unwrap_or(self.block_z_m),
            ),
            stiffness: self.stiffness_n_per_m,
            strength: self.strength_n,
            slack: self.slack_m,
            pretension: self.pretension_n,
            ductility: self.ductility,
            pushes: self.pushes,
        }
    }
}

/// Response of the restrainers.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Restraint {
    /// Response of each restrainer, in the order of the scene.
    pub restrainers: Vec<RestrainerResult>,
    /// Energy of block and restrainers, and of a compliant base, at the start (J/kg).
    pub start_j_kg: f64,
    /// The same energy at the end (J/kg).
    pub end_j_kg: f64,
    /// Boundary work: work of the moving base (J/kg).
    pub base_work_j_kg: f64,
    /// Energy dissipated by impacts (J/kg).
    pub dissipated_impacts_j_kg: f64,
    /// Energy dissipated by restrainers that yield (J/kg).
    pub dissipated_yielding_j_kg: f64,
    /// Dissipated energy (J/kg): energy that was stored in restrainers when they broke.
    pub dissipated_ruptures_j_kg: f64,
    /// Largest energy residual of a step between two events (J/kg).
    pub energy_residual_j_kg: f64,
}

/// Response of a restrainer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct RestrainerResult {
    /// Time at which the restrainer first yielded (s); null if it did not yield.
    pub yielded_s: Option<f64>,
    /// Time at which the restrainer broke (s); null if it did not break.
    pub broke_s: Option<f64>,
    /// Largest force (N).
    pub max_force_n: f64,
    /// Largest elongation beyond the slack (m).
    pub max_elongation_m: f64,
    /// Dissipated energy (J): energy that the restrainer took by yielding, and that was stored in it when it broke.
    pub dissipated_j: f64,
}

impl From<&rocking::RestraintReport> for Restraint {
    fn from(report: &rocking::RestraintReport) -> Self {
        let one = |r: &rocking::RestrainerReport| RestrainerResult {
            yielded_s: r.yielded,
            broke_s: r.broke,
            max_force_n: r.largest_force,
            max_elongation_m: r.largest_elongation,
            dissipated_j: r.dissipated,
        };
        let energy = report.energy;
        Self {
            restrainers: report.restrainers.iter().map(one).collect(),
            start_j_kg: energy.start,
            end_j_kg: energy.end,
            base_work_j_kg: energy.base_work,
            dissipated_impacts_j_kg: energy.impacts,
            dissipated_yielding_j_kg: energy.yielding,
            dissipated_ruptures_j_kg: energy.ruptures,
            energy_residual_j_kg: energy.imbalance,
        }
    }
}

/// The restrainers that broke up to a time (s), in a sentence without its full stop; none if none did.
pub fn broken(report: &rocking::RestraintReport, until: f64) -> Option<String> {
    let list = &report.restrainers;
    let name = |i: usize| match list.len() {
        1 => "the restrainer".to_owned(),
        _ => format!("restrainer {}", i + 1),
    };
    let broke = |(i, r): (usize, &rocking::RestrainerReport)| {
        let time = r.broke.filter(|time| *time <= until)?;
        Some(format!("{} broke at {time:.3} s", name(i)))
    };
    let broke: Vec<String> = list.iter().enumerate().filter_map(broke).collect();
    (!broke.is_empty()).then(|| broke.join(", "))
}

/// What the restrainers did, in a sentence without its full stop.
pub fn told(report: &rocking::RestraintReport) -> String {
    if let Some(broke) = broken(report, f64::INFINITY) {
        return broke;
    }
    let list = &report.restrainers;
    let most = list.iter().map(|r| r.largest_force).fold(0.0, f64::max);
    let yields = list.iter().filter_map(|r| r.yielded).min_by(f64::total_cmp);
    let yields = yields.map_or(String::new(), |time| {
        format!(" and yielding from {time:.3} s on")
    });
    match (list.len(), most) {
        (_, 0.0) => "no restrainer was ever taut".to_owned(),
        (1, most) => format!("the restrainer held, with at most {most:.4} N{yields}"),
        (_, most) => format!("all restrainers held, with at most {most:.4} N{yields}"),
    }
}
