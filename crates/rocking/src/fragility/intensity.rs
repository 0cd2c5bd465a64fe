//! Measures of the intensity of a motion, and their values for the scaled records of a campaign.

use klast_ground_motion::Component;
use klast_numerics::check::require;
use rayon::prelude::*;

use crate::block::RockingBlock;
use crate::error::RockingError;

/// Measure of the intensity of a motion. All but the uniform duration grow in proportion to the scale of the motion.
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
    /// Geometric mean of the pseudo-accelerations (m/s²) of ten oscillators whose periods are equally spaced (Eads et
    /// al. 2015, Earthquake Engng Struct. Dyn. 44, 2057).
    SpectralAverage {
        /// Least period (s).
        from: f64,
        /// Largest period (s).
        to: f64,
        /// Damping ratio.
        damping: f64,
    },
    /// Cumulative absolute velocity (m/s).
    Cav,
    /// Uniform duration (s): the time for which the acceleration of the base is above g tan α of the block, so that the
    /// base could lift it off.
    UniformDuration,
    /// PGA/(g tan α): 1 where the base first lifts the block off (Dimitrakopoulos and Paraskeva 2015, Earthquake Engng
    /// Struct. Dyn. 44, 2015).
    PgaOverLiftOff,
    /// p PGV/(g tan α), with p the frequency parameter of the block (same source).
    PgvOverLiftOff,
}

impl IntensityMeasure {
    /// The measures that need no choice of a period.
    pub const WITHOUT_PERIOD: [Self; 6] = [
        Self::Pga,
        Self::Pgv,
        Self::PgaOverLiftOff,
        Self::PgvOverLiftOff,
        Self::Cav,
        Self::UniformDuration,
    ];

    /// Periods of an average.
    const PERIODS: u32 = 10;

    /// The measure of an unscaled `motion` for a `block`.
    ///
    /// # Errors
    /// A period or a damping out of range; a cumulative measure of a motion that lasts for ever.
    pub fn of(self, block: &RockingBlock, motion: &Component) -> Result<f64, RockingError> {
        let lift_off = block.lift_off_acceleration();
        Ok(match self {
            Self::Pga => motion.peak_acceleration(),
            Self::Pgv => motion.peak_velocity(),
            Self::SpectralAcceleration { period, damping } => {
                motion.spectral_acceleration(period, damping)?
            }
            Self::SpectralAverage { from, to, damping } => {
                require("largest period", to, to > from, "above the least")?;
                let parts = f64::from(Self::PERIODS - 1);
                let mut sum = 0.0;
                for k in 0..Self::PERIODS {
                    let period = from + (to - from) * f64::from(k) / parts;
                    sum += libm::log(motion.spectral_acceleration(period, damping)?);
                }
                libm::exp(sum / f64::from(Self::PERIODS))
            }
            Self::Cav => motion.cumulative_absolute_velocity()?,
            Self::UniformDuration => motion.duration_above(lift_off)?,
            Self::PgaOverLiftOff => motion.peak_acceleration() / lift_off,
            Self::PgvOverLiftOff => block.frequency() * motion.peak_velocity() / lift_off,
        })
    }

    /// Whether it grows in proportion to the scale of a motion.
    pub fn is_proportional(self) -> bool {
        self != Self::UniformDuration
    }

    /// Its name on an axis.
    pub fn label(self) -> String {
        match self {
            Self::SpectralAcceleration { period, .. } => return format!("Sa({period} s) [m/s²]"),
            Self::SpectralAverage { from, to, .. } => {
                return format!("average Sa({from} to {to} s) [m/s²]");
            }
            Self::Pga => "PGA [m/s²]",
            Self::Pgv => "PGV [m/s]",
            Self::Cav => "CAV [m/s]",
            Self::UniformDuration => "time above g tan α [s]",
            Self::PgaOverLiftOff => "PGA/(g tan α)",
            Self::PgvOverLiftOff => "p PGV/(g tan α)",
        }
        .to_owned()
    }

    /// Its unit in a sentence.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Pga | Self::SpectralAcceleration { .. } | Self::SpectralAverage { .. } => "m/s²",
            Self::Pgv | Self::Cav => "m/s",
            Self::UniformDuration => "s",
            Self::PgaOverLiftOff | Self::PgvOverLiftOff => "",
        }
    }
}

/// The intensity of every record at every scale of a campaign.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Intensities {
    /// Scales without their signs, rising.
    magnitudes: Vec<f64>,
    /// Of each record, at each of these.
    rows: Vec<Vec<f64>>,
}

impl Intensities {
    /// Of records whose intensities at scale 1 are `values` and grow in proportion to the scale.
    pub fn proportional(magnitudes: Vec<f64>, values: &[f64]) -> Self {
        let row = |value: &f64| magnitudes.iter().map(|m| m * value).collect();
        let rows = values.iter().map(row).collect();
        Self { magnitudes, rows }
    }

    /// Of `motions` for a block by a measure.
    ///
    /// # Errors
    /// Those of [`IntensityMeasure::of`].
    pub fn of(
        measure: IntensityMeasure,
        block: &RockingBlock,
        motions: &[Component],
        magnitudes: Vec<f64>,
    ) -> Result<Self, RockingError> {
        Self::by(measure, motions, magnitudes, |motion, scale| {
            measure.of(block, &motion.scaled(scale))
        })
    }

    /// Of records by a measure whose `value` at a scale is given; one that grows in proportion is asked at scale 1
    /// alone.
    ///
    /// # Errors
    /// Those of `value`.
    pub fn by<R: Sync>(
        measure: IntensityMeasure,
        records: &[R],
        magnitudes: Vec<f64>,
        value: impl Fn(&R, f64) -> Result<f64, RockingError> + Sync,
    ) -> Result<Self, RockingError> {
        if measure.is_proportional() {
            let values: Result<Vec<f64>, RockingError> = records
                .par_iter()
                .map(|record| value(record, 1.0))
                .collect();
            return Ok(Self::proportional(magnitudes, &values?));
        }
        let row = |record: &R| -> Result<Vec<f64>, RockingError> {
            magnitudes
                .iter()
                .map(|scale| value(record, *scale))
                .collect()
        };
        let rows: Result<Vec<Vec<f64>>, RockingError> = records.par_iter().map(row).collect();
        Ok(Self {
            rows: rows?,
            magnitudes,
        })
    }

    /// The intensity of a record at a signed scale; not a number where there is none.
    pub fn at(&self, record: usize, scale: f64) -> f64 {
        let found = self
            .magnitudes
            .binary_search_by(|m| m.total_cmp(&scale.abs()));
        let value = found
            .ok()
            .and_then(|at| self.rows.get(record)?.get(at).copied());
        value.unwrap_or(f64::NAN)
    }

    /// Least intensity above 0 and largest intensity of all.
    pub fn range(&self) -> (f64, f64) {
        let all = self.rows.iter().flatten();
        let least = all.clone().filter(|v| **v > 0.0);
        (
            least.fold(f64::INFINITY, |m, v| m.min(*v)),
            all.fold(0.0, |m, v| m.max(*v)),
        )
    }
}
