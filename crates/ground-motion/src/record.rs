//! Sampled accelerations, linear between samples.

mod summary;

use klast_numerics::check::require;

use super::{AccelerationUnit, Component, GroundMotionError, Law};

pub use summary::RecordSummary;

/// A record of base acceleration.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    times: Vec<f64>,
    accelerations: Vec<f64>,
}

/// What is left at the end of a record that should have ended at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Baseline {
    /// Mean acceleration (m/s²).
    pub mean_acceleration: f64,
    /// Velocity at the end (m/s).
    pub final_velocity: f64,
    /// Displacement at the end (m).
    pub final_displacement: f64,
    /// Velocity at the end over the peak velocity.
    pub velocity_ratio: f64,
}

impl Baseline {
    /// Whether the velocity left at the end is under a tenth of the peak: above that the record was cut or not
    /// corrected.
    pub fn is_acceptable(&self) -> bool {
        self.velocity_ratio <= 0.1
    }
}

impl Record {
    /// A record from sample times (s, increasing) and accelerations (m/s²).
    pub fn new(times: Vec<f64>, accelerations: Vec<f64>) -> Result<Self, GroundMotionError> {
        if times.len() != accelerations.len() {
            return Err(GroundMotionError::Count {
                times: times.len(),
                accelerations: accelerations.len(),
            });
        }
        require(
            "number of samples",
            times.len() as f64,
            times.len() >= 2,
            "at least 2",
        )?;
        for acceleration in &accelerations {
            require("acceleration", *acceleration, true, "finite")?;
        }
        for pair in times.windows(2) {
            let step = pair[1] - pair[0];
            require("time step", step, step > 0.0, "above 0 s")?;
        }
        require("first time", times[0], times[0] >= 0.0, "at least 0 s")?;
        Ok(Self {
            times,
            accelerations,
        })
    }

    /// A record with the sample i at time i · `step` (s); accelerations in `unit`.
    pub fn uniform(
        step: f64,
        samples: &[f64],
        unit: AccelerationUnit,
    ) -> Result<Self, GroundMotionError> {
        require("time step", step, step > 0.0, "above 0 s")?;
        let times = (0..samples.len()).map(|i| i as f64 * step).collect();
        let accelerations = samples.iter().map(|a| a * unit.factor()).collect();
        Self::new(times, accelerations)
    }

    /// Sample times (s).
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Accelerations (m/s²).
    pub fn accelerations(&self) -> &[f64] {
        &self.accelerations
    }

    /// The motion of the base, linear between samples, times `factor` (scale and polarity); it starts from rest.
    pub fn component(&self, factor: f64) -> Result<Component, GroundMotionError> {
        require("factor", factor, true, "finite")?;
        let laws: Vec<(f64, Law)> = self
            .times
            .windows(2)
            .zip(self.accelerations.windows(2))
            .map(|(t, a)| {
                let step = t[1] - t[0];
                let slope = factor * (a[1] - a[0]) / step;
                let value = factor * a[0];
                (step, Law::Linear { value, slope })
            })
            .collect();
        let start = self.times.first().copied().unwrap_or(0.0);
        Component::chain(start, 0.0, 0.0, &laws)
    }

    /// What is left at the end of the record.
    pub fn baseline(&self) -> Result<Baseline, GroundMotionError> {
        let motion = self.component(1.0)?;
        let (first, last) = (self.times[0], motion.duration());
        let final_velocity = motion.velocity(last);
        let peak = motion.peak_velocity();
        Ok(Baseline {
            mean_acceleration: final_velocity / (last - first),
            final_velocity,
            final_displacement: motion.displacement(last),
            velocity_ratio: if peak > 0.0 {
                final_velocity.abs() / peak
            } else {
                0.0
            },
        })
    }
}
