//! The laws of motion, by kind.

use std::f64::consts::TAU;

use klast_ground_motion::{Component, Frequency};
use klast_numerics::OutOfRange;
use klast_numerics::check::{finite, non_negative, positive};

use super::kinematics::{Bounds, Increment, Kinematics, Wave};
use super::{ground, harmonic, ramp, scan, waves};
use crate::error::AssemblyError;

/// A prescribed motion.
#[derive(Debug, Clone, PartialEq)]
pub enum BasinMotion {
    /// x_b = r(t) u0 sin(Ω t), where the lead-in r grows linearly from 0 to 1 over `lead_in` (0 s: none).
    Harmonic {
        /// u0, m.
        amplitude: f64,
        /// Ω, rad/s.
        omega: f64,
        /// Length of the linear lead-in, s.
        lead_in: f64,
    },
    /// A sum of sines.
    Waves(Vec<Wave>),
    /// A piecewise motion: sine trains, pulses, sampled records; at rest before it, unaccelerated after it.
    Ground(Component),
}

impl BasinMotion {
    /// u0 sin(ω t).
    ///
    /// # Errors
    /// An amplitude that is negative or not finite, a frequency not above zero.
    pub fn harmonic(amplitude: f64, frequency: Frequency) -> Result<Self, AssemblyError> {
        Self::harmonic_with_lead_in(amplitude, frequency, 0.0)
    }

    /// As [`BasinMotion::harmonic`], with an amplitude that grows linearly during the first `lead_in` seconds.
    ///
    /// # Errors
    /// As there; a lead-in that is negative or not finite.
    pub fn harmonic_with_lead_in(
        amplitude: f64,
        frequency: Frequency,
        lead_in: f64,
    ) -> Result<Self, AssemblyError> {
        let motion = Self::Harmonic {
            amplitude,
            omega: frequency.circular(),
            lead_in,
        };
        motion.validate()?;
        Ok(motion)
    }

    /// Checks every number of the motion.
    ///
    /// # Errors
    /// A number that is not finite or outside its range.
    pub fn validate(&self) -> Result<(), AssemblyError> {
        match self {
            Self::Harmonic {
                amplitude,
                omega,
                lead_in,
            } => {
                non_negative("amplitude (m)", *amplitude)?;
                positive("angular frequency (rad/s)", *omega)?;
                non_negative("lead-in (s)", *lead_in)?;
                Ok(())
            }
            Self::Waves(waves) => {
                for (index, w) in waves.iter().enumerate() {
                    let item = |e: OutOfRange| e.at(index);
                    finite("wave amplitude (m)", w.amplitude).map_err(item)?;
                    positive("wave angular frequency (rad/s)", w.omega).map_err(item)?;
                    finite("wave phase (rad)", w.phase).map_err(item)?;
                }
                Ok(())
            }
            Self::Ground(component) => ground::validate(component),
        }
    }

    /// Position, velocity and acceleration at `time`, from the right at a jump.
    #[must_use]
    pub fn at(&self, time: f64) -> Kinematics {
        match self {
            Self::Harmonic {
                amplitude,
                omega,
                lead_in,
            } if *lead_in > 0.0 && time < *lead_in => ramp::at(*amplitude, *omega, *lead_in, time),
            Self::Harmonic {
                amplitude, omega, ..
            } => {
                let (sin, cos) = libm::sincos(omega * time);
                let speed = amplitude * omega;
                Kinematics {
                    position: amplitude * sin,
                    velocity: speed * cos,
                    acceleration: -speed * omega * sin,
                }
            }
            Self::Waves(waves) => waves::at(waves, time),
            Self::Ground(component) => ground::at(component, time),
        }
    }

    /// Drive period, s, if the motion has one from `time` zero on or once its lead-in is over.
    #[must_use]
    pub fn period(&self) -> Option<f64> {
        match self {
            Self::Harmonic { omega, .. } => Some(TAU / omega),
            Self::Waves(waves) if waves.len() == 1 => waves.first().map(|w| TAU / w.omega),
            _ => None,
        }
    }

    /// Span by which the clock may be set back: the period, or for several waves a power of two (s) near the given
    /// time, whose products with the frequencies are exact; 0 if never.
    pub(crate) fn epoch_unit(&self, scale_time: f64) -> f64 {
        match self {
            Self::Waves(waves) if waves.len() > 1 => libm::exp2(libm::log2(scale_time).floor()),
            _ => self.period().unwrap_or(0.0),
        }
    }

    /// The same motion on a clock that has been set back by that span.
    pub(crate) fn set_back(&mut self, by: f64) {
        if let Self::Waves(waves) = self
            && waves.len() > 1
        {
            waves::set_back(waves, by);
        }
    }

    /// First time in [`from`, `limit`] from which the acceleration lies above (or below) `level`, ∞ if none; and
    /// whether it is so there, or only not before.
    pub(crate) fn acceleration_beyond(
        &self,
        from: f64,
        level: f64,
        above: bool,
        limit: f64,
    ) -> (f64, bool) {
        let (time, found) = match self {
            Self::Harmonic {
                amplitude,
                omega,
                lead_in,
            } if *lead_in > 0.0 && from < *lead_in => {
                let jerk = ramp::jerk_bound(*amplitude, *omega, *lead_in);
                let a = |t: f64| ramp::at(*amplitude, *omega, *lead_in, t).acceleration;
                scan::beyond(a, jerk, from, level, above, limit, TAU / omega)
            }
            Self::Harmonic {
                amplitude, omega, ..
            } => {
                let phase = omega * from;
                let gain = -amplitude * omega * omega;
                let ahead = harmonic::phase_beyond(phase, gain, level, above);
                (if ahead == phase { from } else { ahead / omega }, true)
            }
            Self::Waves(waves) => {
                let jerk = waves
                    .iter()
                    .map(|w| (w.amplitude * w.omega.powi(3)).abs())
                    .sum();
                let fastest = waves
                    .iter()
                    .map(|w| w.omega)
                    .fold(f64::MIN_POSITIVE, f64::max);
                let a = |t: f64| waves::at(waves, t).acceleration;
                scan::beyond(a, jerk, from, level, above, limit, TAU / fastest)
            }
            Self::Ground(component) => (
                ground::beyond(component, 0.0, from, level, above, limit),
                true,
            ),
        };
        if time <= limit {
            (time, found)
        } else {
            (f64::INFINITY, true)
        }
    }

    /// Bounds over all times.
    pub(crate) fn bounds(&self) -> Bounds {
        match self {
            Self::Harmonic {
                amplitude,
                omega,
                lead_in,
            } => {
                let speed = amplitude * omega;
                // During the lead-in r' adds u0/t_r to the velocity and 2 Ω u0/t_r to the acceleration.
                let extra = if *lead_in > 0.0 {
                    amplitude / lead_in
                } else {
                    0.0
                };
                Bounds {
                    position: *amplitude,
                    velocity: speed + extra,
                    acceleration: speed * omega + 2.0 * omega * extra,
                }
            }
            Self::Waves(waves) => waves::bounds(waves),
            Self::Ground(component) => ground::bounds(component),
        }
    }

    /// Next time after `time` at which the basin velocity may jump; ∞ if none.
    pub(crate) fn next_jump(&self, time: f64) -> f64 {
        match self {
            Self::Harmonic { lead_in, .. } if *lead_in > 0.0 && time < *lead_in => *lead_in,
            Self::Ground(component) => ground::next_jump(component, time),
            _ => f64::INFINITY,
        }
    }

    /// The law from `time` on, once a jump there is over.
    pub(crate) fn past_jump(&mut self, time: f64) {
        if let Self::Harmonic { lead_in, .. } = self
            && time >= *lead_in
        {
            *lead_in = 0.0;
        }
    }

    /// Velocity just before `time`, where the law changes.
    pub(crate) fn velocity_before(&self, time: f64) -> f64 {
        match self {
            Self::Harmonic {
                amplitude,
                omega,
                lead_in,
            } if time <= *lead_in && *lead_in > 0.0 => {
                ramp::at(*amplitude, *omega, *lead_in, time).velocity
            }
            Self::Ground(component) => ground::velocity_before(component, time),
            _ => self.at(time).velocity,
        }
    }
}

/// A motion from one instant on; the sine and cosine there serve all steps of a search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Onward<'a> {
    pub(super) motion: &'a BasinMotion,
    /// Time from which `start` is counted.
    pub(super) origin: f64,
    pub(super) start: f64,
    pub(super) sin: f64,
    pub(super) cos: f64,
}

impl Onward<'_> {
    /// Increments over `tau`.
    pub(crate) fn increment(&self, tau: f64) -> Increment {
        match self.motion {
            BasinMotion::Harmonic {
                amplitude,
                omega,
                lead_in,
            } if *lead_in > 0.0 && self.origin + self.start < *lead_in => {
                let start = self.origin + self.start;
                ramp::increment(*amplitude, *omega, *lead_in, start, tau)
            }
            BasinMotion::Harmonic {
                amplitude, omega, ..
            } => harmonic::increment(*amplitude, *omega, self.sin, self.cos, omega * tau),
            BasinMotion::Waves(waves) => waves::increment(waves, self.origin + self.start, tau),
            BasinMotion::Ground(component) => {
                ground::increment(component, self.origin, self.start, tau)
            }
        }
    }
}
