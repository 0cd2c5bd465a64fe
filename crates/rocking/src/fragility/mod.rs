//! Fragility: the probability that a block reaches a damage state over an intensity of the motion, from records at
//! several scales.
//!
//! [`Campaign::run`] runs every record at every scale; for a [`DamageState`] it gives the outcomes ([`Trial`]), the
//! fractions at each scale with exact bounds ([`Fraction`]), the least scale of each record ([`Threshold`]) and the
//! curve of each record over the scale (incremental dynamic analysis). [`Answer::of`] fits the lognormal curve to the
//! outcomes, or says why there is none: nothing reached, everything reached, cleanly cut.
//!
//! What is uncertain is which records there are: bands and bounds count records, never trials, for the scales of one
//! record are not independent.

mod bootstrap;
mod campaign;
mod curve;
mod efficiency;
mod fraction;
mod hazard;
mod intensity;
mod line;
mod margin;
mod probit;
#[cfg(feature = "contact")]
mod space;
mod state;
mod trial;
mod warning;

pub use bootstrap::{BandOptions, RecordBand};
pub use campaign::{Campaign, Threshold};
pub use curve::{Answer, Fragility};
pub use efficiency::{Efficiency, Scatter, efficiencies};
pub use fraction::{Fraction, exact_bounds};
pub use hazard::{AnnualFrequency, Hazard};
pub use intensity::{Intensities, IntensityMeasure};
pub use margin::{AnnualRisk, Margin};
#[cfg(feature = "contact")]
pub use space::{over_directions, spatial_response};
pub use state::{DamageState, Response};
pub use trial::Trial;
pub use warning::FragilityWarning;

/// Number of records under which a fragility says more about the records than about the block.
pub const ENOUGH_RECORDS: usize = 20;
