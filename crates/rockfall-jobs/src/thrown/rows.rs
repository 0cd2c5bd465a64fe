//! The rows of the tables of measured throws.

use schemars::JsonSchema;
use serde::Serialize;

use super::scene::Law;

/// A law with its best coefficients.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct LawRow {
    /// Impact law.
    #[serde(rename = "impact_law")]
    pub law: Law,
    /// Friction coefficient.
    pub friction: f64,
    /// Lower end of the 90 % confidence interval of the friction.
    pub friction_low: f64,
    /// Upper end of the 90 % confidence interval of the friction.
    pub friction_high: f64,
    /// Normal restitution.
    pub normal_restitution: f64,
    /// Lower end of the 90 % confidence interval of the normal restitution.
    pub normal_restitution_low: f64,
    /// Upper end of the 90 % confidence interval of the normal restitution.
    pub normal_restitution_high: f64,
    /// Tangential restitution; null if the scene states no range for it.
    pub tangential_restitution: Option<f64>,
    /// Lower end of the 90 % confidence interval of the tangential restitution.
    pub tangential_restitution_low: Option<f64>,
    /// Upper end of the 90 % confidence interval of the tangential restitution.
    pub tangential_restitution_high: Option<f64>,
    /// Root mean square of the misfit of the law (m); attitudes are included where samples have them.
    pub rms_m: f64,
    /// Root mean square of the misfit (m) on throws that the fit has not seen: each with the coefficients that are best
    /// on the others; null for a single throw.
    pub held_out_rms_m: Option<f64>,
    /// Fraction of the resamples in which this law has the least misfit. If several laws have the same least misfit in
    /// a resample, the resample is divided among them.
    pub least_share: f64,
    /// Number of impacts that gained energy, in the throws with the best coefficients.
    pub energy_gains: usize,
    /// Number of unconverged contact problems in the throws with the best coefficients: their residual stayed above the
    /// tolerance.
    pub unconverged: usize,
    /// Number of throws with the best coefficients that were not computed up to their last sample, because the body
    /// left the profile or needed too many steps.
    pub cut_off: usize,
}

/// A throw with a law at its best coefficients.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct ThrowRow {
    /// Name of the throw, as in the tracks.
    pub throw: String,
    /// Impact law.
    #[serde(rename = "impact_law")]
    pub law: &'static str,
    /// Time of the first impact (s); null if there is no impact.
    pub first_impact_s: Option<f64>,
    /// Number of computed impacts up to the last sample.
    pub impacts: usize,
    /// Number of samples that are compared.
    pub samples: usize,
    /// Root mean square of the misfit (m); attitudes are included where samples have them.
    pub rms_m: f64,
    /// Root mean square of the misfit before the first impact (m); null if no sample lies before the first impact.
    pub rms_before_m: Option<f64>,
}

/// A measured sample with the computed position.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct TrackRow {
    /// Name of the throw, as in the tracks.
    pub throw: String,
    /// Time since the start of the throw (s).
    pub time_s: f64,
    /// Measured mass centre along x (m).
    pub x_m: f64,
    /// Measured mass centre along y (m).
    pub y_m: f64,
    /// Measured elevation of the mass centre (m).
    pub z_m: f64,
    /// Computed mass centre along x (m).
    pub computed_x_m: f64,
    /// Computed mass centre along y (m).
    pub computed_y_m: f64,
    /// Computed elevation of the mass centre (m).
    pub computed_z_m: f64,
}

/// Misfit of a set of coefficients.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct MisfitRow {
    /// Impact law.
    #[serde(rename = "impact_law")]
    pub law: &'static str,
    /// Number of the grid of the search, from 1. The number 5 marks the steps around the best set after the last grid.
    pub grid: usize,
    /// Friction coefficient.
    pub friction: f64,
    /// Normal restitution.
    pub normal_restitution: f64,
    /// Tangential restitution.
    pub tangential_restitution: f64,
    /// Root mean square of the misfit (m); attitudes are included where samples have them.
    pub rms_m: f64,
}
