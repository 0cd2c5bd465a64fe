//! Every record at every scale, and what is read off that.

use klast_ground_motion::Component;
use klast_numerics::OutOfRange;
use rayon::prelude::*;

use super::fraction::{Fraction, exact_bounds};
use super::intensity::Intensities;
use super::state::{DamageState, Response};
use super::trial::Trial;
use crate::batch::{BatchOptions, Case, CaseResult, Fate, simulate_batch};
use crate::block::{RockingBlock, Side};
use crate::error::RockingError;
use crate::planar::Engine;
use crate::restitution::Restitution;
use klast_numerics::check::require;

/// The least scale at which a record reaches a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// Index of the record.
    pub record: usize,
    /// Least scale (without sign) at which the state is reached in either polarity, if it is.
    pub least: Option<f64>,
    /// The scale below it at which it is not: the threshold lies between.
    pub below: Option<f64>,
    /// Number of larger scales at which the state is not reached again: response does not grow with the scale
    /// throughout.
    pub returns: usize,
}

/// Responses of all records at all scales.
#[derive(Debug, Clone, PartialEq)]
pub struct Campaign {
    records: usize,
    /// Signed, as given.
    scales: Vec<f64>,
    /// Row by row of the records.
    responses: Vec<Response>,
}

impl Campaign {
    /// Runs `records` at `scales` (signed; a negative one is the other polarity), the scales of a record in lanes and
    /// the records over the threads. The same bits on any number of threads. States beyond rotation, slip and
    /// overturning ([`DamageState::needs_events`]) are seen where the options have a `reach_height`, restrainers or a
    /// compliant base.
    ///
    /// # Errors
    /// A scale that is not finite or 0, and those of [`simulate_batch`].
    pub fn run(
        block: &RockingBlock,
        restitution: &Restitution,
        records: &[Component],
        scales: &[f64],
        options: &BatchOptions,
    ) -> Result<Self, RockingError> {
        for scale in scales {
            require("scale", *scale, *scale != 0.0, "not 0")?;
        }
        let weakest = block
            .corner(Side::Right)
            .slenderness
            .min(block.corner(Side::Left).slenderness);
        // The slip is part of a response.
        let options = BatchOptions {
            follow: options.follow || options.engine != Engine::NoSlip,
            ..*options
        };
        let rows: Result<Vec<Vec<Response>>, RockingError> = records
            .par_iter()
            .map(|motion| {
                let case = |scale: &f64| Case {
                    block: *block,
                    restitution: *restitution,
                    motion: motion.scaled(*scale),
                    rotation: 0.0,
                };
                let cases: Vec<Case> = scales.iter().map(case).collect();
                let results = simulate_batch(&cases, &options)?;
                let response = results.iter().map(|result| response(result, weakest));
                Ok(response.collect())
            })
            .collect();
        Self::new(
            records.len(),
            scales.to_vec(),
            rows?.into_iter().flatten().collect(),
        )
    }

    /// A campaign of responses found elsewhere, row by row of the records.
    ///
    /// # Errors
    /// Another number of responses than records times scales.
    pub fn new(
        records: usize,
        scales: Vec<f64>,
        responses: Vec<Response>,
    ) -> Result<Self, RockingError> {
        if responses.len() != records * scales.len() {
            return Err(OutOfRange::new(
                "responses of a campaign",
                responses.len(),
                "as many as records times scales",
            )
            .into());
        }
        Ok(Self {
            records,
            scales,
            responses,
        })
    }

    /// Number of records.
    pub fn records(&self) -> usize {
        self.records
    }

    /// The signed scales.
    pub fn scales(&self) -> &[f64] {
        &self.scales
    }

    /// Responses of a record, in the order of the scales.
    pub fn row(&self, record: usize) -> &[Response] {
        let width = self.scales.len();
        self.responses
            .get(record * width..(record + 1) * width)
            .unwrap_or(&[])
    }

    /// Number of trials that still rocked at the end.
    pub fn undecided(&self) -> usize {
        self.responses
            .iter()
            .filter(|response| response.undecided)
            .count()
    }

    /// Number of trials at a scale (without sign) that still rocked at the end.
    pub fn undecided_at(&self, magnitude: f64) -> usize {
        let of_record = |record: usize| {
            let row = self.row(record).iter().zip(&self.scales);
            row.filter(|(response, scale)| response.undecided && scale.abs() == magnitude)
                .count()
        };
        (0..self.records).map(of_record).sum()
    }

    /// The outcomes for a state.
    pub fn trials(&self, state: DamageState, intensities: &Intensities) -> Vec<Trial> {
        let of_record = |record: usize| {
            let row = self.row(record).iter().zip(&self.scales);
            let trial = move |(response, scale): (&Response, &f64)| Trial {
                record,
                scale: *scale,
                intensity: intensities.at(record, *scale),
                reached: state.is_reached(response),
            };
            row.map(trial).collect::<Vec<_>>()
        };
        (0..self.records).flat_map(of_record).collect()
    }

    /// The scales without their signs, each once, rising.
    pub fn magnitudes(&self) -> Vec<f64> {
        let mut magnitudes: Vec<f64> = self.scales.iter().map(|scale| scale.abs()).collect();
        magnitudes.sort_by(f64::total_cmp);
        magnitudes.dedup();
        magnitudes
    }

    /// The part of the polarities at a magnitude for which a record reaches the state.
    fn part(&self, record: usize, magnitude: f64, state: DamageState) -> f64 {
        let row = self.row(record).iter().zip(&self.scales);
        let own: Vec<bool> = row
            .filter(|(_, scale)| scale.abs() == magnitude)
            .map(|(response, _)| state.is_reached(response))
            .collect();
        own.iter().filter(|reached| **reached).count() as f64 / own.len().max(1) as f64
    }

    /// The fraction of the records that reach the state at each scale.
    pub fn fractions(&self, state: DamageState) -> Vec<Fraction> {
        let fraction = |scale: f64| {
            let reached = (0..self.records)
                .map(|record| self.part(record, scale, state))
                .sum();
            Fraction {
                scale,
                reached,
                records: self.records,
                bounds: exact_bounds(reached, self.records),
            }
        };
        self.magnitudes().into_iter().map(fraction).collect()
    }

    /// The least scale of each record.
    pub fn thresholds(&self, state: DamageState) -> Vec<Threshold> {
        let magnitudes = self.magnitudes();
        let threshold = |record: usize| {
            let reached: Vec<bool> = magnitudes
                .iter()
                .map(|m| self.part(record, *m, state) > 0.0)
                .collect();
            let at = reached.iter().position(|reached| *reached);
            Threshold {
                record,
                least: at.map(|at| magnitudes[at]),
                below: at.and_then(|at| at.checked_sub(1)).map(|at| magnitudes[at]),
                returns: at.map_or(0, |at| {
                    reached[at..].iter().filter(|reached| !**reached).count()
                }),
            }
        };
        (0..self.records).map(threshold).collect()
    }
}

/// The response of one case of a batch; `weakest` is the slenderness (rad) of the weaker side.
fn response(result: &CaseResult, weakest: f64) -> Response {
    let overturned = matches!(result.fate, Fate::Overturned(_));
    let events = result.events.unwrap_or_default();
    Response {
        peak: result.largest_rotation / weakest,
        slip: result.largest_slip.unwrap_or(f64::NAN),
        landing: events.landing,
        reach: events.reach,
        pull: events.pull,
        broken: events.broken,
        overturned,
        total: overturned,
        undecided: result.fate == Fate::Rocking,
    }
}
