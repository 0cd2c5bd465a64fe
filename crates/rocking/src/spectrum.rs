//! Rocking spectra: the largest rotation and angular velocity of blocks of one slenderness and many sizes under one
//! motion.

use crate::block::RockingBlock;
use crate::error::RockingError;
use crate::planar::{Engine, SlideRockOptions, SlideRockOutcome, simulate_slide_rock};
use crate::restitution::Restitution;
use crate::run::{Options, Outcome, simulate};
use klast_ground_motion::GroundMotion;
use klast_numerics::check::require;
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
    /// What became of the block; one that slides and never rocks counts as at rest.
    pub outcome: Outcome,
    /// Largest slip from the start (m); 0 where blocks do not slip.
    pub largest_slip: f64,
}

/// The spectrum over `periods` 2π/p (s) for rectangles of slenderness `slenderness` (rad) (Makris and Konstantinidis
/// 2003, Earthquake Engineering and Structural Dynamics 32, 1879). A block that overturns has the largest rotation π/2.
/// With slip the equation of motion is the nonlinear one.
pub fn rocking_spectrum(
    motion: &GroundMotion,
    slenderness: f64,
    restitution: &Restitution,
    periods: &[f64],
    gravity: f64,
    options: &Options,
    engine: Engine,
) -> Result<Vec<SpectrumPoint>, RockingError> {
    periods
        .par_iter()
        .map(|period| {
            require("period", *period, *period > 0.0, "above 0 s")?;
            let p = std::f64::consts::TAU / period;
            let radius = 0.75 * gravity / (p * p);
            let block = RockingBlock::from_slenderness(slenderness, radius, gravity)?;
            let point = |outcome, largest_rotation, largest_velocity, largest_slip| SpectrumPoint {
                period: *period,
                radius,
                largest_rotation,
                largest_velocity,
                outcome,
                largest_slip,
            };
            match engine {
                Engine::NoSlip => {
                    let run = simulate(&block, restitution, motion, options)?;
                    let (rotation, velocity) = (run.largest_rotation, run.largest_velocity);
                    Ok(point(run.outcome, rotation, velocity, 0.0))
                }
                Engine::SlideRock(friction) => {
                    let options = SlideRockOptions {
                        rotation: options.rotation,
                        angular_velocity: options.angular_velocity,
                        overturned_at: options.overturned_at,
                        max_steps: options.max_steps,
                        ..SlideRockOptions::new(options.duration, friction)
                    };
                    let run = simulate_slide_rock(&block, restitution, motion, &options)?;
                    let (rotation, velocity) = (run.largest_rotation, run.largest_velocity);
                    let outcome = match run.outcome {
                        SlideRockOutcome::Rest
                        | SlideRockOutcome::Slid
                        | SlideRockOutcome::Sliding => Outcome::Rest,
                        SlideRockOutcome::Settled => Outcome::Settled,
                        SlideRockOutcome::Rocking => Outcome::Rocking,
                        SlideRockOutcome::Overturned(mode) => Outcome::Overturned(mode),
                    };
                    Ok(point(outcome, rotation, velocity, run.largest_slip))
                }
            }
        })
        .collect()
}
