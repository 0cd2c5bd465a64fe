//! The engine of a rockfall in its scene: its laws, its steps, and the programs that it can follow.

use schemars::JsonSchema;
use serde::Deserialize;

/// Engine that moves the rocks.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Engine {
    /// Lumped masses: points with the inertia of a sphere.
    LumpedMass {
        /// Law of the rebound from the ground; `rocfall3` unless stated.
        rebound: Option<Rebound>,
        /// Reading of the manual of RocFall3 that is followed, with its misprints. It goes with the rebounds
        /// `rocfall3` and `rocfall3_translation`. Unless stated, the misprints are corrected.
        manual: Option<LumpedManual>,
    },
    /// Convex rigid bodies.
    RigidBody {
        /// Longest time step in sustained contact (s), above 0 and up to 0.1. Unless stated, only the tolerance of the
        /// engine limits the step.
        contact_step_s: Option<f64>,
        /// Impact law; `newton` unless stated.
        impact_law: Option<ImpactLaw>,
        /// Tangential restitution of the impact law, -1 to 1: the fraction of the incoming slip that friction tries to
        /// reverse. 0 unless stated.
        tangential_restitution_impulse: Option<f64>,
        /// Largest distance of a vertex of a rock from the simplified hull that replaces it, over the radius of the
        /// sphere of equal volume, 0 to 0.1; 0.01 unless stated. Hulls of up to 64 vertices are not simplified.
        hull_tolerance: Option<f64>,
        /// What is taken from another program or its manual, to reproduce its results. Unless stated, klast uses its
        /// own gravity, steps and friction: the circular cone, and the direction of maximum dissipation.
        manual: Option<RigidManual>,
    },
}

impl Default for Engine {
    fn default() -> Self {
        Engine::RigidBody {
            contact_step_s: None,
            impact_law: None,
            tangential_restitution_impulse: None,
            hull_tolerance: None,
            manual: None,
        }
    }
}

/// Laws of the rebound of a lumped mass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rebound {
    /// Equation (2.1b) of the lumped-mass manual of RocFall3, with rotations of the rock.
    Rocfall3,
    /// Equation (2.1a) of this manual, without rotations: v_n' = -R_n v_n, v_t' = R_t v_t.
    Rocfall3Translation,
    /// Pfeiffer and Bowen (1989): as `rocfall3`, with R_n/(1 + (v_n/9.144 m/s)²) along the normal. The materials must
    /// not have a `restitution_by_speed`.
    PfeifferBowen,
    /// Bourrier and Hungr (2011): a sphere that sticks or slides, with R_t on its velocity along the ground and on its
    /// spin, and the friction of the material. The materials must have a `restitution_by_speed` of `half_speed_m_s`;
    /// in the source, their `normal_restitution` is 1.
    BourrierHungr,
}

/// Readings of the manual of RocFall3's lumped masses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LumpedManual {
    /// The equations as they are printed.
    AsPrinted,
}

/// What is taken from another program or its manual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RigidManual {
    /// RocFall3: Newton's impact law, a gravity of 9.80 m/s², and impacts that are detected 0.11 ms after the first
    /// touch. `impact_law` and `contact_step_s` are then refused.
    Rocfall3,
    /// RocFall2: Stronge's impact law, a gravity of 9.80665 m/s², and states that are stored every 25 ms. `impact_law`
    /// and `contact_step_s` are then refused.
    Rocfall2,
    /// RAMMS::Rockfall: Moreau's midpoint scheme with a time step of 10 ms. `impact_law` and `contact_step_s` are then
    /// refused.
    Ramms,
    /// A pyramid with this many facets in place of the friction cone of impacts: 4, 6, 8 or any larger even number. It
    /// goes with the impact laws `newton` and `sequential`.
    Facets(u32),
    /// Friction of impacts against the slip before the impact, in place of the direction that dissipates the most
    /// energy. It goes with the impact laws `newton` and `sequential`.
    AgainstIncomingSlip,
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
