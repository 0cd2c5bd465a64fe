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
    /// Half width of the 95 % interval of ln(median): Student's t for the records, the normal quantile for the model.
    half_width: f64,
}

impl Margin {
    /// High confidence of low probability of failure: with 95 % confidence at most 5 % reach the state,
    /// median·exp(−1.645 (β_R + β_U)).
    pub fn hclpf(&self) -> f64 {
        self.median * libm::exp(-Z95 * (self.randomness + self.uncertainty))
    }
}

/// An annual frequency with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnnualRisk {
    /// With the mean fragility, whose dispersion is √(β_R² + β_U²).
    pub mean: AnnualFrequency,
    /// With the median at the upper end of its 95 % interval.
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
        let line = self.middle();
        let (sampling, half) = sampling(line)?;
        Ok(Margin {
            median: self.median(),
            randomness: self.dispersion(),
            sampling,
            uncertainty: sampling.hypot(model),
            half_width: half.hypot(Z975 * model),
        })
    }

    /// The annual frequency of a state under a hazard curve in the same measure of intensity.
    ///
    /// # Errors
    /// As [`Fragility::margin`].
    pub fn annual(&self, hazard: &Hazard, model: f64) -> Result<AnnualRisk, RockingError> {
        let margin = self.margin(model)?;
        let with = |shift: f64, spread: f64| {
            let of = |line: &Line| lognormal(line, shift, spread);
            hazard.annual(&self.lines().map(of).collect::<Vec<_>>())
        };
        Ok(AnnualRisk {
            mean: with(0.0, margin.uncertainty),
            lower: with(margin.half_width, 0.0),
            upper: with(-margin.half_width, 0.0),
        })
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
