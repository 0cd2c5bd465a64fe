//! The coefficient of restitution that fits measured histories of free rocking.

use crate::block::{RockingBlock, Side};
use crate::equation::Equation;
use crate::error::RockingError;
use crate::restitution::{Restitution, RestitutionModel};
use crate::run::{Options, simulate_at};
use klast_ground_motion::GroundMotion;
use klast_numerics::check::require;
use klast_numerics::fit::{Alike, Search};

/// A measured rotation: times (s) from the release and rotations (rad).
#[derive(Debug, Clone, PartialEq)]
pub struct RotationHistory {
    times: Vec<f64>,
    rotations: Vec<f64>,
}

impl RotationHistory {
    /// A history from times (s, increasing) and rotations (rad, under π/2, the first not zero: the tilt at the
    /// release).
    pub fn new(times: Vec<f64>, rotations: Vec<f64>) -> Result<Self, RockingError> {
        let count = times.len();
        let accepted = "at least 4 times and as many rotations";
        require(
            "number of samples",
            count as f64,
            count >= 4 && count == rotations.len(),
            accepted,
        )?;
        for pair in times.windows(2) {
            require(
                "time",
                pair[1],
                pair[1] > pair[0] && pair[0].is_finite(),
                "above the one before",
            )?;
        }
        for rotation in &rotations {
            let inside = rotation.abs() < std::f64::consts::FRAC_PI_2;
            require("rotation", *rotation, inside, "under π/2 rad")?;
        }
        require(
            "first rotation",
            rotations[0],
            rotations[0] != 0.0,
            "not 0 rad",
        )?;
        let start = times[0];
        Ok(Self {
            times: times.iter().map(|t| t - start).collect(),
            rotations,
        })
    }

    /// Times from the first sample (s).
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Rotations (rad).
    pub fn rotations(&self) -> &[f64] {
        &self.rotations
    }

    /// Times at which the sign changes: linear between two samples, or the first of the samples at zero between them.
    fn crossings(&self) -> Vec<f64> {
        let mut crossings = Vec::new();
        // Index of the last sample that was not zero.
        let mut last = 0;
        for (now, rotation) in self.rotations.iter().enumerate() {
            if *rotation == 0.0 {
                continue;
            }
            let before = self.rotations[last];
            if before.is_sign_negative() != rotation.is_sign_negative() {
                let next = last + 1;
                let part = before / (before - self.rotations[next]);
                crossings.push(self.times[last] + part * (self.times[next] - self.times[last]));
            }
            last = now;
        }
        crossings
    }

    /// First and last time of a window.
    fn window(&self, window: FitWindow) -> Result<(f64, f64), RockingError> {
        let end = self.times.last().copied().unwrap_or(0.0);
        match window {
            FitWindow::Full => Ok((0.0, end)),
            FitWindow::MiddleHalf => Ok((0.25 * end, 0.75 * end)),
            FitWindow::FirstHalfPeriod => match self.crossings().as_slice() {
                [first, second, ..] => Ok((*first, *second)),
                found => {
                    let count = found.len();
                    require("number of sign changes", count as f64, false, "at least 2")?;
                    Ok((0.0, end))
                }
            },
        }
    }
}

/// Part of the history that is fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FitWindow {
    /// All of it.
    #[default]
    Full,
    /// From a quarter to three quarters of its time, as the fits η_e of Čeh (2018), section 4.4.1.1, are judged.
    MiddleHalf,
    /// The flight between the first and the second impact: η′_e of the same section.
    FirstHalfPeriod,
}

/// A fitted coefficient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// Coefficient of restitution.
    pub eta: f64,
    /// Root mean square of the difference of the rotations in the window (rad).
    pub rms: f64,
    /// Window used (s).
    pub window: (f64, f64),
    /// Number of samples in the window.
    pub samples: usize,
}

/// Coefficients that are looked at on the first grid: the sum of squares has several minima.
const VALUES: usize = 200;
/// Where a coefficient is sought.
const RANGE: [f64; 2] = [1.0 / VALUES as f64, 1.0];

/// A measured history that a block is compared with: the part of it within the window.
#[derive(Debug, Clone)]
struct Observed {
    tilt: f64,
    window: (f64, f64),
    times: Vec<f64>,
    rotations: Vec<f64>,
}

/// A block and the histories of its free rocking from rest.
///
/// The release angle is the first sample; it must lie below the balance of the block, as beyond it no coefficient
/// decides anything. A coefficient with which the block overturns within the window fits nothing: what it leaves has no
/// rotation to compare.
#[derive(Debug, Clone)]
pub struct RestitutionFit<'a> {
    block: &'a RockingBlock,
    observed: Vec<Observed>,
}

impl<'a> RestitutionFit<'a> {
    /// A fit to the part of each history within a window.
    ///
    /// # Errors
    /// No history; one that begins at or beyond the balance of the block, or has fewer than two samples in the window.
    pub fn new(
        block: &'a RockingBlock,
        histories: &[RotationHistory],
        window: FitWindow,
    ) -> Result<Self, RockingError> {
        let count = histories.len();
        require("number of histories", count as f64, count > 0, "1 or more")?;
        let observed = histories.iter().map(|h| observed(block, h, window));
        Ok(Self {
            block,
            observed: observed.collect::<Result<_, _>>()?,
        })
    }

    /// Sum of the squared differences of the rotations (rad²) for each history; infinite where the block overturns.
    ///
    /// # Errors
    /// A coefficient that is not above 0 and at most 1.
    pub fn squares(&self, eta: f64) -> Result<Vec<f64>, RockingError> {
        let restitution = Restitution::new(RestitutionModel::Given { eta })?;
        let still = GroundMotion::at_rest();
        let of = |own: &Observed| {
            let options = Options::released(own.window.1 + 1e-9, own.tilt);
            let run = simulate_at(self.block, &restitution, &still, &options, &own.times)?;
            if run.samples.len() < own.times.len() {
                return Ok(f64::INFINITY);
            }
            let pairs = own.rotations.iter().zip(&run.samples);
            Ok(pairs
                .map(|(measured, sample)| {
                    let missed = sample.rotation - measured;
                    missed * missed
                })
                .sum())
        };
        self.observed.iter().map(of).collect()
    }

    /// Number of samples in the window of each history.
    pub fn samples(&self) -> Vec<usize> {
        self.observed.iter().map(|own| own.times.len()).collect()
    }

    /// The window of each history (s).
    pub fn windows(&self) -> impl Iterator<Item = (f64, f64)> {
        self.observed.iter().map(|own| own.window)
    }

    /// The coefficients from 0.005 to 1 that leave least, by least squares of the rotation; `resamples` say how often
    /// each history counts, the first of them once each.
    ///
    /// # Errors
    /// None that a coefficient in this range could have.
    pub fn search(&self, resamples: Vec<Vec<u32>>) -> Result<Search<1>, RockingError> {
        // Of coefficients that leave the same rotations to the last bit the smallest is taken.
        let alike = Alike {
            relative: 0.0,
            of_a_sample: 0.0,
            samples: self.samples(),
        };
        let mut search = Search::new([RANGE], VALUES, alike, resamples);
        let evaluate = |sets: &[[f64; 1]]| sets.iter().map(|[eta]| self.squares(*eta)).collect();
        search.run(evaluate, || Ok(()))?;
        Ok(search)
    }
}

fn observed(
    block: &RockingBlock,
    history: &RotationHistory,
    window: FitWindow,
) -> Result<Observed, RockingError> {
    let tilt = history.rotations[0];
    let side = if tilt > 0.0 { Side::Right } else { Side::Left };
    let balance = Equation::Nonlinear.balance(block.corner(side).slenderness);
    let below = "below the balance of the block, its slenderness angle";
    require(
        "size of the first rotation (rad)",
        tilt.abs(),
        tilt.abs() < balance,
        below,
    )?;
    let (from, to) = history.window(window)?;
    let samples = history.times.iter().zip(&history.rotations);
    let inside = samples.filter(|(time, _)| (from..=to).contains(*time));
    let (times, rotations): (Vec<f64>, Vec<f64>) = inside.map(|(t, r)| (*t, *r)).unzip();
    let count = times.len();
    require(
        "number of samples in the window",
        count as f64,
        count >= 2,
        "at least 2",
    )?;
    Ok(Observed {
        tilt,
        window: (from, to),
        times,
        rotations,
    })
}

/// Fits a constant coefficient of restitution to a history of free rocking from rest ([`RestitutionFit`]).
///
/// # Errors
/// As [`RestitutionFit::new`]; a history with which every coefficient overturns the block.
pub fn fit_restitution(
    block: &RockingBlock,
    history: &RotationHistory,
    window: FitWindow,
) -> Result<Fit, RockingError> {
    let fit = RestitutionFit::new(block, std::slice::from_ref(history), window)?;
    let search = fit.search(vec![vec![1]])?;
    let found = search.trials().best(&[1]);
    let (eta, squares) = found.map_or((f64::NAN, f64::INFINITY), |t| (t.values[0], t.losses[0]));
    require(
        "restitution that fits",
        eta,
        true,
        "one that does not overturn the block",
    )?;
    let samples = fit.samples().iter().sum::<usize>();
    Ok(Fit {
        eta,
        rms: (squares / samples as f64).sqrt(),
        window: fit.windows().next().unwrap_or_default(),
        samples,
    })
}
