//! Cumulative measures of a base motion, in closed form piece by piece.

use std::f64::consts::PI;

use super::{Component, GroundMotionError, Law, Piece};
use klast_numerics::check::require;

impl Component {
    /// Cumulative absolute velocity ∫|a| dt (m/s).
    ///
    /// # Errors
    /// A motion that lasts for ever.
    pub fn cumulative_absolute_velocity(&self) -> Result<f64, GroundMotionError> {
        self.ends()?;
        Ok(self.pieces.iter().map(Piece::absolute_integral).sum())
    }

    /// Time (s) for which |a| is above `level` (m/s²), all intervals added: the uniform duration of Bommer and
    /// Martínez-Pereira (1999, Journal of Earthquake Engineering 3, 127).
    ///
    /// # Errors
    /// A motion that lasts for ever; a level below 0.
    pub fn duration_above(&self, level: f64) -> Result<f64, GroundMotionError> {
        self.ends()?;
        require("level", level, level >= 0.0, "0 m/s² or more")?;
        Ok(self
            .pieces
            .iter()
            .map(|piece| piece.time_above(level))
            .sum())
    }

    fn ends(&self) -> Result<(), GroundMotionError> {
        require("duration of the motion", self.duration(), true, "finite")?;
        Ok(())
    }
}

impl Piece {
    /// ∫|a| dt over the piece.
    fn absolute_integral(&self) -> f64 {
        let duration = self.end - self.start;
        match self.law {
            Law::Linear { value, slope } => {
                let last = value + slope * duration;
                if value * last >= 0.0 {
                    return 0.5 * duration * (value + last).abs();
                }
                // Two triangles.
                0.5 * duration * (value * value + last * last) / (last - value).abs()
            }
            Law::Sine {
                amplitude,
                omega,
                phase,
            } => {
                // ∫|sin u| du: two for each half wave.
                let whole = |u: f64| {
                    let waves = (u / PI).floor();
                    2.0 * waves + 1.0 - libm::cos(u - PI * waves)
                };
                amplitude.abs() / omega * (whole(omega * duration + phase) - whole(phase))
            }
        }
    }

    /// Time within the piece for which |a| is above a level.
    fn time_above(&self, level: f64) -> f64 {
        let duration = self.end - self.start;
        match self.law {
            Law::Linear { value, slope } => {
                let last = value + slope * duration;
                let (low, high) = (value.min(last), value.max(last));
                if low == high {
                    return if low.abs() > level { duration } else { 0.0 };
                }
                let over = (high - low.max(level)).max(0.0) + (high.min(-level) - low).max(0.0);
                duration * over / (high - low)
            }
            Law::Sine {
                amplitude,
                omega,
                phase,
            } => {
                let share = level / amplitude.abs();
                if amplitude == 0.0 || share >= 1.0 {
                    return 0.0;
                }
                // Of each half wave of π the middle, from asin(share) on.
                let from = libm::asin(share);
                let whole = |u: f64| {
                    let waves = (u / PI).floor();
                    let middle = PI - 2.0 * from;
                    middle * waves + (u - PI * waves - from).clamp(0.0, middle)
                };
                (whole(omega * duration + phase) - whole(phase)) / omega
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{AccelerationUnit, Component, Frequency, Record};

    /// Sine of 2 m/s² over three and a quarter waves, in closed form; and the same sampled finely, whose straight lines
    /// are below the sine by (ω Δt)²/8 of its ordinates at most, 1.3e-6 here.
    #[test]
    fn cumulative_measures_are_those_of_a_sine() {
        let omega = 2.0 * std::f64::consts::PI;
        let motion = Component::waves(2.0, Frequency::rad_per_s(omega), 0.0, 3.25).unwrap();
        let step = 3.25 / 6500.0;
        let samples: Vec<f64> = (0..=6500)
            .map(|k| 2.0 * (omega * step * f64::from(k)).sin())
            .collect();
        let sampled = Record::uniform(step, &samples, AccelerationUnit::MetrePerSecondSquared)
            .and_then(|record| record.component(1.0))
            .unwrap();
        // Thirteen quarter waves of 2/ω each.
        let cav = 13.0 * 2.0 / omega;
        // Above 1 m/s², half of the amplitude: two thirds of each half wave, and of the last quarter too.
        let above = 3.25 * 2.0 / 3.0;
        for (of, room) in [(&motion, 1e-13), (&sampled, 2e-6)] {
            let found = of.cumulative_absolute_velocity().unwrap();
            assert!((found / cav - 1.0).abs() < room, "{found} {cav}");
            let found = of.duration_above(1.0).unwrap();
            assert!((found / above - 1.0).abs() < room, "{found} {above}");
        }
        let lasting =
            Component::harmonic(1.0, Frequency::rad_per_s(1.0), 0.0, f64::INFINITY).unwrap();
        assert!(lasting.cumulative_absolute_velocity().is_err());
        assert!(lasting.duration_above(0.5).is_err());
        assert!(motion.duration_above(-0.5).is_err());
    }
}
