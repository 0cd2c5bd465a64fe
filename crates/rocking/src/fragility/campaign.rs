//! Every record at every scale, and what is read off that.

use klast_dynamics::ground_motion::Component;
use klast_numerics::OutOfRange;
use rayon::prelude::*;

use super::fraction::{Fraction, exact_bounds};
use super::trial::Trial;
use crate::batch::{BatchOptions, Case, Fate, simulate_batch};
use crate::block::{RockingBlock, Side};
use crate::error::RockingError;
use crate::planar::Engine;
use crate::restitution::Restitution;
use klast_numerics::check::require;

/// A state of damage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DamageState {
    /// The peak rotation over the slenderness α reaches this value; 0 is the first uplift.
    Rotation(f64),
    /// The block overturns; of a stack, any block falls.
    Overturning,
    /// All blocks of a stack fall.
    TotalOverturning,
}

impl DamageState {
    /// Rocks at all, a tenth, a half and all of α, overturns.
    pub const USUAL: [Self; 5] = [
        Self::Rotation(0.01),
        Self::Rotation(0.1),
        Self::Rotation(0.5),
        Self::Rotation(1.0),
        Self::Overturning,
    ];

    /// Whether a response reaches it. What overturns has passed every rotation.
    pub fn is_reached(self, response: &Response) -> bool {
        match self {
            Self::Rotation(least) => {
                response.overturned || response.peak > 0.0 && response.peak >= least
            }
            Self::Overturning => response.overturned,
            Self::TotalOverturning => response.total,
        }
    }

    /// Whether whatever reaches this state has reached `other` too.
    pub fn implies(self, other: Self) -> bool {
        match (self, other) {
            (Self::Rotation(own), Self::Rotation(least)) => own >= least,
            (Self::Rotation(_), Self::Overturning | Self::TotalOverturning) => false,
            (Self::Overturning, Self::Rotation(_) | Self::Overturning) => true,
            (Self::Overturning, Self::TotalOverturning) => false,
            (Self::TotalOverturning, _) => true,
        }
    }

    /// Its name in a sentence.
    pub fn name(self) -> String {
        match self {
            Self::Rotation(least) => format!("peak rotation of {least} α"),
            Self::Overturning => "overturning".to_owned(),
            Self::TotalOverturning => "total overturning".to_owned(),
        }
    }
}

/// Response of one record at one signed scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Response {
    /// Largest rotation over the slenderness of the weaker side; 0 for a block that stays on its base.
    pub peak: f64,
    /// Largest slip from the start (m); 0 where blocks do not slide.
    pub slip: f64,
    /// Whether it overturned; of a stack, whether any block fell.
    pub overturned: bool,
    /// Whether all of it fell.
    pub total: bool,
    /// Whether it still rocked at the end of the simulation, so that it may go on to overturn.
    pub undecided: bool,
}

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
    /// the records over the threads. The same bits on any number of threads.
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
                let response = results.iter().map(|result| Response {
                    peak: result.largest_rotation / weakest,
                    slip: result.largest_slip.unwrap_or(f64::NAN),
                    overturned: matches!(result.fate, Fate::Overturned(_)),
                    total: matches!(result.fate, Fate::Overturned(_)),
                    undecided: result.fate == Fate::Rocking,
                });
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

    /// The outcomes for a state; `intensities` are those of the unscaled records.
    pub fn trials(&self, state: DamageState, intensities: &[f64]) -> Vec<Trial> {
        let of_record = |(record, intensity): (usize, &f64)| {
            let row = self.row(record).iter().zip(&self.scales);
            let trial = move |(response, scale): (&Response, &f64)| Trial {
                record,
                scale: *scale,
                intensity: intensity * scale.abs(),
                reached: state.is_reached(response),
            };
            row.map(trial).collect::<Vec<_>>()
        };
        intensities.iter().enumerate().flat_map(of_record).collect()
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
