//! The coefficient of restitution that fits a measured history of free rocking.

use crate::block::{RockingBlock, Side};
use crate::equation::Equation;
use crate::error::RockingError;
use crate::restitution::{Restitution, RestitutionModel};
use crate::run::{Options, simulate_at};
use klast_dynamics::ground_motion::GroundMotion;
use klast_numerics::check::require;
use klast_numerics::roots::golden_section;

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

/// Fits a constant coefficient of restitution to a history of free rocking from rest, by least squares of the rotation.
///
/// The release angle is the first sample; it must lie below the balance of the block, as beyond it no coefficient
/// decides anything. A coefficient with which the block overturns within the window fits nothing: what it leaves has no
/// rotation to compare. The sum of squares has several minima, so it is looked at on 200 coefficients from 0.005 to 1
/// before the best one is refined by golden section to 1e-7.
pub fn fit_restitution(
    block: &RockingBlock,
    history: &RotationHistory,
    window: FitWindow,
) -> Result<Fit, RockingError> {
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
    let inside: Vec<usize> = (0..history.times.len())
        .filter(|i| history.times[*i] >= from && history.times[*i] <= to)
        .collect();
    let count = inside.len();
    require(
        "number of samples in the window",
        count as f64,
        count >= 2,
        "at least 2",
    )?;
    let times: Vec<f64> = inside.iter().map(|i| history.times[*i]).collect();
    let objective = |eta: f64| -> Result<f64, RockingError> {
        let restitution = Restitution::new(RestitutionModel::Given { eta })?;
        let options = Options::released(to + 1e-9, tilt);
        let still = GroundMotion::at_rest();
        let run = simulate_at(block, &restitution, &still, &options, &times)?;
        if run.samples.len() < count {
            return Ok(f64::INFINITY);
        }
        let squares = inside.iter().zip(&run.samples).map(|(i, sample)| {
            let missed = sample.rotation - history.rotations[*i];
            missed * missed
        });
        Ok((squares.sum::<f64>() / count as f64).sqrt())
    };
    const LOOKS: usize = 200;
    let mut best = (1.0, f64::INFINITY);
    for k in 1..=LOOKS {
        let eta = k as f64 / LOOKS as f64;
        let value = objective(eta)?;
        if value < best.1 {
            best = (eta, value);
        }
    }
    let step = 1.0 / LOOKS as f64;
    let interval = ((best.0 - step).max(0.0), (best.0 + step).min(1.0));
    let found = golden_section(interval, 1e-7, objective)?;
    Ok(Fit {
        eta: found.at,
        rms: found.value,
        window: (from, to),
        samples: count,
    })
}
