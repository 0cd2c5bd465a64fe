//! Elastic–brittle restrainers between a block and its base: anchors, bolts, cables, braces that only pull.
//!
//! A restrainer joins a point of the block with a point of the base. Over its free length, that at rest and its slack,
//! it pulls with k e, e the elongation; at its strength it breaks and never acts again (Makris and Zhang 2001, Journal
//! of Engineering Mechanics 127, 484, with a ductility of 1). It has no mass and resists no pressure. At rest it does
//! not pull, so the base acceleration that lifts the block off is that of the free block.

mod audit;
mod series;

pub(crate) use audit::Held;
pub use audit::{RestrainedEnergy, RestrainerReport, RestraintReport};

use crate::block::{RockingBlock, Side};
use crate::error::RockingError;
use klast_numerics::check::require;

/// Most restrainers of a block.
pub const MOST_RESTRAINERS: usize = 4;

/// A restrainer. Points are (x, z) in the frame of the block at rest, x (m) to the right from below its mass centre, z
/// (m) upwards from its base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restrainer {
    /// Where it holds the block.
    pub block_point: (f64, f64),
    /// Where it is anchored to what moves with the base: a floor, a wall.
    pub base_point: (f64, f64),
    /// Stiffness k (N/m).
    pub stiffness: f64,
    /// Force at which it breaks (N).
    pub strength: f64,
    /// Elongation (m) up to which it does not pull.
    pub slack: f64,
}

impl Restrainer {
    /// A bolt through the base at `x` (m), without length and slack: it pulls as soon as its point rises.
    pub fn bolt(x: f64, stiffness: f64, strength: f64) -> Self {
        Self {
            block_point: (x, 0.0),
            base_point: (x, 0.0),
            stiffness,
            strength,
            slack: 0.0,
        }
    }

    fn check(&self) -> Result<(), RockingError> {
        let (k, f) = (self.stiffness, self.strength);
        require("stiffness of a restrainer", k, k > 0.0, "above 0 N/m")?;
        require("strength of a restrainer", f, f > 0.0, "above 0 N")?;
        require(
            "slack of a restrainer",
            self.slack,
            self.slack >= 0.0,
            "at least 0 m",
        )?;
        for x in [self.block_point, self.base_point] {
            require("point of a restrainer", x.0, true, "finite")?;
            require("point of a restrainer", x.1, true, "finite")?;
        }
        Ok(())
    }
}

/// The restrainers of a block, and the mass that its forces move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restraint {
    mass: f64,
    count: usize,
    list: [Restrainer; MOST_RESTRAINERS],
}

impl Restraint {
    /// Restrainers of a block of `mass` (kg).
    ///
    /// # Errors
    /// None or more than [`MOST_RESTRAINERS`], and numbers out of range.
    pub fn new(mass: f64, restrainers: &[Restrainer]) -> Result<Self, RockingError> {
        require("mass", mass, mass > 0.0, "above 0 kg")?;
        let count = restrainers.len();
        let few = (1..=MOST_RESTRAINERS).contains(&count);
        require("restrainers", count as f64, few, "1 to 4")?;
        let mut list = [Restrainer::bolt(0.0, 1.0, 1.0); MOST_RESTRAINERS];
        for (kept, restrainer) in list.iter_mut().zip(restrainers) {
            restrainer.check()?;
            *kept = *restrainer;
        }
        Ok(Self { mass, count, list })
    }

    /// Mass of the block (kg).
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// The restrainers.
    pub fn restrainers(&self) -> &[Restrainer] {
        self.list.get(..self.count).unwrap_or(&[])
    }
}

/// A restrainer seen from the corner the block pivots on, in the plane in which it rotates clockwise, per mass.
///
/// With the rotation q the square of its length is ℓ² = ℓ₀² + b (1 − cos q) − c sin q.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Arm {
    /// From the pivot to the point of the block at rest.
    held: (f64, f64),
    /// From the pivot to the point of the base.
    anchor: (f64, f64),
    sign: f64,
    b: f64,
    c: f64,
    /// Length at rest.
    length: f64,
    slack: f64,
    /// Stiffness over mass (1/s²).
    stiffness: f64,
    /// Elongation at which it breaks.
    limit: f64,
}

impl Arm {
    pub(crate) fn new(block: &RockingBlock, side: Side, mass: f64, of: &Restrainer) -> Self {
        let (sign, lever) = (side.sign(), block.corner(side).lever);
        let seen = |(x, z): (f64, f64)| (sign * x - lever, z);
        let (held, anchor) = (seen(of.block_point), seen(of.base_point));
        Self {
            held,
            anchor,
            sign,
            b: 2.0 * (held.0 * anchor.0 + held.1 * anchor.1),
            c: 2.0 * (anchor.0 * held.1 - anchor.1 * held.0),
            length: libm::hypot(held.0 - anchor.0, held.1 - anchor.1),
            slack: of.slack,
            stiffness: of.stiffness / mass,
            limit: of.strength / of.stiffness,
        }
    }

    /// Length over which it pulls.
    fn free_length(&self) -> f64 {
        self.length + self.slack
    }

    fn length_at(&self, q: f64) -> (f64, f64) {
        let half = libm::sin(0.5 * q);
        let grown = 2.0 * self.b * half * half - self.c * libm::sin(q);
        let square = self.length * self.length + grown;
        (square.max(0.0).sqrt(), grown)
    }

    /// Elongation beyond the slack, negative where it does not pull.
    pub(crate) fn elongation(&self, q: f64) -> f64 {
        let (length, grown) = self.length_at(q);
        let both = length + self.length;
        // The difference of two lengths without cancellation.
        let longer = if both > 0.0 { grown / both } else { 0.0 };
        longer - self.slack
    }

    /// Whether it pulls as soon as the block leaves its base.
    pub(crate) fn pulls_from_rest(&self) -> bool {
        let unit = 1e-14 * (self.b.abs() + self.c.abs());
        let lengthens = -self.c > unit || (self.c.abs() <= unit && self.b > unit);
        self.slack == 0.0 && lengthens
    }

    /// The rotations up to π at which its length has an extreme: there tan q = c/b.
    pub(crate) fn extreme(&self) -> f64 {
        let q = libm::atan2(self.c, self.b);
        if q > 0.0 { q } else { q + std::f64::consts::PI }
    }

    pub(crate) fn breaks(&self, q: f64) -> bool {
        self.elongation(q) >= self.limit
    }

    /// Stored energy per mass while it pulls.
    pub(crate) fn stored(&self, q: f64) -> f64 {
        let e = self.elongation(q).max(0.0);
        0.5 * self.stiffness * e * e
    }

    /// Force on the block per mass while it pulls, in the frame of the base.
    pub(crate) fn force(&self, q: f64) -> (f64, f64) {
        let (length, _) = self.length_at(q);
        if length == 0.0 {
            return (0.0, 0.0);
        }
        let (sin, cos) = libm::sincos(q);
        let at = (
            self.held.0 * cos + self.held.1 * sin,
            self.held.1 * cos - self.held.0 * sin,
        );
        let pull = self.stiffness * self.elongation(q).max(0.0) / length;
        (
            self.sign * pull * (self.anchor.0 - at.0),
            pull * (self.anchor.1 - at.1),
        )
    }
}
