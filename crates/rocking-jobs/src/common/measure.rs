//! Measures of intensity and states of damage, as scenes name them.

use klast_rocking::fragility::{DamageState, IntensityMeasure};
use klast_runs::ensure;
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use klast_runs::faults::Fault;

/// Measure of the intensity of a motion.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Peak acceleration (m/s²).
    #[default]
    Pga,
    /// Peak velocity (m/s).
    Pgv,
    /// Pseudo-acceleration (m/s²) of an oscillator of the given period and damping.
    SpectralAcceleration {
        /// Period of the oscillator (s), above 0.
        period_s: f64,
        /// Damping ratio of the oscillator, above 0 and below 1; 0.05 is 5 %.
        damping: f64,
    },
    /// PGA over g tan α, the acceleration at which the block lifts off.
    PgaOverLiftOff,
    /// PGV times p over g tan α, with the frequency parameter p of the block.
    PgvOverLiftOff,
    /// The measure with the least dispersion among PGA, PGV, `pga_over_lift_off` and `pgv_over_lift_off`.
    MostEfficient,
}

impl Measure {
    /// The measure, or none where it is to be chosen.
    pub fn chosen(self) -> Option<IntensityMeasure> {
        Some(match self {
            Self::Pga => IntensityMeasure::Pga,
            Self::Pgv => IntensityMeasure::Pgv,
            Self::SpectralAcceleration { period_s, damping } => {
                IntensityMeasure::SpectralAcceleration {
                    period: period_s,
                    damping,
                }
            }
            Self::PgaOverLiftOff => IntensityMeasure::PgaOverLiftOff,
            Self::PgvOverLiftOff => IntensityMeasure::PgvOverLiftOff,
            Self::MostEfficient => return None,
        })
    }
}

/// A damage state.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Peak rotation over the slenderness, 0 or more: 0 is lift-off.
    Rotation(f64),
    /// Overturning.
    Overturning,
}

/// The states of a scene, or the usual ones; overturning is always among them, at the end.
pub fn states(named: Option<&[State]>) -> Result<Vec<DamageState>> {
    let Some(named) = named else {
        return Ok(DamageState::USUAL.to_vec());
    };
    let mut states = Vec::new();
    for state in named {
        if let State::Rotation(least) = state {
            let good = (0.0..=10.0).contains(least);
            ensure!(
                good,
                Fault::new("damage_states", format!("rotation {least}"))
                    .accepted("0 to 10, over the slenderness")
            );
            states.push(DamageState::Rotation(*least));
        }
    }
    states.push(DamageState::Overturning);
    Ok(states)
}
