//! What practice asks of a fragility: its two dispersions, HCLPF, annual frequency, acceptable intensity.

use super::curve::Fragility;
use super::hazard::{AnnualFrequency, Hazard, lognormal};
use super::line::Line;
use super::probit::quantile;
use crate::error::RockingError;
use klast_numerics::check::require;

/// 95 % quantile of the normal distribution.
const Z95: f64 = 1.644_853_626_951_472_7;
/// 97.5 % quantile.
const Z975: f64 = 1.959_963_984_540_054;

/// Median, randomness and uncertainty of a fragility (Kennedy and Ravindra 1984, Nuclear Engineering and Design 79,
/// 47): median·exp(β_R z_R + β_U z_U).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin {
    /// Median.
    pub median: f64,
    /// β_R: dispersion from record to record.
    pub randomness: f64,
    /// Part of β_U that the records show: standard error of ln(median) over records.
    pub sampling: f64,
    /// β_U: sampling and model, as independent.
    pub uncertainty: f64,
    /// High confidence of low probability of failure: with 95 % confidence at most 5 % reach the state,
    /// median·exp(−1.645 (β_R + β_U)); no more than that of a state that implies this one.
    pub hclpf: f64,
}

/// An annual frequency with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnnualRisk {
    /// With the mean fragility, whose dispersion is √(β_R² + β_U²).
    pub mean: AnnualFrequency,
    /// With the median at the upper end of its 95 % interval: Student's t for the records, the normal quantile for the
    /// model.
    pub lower: AnnualFrequency,
    /// With the median at its lower end.
    pub upper: AnnualFrequency,
}

impl Fragility {
    /// The dispersions, with `model` the part of β_U that records do not show.
    ///
    /// # Errors
    /// A `model` below 0; records that are too few for a band.
    pub fn margin(&self, model: f64) -> Result<Margin, RockingError> {
        require("uncertainty of the model", model, model >= 0.0, "0 or more")?;
        let (sampling, _) = sampling(self.middle())?;
        let mut hclpf = f64::INFINITY;
        for line in self.lines() {
            let (own, _) = self::sampling(line)?;
            let spread = 1.0 / line.slope + libm::hypot(own, model);
            hclpf = hclpf.min(libm::exp(line.median() - Z95 * spread));
        }
        Ok(Margin {
            median: self.median(),
            randomness: self.dispersion(),
            sampling,
            uncertainty: libm::hypot(sampling, model),
            hclpf,
        })
    }

    /// The annual frequency of a state under a hazard curve in the same measure of intensity. Each line of a nested
    /// state has its own uncertainty, so that a state is reached at least as often as one that implies it.
    ///
    /// # Errors
    /// As [`Fragility::margin`].
    pub fn annual(&self, hazard: &Hazard, model: f64) -> Result<AnnualRisk, RockingError> {
        require("uncertainty of the model", model, model >= 0.0, "0 or more")?;
        // Lognormals of the mean and of both ends.
        let mut of = [Vec::new(), Vec::new(), Vec::new()];
        for line in self.lines() {
            let (error, half) = sampling(line)?;
            let shift = libm::hypot(half, Z975 * model);
            for (list, (shift, spread)) in of.iter_mut().zip([
                (0.0, libm::hypot(error, model)),
                (shift, 0.0),
                (-shift, 0.0),
            ]) {
                list.push(lognormal(line, shift, spread));
            }
        }
        let [mean, lower, upper] = of.map(|list| hazard.annual(&list));
        Ok(AnnualRisk { mean, lower, upper })
    }

    /// The largest intensity at which the probability is at most `allowed`, by the curve and by the upper end of its
    /// band: the motion that a support may have. None where it lies outside of the intensities that were run.
    ///
    /// # Errors
    /// A probability that is not between 0 and 1.
    pub fn acceptable(&self, allowed: f64) -> Result<(Option<f64>, Option<f64>), RockingError> {
        let inside = allowed > 0.0 && allowed < 1.0;
        require("probability", allowed, inside, "between 0 and 1")?;
        let z = quantile(allowed);
        let of = |line: &Line| line.median() + z / line.slope;
        let curve = self.lines().map(of).fold(f64::INFINITY, f64::min);
        let (least, largest) = self.run();
        let run = least <= curve && curve <= largest;
        let above = |x: f64| self.band(libm::exp(x)).1 > allowed;
        let banded = !above(least) && above(largest);
        let (mut low, mut high) = (least, largest);
        // The band rises, so the halves close in on the one place; sixty leave less than rounding.
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            match above(middle) {
                true => high = middle,
                false => low = middle,
            }
        }
        Ok((
            run.then(|| libm::exp(curve)),
            banded.then(|| libm::exp(low)),
        ))
    }
}

/// Standard error of the median of a line over records, and the half width of its 95 % interval.
fn sampling(line: &Line) -> Result<(f64, f64), RockingError> {
    let half = line.band.half_width(line.median()) / line.slope;
    let records = line.band.records;
    require(
        "records of a band",
        records as f64,
        half.is_finite(),
        "2 or more that differ",
    )?;
    Ok((line.band.standard_error(line.median()) / line.slope, half))
}
