//! The fragility curves of the damage states as a table.

use klast_rocking::fragility::{Answer, DamageState, Fragility, Intensities};
use schemars::JsonSchema;
use serde::Serialize;

/// A point of the fragility curve of a damage state. Probabilities of states of which one implies the other never
/// cross, and the ends of the band grow with the intensity.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct CurveRow {
    /// Name of the damage state.
    pub state: String,
    /// Intensity, in the unit of the measure.
    pub intensity: f64,
    /// Probability that a motion of this intensity reaches the damage state.
    pub probability: f64,
    /// Lower end of the 95 % band over records.
    pub lower: f64,
    /// Upper end of the 95 % band over records.
    pub upper: f64,
}

/// Points of each curve, spaced by one factor over the intensities that were run.
const POINTS: usize = 41;

/// The points of all curves, from the least to the largest intensity that was run.
pub(super) fn curves(
    intensities: &Intensities,
    answers: &[(DamageState, Answer)],
) -> Vec<CurveRow> {
    let (least, most) = intensities.range();
    let factor = libm::log(most / least);
    let intensities = (0..POINTS).map(|k| {
        let part = k as f64 / (POINTS - 1) as f64;
        least * libm::exp(factor * part)
    });
    let intensities: Vec<f64> = intensities.collect();
    let of = |(state, answer): &(DamageState, Answer)| {
        let (name, intensities) = (state.name(), &intensities);
        let row = move |curve: &Fragility| {
            let of = |&intensity: &f64| {
                let (lower, upper) = curve.band(intensity);
                CurveRow {
                    state: name.clone(),
                    intensity,
                    probability: curve.probability(intensity),
                    lower,
                    upper,
                }
            };
            intensities.iter().map(of).collect::<Vec<_>>()
        };
        answer.curve().map(row).unwrap_or_default()
    };
    answers.iter().flat_map(of).collect()
}
