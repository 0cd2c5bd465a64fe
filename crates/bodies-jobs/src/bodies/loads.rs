//! Loads, ties and removals in a scene.

use schemars::JsonSchema;
use serde::Deserialize;

/// A load on one body.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoadEntry {
    /// Name of the body, which is free.
    pub body: String,
    /// What acts on the body.
    pub acts: Acts,
    /// Course of the load: pairs of a time (s) and a factor, joined by straight lines; the first factor holds before
    /// the first time, and the last after the last. Without this key the load is constant.
    #[serde(default)]
    pub factors: Option<Vec<[f64; 2]>>,
}

/// What acts on a body.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Acts {
    /// A force in a direction that stays.
    Force {
        /// Force along x, y and z (N).
        force_n: [f64; 3],
        /// Point of the body at the start at which the force acts (m); it moves with the body. The mass centre unless
        /// stated.
        #[serde(default)]
        at_m: Option<[f64; 3]>,
    },
    /// A torque in a direction that stays.
    Torque {
        /// Torque about x, y and z (N m).
        torque_nm: [f64; 3],
    },
    /// Pressure of water at rest under a level.
    Water {
        /// Level of the water along z (m).
        level_m: f64,
        /// Density of the water (kg/m³), above 0; 1000 unless stated.
        #[serde(default = "water")]
        density_kg_m3: f64,
        /// Outward direction of the face on which the water acts: the face whose normal is nearest to it at the start.
        /// Without this key it acts on all faces, as under a body that it surrounds.
        #[serde(default)]
        face: Option<[f64; 3]>,
    },
    /// Earth pressure: coefficient times the vertical stress, under a level surface.
    Earth {
        /// Surface of the earth along z (m).
        surface_m: f64,
        /// Density of the earth (kg/m³), above 0.
        density_kg_m3: f64,
        /// Coefficient of earth pressure K, 0 or more: horizontal over vertical stress.
        coefficient: f64,
        /// Surcharge on the surface (Pa), 0 or more; 0 unless stated.
        #[serde(default)]
        surcharge_pa: f64,
        /// Angle of wall friction (degrees), -80 to 80: the earth also pulls along the face, downwards if positive. 0
        /// unless stated.
        #[serde(default)]
        wall_friction_deg: f64,
        /// Outward direction of the face on which the earth acts.
        face: [f64; 3],
    },
    /// Pressure of water in a wet joint, linear from one place to another: uplift between heel and toe.
    Joint {
        /// Place of the first pressure (m).
        from_m: [f64; 3],
        /// Pressure there (Pa), 0 or more.
        from_pa: f64,
        /// Place of the second pressure (m), another than the first.
        to_m: [f64; 3],
        /// Pressure there (Pa), 0 or more.
        to_pa: f64,
        /// Outward direction of the face in the joint.
        face: [f64; 3],
    },
}

fn water() -> f64 {
    1000.0
}

/// A tie between two bodies, or a body and a fixed point.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TieEntry {
    /// Name of the tie in the results.
    pub name: String,
    /// Both ends; one of them at least is at a free body.
    pub ends: [EndEntry; 2],
    /// How the tie acts; a bar unless stated.
    #[serde(default)]
    pub form: FormEntry,
    /// Stiffness (N/m), above 0: of a bar its force by the elongation, E A / L of a rod.
    pub stiffness_n_per_m: f64,
    /// Force in a bar at the start (N), 0 or more; 0 unless stated. Not for a dowel.
    #[serde(default)]
    pub pretension_n: f64,
    /// Largest force (N), above 0; none unless stated.
    #[serde(default)]
    pub strength_n: Option<f64>,
    /// Behaviour beyond the strength; brittle unless stated.
    #[serde(default)]
    pub failure: FailureEntry,
}

/// An end of a tie.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndEntry {
    /// Name of the body; without this key the end is a fixed point.
    #[serde(default)]
    pub body: Option<String>,
    /// Where the end is at the start (m).
    pub at_m: [f64; 3],
}

/// How a tie acts.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FormEntry {
    /// Along the line between its ends, and only in tension: a rod, an anchor or a cable.
    #[default]
    Bar,
    /// In all directions, without a moment: a dowel or a clamp. Two dowels on an axis are a hinge.
    Dowel,
}

/// Behaviour of a tie beyond its strength.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureEntry {
    /// It breaks.
    #[default]
    Brittle,
    /// It keeps the force and becomes longer.
    Plastic,
}

/// A body that is taken out: a stone that is lost, or ground that is dug away.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Removal {
    /// Name of the body.
    pub body: String,
    /// Time at which it is taken out (s), 0 or more.
    pub at_s: f64,
}
