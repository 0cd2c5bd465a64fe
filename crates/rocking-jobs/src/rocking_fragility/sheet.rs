//! What practice asks of the fragilities: dispersions, HCLPF, annual frequency, acceptable intensity.

use klast_rocking::fragility::{Answer, DamageState, Fragility, Hazard};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Hazard curve of the site, or of the storey, on which the block stands: annual frequency with which an intensity is
/// exceeded. Between two points the frequency is a power of the intensity.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HazardScene {
    /// Intensities, rising, above 0, in the unit of `intensity`, of which `most_efficient` is then refused.
    intensities: Vec<f64>,
    /// Annual frequencies (1/year), falling, above 0, one for each intensity.
    annual_frequencies: Vec<f64>,
}

impl HazardScene {
    /// The curve.
    ///
    /// # Errors
    /// Points that are none.
    pub fn build(&self) -> Result<Hazard> {
        Ok(Hazard::new(&self.intensities, &self.annual_frequencies)?)
    }
}

/// What is asked beside the curves.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Hazard curve in the measure of intensity.
    pub hazard: Option<Hazard>,
    /// Part of β_U that records do not show.
    pub model_uncertainty: f64,
    /// Probability that is allowed of each state.
    pub acceptable: Option<f64>,
}

/// Part of an annual frequency that motions beyond the hazard curve may add before it is told.
const TOLD_SHARE: f64 = 0.05;

/// The fragility of a damage state as practice asks for it. A number that does not follow from the curve and the keys
/// of the scene is empty.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct SheetRow {
    /// Name of the damage state.
    pub state: String,
    /// Median of the fragility curve, in the unit of the intensity.
    pub median: f64,
    /// Randomness β_R: dispersion from record to record.
    pub beta_r: f64,
    /// Part of the uncertainty β_U that comes from the number of records: standard error of the logarithm of the
    /// median.
    pub beta_u_records: f64,
    /// Uncertainty β_U: records and `model_uncertainty`, as independent.
    pub beta_u: f64,
    /// HCLPF: intensity at which, with 95 % confidence, at most 5 % of the motions reach the state, median times
    /// exp(-1.645 (β_R + β_U)). It is at most that of a state that implies this one.
    pub hclpf: f64,
    /// Annual frequency of the state (1/year), with the mean fragility of dispersion √(β_R² + β_U²).
    pub annual_frequency: Option<f64>,
    /// Lower end of its 95 % interval (1/year): with the median at the upper end of its own.
    pub annual_frequency_lower: Option<f64>,
    /// Upper end of its 95 % interval (1/year).
    pub annual_frequency_upper: Option<f64>,
    /// Probability that the state is reached within a year: 1 - exp(-annual frequency).
    pub annual_probability: Option<f64>,
    /// Annual frequency (1/year) that motions outside of the hazard curve may add to it: below the curve by its first
    /// power law, above it at most.
    pub outside_of_hazard: Option<f64>,
    /// Largest intensity at which the fragility curve is at most `acceptable_probability`: the motion that the support
    /// of the object may have.
    pub acceptable_intensity: Option<f64>,
    /// The same with the upper end of the 95 % band over records.
    pub acceptable_intensity_of_band: Option<f64>,
}

/// The rows of all states with a curve of two records or more.
///
/// # Errors
/// What the library refuses.
pub fn rows(answers: &[(DamageState, Answer)], asked: &Asked) -> Result<Vec<SheetRow>> {
    let with_band = |curve: &&Fragility| curve.record_band().half_width(0.0).is_finite();
    let curves = answers.iter().filter_map(|(state, answer)| {
        let curve = answer.curve().filter(with_band)?;
        Some(row(*state, curve, asked))
    });
    curves.collect()
}

fn row(state: DamageState, curve: &Fragility, asked: &Asked) -> Result<SheetRow> {
    let margin = curve.margin(asked.model_uncertainty)?;
    let hazard = asked.hazard.as_ref();
    let risk = hazard.map(|hazard| curve.annual(hazard, asked.model_uncertainty));
    let risk = risk.transpose()?;
    let acceptable = asked.acceptable.map(|allowed| curve.acceptable(allowed));
    let (fit, band) = acceptable.transpose()?.unwrap_or_default();
    let mean = risk.map(|risk| risk.mean.frequency);
    Ok(SheetRow {
        state: state.name(),
        median: margin.median,
        beta_r: margin.randomness,
        beta_u_records: margin.sampling,
        beta_u: margin.uncertainty,
        hclpf: margin.hclpf,
        annual_frequency: mean,
        annual_frequency_lower: risk.map(|risk| risk.lower.frequency),
        annual_frequency_upper: risk.map(|risk| risk.upper.frequency),
        annual_probability: mean.map(|mean| -libm::expm1(-mean)),
        outside_of_hazard: risk.map(|risk| risk.mean.outside),
        acceptable_intensity: fit,
        acceptable_intensity_of_band: band,
    })
}

/// What the reader of the rows has to be warned of: motions outside of the hazard curve that count.
#[must_use]
pub fn warnings(rows: &[SheetRow]) -> Vec<String> {
    let said = |row: &SheetRow| {
        let (mean, outside) = (row.annual_frequency?, row.outside_of_hazard?);
        (outside > TOLD_SHARE * mean).then(|| {
            format!(
                "{}: motions outside of the hazard curve may add {outside:.2e} to an annual frequency of {mean:.2e}: a curve over \
                 a wider range is needed",
                row.state
            )
        })
    };
    rows.iter().filter_map(said).collect()
}
