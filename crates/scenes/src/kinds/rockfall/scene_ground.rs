//! Materials of a scene of kind rockfall, and where they lie.

use schemars::JsonSchema;
use serde::Deserialize;

/// A number, or a distribution.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "accepted: a number, or an object with one of `normal` [mean, sd], `uniform` [lower, upper], `triangular` [lower, mode, upper], `lognormal` [mean, sd], `exponential` mean, `beta` [alpha, beta, lower, upper], `gamma` [shape, scale], and with `min` and `max` where they truncate it"
)]
pub enum Number {
    /// One value for all rocks.
    Constant(f64),
    /// A value drawn at random from a distribution.
    Drawn(Drawn),
}

/// A distribution with optional truncation.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// The family.
    #[serde(flatten)]
    pub family: Family,
    /// Lower end of the truncation; none unless stated.
    pub min: Option<f64>,
    /// Upper end of the truncation; none unless stated.
    pub max: Option<f64>,
}

/// A family of distributions, in the unit of the key it stands under.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Mean and standard deviation.
    Normal([f64; 2]),
    /// Lower and upper end.
    Uniform([f64; 2]),
    /// Lower end, mode, upper end.
    Triangular([f64; 3]),
    /// Mean and standard deviation of the value, not of its logarithm.
    Lognormal([f64; 2]),
    /// Mean value of the distribution.
    Exponential(f64),
    /// Alpha, beta, lower end, upper end.
    Beta([f64; 4]),
    /// Shape and scale.
    Gamma([f64; 2]),
}

/// A slope material. Keys beside `class` replace the parameters of the class.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Name for tables and messages.
    pub name: String,
    /// A class of the library of grounds, with its source (`klast rockfall classes` lists them).
    pub class: Option<String>,
    /// The `posterior.json` of a calibration, whose sets the rocks take in turn. The material then has no other law.
    pub posterior: Option<String>,
    /// Normal restitution R_n, 0 to 1 over the whole distribution.
    pub normal_restitution: Option<Number>,
    /// Law by which R_n decreases with the normal speed of the impact.
    pub restitution_by_speed: Option<RestitutionBySpeed>,
    /// Law by which R_n decreases with the mass of the rock.
    pub restitution_by_mass: Option<RestitutionByMass>,
    /// Tangential restitution R_t, 0 to 1 over the whole distribution (lumped mass); 1 unless stated.
    pub tangential_restitution: Option<Number>,
    /// Friction coefficient μ, 0 or more, with `scarring` that of the fresh contact. `friction_angle_deg` may replace it.
    pub friction: Option<Number>,
    /// Constant friction angle φ (°), 0 or more and below 90, with μ = tan φ, in place of `friction`.
    pub friction_angle_deg: Option<f64>,
    /// Random angle by which the ground is turned at an impact (°), within ±85.9; 0 unless stated.
    pub roughness_deg: Option<Number>,
    /// Friction that grows as a rock digs in (rigid body).
    pub scarring: Option<GroundScarring>,
    /// Drag coefficient over mass, c/m (1/s), 0 or more, while the mass centre is lower than `drag_height_m` over the
    /// ground (rigid body).
    pub drag_per_s: Option<Number>,
    /// Height of the mass centre over the ground up to which drag acts (m), 0 or more.
    pub drag_height_m: Option<f64>,
    /// Rolling resistance μ_r of soft ground, 0 or more: a force μ_r N against the motion of the mass centre in contact (rigid body). None unless stated.
    pub rolling_resistance: Option<Number>,
}

/// Law by which R_n decreases with the normal speed v of an impact.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum RestitutionBySpeed {
    /// R_n/(1 + (v/v0)²), Pfeiffer and Bowen (1989), with v0 in m/s; their value is 9.144 m/s (30 ft/s).
    PfeifferBowenMS(f64),
    /// R_n v½/(v½ + v), Bourrier and Hungr (2011) for R_n = 1, with v½ in m/s.
    HalfSpeedMS(f64),
}

/// R_n (m₀/m)^p: a power law. Both numbers must be stated, because we read no source for them.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestitutionByMass {
    /// Mass m₀ at which R_n is that of the material (kg), above 0.
    pub reference_kg: f64,
    /// Exponent p of the power law, 0 to 2.
    pub exponent: f64,
}

/// Slippage-dependent friction of a material (Leine et al. 2014).
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundScarring {
    /// Friction coefficient after long sliding, at least that of the fresh contact. `rise` may replace it.
    pub maximum: Option<Number>,
    /// Difference between the friction coefficients after long sliding and of the fresh contact, 0 or more, in place of `maximum`.
    pub rise: Option<Number>,
    /// Growth κ of friction with the distance that a contact slips (1/m), 0 or more.
    pub growth_per_m: Number,
    /// Rate β at which the slippage decays in flight (1/s), 0 or more.
    pub recovery_per_s: Number,
}

/// Where materials lie.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Layout {
    /// The first material lies everywhere.
    #[default]
    Uniform,
    /// Names of the materials of the segments of a profile, in order.
    Segments(Vec<String>),
    /// Polygons of a file (GeoJSON, shapefile), named by their attribute `material`.
    Polygons {
        /// The file.
        file: String,
        /// The material elsewhere.
        elsewhere: String,
    },
    /// A raster whose cells have the number of a material in the list of materials, from 0.
    Raster {
        /// The file.
        file: String,
        /// The material elsewhere.
        elsewhere: String,
    },
}
