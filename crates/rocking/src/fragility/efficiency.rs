//! Which measure of intensity orders the responses best.

use super::bootstrap::BandOptions;
use super::campaign::Campaign;
use super::curve::Answer;
use super::intensity::{Intensities, IntensityMeasure};
use super::state::DamageState;
use crate::error::RockingError;

/// How well a measure orders the outcomes for a state.
#[derive(Debug, Clone, PartialEq)]
pub struct Efficiency {
    /// The measure.
    pub measure: IntensityMeasure,
    /// Dispersion of its fragility: the smaller, the more efficient; none where there is no curve.
    pub dispersion: Option<f64>,
    /// Scatter of the peak rotation about its fit; none where fewer than three trials rock and stand.
    pub scatter: Option<Scatter>,
    /// The answer behind it.
    pub answer: Answer,
    /// Its values.
    pub intensities: Intensities,
}

/// The line ln(peak rotation/α) = a + b ln(intensity) in the least squares over the trials that rock and do not
/// overturn, and the standard deviation about it: the efficiency of Luco and Cornell (2007, Earthquake Spectra 23,
/// 357).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scatter {
    /// a.
    pub intercept: f64,
    /// b.
    pub slope: f64,
    /// Standard deviation of ln(peak rotation/α) about the line.
    pub deviation: f64,
    /// Number of trials.
    pub trials: usize,
}

impl Scatter {
    /// Of points (intensity, peak rotation over α), all above 0; none of fewer than three, or of one intensity.
    pub fn of(points: &[(f64, f64)]) -> Option<Self> {
        let n = points.len();
        if n < 3 {
            return None;
        }
        let logs: Vec<(f64, f64)> = points
            .iter()
            .map(|(x, y)| (libm::log(*x), libm::log(*y)))
            .collect();
        let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / n as f64;
        let (mx, my) = (mean(|p| p.0), mean(|p| p.1));
        let sxx: f64 = logs.iter().map(|p| (p.0 - mx) * (p.0 - mx)).sum();
        let sxy: f64 = logs.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
        // Below this the intensities are one but for rounding.
        if sxx <= 1e-20 * n as f64 {
            return None;
        }
        let slope = sxy / sxx;
        let intercept = my - slope * mx;
        let left = |p: &(f64, f64)| p.1 - intercept - slope * p.0;
        let squares: f64 = logs.iter().map(|p| left(p) * left(p)).sum();
        Some(Self {
            intercept,
            slope,
            deviation: (squares / (n as f64 - 2.0)).sqrt(),
            trials: n,
        })
    }
}

impl Scatter {
    /// Peak rotation over α on the line at an intensity, so many standard deviations off it.
    pub fn at(&self, intensity: f64, deviations: f64) -> f64 {
        let mean = self.intercept + self.slope * libm::log(intensity);
        libm::exp(mean + deviations * self.deviation)
    }
}

impl Campaign {
    /// Intensity and peak rotation over α of the trials that rock and do not overturn.
    pub fn rocking(&self, intensities: &Intensities) -> Vec<(f64, f64)> {
        let of_record = |record: usize| {
            let row = self.row(record).iter().zip(self.scales());
            row.map(move |(r, scale)| (intensities.at(record, *scale), r))
                .filter(|(x, r)| *x > 0.0 && r.peak > 0.0 && !r.overturned && !r.undecided)
                .map(|(x, r)| (x, r.peak))
        };
        (0..self.records()).flat_map(of_record).collect()
    }
}

/// The measures in order of their efficiency for `state`, the best first: the one of least dispersion tells most of the
/// outcome with the fewest records (Luco and Cornell 2007, Earthquake Spectra 23, 357). Measures that differ by a
/// constant factor, as those over g tan α for one block, are equally efficient and keep their order; those without a
/// curve come last, and those of which no motion has any are left out.
///
/// # Errors
/// Those of `intensities`, which gives the values of a measure, and of [`Answer::of`].
pub fn efficiencies(
    campaign: &Campaign,
    state: DamageState,
    measures: &[IntensityMeasure],
    options: &BandOptions,
    intensities: impl Fn(IntensityMeasure) -> Result<Intensities, RockingError>,
) -> Result<Vec<Efficiency>, RockingError> {
    let mut list = Vec::with_capacity(measures.len());
    for measure in measures {
        let own = (*measure, intensities(*measure)?);
        // No motion has any of it, as of the time above an acceleration that none reaches.
        if own.1.range().1 <= 0.0 {
            continue;
        }
        list.push(Efficiency::of(campaign, own, state, options)?);
    }
    // Rounding must not choose between measures of one factor.
    let rank = |e: &Efficiency| e.dispersion.map_or(f64::INFINITY, |d| libm::round(d * 1e9));
    list.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
    Ok(list)
}

impl Efficiency {
    /// Of one measure with its values.
    fn of(
        campaign: &Campaign,
        (measure, intensities): (IntensityMeasure, Intensities),
        state: DamageState,
        options: &BandOptions,
    ) -> Result<Self, RockingError> {
        let answer = Answer::of(&campaign.trials(state, &intensities), options)?;
        let dispersion = answer.curve().map(|curve| curve.dispersion());
        Ok(Self {
            measure,
            dispersion,
            scatter: Scatter::of(&campaign.rocking(&intensities)),
            answer,
            intensities,
        })
    }
}
