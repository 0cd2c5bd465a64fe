//! What was understood of a record, in numbers.

use super::super::{Component, GroundMotionError};
use super::{Baseline, Record};
use klast_numerics::check::require;
use klast_numerics::roots::bisect;

/// Length, peaks, energy and spectrum of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordSummary {
    /// Number of samples.
    pub samples: usize,
    /// Time from the first sample to the last (s).
    pub length: f64,
    /// Shortest and longest step (s).
    pub step: (f64, f64),
    /// Peak ground acceleration (m/s²).
    pub pga: f64,
    /// Peak ground velocity (m/s), integrated from rest without a correction of the baseline.
    pub pgv: f64,
    /// Peak ground displacement (m), likewise.
    pub pgd: f64,
    /// Arias intensity π/(2g) ∫ a² dt (m/s), with g = 9.80665 m/s² (Arias 1970).
    pub arias: f64,
    /// Times (s) at which 5 and 95 % of the Arias intensity are reached; their difference is the duration D5–95
    /// (Trifunac and Brady 1975).
    pub significant: (f64, f64),
    /// What is left at the end.
    pub baseline: Baseline,
    /// Periods (s) and pseudo-accelerations (m/s²) at 5 % damping.
    pub spectrum: Vec<(f64, f64)>,
}

/// Damping ratio of the spectrum of a summary.
const DAMPING: f64 = 0.05;
/// Periods of the spectrum: 0.05 to 5 s, evenly in the logarithm.
const PERIODS: usize = 25;
/// Longest time (s) up to which a spectrum is found.
const LONGEST: f64 = 1e4;

impl RecordSummary {
    /// Duration D5–95 (s).
    pub fn significant_duration(&self) -> f64 {
        self.significant.1 - self.significant.0
    }
}

impl Record {
    /// Length, peaks, Arias intensity, D5–95 and the response spectrum at 25 periods from 0.05 to 5 s; all exact for a
    /// record that is linear between its samples. A record of more than 10,000 s has no spectrum here.
    ///
    /// # Errors
    /// [`GroundMotionError::OutOfRange`] where the squares of the accelerations are not finite.
    pub fn summary(&self) -> Result<RecordSummary, GroundMotionError> {
        let periods =
            (0..PERIODS).map(|k| 0.05 * libm::pow(100.0, k as f64 / (PERIODS - 1) as f64));
        self.summary_at(&periods.collect::<Vec<_>>())
    }

    /// The same with the spectrum at other `periods` (s), or at none, which is quick.
    ///
    /// # Errors
    /// As [`Record::summary`]; a period that is not above 0.
    pub fn summary_at(&self, periods: &[f64]) -> Result<RecordSummary, GroundMotionError> {
        let motion = self.component(1.0)?;
        let (times, a) = (self.times(), self.accelerations());
        let last = times.len() - 1;
        let steps = || times.windows(2).map(|pair| pair[1] - pair[0]);
        let energy = squares(times, a);
        require("Arias intensity", energy[last], true, "finite")?;
        // The peaks are looked for in steps of a hundredth of a period: not for days.
        let periods = if times[last] <= LONGEST { periods } else { &[] };
        let spectrum = periods
            .iter()
            .map(|period| Ok((*period, motion.spectral_acceleration(*period, DAMPING)?)));
        Ok(RecordSummary {
            samples: times.len(),
            length: times[last] - times[0],
            step: (
                steps().fold(f64::INFINITY, f64::min),
                steps().fold(0.0, f64::max),
            ),
            pga: motion.peak_acceleration(),
            pgv: motion.peak_velocity(),
            pgd: motion.peak_displacement(),
            arias: std::f64::consts::FRAC_PI_2 / 9.80665 * energy[last],
            significant: (
                reached(times, a, &energy, 0.05),
                reached(times, a, &energy, 0.95),
            ),
            baseline: self.baseline()?,
            spectrum: spectrum.collect::<Result<_, GroundMotionError>>()?,
        })
    }
}

/// ∫ a² dt up to each sample; a step from a₀ to a₁ holds h (a₀² + a₀ a₁ + a₁²)/3.
fn squares(times: &[f64], a: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let mut energy = vec![0.0];
    for (t, a) in times.windows(2).zip(a.windows(2)) {
        sum += (t[1] - t[0]) * (a[0] * a[0] + a[0] * a[1] + a[1] * a[1]) / 3.0;
        energy.push(sum);
    }
    energy
}

/// Time at which `part` of ∫ a² dt is reached: within a step by bisection of the cubic.
fn reached(times: &[f64], a: &[f64], energy: &[f64], part: f64) -> f64 {
    let goal = part * energy.last().copied().unwrap_or(0.0);
    let k = energy
        .partition_point(|e| *e < goal)
        .clamp(1, energy.len() - 1);
    let (step, a0, slope) = (times[k] - times[k - 1], a[k - 1], a[k] - a[k - 1]);
    let within = |s: f64| step * s * (a0 * a0 + a0 * slope * s + slope * slope * s * s / 3.0);
    let below = |s: f64| energy[k - 1] + within(s) < goal;
    let (_, high) = bisect(0.0, 1.0, 53, |s| !below(s));
    times[k - 1] + step * high
}

impl Component {
    /// Peak of |displacement| (m) while the base accelerates: at the ends of the pieces and where the velocity is zero.
    pub fn peak_displacement(&self) -> f64 {
        let mut largest = 0.0f64;
        for piece in self.pieces() {
            let ends = [piece.start, piece.end];
            let turns = piece.turning_times();
            for time in ends.into_iter().chain(turns) {
                if time.is_finite() && time >= piece.start && time <= piece.end {
                    largest = largest.max(piece.displacement(time).abs());
                }
            }
        }
        largest
    }
}
