//! What an assessment says beside time histories: thresholds, simple estimates, and verdicts that count records.

use klast_ground_motion::Component;

use crate::block::{RockingBlock, Side};
use crate::error::RockingError;
use crate::fragility::{DamageState, Fraction};
use klast_numerics::check::require;

/// Thresholds and estimates of a block that stands free, from its geometry alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimates {
    /// Base acceleration (m/s²) above which the block leaves its base, g tan α of the weaker side; below it nothing
    /// moves. Exact for a rigid block that does not slide, without vertical motion.
    pub lift_off: f64,
    /// Friction coefficient below which the block slides before it rocks, tan α of the weaker side (Shenton 1996).
    pub sliding_friction: f64,
    /// Step of the base velocity (m/s) that just brings the block to its balance: the step sets it rocking with
    /// V h/(k² + R²), and (k² + R²) θ′²/2 must lift its centre by R (1 − cos α). A measure of size, no bound: a longer
    /// pulse needs less than a step of its own velocity, a record of several pulses may need less still.
    pub balance_velocity: f64,
}

impl Estimates {
    /// The estimates of a block.
    pub fn of(block: &RockingBlock) -> Self {
        let velocity = |side: Side| {
            let corner = block.corner(side);
            let inertia = block.gyration_squared() + corner.radius * corner.radius;
            let half = libm::sin(0.5 * corner.slenderness);
            let rise = 2.0 * corner.radius * half * half;
            (2.0 * block.gravity() * rise * inertia).sqrt() / block.centre_height()
        };
        let lift_off = block.lift_off_acceleration();
        Self {
            lift_off,
            sliding_friction: lift_off / block.gravity(),
            balance_velocity: velocity(Side::Right).min(velocity(Side::Left)),
        }
    }

    /// Whether a friction coefficient lets the block slide before it rocks.
    pub fn slides_first(&self, friction: f64) -> bool {
        friction < self.sliding_friction
    }
}

/// Verdict on a limit state at a given intensity of the motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Met: the upper bound of the probability is within what is allowed.
    Met,
    /// Not met: the lower bound is above what is allowed.
    NotMet,
    /// The records do not carry a verdict: what is allowed lies within the bounds.
    Undecided,
}

impl Verdict {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::NotMet => "not met",
            Self::Undecided => "undecided",
        }
    }
}

/// A limit state: a state of damage and the probability with which it may be reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LimitState {
    /// The state of damage.
    pub state: DamageState,
    /// Probability that is allowed, given the intensity of the assessment.
    pub allowed: f64,
}

impl LimitState {
    /// The verdict of the fraction of records that reach the state, by its exact bounds.
    pub fn judge(&self, fraction: &Fraction) -> Verdict {
        let (low, high) = fraction.bounds;
        if high <= self.allowed {
            Verdict::Met
        } else if low > self.allowed {
            Verdict::NotMet
        } else {
            Verdict::Undecided
        }
    }

    /// Number of records, none of which may reach the state, that a verdict "met" needs: the least n with
    /// 1 − 0.025^(1/n) ≤ allowed; none where nothing or everything is allowed.
    pub fn records_needed(&self) -> Option<usize> {
        let within = self.allowed > 0.0 && self.allowed < 1.0;
        within.then(|| libm::ceil(libm::log(0.025) / libm::log1p(-self.allowed) - 1e-9) as usize)
    }
}

/// What records are scaled to.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// Each as it was recorded.
    AsRecorded,
    /// Each to a peak acceleration (m/s²).
    Pga(f64),
    /// Each to a spectrum in the least squares of the logarithm: the factor is the geometric mean of target over Sa.
    Spectrum {
        /// Periods (s) and pseudo-accelerations (m/s²).
        points: Vec<(f64, f64)>,
        /// Damping ratio.
        damping: f64,
    },
}

impl Target {
    /// The factor of a motion.
    ///
    /// # Errors
    /// A target or a motion of 0, a period or a damping out of range.
    pub fn factor(&self, motion: &Component) -> Result<f64, RockingError> {
        self.factor_by(
            || Ok(motion.peak_acceleration()),
            |period, damping| Ok(motion.spectral_acceleration(period, damping)?),
        )
    }

    /// The factor of a motion of which a peak acceleration (m/s²) and the spectral acceleration of a period (s) and a
    /// damping ratio are known.
    ///
    /// # Errors
    /// As [`Target::factor`], and those of both functions.
    pub fn factor_by(
        &self,
        peak: impl Fn() -> Result<f64, RockingError>,
        spectral: impl Fn(f64, f64) -> Result<f64, RockingError>,
    ) -> Result<f64, RockingError> {
        let positive =
            |field: &'static str, value: f64| require(field, value, value > 0.0, "above 0");
        match self {
            Self::AsRecorded => Ok(1.0),
            Self::Pga(pga) => {
                let own = positive("peak acceleration of a record", peak()?)?;
                Ok(positive("peak acceleration of the target", *pga)? / own)
            }
            Self::Spectrum { points, damping } => {
                require(
                    "points of a target spectrum",
                    points.len() as f64,
                    !points.is_empty(),
                    "at least 1",
                )?;
                let mut sum = 0.0;
                for (period, value) in points {
                    let own = spectral(*period, *damping)?;
                    let own = positive("spectral acceleration of a record", own)?;
                    sum +=
                        libm::log(positive("acceleration of the target spectrum", *value)? / own);
                }
                Ok(libm::exp(sum / points.len() as f64))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fragility::exact_bounds;

    /// A slender rectangle: the balance velocity tends to g α/p.
    #[test]
    fn estimates_are_those_of_a_slender_rectangle() {
        let alpha = 1e-3;
        let block = RockingBlock::from_slenderness(alpha, 1.0, 9.81).unwrap();
        let estimates = Estimates::of(&block);
        let slender = 9.81 * alpha / block.frequency();
        // relative terms of α²
        assert!((estimates.balance_velocity / slender - 1.0).abs() < 1e-6);
        assert!((estimates.lift_off - 9.81 * alpha.tan()).abs() < 1e-12);
        assert!(estimates.slides_first(0.5e-3) && !estimates.slides_first(2e-3));
    }

    #[test]
    fn verdicts_follow_the_bounds_and_say_how_many_records_they_need() {
        let fraction = |reached: f64, records: usize| Fraction {
            scale: 1.0,
            reached,
            records,
            bounds: exact_bounds(reached, records),
        };
        let limit = LimitState {
            state: DamageState::Overturning,
            allowed: 0.1,
        };
        // 1 − 0.025^(1/n) ≤ 0.1 from n = ln 0.025/ln 0.9 = 35.01 on
        assert_eq!(limit.records_needed(), Some(36));
        assert_eq!(limit.judge(&fraction(0.0, 36)), Verdict::Met);
        assert_eq!(limit.judge(&fraction(0.0, 35)), Verdict::Undecided);
        assert_eq!(limit.judge(&fraction(10.0, 20)), Verdict::NotMet);
    }

    #[test]
    fn records_are_scaled_to_their_target() {
        let motion = Component::waves(
            2.0,
            klast_ground_motion::Frequency::rad_per_s(10.0),
            0.0,
            3.0,
        )
        .unwrap();
        assert_eq!(Target::Pga(5.0).factor(&motion).unwrap(), 2.5);
        let own = |t: f64| motion.spectral_acceleration(t, 0.05).unwrap();
        let target = Target::Spectrum {
            points: vec![(0.5, 4.0 * own(0.5)), (1.0, own(1.0))],
            damping: 0.05,
        };
        // geometric mean of 4 and 1
        assert!((target.factor(&motion).unwrap() - 2.0).abs() < 1e-12);
        assert!(Target::Pga(0.0).factor(&motion).is_err());
        assert!(Target::Pga(1.0).factor(&Component::at_rest()).is_err());
    }
}
