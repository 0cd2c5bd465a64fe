//! What stands on the slope of a scene of kind rockfall.

use schemars::JsonSchema;
use serde::Deserialize;

/// A barrier.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Barrier {
    /// Name for tables and messages.
    pub name: String,
    /// Points of the line in map coordinates (m).
    pub line_m: Vec<[f64; 2]>,
    /// Height of the barrier over the ground (m), above 0.
    pub height_m: f64,
    /// Energy up to which the barrier holds a rock (kJ), 0 or more; for a flexible barrier its maximum energy (MEL).
    pub capacity_kj: f64,
    /// Properties of a flexible barrier (a net). A rock below its top with more energy than the capacity tears the
    /// barrier and continues with the remaining energy.
    pub flexible: Option<Flexible>,
    /// Free space behind the barrier (m), 0 or more; compared with the elongation.
    pub space_behind_m: Option<f64>,
    /// Design values with partial factors, and a verdict on them.
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
    /// Residual height after an impact of the maximum energy, over the height before the impact, 0 to 1.
    pub residual_height_fraction: f64,
}

/// Rules for the design values, and their comparison with the barrier.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Design {
    /// Quantile of energy and height that is taken as the characteristic value (%): 95 or 99.
    pub percentile: u32,
    /// Energy of the barrier with which the design energy is compared.
    pub energy_level: EnergyLevel,
    /// Partial factors.
    pub standard: Standard,
}

/// Energies for which a flexible barrier was tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EnergyLevel {
    /// Service energy, after which the barrier needs no repair.
    Service,
    /// Maximum energy, at which the barrier stops one rock.
    Maximum,
}

/// Partial factors. A factor has a default only if we read a source for it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Standard {
    /// Stated factors, for example of another standard.
    Stated {
        /// Name and edition.
        name: String,
        /// Factor on the speed. Its square times the factor on the mass is the factor on the energy, which is 1 to 10.
        speed: f64,
        /// Factor on the mass, which acts on the energy.
        mass: f64,
        /// Factor on the height, 1 to 10.
        height: f64,
        /// Factor by which the energy of the barrier is divided, 1 to 10.
        capacity: f64,
        /// Clearance over the design height that must stay free (m), 0 or more.
        clearance_m: f64,
        /// Factor on the elongation, 1 to 10.
        elongation: f64,
    },
    /// UNI 11211-4:2012 as the documentation of RocFall3 gives it. The factors of topography and simulation act on
    /// speed and height; those of blocks and unit weight act on the mass. Factors without a source have no default.
    #[serde(rename = "uni_11211_4_2012")]
    Uni {
        /// Quality of the topographic survey: a factor of 1.02 for high quality, 1.10 for low.
        topography: Quality,
        /// Quality of the survey of the blocks: a factor of 1.02 for high precision, 1.10 for low.
        blocks: Quality,
        /// Basis of the simulation: a factor of 1.02 for a back analysis, 1.10 for values from the literature.
        simulation: Basis,
        /// Factor on the unit weight of the rock, 1 or more; generally 1.
        unit_weight: f64,
        /// Factor by which the energy of the barrier is divided, 1 to 10. We read no source for it, so it has no default.
        capacity: f64,
        /// Clearance over the design height that must stay free (m), at least 0.5.
        clearance_m: f64,
        /// Factor on the elongation, 1 to 10. We read no source for it, so it has no default.
        elongation: f64,
    },
}

/// Quality of a survey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// High quality.
    High,
    /// Low quality.
    Low,
}

/// Basis of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// A back analysis of events on this slope.
    BackAnalysis,
    /// Values from the literature.
    Literature,
}

/// A collector.
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
    /// Points (offset, height) of the cross-section (m). Heights are measured from the ground under the line. Offsets are positive to the left of the line, and increase from point to point.
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
