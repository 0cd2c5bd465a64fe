//! Rocking spectra: the largest rotation and angular velocity of blocks of one slenderness and many sizes under one motion.

use crate::block::RockingBlock;
use crate::error::{RockingError, require};
use crate::restitution::Restitution;
use crate::run::{Options, Outcome, simulate};
use klast_dynamics::ground_motion::GroundMotion;
use rayon::prelude::*;

/// One size of a spectrum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpectrumPoint {
    /// 2π/p (s).
    pub period: f64,
    /// Half diagonal R = 3g/(4p²) (m).
    pub radius: f64,
    /// Largest |θ| (rad).
    pub largest_rotation: f64,
    /// Largest |θ′| (rad/s).
    pub largest_velocity: f64,
    /// What became of the block.
    pub outcome: Outcome,
}

/// The spectrum over `periods` 2π/p (s) for rectangles of slenderness `slenderness` (rad) (Makris and Konstantinidis 2003,
/// Earthquake Engineering and Structural Dynamics 32, 1879). A block that overturns has the largest rotation π/2.
pub fn rocking_spectrum(
    motion: &GroundMotion,
    slenderness: f64,
    restitution: &Restitution,
    periods: &[f64],
    gravity: f64,
    options: &Options,
) -> Result<Vec<SpectrumPoint>, RockingError> {
    periods
        .par_iter()
        .map(|period| {
            require("period", *period, *period > 0.0, "above 0 s")?;
            let p = std::f64::consts::TAU / period;
            let radius = 0.75 * gravity / (p * p);
            let block = RockingBlock::from_slenderness(slenderness, radius, gravity)?;
            let run = simulate(&block, restitution, motion, options)?;
            Ok(SpectrumPoint {
                period: *period,
                radius,
                largest_rotation: run.largest_rotation,
                largest_velocity: run.largest_velocity,
                outcome: run.outcome,
            })
        })
        .collect()
}
