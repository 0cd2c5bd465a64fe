//! How time is stepped.

use schemars::JsonSchema;
use serde::Deserialize;

/// Settings of the solver. The defaults of lengths are proportional to the size of the smallest free body.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solver {
    /// Time step (s), above 0.
    pub step_s: f64,
    /// Work on each step's contact problem; `auto` unless stated.
    #[serde(default)]
    pub effort: EffortEntry,
    /// Weight of the new velocity in the displacement of a step, ½ to 1; 1 unless stated. With 1, no step gains energy.
    #[serde(default = "one")]
    pub theta: f64,
    /// Impact law of bodies that bounce; `newton` unless stated.
    #[serde(default)]
    pub impact_law: ImpactLawEntry,
    /// Speed of approach below which a contact does not bounce (m/s), 0 or more. Unless stated, it is 0.05 m/s times
    /// the square root of the size of the smallest free body in m, and 0 without gravity.
    #[serde(default)]
    pub restitution_threshold_m_s: Option<f64>,
    /// Gap up to which contacts are tracked (m), 0 or more; 0.002 of the size of the smallest free body unless stated.
    #[serde(default)]
    pub margin_m: Option<f64>,
    /// Overlap that is not corrected (m), 0 or more; 2e-5 of the size of the smallest free body unless stated.
    #[serde(default)]
    pub slop_m: Option<f64>,
    /// Fraction of an overlap that a step removes, 0 to 1; 0.3 unless stated.
    #[serde(default = "recovery")]
    pub overlap_correction: f64,
    /// Stiffness of each contact point (N/m), above 0: 1e9 to 1e10 for rocks of about a metre. Without this key
    /// contacts are rigid. With a stiffness, heaps of irregular bodies need much less work to reach a residual. A
    /// stiffness is refused with the effort `sweeps`.
    #[serde(default)]
    pub stiffness_n_per_m: Option<f64>,
    /// Condition on which an island sleeps: it is not computed until another body touches it. The kinetic energy of an
    /// island that falls asleep is removed, and is a term of the energy balance. Without this key no island sleeps.
    #[serde(default)]
    pub sleep: Option<SleepEntry>,
}

/// Impact law of bodies with restitution. Pairs of bodies collide one after the other, in the order in which they meet,
/// except with `together`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImpactLawEntry {
    /// Newton's law: the coefficient is the ratio of the normal velocities after and before the impact.
    #[default]
    Newton,
    /// Newton's law: the normal impulses are computed first, without friction; then friction is computed from them.
    Sequential,
    /// Poisson's law: the coefficient is the ratio of the normal impulses of restitution and of compression.
    Poisson,
    /// Stronge's law: the square of the coefficient is the ratio of the works of the normal force in restitution and in
    /// compression.
    Stronge,
    /// Newton's law for all contacts of an island in one problem. After an impact on a row of touching bodies, all
    /// bodies of the row move.
    Together,
}

/// Condition for an island (bodies that touch each other) to sleep.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SleepEntry {
    /// Speed (m/s), 0 or more, below which every point of the island must stay for the time `after_s`.
    pub speed_m_s: f64,
    /// Time (s), 0 or more, for which all points must stay slower than `speed_m_s`.
    pub after_s: f64,
}

fn one() -> f64 {
    1.0
}

fn recovery() -> f64 {
    0.3
}

/// Effort: how much work the solver does on the contact problem of each step.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum EffortEntry {
    /// klast chooses the effort in each step. Islands that are small or at rest are solved to a residual. A large
    /// island with many moving bodies gets 20 sweeps. The results count the islands whose residual stays above the
    /// tolerance.
    Auto {
        /// Accepted residual of the contact problem, relative to its largest velocity, above 0; 1e-6 unless stated.
        #[serde(default = "millionth")]
        tolerance: f64,
        /// Largest number of Newton steps for an island in one time step, 1 or more. Unless stated, it is 8,000,000
        /// over the number of contacts, but at least 100 and at most 2,000. The result counts the islands that reach
        /// this number.
        #[serde(default)]
        max_newton_steps: Option<u32>,
    },
    /// A fixed number of sweeps in each step. This effort is fast, and is sufficient for bodies that are poured.
    Sweeps {
        /// Number of sweeps over all contacts in a step, 1 to 100,000.
        count: u32,
    },
    /// Each step is solved to the stated residual. This effort suits structures that stand or fall.
    Residual {
        /// Accepted residual of the contact problem, relative to its largest velocity, above 0.
        tolerance: f64,
        /// Number of sweeps before klast assembles and solves the contact problem of a whole island at once; 60 unless
        /// stated.
        #[serde(default = "sixty")]
        sweeps: u32,
    },
}

impl Default for EffortEntry {
    fn default() -> Self {
        Self::Auto {
            tolerance: millionth(),
            max_newton_steps: None,
        }
    }
}

fn millionth() -> f64 {
    1e-6
}

fn sixty() -> u32 {
    60
}
