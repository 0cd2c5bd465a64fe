//! What stands on the slope of a scene of kind rockfall.

use schemars::JsonSchema;
use serde::Deserialize;

/// A line that holds rocks up to a height and an energy.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Barrier {
    /// Name for tables and messages.
    pub name: String,
    /// Points of the line in map coordinates (m).
    pub line_m: Vec<[f64; 2]>,
    /// Height of the barrier over the ground (m), above 0. It holds a rock whose highest point, as it is turned, is not
    /// higher over the ground under its mass centre.
    pub height_m: f64,
    /// Energy up to which the barrier holds a rock (kJ), 0 or more; for a flexible barrier its maximum energy (MEL).
    pub capacity_kj: f64,
    /// Properties of a flexible barrier (a net). If a rock hits the net below its top with more energy than the
    /// capacity, the rock tears the barrier and continues with the remaining energy. Without this key the barrier is
    /// rigid.
    pub flexible: Option<Flexible>,
    /// Free space behind the barrier (m), 0 or more. It is compared with the design elongation of a flexible barrier.
    /// Without this key there is no comparison.
    pub space_behind_m: Option<f64>,
    /// Rules for the design values of the barrier. The result then compares the barrier with its design values, and its
    /// verdict says whether the barrier holds.
    pub design: Option<Design>,
}

/// A flexible barrier, described by its test.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flexible {
    /// Service energy (SEL), up to which the barrier needs no repair (kJ): above 0, at most the maximum energy.
    pub service_energy_kj: f64,
    /// Elongation at the maximum energy (m), 0 or more.
    pub elongation_m: f64,
    /// Height of the barrier after an impact of the maximum energy, over its height before the impact: 0 to 1.
    pub residual_height_fraction: f64,
}

/// Rules for the design values, and their comparison with the barrier.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Design {
    /// Quantile (%) of the energies and heights of the rocks that is the characteristic value: 95 or 99.
    pub percentile: u32,
    /// Energy of the barrier with which the design energy is compared.
    pub energy_level: EnergyLevel,
    /// Partial factors: stated, or those of a standard.
    pub standard: Standard,
}

/// Energy for which a flexible barrier was tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EnergyLevel {
    /// Service energy, after which the barrier needs no repair.
    Service,
    /// Maximum energy, at which the barrier stops one rock.
    Maximum,
}

/// Partial factors: factors between characteristic and design values. A factor has a default only if we read a source
/// for it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Standard {
    /// Stated factors, for example of another standard.
    Stated {
        /// Name and edition of the standard.
        name: String,
        /// Factor by which the speed is multiplied. Its square times `mass` is the factor on the energy, which must be
        /// 1 to 10.
        speed: f64,
        /// Factor by which the mass is multiplied. It also multiplies the energy.
        mass: f64,
        /// Factor by which the height is multiplied, 1 to 10.
        height: f64,
        /// Factor by which the energy of the barrier is divided, 1 to 10.
        capacity: f64,
        /// Height of the barrier above the design height of the rocks that must stay free (m), 0 or more.
        clearance_m: f64,
        /// Factor by which the elongation is multiplied, 1 to 10.
        elongation: f64,
    },
    /// UNI 11211-4:2012, as the documentation of RocFall3 states it. The factors of topography and simulation multiply
    /// speed and height; the factors of blocks and unit weight multiply the mass. A factor for which we read no source
    /// has no default.
    #[serde(rename = "uni_11211_4_2012")]
    Uni {
        /// Quality of the topographic survey. The factor is 1.02 for `high` and 1.10 for `low`.
        topography: Quality,
        /// Quality of the survey of the rock sizes. The factor is 1.02 for `high` and 1.10 for `low`.
        blocks: Quality,
        /// Basis of the parameters of the simulation. The factor is 1.02 for `back_analysis` and 1.10 for `literature`.
        simulation: Basis,
        /// Factor by which the unit weight of the rock is multiplied, 1 or more; generally 1.
        unit_weight: f64,
        /// Factor by which the energy of the barrier is divided, 1 to 10. It has no default, because we read no source
        /// for it.
        capacity: f64,
        /// Height of the barrier above the design height of the rocks that must stay free (m), at least 0.5.
        clearance_m: f64,
        /// Factor by which the elongation is multiplied, 1 to 10. It has no default, because we read no source for it.
        elongation: f64,
    },
}

/// Quality of a survey of the slope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// High quality.
    High,
    /// Low quality.
    Low,
}

/// Basis of the parameters of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Back analysis of events on this slope.
    BackAnalysis,
    /// Values from the literature.
    Literature,
}

/// A line that records rocks and lets them pass.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Collector {
    /// Name for tables and messages.
    pub name: String,
    /// Points of the line in map coordinates (m).
    pub line_m: Vec<[f64; 2]>,
}

/// A line that is moved over the slope, with a collector at each position.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// Name for tables and messages.
    pub name: String,
    /// Points of the line in its first position, in map coordinates (m).
    pub line_m: Vec<[f64; 2]>,
    /// Shift from one position to the next, along x and y (m).
    pub shift_m: [f64; 2],
    /// Number of positions, 2 to 200.
    pub places: u32,
}

/// An embankment or a ditch that is put into a raster terrain.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Earthwork {
    /// Name for tables and messages.
    pub name: String,
    /// Points of the line in map coordinates (m).
    pub line_m: Vec<[f64; 2]>,
    /// Points (offset, height) of the cross-section (m). Heights are measured from the ground under the line. Offsets
    /// are positive to the left of the line, and increase from point to point.
    pub cross_section_m: Vec<[f64; 2]>,
    /// Whether the earthwork is raised over the ground or cut into the ground.
    pub form: Form,
}

/// Form of an earthwork.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// The ground is raised to the cross-section where it is lower.
    Embankment,
    /// The ground is lowered to the cross-section where it is higher.
    Ditch,
}
