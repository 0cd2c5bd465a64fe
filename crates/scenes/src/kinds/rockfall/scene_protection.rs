//! What stands on the slope of a scene of kind rockfall.

use schemars::JsonSchema;
use serde::Deserialize;

/// A barrier.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Barrier {
    /// Name by which tables and messages call it.
    pub name: String,
    /// The line in map coordinates.
    pub line_m: Vec<[f64; 2]>,
    /// Height of the barrier over the ground (m).
    pub height_m: f64,
    /// Energy capacity; of a flexible barrier its maximum energy (MEL).
    pub capacity_kj: f64,
    /// What makes it a flexible barrier (a net): a rock below its top with more energy tears it and goes on with what
    /// is left.
    pub flexible: Option<Flexible>,
    /// Free space behind it up to what it protects (m).
    pub space_behind_m: Option<f64>,
    /// Design values with partial factors, and whether it holds.
    pub design: Option<Design>,
}

/// A net as its test describes it.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flexible {
    /// Energy up to which it needs no repair (SEL).
    pub service_energy_kj: f64,
    /// How far it gives way at its maximum energy.
    pub elongation_m: f64,
    /// Height that is left after an impact of the maximum energy, as a part of its height.
    pub residual_height_fraction: f64,
}

/// How design values are made, and what they are held to.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Design {
    /// Characteristic values are this quantile of energy and height: 95 or 99.
    pub percentile: u32,
    /// Energy that they are held to.
    pub energy_level: EnergyLevel,
    /// Partial factors.
    pub standard: Standard,
}

/// Energies that a flexible barrier was tested for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EnergyLevel {
    /// Service energy: no repair.
    Service,
    /// Maximum energy: the rock is stopped once.
    Maximum,
}

/// Partial factors: a factor is a default only where a source was read.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Standard {
    /// Factors of your own or of a standard at hand.
    Stated {
        /// Name and edition.
        name: String,
        /// On the speed; its square acts on the energy.
        speed: f64,
        /// On the mass.
        mass: f64,
        /// On the height.
        height: f64,
        /// The energy of the barrier is divided by it.
        capacity: f64,
        /// Height over the design height that no rock may hit.
        clearance_m: f64,
        /// On the elongation.
        elongation: f64,
    },
    /// UNI 11211-4:2012 as the documentation of RocFall3 gives it. The factors on topography and simulation act on
    /// speed and height, those on volume and unit weight on the mass; those that were not read have no default.
    #[serde(rename = "uni_11211_4_2012")]
    Uni {
        /// Topographic survey: 1.02 of high quality, 1.10 of low.
        topography: Quality,
        /// Survey of the block: 1.02 of high precision, 1.10 of low.
        blocks: Quality,
        /// Simulation: 1.02 with a back analysis, 1.10 from the literature.
        simulation: Basis,
        /// Unit weight of the rock: 1 or more, generally 1.
        unit_weight: f64,
        /// The energy of the barrier is divided by it; not read.
        capacity: f64,
        /// Height over the design height that no rock may hit: at least 0.5 m.
        clearance_m: f64,
        /// On the elongation; not read.
        elongation: f64,
    },
}

/// How good a survey is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// High.
    High,
    /// Low.
    Low,
}

/// What a simulation rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Events on the slope itself.
    BackAnalysis,
    /// Numbers from the literature.
    Literature,
}

/// A collector.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Collector {
    /// Name by which tables and messages call it.
    pub name: String,
    /// The line in map coordinates.
    pub line_m: Vec<[f64; 2]>,
}

/// A line that is moved over the slope: a collector at each place.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// Name by which tables and messages call it.
    pub name: String,
    /// The line at its first place, in map coordinates.
    pub line_m: Vec<[f64; 2]>,
    /// From one place to the next.
    pub shift_m: [f64; 2],
    /// Places, 2 to 200.
    pub places: u32,
}

/// An embankment or a ditch that is put into a raster terrain.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Earthwork {
    /// Name by which tables and messages call it.
    pub name: String,
    /// The line in map coordinates.
    pub line_m: Vec<[f64; 2]>,
    /// Points (offset, height) of the cross-section over the ground under the line: offsets to the left of the line are
    /// positive, and increase.
    pub cross_section_m: Vec<[f64; 2]>,
    /// Whether it is raised over the ground or cut into it.
    pub form: Form,
}

/// What an earthwork does to the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// The ground is nowhere below its cross-section.
    Embankment,
    /// The ground is nowhere above it.
    Ditch,
}
