//! The scene of throws that were measured.

use klast_contact::{Friction, ImpactLaw};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use klast_runs::common::gravity::Gravity;
use klast_runs::common::shape::Shape;

/// Friction coefficients that are accepted.
pub(super) const FRICTION: [f64; 2] = [0.0, 100.0];
/// Normal restitutions that there are.
pub(super) const NORMAL: [f64; 2] = [0.0, 1.0];
/// Tangential restitutions that there are.
pub(super) const TANGENTIAL: [f64; 2] = [-1.0, 1.0];

/// A scene of kind `thrown`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Path of a CSV table of tracks with one row for each sample. The columns are throw, time_s, x_m, y_m, z_m (mass
    /// centre) and, if measured, qw, qx, qy, qz (rotation of the shape from its attitude in `body`). The first row of a
    /// throw is its start. This row may also state the velocity (vx_m_s, vy_m_s, vz_m_s) and the spin (wx_rad_s,
    /// wy_rad_s, wz_rad_s). If the velocity is not stated, klast computes it from the samples before the first impact.
    /// If the spin is not stated, it is zero.
    pub tracks: String,
    /// Shape and mass of the body that is thrown.
    pub body: Thrown,
    /// The ground on which the body is thrown.
    pub ground: Ground,
    /// Acceleration of gravity (m/s²), above 0; 9.81 unless stated.
    #[serde(default)]
    pub gravity_m_s2: Gravity,
    /// Impact laws that are compared; all four unless stated.
    #[serde(default = "all")]
    pub laws: Vec<Law>,
    /// Range in which the friction coefficient μ is sought: two numbers within 0 to 100, the second above the first.
    #[serde(default = "friction")]
    pub friction: [f64; 2],
    /// Range in which the normal restitution is sought: two numbers within 0 to 1, the second above the first.
    #[serde(default = "restitution")]
    pub normal_restitution: [f64; 2],
    /// Range in which the tangential restitution is sought: two numbers within -1 to 1, the second above the first.
    /// Only the laws `newton` and `sequential` use it. The tangential restitution is 0 for the other laws, and for all
    /// laws if no range is stated.
    #[serde(default)]
    pub tangential_restitution: Option<[f64; 2]>,
    /// Time after the first impact of a throw up to which samples are compared (s), above 0; all samples unless stated.
    #[serde(default)]
    pub until_s: Option<f64>,
    /// Error of the measurement (m), above 0: root mean square of the distance between a measured and the true position
    /// of the mass centre. If it is stated, the verdict says whether this error explains the misfit of the best law in
    /// the positions of the mass centre. Errors of the rotation are not included.
    #[serde(default)]
    pub position_error_m: Option<f64>,
    /// Number of values of each coefficient on a grid of the search, 5 to 101. The number of combinations of
    /// coefficients, times `resamples`, times the number of throws, is at most 1e10.
    #[serde(default = "values")]
    pub values: usize,
    /// Number of resamples of the throws, 100 to 100,000. A resample is a random choice of throws with repetition. The
    /// resamples give the confidence intervals of the coefficients, and the fraction of the resamples in which each law
    /// has the least misfit.
    #[serde(default = "resamples")]
    pub resamples: usize,
    /// Seed of the resamples, a whole number from 0; `--seed` replaces it. The shape `stones` always uses the seed that
    /// the scene states, even with `--seed`.
    #[serde(default)]
    pub seed: u64,
}

/// Shape and mass of the body.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Thrown {
    /// Shape of the body.
    pub shape: Shape,
    /// Mass (kg), above 0. The density is the same everywhere in the body. The mass has no influence on the motion of a
    /// single body on the ground.
    pub mass_kg: f64,
}

/// Shape of the ground.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Ground {
    /// A plane that slopes down towards +x.
    Plane {
        /// Inclination of the plane (°), 0 or more and below 90.
        slope_deg: f64,
        /// Elevation of the plane at x = 0 (m).
        #[serde(default)]
        elevation_m: f64,
    },
    /// A profile along x, the same for every y.
    Profile {
        /// Points (x, z) in m; x increases from point to point.
        points_m: Vec<[f64; 2]>,
    },
}

/// Impact laws.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Law {
    /// Kinematic restitution; the normal and tangential impulses are computed together.
    #[default]
    Newton,
    /// The normal impulses are computed first, without friction; then friction is computed from them.
    Sequential,
    /// Kinetic restitution, defined by the ratio of the normal impulses of the two phases of the impact.
    Poisson,
    /// Energetic restitution, defined by the ratio of the works of the normal force in the two phases of the impact.
    Stronge,
}

impl Law {
    /// The law with friction on the exact cone.
    #[must_use]
    pub fn law(self) -> ImpactLaw {
        let friction = Friction::MaximumDissipation;
        match self {
            Self::Newton => ImpactLaw::Newton { friction },
            Self::Sequential => ImpactLaw::Sequential { friction },
            Self::Poisson => ImpactLaw::Poisson,
            Self::Stronge => ImpactLaw::Stronge,
        }
    }

    /// Whether it knows a tangential restitution.
    #[must_use]
    pub fn has_tangential(self) -> bool {
        matches!(self, Self::Newton | Self::Sequential)
    }

    /// Its name in a scene.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::Sequential => "sequential",
            Self::Poisson => "poisson",
            Self::Stronge => "stronge",
        }
    }

    /// Its name in a sentence.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Newton => "Newton's law",
            Self::Sequential => "the sequential law",
            Self::Poisson => "Poisson's law",
            Self::Stronge => "Stronge's law",
        }
    }
}

fn all() -> Vec<Law> {
    vec![Law::Newton, Law::Sequential, Law::Poisson, Law::Stronge]
}

fn friction() -> [f64; 2] {
    [0.0, 1.5]
}

fn restitution() -> [f64; 2] {
    [0.0, 1.0]
}

fn values() -> usize {
    13
}

fn resamples() -> usize {
    1000
}
