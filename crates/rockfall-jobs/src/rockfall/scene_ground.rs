//! Materials of a scene of kind rockfall, and where they lie.

use schemars::JsonSchema;
use serde::Deserialize;

pub use klast_runs::common::distribution::Number;

/// A slope material. If `class` is stated, the other keys replace parameters of the class.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Name for tables and messages.
    pub name: String,
    /// Name of a class in the library of grounds, whose parameters the material takes. `klast ground-classes` lists the
    /// classes with their sources.
    pub class: Option<String>,
    /// Path of the file `posterior.json` of a calibration. Each rock takes the next set of ground parameters of this
    /// file. No other parameter of the material may then be stated.
    pub posterior: Option<String>,
    /// Normal restitution R_n; all values of its distribution lie within 0 to 1. It is required unless `class` or
    /// `posterior` is stated.
    pub normal_restitution: Option<Number>,
    /// Law by which R_n decreases with the normal speed of the impact; unless stated, R_n does not depend on the speed.
    pub restitution_by_speed: Option<RestitutionBySpeed>,
    /// Law by which R_n decreases with the mass of the rock; unless stated, R_n does not depend on the mass.
    pub restitution_by_mass: Option<RestitutionByMass>,
    /// Tangential restitution R_t; all values of its distribution lie within 0 to 1 (lumped mass only). It is 1 unless
    /// stated.
    pub tangential_restitution: Option<Number>,
    /// Friction coefficient μ, 0 or more. With `scarring`, it is the coefficient of a contact that has not slid. A
    /// material has either this key or `friction_angle_deg`.
    pub friction: Option<Number>,
    /// Friction angle φ (°), 0 or more and below 90, with μ = tan φ. A material has either this key or `friction`.
    pub friction_angle_deg: Option<f64>,
    /// Roughness: random angle by which the ground is turned at an impact (°). All values of its distribution lie
    /// within ±85.9; 0 unless stated.
    pub roughness_deg: Option<Number>,
    /// Scarring: friction that grows with the slippage of a contact (rigid body only). Unless stated, the friction is
    /// constant.
    pub scarring: Option<GroundScarring>,
    /// Drag coefficient over mass, c/m (1/s), 0 or more (rigid body only). The drag acts while the mass centre is lower
    /// than `drag_height_m` over the ground. Without this key there is no drag.
    pub drag_per_s: Option<Number>,
    /// Height of the mass centre over the ground up to which drag acts (m), 0 or more. It is required if `drag_per_s`
    /// is stated.
    pub drag_height_m: Option<f64>,
    /// Rolling resistance μ_r of soft ground, 0 or more (rigid body only). In contact, a force of μ_r times the normal
    /// force acts against the motion of the mass centre. 0 unless stated.
    pub rolling_resistance: Option<Number>,
    /// Soft ground that yields to the impact of a rock (rigid body only). Without this key the ground is rigid.
    pub penetration: Option<GroundPenetration>,
}

/// Ground that yields: while a rock goes in, the pressure σ + ρ v² acts on its section with the surface of the ground,
/// with the normal speed v (Poncelet).
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundPenetration {
    /// Yield pressure σ (kPa), 0.001 or more.
    pub yield_pressure_kpa: Number,
    /// Density ρ of the soil that the rock throws aside (kg/m³), 0 or more.
    pub ejected_density_kg_m3: Number,
}

/// Law by which R_n decreases with the normal speed v of an impact. R_n in the formulas is that of the material.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum RestitutionBySpeed {
    /// R_n/(1 + (v/v₀)²) with v₀ in m/s, after Pfeiffer and Bowen (1989). Their value of v₀ is 9.144 m/s (30 ft/s).
    PfeifferBowenMS(f64),
    /// R_n v½/(v½ + v) with v½ in m/s, the speed at which R_n is halved. Bourrier and Hungr (2011) give this law for
    /// R_n = 1.
    HalfSpeedMS(f64),
}

/// Power law: R_n is multiplied by (m₀/m)^p, where m is the mass of the rock. Both numbers must be stated, because we
/// read no source for them.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestitutionByMass {
    /// Mass m₀ at which R_n is that of the material (kg), above 0.
    pub reference_kg: f64,
    /// Exponent p of the power law, 0 to 2.
    pub exponent: f64,
}

/// Scarring of a material: friction that grows with the slippage of a contact (Leine et al. 2014).
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundScarring {
    /// Friction coefficient after long sliding, at least `friction` of the material. Scarring has either this key or
    /// `rise`.
    pub maximum: Option<Number>,
    /// Friction coefficient after long sliding less `friction` of the material, 0 or more. Scarring has either this key
    /// or `maximum`.
    pub rise: Option<Number>,
    /// Rate κ at which the friction grows with the slippage (1/m), 0 or more.
    pub growth_per_m: Number,
    /// Rate β at which the slippage decays while the rock flies (1/s), 0 or more.
    pub recovery_per_s: Number,
}

/// Where materials lie.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Layout {
    /// The first material lies everywhere.
    #[default]
    Uniform,
    /// Name of the material of each segment of a profile, in the order of the segments.
    Segments(Vec<String>),
    /// Polygons of a file (GeoJSON or shapefile). The attribute `material` of a polygon is the name of its material.
    Polygons {
        /// The file.
        file: String,
        /// Name of the material outside the areas of the file.
        elsewhere: String,
    },
    /// A raster. The value of a cell is the number of a material in `materials`, counted from 0.
    Raster {
        /// The file.
        file: String,
        /// Name of the material outside the areas of the file.
        elsewhere: String,
    },
}

/// One of several meshes that are the ground.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshPart {
    /// Path of the file of triangles (m), with z upwards: STL, OBJ or PLY.
    pub file: String,
    /// Name of the material of the mesh, one of `materials`.
    pub material: String,
}
