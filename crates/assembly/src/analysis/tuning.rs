//! Basin sizes and amplitudes for which a single block meets the far wall at a chosen point of the cycle.
//!
//! A block of size s that touches the left wall at time zero leaves with v0 = (1 + e) u0 Ω and, without friction, meets
//! the right wall at the phase θ of (d − s)/u0 = (1 + e) θ − sin θ. The right side grows, so that is the first
//! collision. Valid for 0 ≤ e ≤ 1; at e = 0 and θ = 2π the wall is met without relative speed.

use std::f64::consts::{FRAC_PI_2, TAU};

use crate::error::AssemblyError;
use klast_numerics::check::{positive, within};
use klast_numerics::roots::newton;

/// Contact points of the cycle of the basin x_b = u0 sin θ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactPoint {
    /// A: θ = π/2, the basin at its right turning point.
    RightTurn,
    /// B: θ = π, the basin at its fastest to the left.
    Against,
    /// C: θ = 3π/2, the basin at its left turning point.
    LeftTurn,
    /// D: θ = 2π, the basin at its fastest to the right.
    Along,
}

impl ContactPoint {
    /// A, B, C, D.
    pub const ALL: [Self; 4] = [Self::RightTurn, Self::Against, Self::LeftTurn, Self::Along];

    /// Quarters of a turn from zero, sin θ and cos θ.
    fn quarter(self) -> (f64, f64, f64) {
        match self {
            Self::RightTurn => (1.0, 1.0, 0.0),
            Self::Against => (2.0, 0.0, -1.0),
            Self::LeftTurn => (3.0, -1.0, 0.0),
            Self::Along => (4.0, 0.0, 1.0),
        }
    }
}

/// The first collision at a chosen contact point, `turns` whole cycles later.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FirstCollision {
    /// Where in the cycle.
    pub point: ContactPoint,
    /// n of Table 9.1 of Čeh (2018).
    pub turns: u32,
    /// Restitution at the walls.
    pub restitution: f64,
}

/// A basin and a drive that belong together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tuning {
    /// Inside length of the basin, m.
    pub basin: f64,
    /// Amplitude, m.
    pub amplitude: f64,
}

impl FirstCollision {
    /// A collision with restitution within [0, 1].
    ///
    /// # Errors
    /// A restitution outside [0, 1].
    pub fn new(point: ContactPoint, turns: u32, restitution: f64) -> Result<Self, AssemblyError> {
        within("restitution at the wall", restitution, (0.0, 1.0), "0 to 1")?;
        Ok(Self {
            point,
            turns,
            restitution,
        })
    }

    /// θ, rad.
    #[must_use]
    pub fn phase(&self) -> f64 {
        FRAC_PI_2 * self.point.quarter().0 + TAU * f64::from(self.turns)
    }

    /// (d − s)/u0.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        (1.0 + self.restitution) * self.phase() - self.point.quarter().1
    }

    /// Basin size for a given amplitude (m) and block (m): left column of Table 9.1.
    ///
    /// # Errors
    /// An amplitude or a size that is not above zero.
    pub fn basin(&self, amplitude: f64, size: f64) -> Result<Tuning, AssemblyError> {
        positive("amplitude (m)", amplitude)?;
        positive("block size (m)", size)?;
        Ok(Tuning {
            basin: size + amplitude * self.ratio(),
            amplitude,
        })
    }

    /// Amplitude for a given basin (m) and block (m): right column of Table 9.1.
    ///
    /// # Errors
    /// A block that is not shorter than the basin.
    pub fn amplitude(&self, basin: f64, size: f64) -> Result<Tuning, AssemblyError> {
        positive("block size (m)", size)?;
        if !(basin.is_finite() && basin > size) {
            return Err(AssemblyError::DoNotFit {
                needed: size,
                length: basin,
            });
        }
        Ok(Tuning {
            basin,
            amplitude: (basin - size) / self.ratio(),
        })
    }

    /// Rebound velocity over u0 Ω: (1 + e)(cos θ − e). Of Table 9.2 lines A and C agree with it; the printed right
    /// sides of B and D do not: they are −(1 + e)² and 1 − e².
    #[must_use]
    pub fn rebound(&self) -> f64 {
        let e = self.restitution;
        (1.0 + e) * (self.point.quarter().2 - e)
    }

    /// Phase of the first collision for any ratio (d − s)/u0 ≥ 0 and restitution.
    ///
    /// # Errors
    /// A ratio that is negative or not finite, a restitution outside [0, 1].
    pub fn phase_of(ratio: f64, restitution: f64) -> Result<f64, AssemblyError> {
        within("(d − s)/u0", ratio, (0.0, 1e12), "0 to 1e12")?;
        within("restitution at the wall", restitution, (0.0, 1.0), "0 to 1")?;
        let speed = 1.0 + restitution;
        let gap = |phase: f64| {
            let (sin, cos) = libm::sincos(phase);
            (ratio + sin - speed * phase, cos - speed)
        };
        let early = ((ratio - 1.0) / speed).max(0.0);
        let late = (ratio + 1.0) / speed;
        Ok(newton((early, late), 0.5 * (early + late), false, gap))
    }
}
