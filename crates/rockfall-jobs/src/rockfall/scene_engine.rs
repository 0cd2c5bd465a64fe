//! The engine of a rockfall in its scene: its laws, its steps, and the programs that it can follow.

use schemars::JsonSchema;
use serde::Deserialize;

/// Engine that moves the rocks.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Engine {
    /// Lumped masses: points with the inertia of a sphere.
    LumpedMass {
        /// Whether rotations of the rock are computed: equation (2.1b) of the lumped-mass manual in place of (2.1a).
        /// True unless stated.
        rotations: Option<bool>,
        /// Whether the equations of the lumped-mass manual are used as printed, with their misprints; false unless
        /// stated.
        literal: Option<bool>,
    },
    /// Convex rigid bodies.
    RigidBody {
        /// Longest time step in sustained contact (s), above 0 and up to 0.1. Unless stated, only the tolerance of the
        /// engine limits the step.
        contact_step_s: Option<f64>,
        /// Impact law; `newton` unless stated.
        impact_law: Option<ImpactLaw>,
        /// Friction cone of impacts; `exact` unless stated.
        cone: Option<Cone>,
        /// Direction against which friction acts; `maximum_dissipation` unless stated.
        friction_direction: Option<FrictionDirection>,
        /// Tangential restitution of the impact law, -1 to 1: the fraction of the incoming slip that friction tries to
        /// reverse. 0 unless stated.
        tangential_restitution_impulse: Option<f64>,
        /// Another program whose gravity, impact law and time steps are used. The keys `impact_law`, `cone`,
        /// `friction_direction` and `contact_step_s` are then refused. Unless stated, klast uses its own gravity, law
        /// and steps.
        as_program: Option<AsProgram>,
        /// Largest distance of a vertex of a rock from the simplified hull that replaces it, over the radius of the
        /// sphere of equal volume, 0 to 0.1; 0.01 unless stated. Hulls of up to 64 vertices are not simplified.
        hull_tolerance: Option<f64>,
        /// Scarring: friction that grows with the slippage of a contact, the same on all materials. Unless stated, the
        /// friction is that of each material.
        scarring: Option<Scarring>,
        /// Drag of vegetation, the same on all materials. Without this key there is none.
        vegetation: Option<Vegetation>,
    },
}

impl Default for Engine {
    fn default() -> Self {
        Engine::RigidBody {
            contact_step_s: None,
            impact_law: None,
            cone: None,
            friction_direction: None,
            tangential_restitution_impulse: None,
            as_program: None,
            hull_tolerance: None,
            scarring: None,
            vegetation: None,
        }
    }
}

/// Impact laws of rigid bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImpactLaw {
    /// Kinematic restitution; the normal and tangential impulses are computed together.
    Newton,
    /// Energetic restitution, defined by the ratio of the works of the normal force in the two phases of the impact.
    Stronge,
    /// Kinetic restitution, defined by the ratio of the normal impulses of the two phases of the impact.
    Poisson,
    /// The normal impulses are computed first, without friction; then friction is computed from them.
    Sequential,
}

/// Friction cone of impacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cone {
    /// The circular cone.
    Exact,
    /// A pyramid with this many facets: 4, 6, 8 or any larger even number.
    Facets(u32),
}

/// The slip whose direction the friction opposes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FrictionDirection {
    /// The slip after the impact, so that friction dissipates as much energy as possible.
    MaximumDissipation,
    /// The slip before the impact.
    AgainstIncomingSlip,
}

/// Programs whose results a scene can reproduce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AsProgram {
    /// RocFall3: Newton's impact law, a gravity of 9.80 m/s², and impacts that are detected 0.11 ms after the first
    /// touch.
    Rocfall3,
    /// RocFall2: Stronge's impact law, a gravity of 9.80665 m/s², and states that are stored every 25 ms.
    Rocfall2,
    /// RAMMS::Rockfall: Moreau's midpoint scheme with a time step of 10 ms.
    Ramms,
}

/// Scarring: friction that grows with the slippage of a contact.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scarring {
    /// Friction coefficient of a contact that has not slid, 0 or more.
    pub minimum: f64,
    /// Friction coefficient after long sliding, at least `minimum`.
    pub maximum: f64,
    /// Rate κ at which the friction grows with the slippage (1/m), 0 or more.
    pub growth_per_m: f64,
    /// Rate β at which the slippage decays while the rock flies (1/s), 0 or more.
    pub recovery_per_s: f64,
}

/// Drag of grass, shrubs and trees.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Vegetation {
    /// Drag coefficient c_d (N s/m), 0 or more: the drag force over the velocity of the mass centre.
    pub drag_n_s_per_m: f64,
    /// Height of the mass centre over the ground up to which the drag acts (m).
    pub height_m: f64,
}
