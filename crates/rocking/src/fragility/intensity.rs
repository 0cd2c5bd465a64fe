//! Measures of the intensity of a motion, and which of them orders the outcomes best.

use klast_dynamics::ground_motion::Component;

use super::bootstrap::BandOptions;
use super::campaign::{Campaign, DamageState};
use super::curve::Answer;
use crate::block::RockingBlock;
use crate::error::RockingError;

/// Measure of the intensity of a motion. All grow in proportion to the scale of the motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum IntensityMeasure {
    /// Peak ground acceleration (m/s²).
    Pga,
    /// Peak ground velocity (m/s).
    Pgv,
    /// Pseudo-acceleration (m/s²) of an oscillator.
    SpectralAcceleration {
        /// Period (s).
        period: f64,
        /// Damping ratio.
        damping: f64,
    },
    /// PGA/(g tan α): 1 where the base first lifts the block off (Dimitrakopoulos and Paraskeva 2015, Earthquake Engng
    /// Struct. Dyn. 44, 2015).
    PgaOverLiftOff,
    /// p PGV/(g tan α), with p the frequency parameter of the block (same source).
    PgvOverLiftOff,
}

impl IntensityMeasure {
    /// The measures that need no choice of a period.
    pub const WITHOUT_PERIOD: [Self; 4] = [
        Self::Pga,
        Self::Pgv,
        Self::PgaOverLiftOff,
        Self::PgvOverLiftOff,
    ];

    /// The measure of an unscaled `motion` for a `block`.
    pub fn of(self, block: &RockingBlock, motion: &Component) -> Result<f64, RockingError> {
        let lift_off = block.lift_off_acceleration();
        Ok(match self {
            Self::Pga => motion.peak_acceleration(),
            Self::Pgv => motion.peak_velocity(),
            Self::SpectralAcceleration { period, damping } => {
                motion.spectral_acceleration(period, damping)?
            }
            Self::PgaOverLiftOff => motion.peak_acceleration() / lift_off,
            Self::PgvOverLiftOff => block.frequency() * motion.peak_velocity() / lift_off,
        })
    }

    /// Its name on an axis.
    pub fn label(self) -> &'static str {
        match self {
            Self::Pga => "PGA [m/s²]",
            Self::Pgv => "PGV [m/s]",
            Self::SpectralAcceleration { .. } => "Sa [m/s²]",
            Self::PgaOverLiftOff => "PGA/(g tan α)",
            Self::PgvOverLiftOff => "p PGV/(g tan α)",
        }
    }

    /// Its unit in a sentence.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Pga | Self::SpectralAcceleration { .. } => "m/s²",
            Self::Pgv => "m/s",
            Self::PgaOverLiftOff | Self::PgvOverLiftOff => "",
        }
    }
}

/// How well a measure orders the outcomes for a state.
#[derive(Debug, Clone, PartialEq)]
pub struct Efficiency {
    /// The measure.
    pub measure: IntensityMeasure,
    /// Dispersion of its fragility: the smaller, the more efficient; none where there is no curve.
    pub dispersion: Option<f64>,
    /// The answer behind it.
    pub answer: Answer,
}

/// The measures in order of their efficiency for `state`, the best first: the one of least dispersion tells most of the
/// outcome with the fewest records (Luco and Cornell 2007, Earthquake Spectra 23, 357). Measures that differ by a
/// constant factor, as those over g tan α for one block, are equally efficient and keep their order.
///
/// # Errors
/// Those of the measures and of [`Answer::of`].
pub fn efficiencies(
    campaign: &Campaign,
    block: &RockingBlock,
    records: &[Component],
    state: DamageState,
    measures: &[IntensityMeasure],
    options: &BandOptions,
) -> Result<Vec<Efficiency>, RockingError> {
    let mut list = Vec::with_capacity(measures.len());
    for measure in measures {
        let values: Result<Vec<f64>, RockingError> = records
            .iter()
            .map(|motion| measure.of(block, motion))
            .collect();
        let answer = Answer::of(&campaign.trials(state, &values?), options)?;
        let dispersion = answer.curve().map(|curve| curve.dispersion());
        list.push(Efficiency {
            measure: *measure,
            dispersion,
            answer,
        });
    }
    // Rounding must not choose between measures of one factor.
    let rank = |e: &Efficiency| e.dispersion.map_or(f64::INFINITY, |d| libm::round(d * 1e9));
    list.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
    Ok(list)
}
